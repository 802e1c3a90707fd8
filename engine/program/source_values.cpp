#include "engine/program/source_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "engine/source/tokens.hpp"

namespace warplens::program {
namespace {

using source::Token;
using Names = std::set<std::string, std::less<>>;

// Of integers, and what may stand before the name of a constant.
constexpr std::array kConstantWords = {
    "static", "inline", "constexpr", "const", "unsigned", "signed",  "int",      "long",     "short",
    "char",   "size_t", "std",       ":",     "int32_t",  "int64_t", "uint32_t", "uint64_t", "__device__"};

class Reader {
 public:
  explicit Reader(std::string_view code) : code_(code) {
    source::Tokens tokens(code);
    while (const auto token = tokens.next())
      if (token->kind != Token::Kind::comment) all_.push_back(*token);
    read_macros();
    std::erase_if(all_, [](const Token& token) { return token.in_directive; });
    read_constants();
    read_functions();
    read_launches();
  }

  // Of macros and constants those with one value alone.
  std::vector<SourceValue> values() const {
    std::vector<SourceValue> list;
    for (const SourceValue& value : values_)
      if (std::ranges::count(values_, value.key, &SourceValue::key) == 1 && !ambiguous_.contains(value.key))
        list.push_back(value);
    std::ranges::sort(list, {}, &SourceValue::begin);
    return list;
  }

  // All names that what this kernel is made of, or a launch of it, uses.
  Names names_of(std::string_view kernel) const {
    Names reached;
    std::vector<std::string> open{std::string(kernel)};
    const auto add = [&](const Names& names) {
      for (const std::string& name : names)
        if (reached.insert(name).second) open.push_back(name);
    };
    add(shapes_);
    for (const Launch& launch : launches_)
      if (launch.kernel == kernel) add(launch.names);
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      if (const auto uses = uses_.find(name); uses != uses_.end()) add(uses->second);
    }
    return reached;
  }

  bool is_of_launch(const SourceValue& argument, std::string_view kernel, int line) const {
    return std::ranges::any_of(launches_, [&](const Launch& launch) {
      const bool is_meant = line == 0 || (launch.first_line <= line && line <= launch.last_line);
      return launch.kernel == kernel && is_meant && launch.begin <= argument.begin &&
             argument.begin < launch.end;
    });
  }

 private:
  struct Launch {
    std::string_view kernel;
    int first_line = 0, last_line = 0;
    std::size_t begin = 0, end = 0;  // bytes
    Names names;                     // in its brackets
  };

  std::string_view text(std::size_t t) const {
    return t < all_.size() ? code_.substr(all_[t].begin, all_[t].end - all_[t].begin) : std::string_view();
  }
  bool is_name(std::size_t t) const { return t < all_.size() && all_[t].kind == Token::Kind::name; }
  Names names_in(std::size_t from, std::size_t to) const {
    Names names;
    for (std::size_t t = from; t < to; ++t)
      if (is_name(t)) names.emplace(text(t));
    return names;
  }

  // A whole number, with brackets around it or a sign before it, that is all there is from one token to another.
  std::optional<SourceValue> number(std::size_t from, std::size_t to) const {
    while (to - from > 2 && text(from) == "(" && text(to - 1) == ")") ++from, --to;
    const bool is_negative = to - from == 2 && text(from) == "-";
    if (to - from != (is_negative ? 2 : 1) || all_[to - 1].kind != Token::Kind::number) return std::nullopt;
    std::string digits(text(to - 1));
    std::erase(digits, '\'');
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.pop_back();
    const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
    const char* const begin = digits.data() + (is_hex ? 2 : 0);
    SourceValue found;
    const auto [end, error] =
        std::from_chars(begin, digits.data() + digits.size(), found.value, is_hex ? 16 : 10);
    const bool is_octal = digits.size() > 1 && digits[0] == '0' && !is_hex;
    if (error != std::errc() || end != digits.data() + digits.size() || is_octal) return std::nullopt;
    if (is_negative) found.value = -found.value;
    found.begin = all_[from].begin, found.end = all_[to - 1].end, found.line = all_[from].line;
    return found;
  }

