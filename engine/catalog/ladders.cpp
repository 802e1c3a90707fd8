#include "engine/catalog/ladders.hpp"

#include <algorithm>
#include <charconv>

#include "engine/base/whole_file.hpp"

namespace warplens::catalog {
namespace {

// The next word of a line, which loses it; empty at its end.
std::string_view take_word(std::string_view& line) {
  constexpr std::string_view kSpace = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kSpace));
  line.remove_prefix(word.size());
  return word;
}

std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  return error == std::errc() && end == text.end() && number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

Ladders parse_ladders(std::string_view text) {
  Ladders ladders;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view name = take_word(line);
    if (name.empty() || name.front() == '#') continue;
    ladders.order.emplace_back(name);
    for (std::string_view pair = take_word(line); !pair.empty(); pair = take_word(line)) {
      const std::size_t colon = std::min(pair.find(':'), pair.size());
      const auto step = number_of(pair.substr(0, colon)),
                 other = number_of(pair.substr(std::min(colon + 1, pair.size())));
      if (step && other) ladders.against[std::string(name)][*step] = *other;
    }
  }
  return ladders;
}

Ladders read_ladders(const std::filesystem::path& home) {
  const auto text = read_whole_file((home / "kernels" / "ladders.txt").string());
  return text ? parse_ladders(*text) : Ladders{};
}

std::optional<std::size_t> judged_against(const Ladders& ladders, const std::string& ladder,
                                          const std::vector<const KernelSpec*>& steps, std::size_t index) {
  if (index == 0 || index >= steps.size()) return std::nullopt;
  std::size_t other = index - 1;
  if (const auto named = ladders.against.find(ladder); named != ladders.against.end())
    if (const auto pair = named->second.find(index + 1); pair != named->second.end())
      other = pair->second - 1;
  if (other >= steps.size() || other == index || steps[other]->problem != steps[index]->problem)
    return std::nullopt;
  return other;
}

}  // namespace warplens::catalog
