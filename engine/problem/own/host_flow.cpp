#include "engine/problem/own/host_flow.hpp"

#include <algorithm>
#include <array>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"

namespace warplens::problem {
namespace {

using source::kNowhere;

constexpr int kDeepestStatement = 1000;
// Thousands of brackets that nobody closes would be read to the end of the text each.
constexpr std::size_t kMostRead = 50'000'000;  // characters

// Of "namespace a {", "extern "C" {" and "struct S {" what is inside counts as if it were outside.
bool is_of_no_function(std::string_view head) {
  const bool has_brackets = head.find(')') != kNowhere;
  return source::has_word(head, {"namespace", "extern"}) ||
         (!has_brackets && source::has_word(head, {"struct", "class", "union"}));
}

}  // namespace

std::optional<HostStep> step_at(std::string_view plain, std::size_t at, std::size_t length) {
  static constexpr std::array<std::string_view, 10> kSigns{
      "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^="};
  const std::size_t next = source::behind_blanks(plain, at + length);
  const std::size_t last = source::before_blanks(plain, at);
  const std::string_view behind = plain.substr(next);
  if (behind.starts_with("++") || behind.starts_with("--")) return HostStep{at, behind.substr(0, 1), "1"};
  if (last >= 2)
    for (const std::string_view twice : {"++", "--"})
      if (plain.substr(last - 2, 2) == twice) return HostStep{at, twice.substr(0, 1), "1"};
  for (const std::string_view sign : kSigns)
    if (behind.starts_with(sign))
      return HostStep{at, sign.substr(0, sign.size() - 1), source::initializer(behind.substr(sign.size()))};
  if (behind.starts_with("=") && !behind.starts_with("=="))
    return HostStep{at, "", source::initializer(behind.substr(1))};
  return std::nullopt;
}

std::vector<std::string_view> elements_listed(std::string_view plain, std::string_view array,
                                              std::size_t before) {
  std::vector<std::string_view> listed;
  for (std::size_t at = array.empty() ? kNowhere : source::find_word(plain, array); at < before;
       at = source::find_word(plain, array, at + 1)) {
    const std::size_t open = source::behind_blanks(plain, at + array.size());
    const std::size_t behind =
        plain.substr(open, 1) == "[" ? source::behind_bracket(plain, open, 1000) : kNowhere;
    const auto step = behind == kNowhere ? std::nullopt : step_at(plain, at, behind - at);
    if (!step) continue;
    const std::string_view list = trimmed(step->operand);
    if (!step->sign.empty() || !list.starts_with("{") || !list.ends_with("}")) return {};
    listed = source::parts_of(list.substr(1, list.size() - 2), true);
  }
  return listed;
}

HostFlow::HostFlow(std::string_view plain) : plain_(plain) {
  find_functions();
  find_parts();
}

void HostFlow::find_functions() {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < plain_.size(); ++at) {
    const char c = plain_[at];
    if (c == ';' || c == '}') begin = at + 1;
    if (c != '{') continue;
    const std::string_view head = plain_.substr(begin, at - begin);
    const std::size_t start = begin;
    if (is_of_no_function(head)) {
      begin = at + 1;
      continue;
    }
    const std::size_t end = source::behind_bracket(plain_, at);
    if (end == kNowhere) return;
    if (head.find(')') != kNowhere) {
      functions_.push_back({start, end});
      begin = end;
    }
    at = end - 1;
  }
}

std::optional<std::size_t> HostFlow::function_of(std::size_t place) const {
  const auto behind = std::upper_bound(functions_.begin(), functions_.end(), place,
                                       [](std::size_t at, const Range& range) { return at < range.begin; });
  if (behind == functions_.begin() || !std::prev(behind)->has(place)) return std::nullopt;
  return static_cast<std::size_t>(behind - functions_.begin()) - 1;
}

std::size_t HostFlow::Called::place_of(std::string_view name) const {
  const auto is_called = [&](std::string_view parameter) {
    return parameter.size() > name.size() && source::find_word(parameter, name) != kNowhere &&
           (source::word_before(parameter, parameter.size()) == name ||
            parameter.find('(') != kNowhere);  // void (*kernel)(float*, int)
  };
  return static_cast<std::size_t>(std::ranges::find_if(parameters, is_called) - parameters.begin());
}

HostFlow::Called HostFlow::called_around(std::size_t place) const {
  constexpr std::size_t kLongest = 20'000;
  Called found;
  const auto function = function_of(place);
  const std::size_t open = function ? plain_.find('(', functions_[*function].begin) : kNowhere;
  const std::size_t behind = open < place ? source::behind_bracket(plain_, open, kLongest) : kNowhere;
  const std::string_view name =
      behind < place ? source::word_before(plain_, source::before_blanks(plain_, open)) : std::string_view();
  if (name.empty()) return found;
  found.parameters = source::parts_of(plain_.substr(open + 1, behind - open - 2), true);
  for (std::size_t at = source::find_word(plain_, name); at != kNowhere;
       at = source::find_word(plain_, name, at + 1)) {
    std::size_t bracket = source::behind_blanks(plain_, at + name.size());
    if (plain_.substr(bracket, 1) == "<" && plain_.substr(bracket, 3) != "<<<")
      bracket = source::behind_bracket(plain_, bracket, kLongest);
    if (bracket >= plain_.size() || plain_[bracket] != '(' || bracket == open) continue;
    const std::size_t end = source::behind_bracket(plain_, bracket, kLongest);
    const auto from = function_of(at);
    if (end != kNowhere && from && from != function)
      found.calls.push_back({at, source::parts_of(plain_.substr(bracket + 1, end - bracket - 2), true)});
  }
  return found;
}

