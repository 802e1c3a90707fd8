#include "engine/problem/body/pointer_use.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"

namespace warplens::problem {
namespace {

using source::behind_blanks, source::find_word, source::parts_of;

// A statement of a kernel that is longer than this is not read to its ends, and a name that is used more
// often not each time: texts that only look like code would be read for minutes.
constexpr std::size_t kLongest = 1000;
constexpr int kMostLooks = 1000;

std::size_t behind_index(std::string_view text, std::size_t open) {
  const std::size_t behind = source::behind_bracket(text, open, kLongest);
  return behind == source::kNowhere ? std::min(text.size(), open + kLongest) : behind;
}

// Of "p[i].at[2]" and "p->mass" what follows the pointer's element.
std::size_t behind_members(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t dot = text[at] == '.' ? 1u : text.substr(at, 2) == "->" ? 2u : 0u;
    if (dot == 0 && text[at] != '[') break;
    std::size_t end = dot == 0 ? behind_index(text, at) : behind_blanks(text, at + dot);
    while (dot > 0 && end < text.size() && is_of_name(text[end])) ++end;
    at = behind_blanks(text, end);
  }
  return at;
}

// The sign behind an element: "=", "+=", "++", or something else.
std::string_view sign_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  for (const std::string_view sign :
       {"<<=", ">>=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "%=", "++", "--"})
    if (rest.starts_with(sign)) return rest.substr(0, sign.size());
  return rest.starts_with("=") && !rest.starts_with("==") ? rest.substr(0, 1) : std::string_view();
}

// The name before the bracket that is open around `at`, such as atomicAdd; empty: a bracket of an expression.
std::string_view function_around(std::string_view text, std::size_t at) {
  int depth = 0;
  const std::size_t least = at - std::min(at, kLongest);
  for (std::size_t back = at; back-- > least;) {
    if (text[back] == ';' || text[back] == '{' || text[back] == '}') return {};
    if (text[back] == ')' || text[back] == ']') ++depth;
    if ((text[back] == '(' || text[back] == '[') && depth-- == 0) {
      if (text[back] == '[') return {};
      std::size_t end = back;
      if (end > 0 && text[end - 1] == '>') {  // a template's arguments
        const std::size_t less = text.rfind('<', end);
        end = less == std::string_view::npos ? end : less;
      }
      const std::string_view name = source::word_before(text, end);
      if (!name.empty()) return name;
      depth = 0;  // no more than a bracket
    }
  }
  return {};
}

class Reading {
 public:
  Reading(std::string_view body, std::string_view file, PointerUse& use)
      : body_(body), file_(file), use_(use) {}

  void follow(const std::string& name) {
    if (!seen_.insert(name).second || seen_.size() > 16) return;
    for (std::size_t at = find_word(body_, name); at != std::string_view::npos;
         at = find_word(body_, name, at + 1)) {
      if (++looks_ > kMostLooks) return;
      look(at, at + name.size());
    }
  }

 private:
  void look(std::size_t begin, std::size_t end) {
    const std::string_view around = function_around(body_, begin), text = body_.substr(0, end + kLongest);
    std::size_t at = behind_blanks(text, end);
    bool is_element = at < text.size() && (text[at] == '[' || text.substr(at, 2) == "->");
    while (at < text.size() && text[at] == '[') at = behind_blanks(text, behind_index(text, at));
    // Brackets of casts and of macros such as FLOAT4(out[i]) = ...
    while (at < text.size() && text[at] == ')' && !is_atomic(around)) {
      at = behind_blanks(text, at + 1);
      is_element = is_element || (at < text.size() && text[at] == '[');
      while (at < text.size() && text[at] == '[') at = behind_blanks(text, behind_index(text, at));
    }
    at = behind_members(text, at);
    const std::string_view sign = at < body_.size() ? sign_at(body_, at) : std::string_view();
    if (is_atomic(around) && is_first_argument(begin)) {
      use_.is_written = use_.is_added_to = true;
    } else if (!sign.empty()) {
      if (!is_element && sign != "=" && !is_dereferenced(begin)) return;  // the pointer itself moves on
      if (!is_element && sign == "=" && !is_dereferenced(begin)) return alias_of_statement(begin);
      use_.is_written = true;
      use_.is_read = use_.is_read || sign != "=";
    } else if (is_element || is_dereferenced(begin)) {
      use_.is_read = true;
      use_.is_written = use_.is_written || is_given_away(around, begin);
      if (begin > 0 && body_[begin - 1] == '&') alias_of_statement(begin);
    } else {
      alias_of_statement(begin);
    }
  }

  static bool is_atomic(std::string_view function) {
    return function.starts_with("atomic") || function == "red";
  }
  bool is_first_argument(std::size_t begin) const {
    const std::size_t open = body_.rfind('(', begin), comma = body_.rfind(',', begin);
    return comma == std::string_view::npos || open > comma || open == std::string_view::npos;
  }
  bool is_dereferenced(std::size_t begin) const {
    std::size_t at = begin;
    while (at > 0 && (body_[at - 1] == ' ' || body_[at - 1] == '(')) --at;
    if (at == 0 || body_[at - 1] != '*') return false;
    const std::size_t before = source::before_blanks(body_, at - 1);
    // "a * out" multiplies and "float* x = out" declares.
    return before == 0 ||
           std::string_view(";{}()=,+-*/<>!&|?:").find(body_[before - 1]) != std::string_view::npos;
  }

  // "float* row = out + i;": what is done with row is done with out. Else it goes to a function.
  void alias_of_statement(std::size_t begin) {
    const std::string_view around = function_around(body_, begin);
    if (around.starts_with("__ldg") || around.starts_with("__ldc")) {
      use_.is_read = true;
      return;
    }
    const std::size_t start = body_.find_last_of(";{}", begin);
    if (around.empty() && start != std::string_view::npos && body_[start] == '{')
      if (const auto name = declared_before(start); !name.empty()) return follow(std::string(name));
    const std::size_t first = start == std::string_view::npos ? 0 : start + 1;
    const std::size_t equals = body_.rfind('=', begin);
    const bool is_kept = around.empty() || around.ends_with("_cast");
    if (is_kept && equals != std::string_view::npos && equals > first) {
      std::size_t end = equals;
      while (end > first && body_[end - 1] == ' ') --end;
      if (const auto name = source::word_before(body_, end); !name.empty()) return follow(std::string(name));
    }
    if (!around.empty() && around != "if" && around != "for" && around != "while") use_.is_passed_on = true;
  }

  // "float* row{out + i};": the name before that bracket; empty: it is a block's.
  std::string_view declared_before(std::size_t open) const {
    const std::string_view name = source::word_before(body_, open);
    const std::size_t before = source::before_blanks(body_, open - name.size());
    const bool is_declared = before > 0 && (is_of_name(body_[before - 1]) || body_[before - 1] == '*');
    return is_declared ? name : std::string_view();
  }

  // Of "f(x[n], z[n])" whether the function that gets the element at a place takes a reference that it may write to.
  bool is_given_away(std::string_view function, std::size_t at) const {
    constexpr std::string_view kNoFunctions[] = {"if", "for", "while", "switch", "return", "sizeof"};
    if (function.empty() || std::ranges::find(kNoFunctions, function) != std::end(kNoFunctions)) return false;
    const std::size_t named = body_.rfind(function, at), open = body_.find('(', named);
    const auto place = parts_of(body_.substr(open + 1, at - open - 1)).size();
    for (std::size_t head = find_word(file_, function); head != std::string_view::npos;
         head = find_word(file_, function, head + 1)) {
      const std::size_t bracket = behind_blanks(file_, head + function.size());
      if (bracket >= file_.size() || file_[bracket] != '(') continue;
      const std::size_t behind = source::behind_bracket(file_, bracket, kLongest);
      if (behind == source::kNowhere || behind_blanks(file_, behind) >= file_.size() ||
          file_[behind_blanks(file_, behind)] != '{')
        continue;
      const auto parameters = parts_of(file_.substr(bracket + 1, behind - bracket - 2));
      const std::size_t mine = place == 0 ? 0 : place - 1;
      if (mine < parameters.size() && parameters[mine].find('&') != std::string_view::npos &&
          find_word(parameters[mine], "const") == std::string_view::npos)
        return true;
    }
    return false;
  }

  std::string_view body_, file_;
  PointerUse& use_;
  std::set<std::string> seen_;
  int looks_ = 0;
};

}  // namespace

PointerUse use_of(std::string_view body, const std::string& pointer, std::string_view file) {
  PointerUse use;
  Reading(body, file, use).follow(pointer);
  return use;
}

}  // namespace warplens::problem