  void add(std::optional<SourceValue> value, std::string_view name, SourceValue::Kind kind) {
    if (!value) return void(ambiguous_.emplace(name));
    value->name = name;
    value->kind = kind;
    value->key =
        kind == SourceValue::Kind::template_argument ? fmt::format("{}@{}", name, value->line) : value->name;
    values_.push_back(*std::move(value));
  }

  // "#define NAME ...": the token, the name, and those of the same directive behind it.
  void read_macros() {
    for (std::size_t t = 0; t + 1 < all_.size(); ++t) {
      if (all_[t].kind != Token::Kind::directive || !text(t).ends_with("define") || !is_name(t + 1)) continue;
      std::size_t end = t + 2;
      while (end < all_.size() && all_[end].in_directive && all_[end].kind != Token::Kind::directive) ++end;
      uses_[std::string(text(t + 1))].merge(names_in(t + 2, end));
      const bool takes_arguments = text(t + 2) == "(" && all_[t + 2].begin == all_[t + 1].end;
      if (end > t + 2 && !takes_arguments) add(number(t + 2, end), text(t + 1), SourceValue::Kind::macro);
    }
  }

  // Statements outside of all brackets: "constexpr int NAME = 16, OTHER = 32;".
  void read_constants() {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t t = 0; t < all_.size(); ++t) {
      if (text(t) == "{" || text(t) == "(") ++depth;
      if (text(t) == "}" || text(t) == ")") --depth;
      if (depth != 0) continue;
      if (text(t) == ";") read_statement(begin, t);
      if (text(t) == ";" || text(t) == "}") begin = t + 1;
    }
  }
  void read_statement(std::size_t begin, std::size_t end) {
    bool is_constant = false;
    std::size_t t = begin;
    for (; t + 1 < end && text(t + 1) != "="; ++t) {
      if (std::ranges::find(kConstantWords, text(t)) == kConstantWords.end()) return;
      is_constant |= text(t) == "const" || text(t) == "constexpr";
    }
    while (is_constant && t + 2 < end && is_name(t) && text(t + 1) == "=") {
      const std::size_t comma = next_comma(t + 2, end);
      uses_[std::string(text(t))].merge(names_in(t + 2, comma));
      add(number(t + 2, comma), text(t), SourceValue::Kind::constant);
      t = comma + 1;
    }
  }
  std::size_t next_comma(std::size_t t, std::size_t end) const {
    for (int depth = 0; t < end; ++t) {
      if (text(t) == "(" || text(t) == "{" || text(t) == "[") ++depth;
      if (text(t) == ")" || text(t) == "}" || text(t) == "]") --depth;
      if (depth == 0 && text(t) == ",") return t;
    }
    return end;
  }
  // Behind the bracket that closes the one at t, "(" or "{".
  std::size_t behind(std::size_t t) const {
    const std::string_view opens = text(t), closes = opens == "(" ? ")" : "}";
    for (int depth = 0; t < all_.size(); ++t) {
      if (text(t) == opens) ++depth;
      if (text(t) == closes && --depth == 0) return t + 1;
    }
    return all_.size();
  }

  // Functions of the device: what their heads and bodies name; and the parameters of templates.
  void read_functions() {
    std::vector<std::string> parameters;
    for (std::size_t t = 0; t < all_.size(); ++t) {
      if (text(t) == "template" && text(t + 1) == "<") parameters = template_parameters(t + 2);
      if (text(t) == ";" || text(t) == "}") parameters.clear();
      if (text(t) != "__global__" && text(t) != "__device__") continue;
      std::size_t name = t;
      while (name < all_.size() &&
             !(is_name(name) && text(name + 1) == "(" && text(name) != "__launch_bounds__") &&
             text(name) != ";" && text(name) != "{" && text(name) != "=")
        name = text(name) == "__launch_bounds__" ? behind(name + 1) : name + 1;
      if (!is_name(name)) continue;
      std::size_t end = behind(name + 1);
      while (end < all_.size() && text(end) != "{" && text(end) != ";") ++end;
      if (text(end) == "{") end = behind(end);
      uses_[std::string(text(name))].merge(names_in(t, end));
      if (!parameters.empty()) parameters_[std::string(text(name))] = parameters;
      t = end - 1;
    }
  }
  // Their names, in order; t: behind "<".
  std::vector<std::string> template_parameters(std::size_t t) const {
    std::vector<std::string> names(1);
    bool is_default = false;
    for (int depth = 0; t < all_.size() && (depth > 0 || text(t) != ">"); ++t) {
      if (text(t) == "<" || text(t) == "(") ++depth;
      if (text(t) == ">" || text(t) == ")") --depth;
      if (depth == 0 && text(t) == ",")
        names.emplace_back(), is_default = false;
      else if (depth == 0 && text(t) == "=")
        is_default = true;
      else if (is_name(t) && !is_default)
        names.back() = text(t);
    }
    return names;
  }