std::size_t HostFlow::behind_statement(std::size_t at, int depth) const {
  at = source::behind_blanks(plain_, at);
  if (at >= plain_.size() || depth > kDeepestStatement || read_ > kMostRead) return plain_.size();
  const auto behind_brackets = [&](std::size_t from) {
    const std::size_t open = source::behind_blanks(plain_, from);
    const std::size_t end = std::min(source::behind_bracket(plain_, open), plain_.size());
    read_ += end - std::min(open, end);
    return end;
  };
  if (plain_[at] == '{') return behind_brackets(at);
  const std::string_view word = source::word_at(plain_, at);
  if (word == "if" || word == "for" || word == "while" || word == "switch") {
    const std::size_t end = behind_statement(behind_brackets(at + word.size()), depth + 1);
    const std::size_t next = source::behind_blanks(plain_, end);
    const bool has_else = word == "if" && source::is_word_at(plain_, next, "else");
    return has_else ? behind_statement(next + 4, depth + 1) : end;
  }
  if (word == "do") at = behind_statement(at + 2, depth + 1);  // while (...);
  for (int brackets = 0; at < plain_.size(); ++at, ++read_) {
    const char c = plain_[at];
    brackets += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
    if (brackets < 0) return at;
    if (c == ';' && brackets == 0) return at + 1;
  }
  return at;
}

void HostFlow::add_if(std::size_t open, std::size_t close) {
  const std::size_t end = behind_statement(close);  // of the first branch alone
  const Range holds{close, end};
  Range fails;
  const std::size_t next = source::behind_blanks(plain_, end);
  if (source::is_word_at(plain_, next, "else")) fails = {next + 4, behind_statement(next + 4)};
  const std::string_view condition = plain_.substr(open + 1, close - open - 2);
  parts_.push_back({Part::Kind::if_true, holds, fails, condition});
  if (fails.end > 0) parts_.push_back({Part::Kind::if_false, fails, holds, condition});
}

// "for (first; test; step) body": the first is done once and before all else.
void HostFlow::add_for(std::size_t open, std::size_t close) {
  const auto semicolon = [&](std::size_t from) { return std::min(plain_.find(';', from), close - 1); };
  const std::size_t test = semicolon(open), step = semicolon(test + 1);
  parts_.push_back({Part::Kind::loop, {test, behind_statement(close)}, {step, close}, {}});
}

void HostFlow::find_parts() {
  for (const Range& function : functions_) {
    for (std::size_t at = function.begin; at < function.end && read_ <= kMostRead;) {
      const std::string_view word = source::word_at(plain_, at);
      const std::size_t begin = at;
      at += std::max<std::size_t>(word.size(), 1);
      if (word == "do") {
        const std::size_t end = behind_statement(at);
        parts_.push_back({Part::Kind::loop, {begin, end}, {}, {}});
      }
      if (word != "if" && word != "for" && word != "while" && word != "switch") continue;
      const std::size_t open = source::behind_blanks(plain_, at);
      const std::size_t close =
          open < plain_.size() && plain_[open] == '(' ? source::behind_bracket(plain_, open) : kNowhere;
      if (close == kNowhere) continue;
      if (word == "if") add_if(open, close);
      if (word == "for") add_for(open, close);
      const Range whole{open, behind_statement(close)};
      if (word == "while") parts_.push_back({Part::Kind::loop, whole, {}, {}});
      if (word == "switch") parts_.push_back({Part::Kind::choice, whole, {}, {}});
    }
  }
}

HostFlow::Reached HostFlow::reached(std::size_t place, std::size_t from, const Test& test) const {
  Reached reached = Reached::yes;
  for (const Part& part : parts_) {
    if (!part.range.has(place)) continue;
    if (part.kind == Part::Kind::loop) {
      if (!part.range.has(from))
        reached = Reached::several_times;
      else if (part.other.has(place))
        return Reached::no;  // it comes there the first time
      continue;
    }
    if (part.range.has(from)) continue;
    if (part.kind == Part::Kind::choice) {
      if (reached == Reached::yes) reached = Reached::unknown;
      continue;
    }
    if (part.other.has(from)) return Reached::no;
    const auto at = static_cast<std::size_t>(part.condition.data() - plain_.data());
    const auto holds = test(part.condition, at);
    if (holds && *holds != (part.kind == Part::Kind::if_true)) return Reached::no;
    if (!holds && reached == Reached::yes) reached = Reached::unknown;
  }
  return reached;
}

}  // namespace warplens::problem
