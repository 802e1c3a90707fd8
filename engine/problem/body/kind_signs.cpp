#include "engine/problem/body/kind_signs.hpp"

#include <algorithm>
#include <cctype>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::problem {
namespace {

using source::find_word;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string without_blanks(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (!is_space(c)) plain += c;
  return plain;
}

// Whether a sign stands between two elements, "a[i] + b[i]", or beside one where one is enough.
bool is_between_elements(std::string_view plain, char sign, bool one_is_enough) {
  for (std::size_t at = plain.find(sign); at != std::string_view::npos; at = plain.find(sign, at + 1)) {
    const std::string_view next = source::word_at(plain, at + 1);
    const bool is_behind = at > 0 && plain[at - 1] == ']',
               is_before = !next.empty() && plain.substr(at + 1 + next.size()).starts_with("[");
    if (one_is_enough ? is_behind || is_before : is_behind && is_before) return true;
  }
  return false;
}

// "0", "0.0f", "0.f", "T(0)", "float(0.0)".
bool is_zero(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open != std::string_view::npos && text.ends_with(")"))
    return is_zero(text.substr(open + 1, text.size() - open - 2));
  while (text.starts_with("(") && text.find(')') != std::string_view::npos)  // a cast
    text.remove_prefix(text.find(')') + 1);
  return !text.empty() && text.front() == '0' && text.find_first_not_of("0.fFlLu") == std::string_view::npos;
}

// What the factor of a leaky ReLU is called.
bool is_slope(std::string_view word) {
  std::string small;
  for (const char c : word) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small.find("alpha") != std::string::npos || small.find("slope") != std::string::npos ||
         small.find("leak") != std::string::npos;
}

// The word that ends there, with the point of a number: of "0.01f*" "0.01f".
std::string_view operand_before(std::string_view plain, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && (is_of_name(plain[begin - 1]) || plain[begin - 1] == '.')) --begin;
  return plain.substr(begin, end - begin);
}
std::string_view operand_behind(std::string_view plain, std::size_t at) {
  std::size_t end = at;
  while (end < plain.size() && (is_of_name(plain[end]) || plain[end] == '.')) ++end;
  return plain.substr(at, end - at);
}
bool is_fraction(std::string_view operand) {
  return !operand.empty() && (is_digit(operand[0]) || operand[0] == '.') &&
         operand.find('.') != std::string_view::npos;
}

}  // namespace

KindSigns::KindSigns(std::string_view body) : plain_(without_blanks(body)) {
  for (const char* word : {"for", "while", "do", "goto"})
    repeats_ = repeats_ || find_word(body, word) != std::string_view::npos;
  for (const char* part : {"atomic", "_shfl", "shfl("})
    repeats_ = repeats_ || plain_.find(part) != std::string::npos;
  adds_elements_ = is_between_elements(plain_, '+', false);
  may_multiply_ = is_between_elements(plain_, '*', true);
  for (const char* part : {"fma(", "fmaf(", "fma_", "hfma", "mma"})
    may_multiply_ = may_multiply_ || plain_.find(part) != std::string::npos;
}

bool KindSigns::may_sum_products() const { return may_multiply_ || (repeats_ && !adds_elements_); }

bool KindSigns::multiplies_by(std::string_view size) const {
  const std::string_view plain = plain_;
  for (std::size_t at = size.empty() ? std::string_view::npos : find_word(plain, size);
       at != std::string_view::npos; at = find_word(plain, size, at + 1)) {
    const std::size_t end = at + size.size();
    if (at > 1 && plain[at - 1] == '*') {
      const std::string_view before = operand_before(plain, at - 1);
      if (plain[at - 2] == ')' || (!before.empty() && !is_digit(before[0]))) return true;
    }
    if (plain.substr(end, 1) == "*" && plain.substr(end + 1, 1) != "=") {
      const std::string_view behind = operand_behind(plain, end + 1);
      if (plain.substr(end + 1, 1) == "(" || (!behind.empty() && !is_digit(behind[0]))) return true;
    }
  }
  return false;
}

bool KindSigns::is_leaky() const {
  const std::string_view plain = plain_;
  for (std::size_t at = plain.find('*'); at != std::string_view::npos; at = plain.find('*', at + 1))
    for (const std::string_view operand : {operand_before(plain, at), operand_behind(plain, at + 1)})
      if (is_fraction(operand) ? !is_zero(operand) : is_slope(operand)) return true;
  return false;
}

bool KindSigns::is_indexed(std::string_view output) const {
  const std::string_view plain = plain_;
  for (std::size_t at = find_word(plain, output); at != std::string_view::npos;
       at = find_word(plain, output, at + 1)) {
    const std::size_t open = at + output.size();
    if (plain.substr(open, 1) != "[") continue;
    const std::size_t behind = source::behind_bracket(plain, open);
    if (behind == std::string_view::npos || !is_zero(plain.substr(open + 1, behind - open - 2))) return true;
  }
  return false;
}

bool KindSigns::is_only_first(std::string_view output) const {
  const std::string_view plain = plain_;
  bool is_used = false;
  for (std::size_t at = find_word(plain, output); at != std::string_view::npos;
       at = find_word(plain, output, at + 1), is_used = true)
    if (!plain.substr(at + output.size()).starts_with("[0]")) return false;
  return is_used;
}

bool KindSigns::is_exclusive(const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs) const {
  const std::string_view plain = plain_;
  for (const char* function : {".ExclusiveSum(", ".ExclusiveScan("})  // CUB's
    if (plain.find(function) != std::string_view::npos) return true;
  const auto each_element = [&](const std::string& array, const auto& is_such) {
    for (std::size_t at = find_word(plain, array); at != std::string_view::npos;
         at = find_word(plain, array, at + 1)) {
      const std::size_t open = at + array.size();
      const std::size_t behind =
          plain.substr(open, 1) == "[" ? source::behind_bracket(plain, open) : std::string_view::npos;
      if (behind != std::string_view::npos && is_such(open, behind)) return true;
    }
    return false;
  };
  const bool reads_before = std::ranges::any_of(inputs, [&](const std::string& input) {
    return each_element(
        input, [&](std::size_t, std::size_t behind) { return plain.substr(0, behind).ends_with("-1]"); });
  });
  bool begins_with_zero = false;
  for (std::size_t at = plain.find("-1]="); at != std::string_view::npos; at = plain.find("-1]=", at + 1))
    begins_with_zero |= is_zero(plain.substr(at + 4, plain.find(';', at) - at - 4));
  const bool adds_own = std::ranges::any_of(outputs, [&](const std::string& output) {
    return each_element(output, [&](std::size_t, std::size_t behind) {
      const std::string_view rest = plain.substr(behind, plain.find(';', behind) - behind);
      if (rest.starts_with("+=")) return true;
      int depth = 0;
      for (const char c : rest.starts_with("=") ? rest : std::string_view()) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth == 0 && c == '+') return true;
      }
      return false;
    });
  });
  return (reads_before || begins_with_zero) && !adds_own;
}

}  // namespace warplens::problem
