#include "engine/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t end = text.size(); end > 3;) text.insert(end -= 3, ",");
  return text;
}

std::string sentence(std::string text) {
  const std::string_view first = std::string_view(text).substr(0, text.find_first_of(" ,;:"));
  const bool is_word = std::all_of(first.begin(), first.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (!first.empty() && is_word) text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string fingerprint(std::string_view text) {
  // Fowler, Noll and Vo's hash, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace warplens
