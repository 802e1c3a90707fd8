#include "engine/exercise/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/code_text.hpp"

namespace warplens::exercise {

std::string answer_in(std::string_view text, std::size_t number) {
  const std::string begin = fmt::format("answer {}:", number);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with("//")) continue;
    line = trimmed(line.substr(2));
    if (line.starts_with(begin)) return std::string(trimmed(line.substr(begin.size())));
  }
  return "";
}

Result<lesson::Grade> grade_answer(const lesson::Ask& ask, const lesson::Value& value,
                                   const std::string& answer) {
  const auto number = lesson::number_in(answer);
  if (ask.choices.empty())
    return number ? lesson::grade_number(ask, value, *number) : Result<lesson::Grade>(lesson::Grade{});
  const auto is_meant = [&](const lesson::Choice& choice) {
    return choice.text == answer || (number && choice.number == number);
  };
  const auto chosen = std::ranges::find_if(ask.choices, is_meant);
  if (chosen == ask.choices.end())
    return lesson::Grade{.right = false, .reason = fmt::format("{} is none of its choices", answer)};
  return lesson::grade(ask, value, static_cast<std::size_t>(chosen - ask.choices.begin()));
}

}  // namespace warplens::exercise