  // "kernel<16, T><<<grid, block>>>", and statements with dim3, which say blocks and grids before.
  void read_launches() {
    for (std::size_t t = 0; t < all_.size(); ++t) {
      if (text(t) == "dim3") shapes_.merge(names_in(t, statement_end(t)));
      if (!is_name(t)) continue;
      const std::size_t brackets = opens_launch(t + 1) ? t + 1 : behind_arguments(t + 1);
      if (!opens_launch(brackets)) continue;
      const std::size_t end = statement_end(t);
      launches_.push_back({text(t), all_[t].line, all_[std::min(end, all_.size() - 1)].line, all_[t].begin,
                           all_[std::min(brackets, all_.size() - 1)].begin, names_in(t, end)});
      if (brackets > t + 1) read_arguments(std::string(text(t)), t + 2, brackets - 1);
    }
  }
  bool opens_launch(std::size_t t) const {
    return text(t) == "<" && text(t + 1) == "<" && text(t + 2) == "<";
  }
  // t: at the "<" of template arguments; none: behind all.
  std::size_t behind_arguments(std::size_t t) const {
    if (text(t) != "<") return all_.size();
    int depth = 0;
    for (; t < all_.size() && text(t) != ";" && text(t) != "{"; ++t) {
      if (text(t) == "<") ++depth;
      if (text(t) == ">" && --depth == 0) return t + 1;
    }
    return all_.size();
  }
  std::size_t statement_end(std::size_t t) const {
    while (t < all_.size() && text(t) != ";" && text(t) != "{" && text(t) != "}") ++t;
    return t;
  }
  void read_arguments(const std::string& kernel, std::size_t begin, std::size_t end) {
    const auto parameters = parameters_.find(kernel);
    if (parameters == parameters_.end()) return;
    for (const std::string& name : parameters->second) {
      if (begin >= end) return;
      const std::size_t comma = next_comma(begin, end);
      if (auto value = number(begin, comma); value && !name.empty())
        add(std::move(value), name, SourceValue::Kind::template_argument);
      begin = comma + 1;
    }
  }

  std::string_view code_;
  std::vector<Token> all_;
  std::vector<SourceValue> values_;
  Names ambiguous_;  // that also stand for something else
  std::map<std::string, Names, std::less<>> uses_;
  std::map<std::string, std::vector<std::string>, std::less<>> parameters_;
  std::vector<Launch> launches_;
  Names shapes_;  // in statements with dim3
};

}  // namespace

std::vector<SourceValue> values_of_kernel(std::string_view code, std::string_view kernel, int line) {
  const Reader reader(code);
  const Names names = reader.names_of(kernel);
  std::vector<SourceValue> list = reader.values();
  std::erase_if(list, [&](const SourceValue& value) {
    return value.kind == SourceValue::Kind::template_argument ? !reader.is_of_launch(value, kernel, line)
                                                              : !names.contains(value.name);
  });
  return list;
}

std::string with_values(std::string_view code, const SourceValues& values) {
  std::string text(code);
  const auto known = Reader(code).values();
  for (auto one = known.rbegin(); one != known.rend(); ++one)
    if (const auto value = values.find(one->key); value != values.end())
      text.replace(one->begin, one->end - one->begin, std::to_string(value->second));
  return text;
}

std::vector<std::int64_t> values_near(std::int64_t value) {
  constexpr std::int64_t kTimes = 8, kMost = std::int64_t{1} << 40;
  std::set<std::int64_t> near{value, value + 1};
  if (value != 0) near.insert(value - 1);
  for (std::int64_t power = 1; power <= std::min(kMost, std::max<std::int64_t>(1, value) * kTimes);
       power *= 2)
    if (power * kTimes >= value && value >= 0) near.insert(power);
  return {near.begin(), near.end()};
}

}  // namespace warplens::program
