#include "engine/lesson/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace warplens::lesson {
namespace {

constexpr double kRoom = 0.05;     // of the answer, that a typed number may be away from it
constexpr double kFarthest = 0.4;  // of the answer, that the right choice may be away from it

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string small(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "Yes, because ..." begins with the word "yes".
bool begins_with_word(std::string_view text, std::string_view word) {
  const std::string lower = small(text);
  return lower.starts_with(word) &&
         (lower.size() == word.size() || std::isalpha(static_cast<unsigned char>(lower[word.size()])) == 0);
}

// How far apart on a log scale; 0 and other signs are as far as can be.
double distance(double choice, double answer) {
  if (choice == answer) return 0;
  if (choice * answer <= 0) return std::numeric_limits<double>::infinity();
  return std::abs(std::log(choice / answer));
}

Error badly_put(const Ask& ask, std::string why) {
  return {std::move(why), "correct the choices or the answer", {"", ask.answer_line, 0}};
}

Result<std::size_t> nearest_choice(const Ask& ask, double answer) {
  std::optional<std::size_t> nearest, second;
  const auto away = [&](std::size_t i) { return distance(*ask.choices[i].number, answer); };
  for (std::size_t i = 0; i < ask.choices.size(); ++i) {
    if (!ask.choices[i].number) continue;
    if (!nearest || away(i) < away(*nearest))
      second = nearest, nearest = i;
    else if (!second || away(i) < away(*second))
      second = i;
  }
  if (!nearest)
    return badly_put(ask, fmt::format("the answer is {}, and no choice has a number", to_string(answer)));
  const double farthest = kFarthest * std::abs(answer) * (1 + 1e-9);
  if (std::abs(*ask.choices[*nearest].number - answer) > farthest)
    return badly_put(ask,
                     fmt::format("the answer is {}, and no choice is within 40 % of it; the nearest is '{}'",
                                 to_string(answer), ask.choices[*nearest].text));
  if (second && away(*second) <= away(*nearest) * (1 + 1e-9))
    return badly_put(ask,
                     fmt::format("the answer is {}, and '{}' and '{}' are as near to it", to_string(answer),
                                 ask.choices[*nearest].text, ask.choices[*second].text));
  return *nearest;
}

// In three digits, from a thousand on as a whole number: "0.966", "4,438".
std::string rounded(double number) {
  return std::abs(number) < 1000 ? fmt::format("{:.3g}", number) : to_string(Value{std::round(number)});
}

// Choices of which one is "yes" and one is "no".
std::optional<std::size_t> yes_or_no(const Ask& ask, bool answer) {
  std::optional<std::size_t> yes, no;
  for (std::size_t i = 0; i < ask.choices.size(); ++i) {
    if (begins_with_word(ask.choices[i].text, "yes")) yes = i;
    if (begins_with_word(ask.choices[i].text, "no")) no = i;
  }
  return yes && no ? (answer ? yes : no) : std::nullopt;
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  const std::string lower = small(text);
  if (lower.find("not at all") != std::string::npos) return 1;
  const auto first = std::find_if(lower.begin(), lower.end(), is_digit);
  if (first == lower.end())
    return begins_with_word(lower, "none") || begins_with_word(lower, "nothing") ? std::optional(0.0)
                                                                                 : std::nullopt;
  std::string digits;
  for (auto at = first; at != lower.end(); ++at) {
    const bool groups = *at == ',' && lower.end() - at > 3 && std::all_of(at + 1, at + 4, is_digit);
    const bool point = *at == '.' && at + 1 != lower.end() && is_digit(at[1]);
    if (is_digit(*at) || point)
      digits += *at;
    else if (!groups)
      break;
  }
  double number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return first != lower.begin() && first[-1] == '-' ? -number : number;
}

bool answer_is_a_choice(const Ask& ask) {
  return std::any_of(ask.choices.begin(), ask.choices.end(),
                     [&](const Choice& choice) { return choice.text == ask.answer.text(); });
}

Result<std::size_t> right_choice(const Ask& ask, const Value& answer) {
  const auto* number = std::get_if<double>(&answer);
  if (number == nullptr) {
    const auto& text = std::get<std::string>(answer);
    const auto equal = [&](const Choice& choice) { return small(choice.text) == small(text); };
    const auto found = std::find_if(ask.choices.begin(), ask.choices.end(), equal);
    if (found == ask.choices.end())
      return badly_put(ask, fmt::format("the answer is '{}', which is no choice", text));
    return static_cast<std::size_t>(found - ask.choices.begin());
  }
  if (*number == 0 || *number == 1)
    if (const auto found = yes_or_no(ask, *number != 0)) return *found;
  return nearest_choice(ask, *number);
}

std::string answer_words(const Ask& ask, const Value& answer, std::optional<std::size_t> right) {
  if (!right || *right >= ask.choices.size()) return to_string(answer);
  const Choice& choice = ask.choices[*right];
  const auto* number = std::get_if<double>(&answer);
  if (number == nullptr || !choice.number) return choice.text;
  const std::string computed = rounded(*number);
  return computed == rounded(*choice.number) ? choice.text
                                             : fmt::format("{} (computed: {})", choice.text, computed);
}

Result<Grade> grade(const Ask& ask, const Value& answer, std::size_t chosen) {
  const auto right = right_choice(ask, answer);
  if (!right) return right.error();
  if (chosen == *right) return Grade{.right = true};
  if (chosen >= ask.choices.size())
    return badly_put(ask, fmt::format("there is no choice {}: there are {}", chosen + 1, ask.choices.size()));
  return Grade{.right = false, .reason = ask.choices[chosen].wrong};
}

Result<Grade> grade_number(const Ask& ask, const Value& answer, double typed) {
  const auto* number = std::get_if<double>(&answer);
  if (number == nullptr) return badly_put(ask, "the answer is a text, and a number is asked for");
  const double room = std::max(ask.tolerance.value_or(kRoom * std::abs(*number)), std::abs(*number) * 1e-9);
  return Grade{.right = std::abs(typed - *number) <= room * (1 + 1e-9)};
}

std::optional<std::size_t> choice_of_digit(const Ask& ask, int digit) {
  const auto begins_with_number = [](const Choice& choice) {
    return !choice.text.empty() && std::isdigit(static_cast<unsigned char>(choice.text.front())) != 0;
  };
  if (std::ranges::none_of(ask.choices, begins_with_number)) {
    const auto place = static_cast<std::size_t>(digit) - 1;
    return digit > 0 && place < ask.choices.size() ? std::optional(place) : std::nullopt;
  }
  const auto named = std::ranges::find_if(ask.choices, [&](const Choice& choice) {
    return begins_with_number(choice) && choice.number == digit;
  });
  if (named == ask.choices.end()) return std::nullopt;
  return static_cast<std::size_t>(named - ask.choices.begin());
}

}  // namespace warplens::lesson
