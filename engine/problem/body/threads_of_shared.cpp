#include "engine/problem/body/threads_of_shared.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "engine/source/shared.hpp"

namespace warplens::problem {
namespace {

constexpr std::int64_t kMostThreads = 1024, kWarp = 32;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string without_spaces(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  return plain;
}

std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    if (end > at && std::isdigit(static_cast<unsigned char>(text[at])) == 0)
      names.push_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return names;
}

bool is_block(std::int64_t threads) { return threads >= kWarp && threads % kWarp == 0; }

// What the kernel calls its thread: "threadIdx.x", and "t" of "int t = threadIdx.x;".
std::vector<std::string> names_of_thread(const std::string& plain) {
  constexpr std::string_view kThread = "threadIdx.x";
  std::vector<std::string> names{std::string(kThread)};
  const std::string given = "=" + std::string(kThread);
  for (std::size_t at = plain.find(given); at != std::string::npos; at = plain.find(given, at + 1)) {
    const std::size_t end = at + given.size();
    if (end < plain.size() && plain[end] != ';' && plain[end] != ',') continue;
    std::size_t begin = at;
    while (begin > 0 && is_of_name(plain[begin - 1])) --begin;
    // Spaces are gone: of "intt" only what a type leaves is the name.
    for (const std::string_view type :
         {"unsignedint", "constint", "constunsigned", "unsigned", "int", "auto"})
      if (plain.substr(begin, at - begin).starts_with(type) && at - begin > type.size()) {
        begin += type.size();
        break;
      }
    if (begin < at) names.push_back(plain.substr(begin, at - begin));
  }
  return names;
}

// Behind each of these words what stands there up to one of the ends, as a number.
std::vector<std::int64_t> numbers_behind(const ValueOf& value_of, const std::string& plain,
                                         const std::string& words, std::string_view ends) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = plain.find(words); at != std::string::npos; at = plain.find(words, at + 1)) {
    if (at > 0 && is_of_name(words.front()) && (is_of_name(plain[at - 1]) || plain[at - 1] == '.')) continue;
    const std::size_t begin = at + words.size(), end = plain.find_first_of(ends, begin);
    if (end == std::string::npos) continue;
    if (const auto number = value_of(std::string_view(plain).substr(begin, end - begin)))
      numbers.push_back(*number);
  }
  return numbers;
}

// A name of the sum that is most of it: N of "N + 2", BLOCK of "BLOCK + 2 * RADIUS".
std::int64_t most_of_sum(const ValueOf& value_of, std::string_view extent, std::int64_t all) {
  if (extent.find('+') == std::string_view::npos) return 0;
  for (const std::string_view name : names_in(extent))
    if (const auto value = value_of(name); value && is_block(*value) && *value < all && all - *value < *value)
      return *value;
  return 0;
}

// The threads whose elements begin behind the neighbours of the first one, where as many neighbours follow the last.
std::int64_t between_neighbours(const ValueOf& value_of, const std::string& plain, std::int64_t all) {
  for (const std::string& thread : names_of_thread(plain))
    for (const std::int64_t before : numbers_behind(value_of, plain, thread + "+", "];,"))
      if (before > 0 && is_block(all - 2 * before)) return all - 2 * before;
  return 0;
}

// What is left by the few threads that bring another element each, or one for each end.
std::int64_t beside_the_rest(const ValueOf& value_of, const std::string& plain, std::int64_t all) {
  for (const std::string& thread : names_of_thread(plain))
    for (const std::int64_t few : numbers_behind(value_of, plain, thread + "<", ")&|;"))
      for (const std::int64_t rest : {few, 2 * few})
        if (few > 0 && rest < kWarp && is_block(all - rest)) return all - rest;
  return 0;
}

}  // namespace

std::int64_t threads_of_shared(const ValueOf& value_of, std::string_view body) {
  const auto declarations = source::shared_declarations(body);
  if (declarations.empty() || declarations[0].arrays[0].extents.empty()) return 0;
  const std::string_view extent = declarations[0].arrays[0].extents[0];
  const auto all = value_of(extent);
  if (!all || *all <= 0) return 0;
  std::int64_t threads = most_of_sum(value_of, extent, *all);
  const bool is_whole = *all <= kMostThreads && *all % kWarp == 0;
  const std::string plain = threads > 0 || is_whole ? "" : without_spaces(body);
  if (threads == 0 && !plain.empty()) threads = between_neighbours(value_of, plain, *all);
  if (threads == 0 && !plain.empty()) threads = beside_the_rest(value_of, plain, *all);
  if (threads == 0) threads = *all;
  return threads <= kMostThreads ? threads : 0;
}

}  // namespace warplens::problem
