#include "app/window/testing/monkey/action.hpp"

#include <algorithm>
#include <charconv>
#include <random>

namespace warplens::app::monkey {

Actions actions_of(std::uint64_t seed, std::size_t count) {
  // The standard says what this engine gives, and nothing of its distributions.
  std::mt19937_64 random(seed);
  std::vector<const Kind*> rows;
  for (const Kind& kind : kinds())
    rows.insert(rows.end(), static_cast<std::size_t>(seed % 3 == 0 ? kind.in_lessons : kind.weight), &kind);
  Actions actions;
  while (actions.size() < count) {
    const Kind* kind = rows[random() % rows.size()];
    actions.push_back({kind, static_cast<std::uint32_t>(random())});
  }
  return actions;
}

std::string to_text(const Action& action) {
  return std::string(action.kind->name) + ' ' + std::to_string(action.number);
}

std::string to_text(const Actions& actions) {
  std::string text;
  for (const Action& action : actions) text += to_text(action) + '\n';
  return text;
}

Result<Actions> parse_actions(std::string_view text) {
  Actions actions;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view words = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), words.size() + 1));
    if (words.empty()) continue;
    // A name has words, and no digit.
    const std::size_t digit = std::min(words.find_first_of("0123456789"), words.size());
    const std::string_view name = words.substr(0, digit - (digit > 0));
    const auto kind = std::ranges::find(kinds(), name, &Kind::name);
    Action action{kind == kinds().end() ? nullptr : &*kind};
    if (action.kind == nullptr ||
        std::from_chars(words.data() + digit, words.data() + words.size(), action.number).ec != std::errc())
      return Error{"line " + std::to_string(line) + " is no action of the monkey",
                   "write such as 'press 41'"};
    actions.push_back(action);
  }
  return actions;
}

}  // namespace warplens::app::monkey
