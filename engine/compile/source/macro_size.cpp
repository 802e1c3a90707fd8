#include "engine/compile/source/macro_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "engine/base/code_text.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::compile {
namespace {

// NVRTC 13.0 takes some 5 million in its 20 seconds, and 2 GiB of memory with them.
constexpr double kMostTokens = 20e6;

struct Token {
  std::string_view text;
  int line = 0;  // from 1
};

// Tokens that something becomes: so many, and those of each argument so many times.
struct Size {
  double own = 0;
  std::vector<double> times;
};

class Macros {
 public:
  // of: "#define NAME body" or "#define NAME(a, b) body", its tokens behind "define".
  void define(std::span<const Token> of, bool takes_arguments) {
    Macro macro{.takes_arguments = takes_arguments};
    std::size_t body = 1;
    if (takes_arguments) {
      for (body = 2; body < of.size() && of[body].text != ")"; ++body)
        if (is_of_name(of[body].text.front())) macro.parameters.push_back(of[body].text);
      body = std::min(body + 1, of.size());
    }
    macro.body.assign(of.begin() + static_cast<std::ptrdiff_t>(body), of.end());
    macros_[of[0].text] = std::move(macro);
  }

  // What the token at `at` becomes, with the arguments behind it; at: of the next one then.
  Size size_at(std::span<const Token> tokens, std::size_t& at, std::span<const std::string_view> parameters) {
    const std::string_view name = tokens[at++].text;
    Size size{0, std::vector<double>(parameters.size())};
    if (const auto p = std::ranges::find(parameters, name); p != parameters.end()) {
      size.times[static_cast<std::size_t>(p - parameters.begin())] = 1;
      return size;
    }
    size.own = 1;
    const auto macro = macros_.find(name);
    if (macro == macros_.end()) return size;
    const bool is_called = at < tokens.size() && tokens[at].text == "(";
    if ((macro->second.takes_arguments && !is_called) || depth_ >= kDeepest) return size;
    ++depth_;
    const Size body = size_of(macro->second);
    size.own = body.own;
    if (macro->second.takes_arguments) add_arguments(tokens, at, parameters, body.times, size);
    --depth_;
    return size;
  }

 private:
  struct Macro {
    bool takes_arguments = false;
    std::vector<std::string_view> parameters = {};
    std::vector<Token> body = {};
    std::optional<Size> size = {};
    bool is_open = false;  // a macro does not stand for itself in its own body
  };

  Size size_of(Macro& macro) {
    if (macro.size) return *macro.size;
    Size sum{0, std::vector<double>(macro.parameters.size())};
    if (macro.is_open) return sum.own = 1, sum;
    macro.is_open = true;
    for (std::size_t at = 0; at < macro.body.size();) add(sum, size_at(macro.body, at, macro.parameters), 1);
    macro.is_open = false;
    macro.size = sum;
    return sum;
  }

  static void add(Size& sum, const Size& more, double times) {
    sum.own += times * more.own;
    for (std::size_t p = 0; p < sum.times.size(); ++p) sum.times[p] += times * more.times[p];
  }

  void add_arguments(std::span<const Token> tokens, std::size_t& at,
                     std::span<const std::string_view> parameters, const std::vector<double>& times,
                     Size& size) {
    std::size_t argument = 0;
    int depth = 0;
    for (; at < tokens.size();) {
      const std::string_view text = tokens[at].text;
      if (text == ")" && depth == 1) {
        ++at;
        return;
      }
      if (text == "(" && depth == 0) {
        ++depth, ++at;
        continue;
      }
      depth += text == "(" ? 1 : text == ")" ? -1 : 0;
      if (text == "," && depth == 1) {
        ++argument, ++at;
        continue;
      }
      const Size more = size_at(tokens, at, parameters);
      if (argument < times.size()) add(size, more, times[argument]);
    }
  }

  static constexpr int kDeepest = 1000;  // macros within macros; others count as one token
  std::map<std::string_view, Macro> macros_;
  int depth_ = 0;
};

struct Source {
  Macros macros;
  std::vector<Token> code;  // without directives
};

// line: the tokens of a directive.
void read_directive(std::span<const Token> line, Macros& macros) {
  if (line.size() < 2 || !line[0].text.ends_with("define")) return;
  const char* behind = line[1].text.data() + line[1].text.size();
  macros.define(line.subspan(1), line.size() > 2 && line[2].text == "(" && line[2].text.data() == behind);
}

Source read(std::string_view text) {
  Source result;
  std::vector<Token> directive;
  const auto finish = [&] { read_directive(directive, result.macros), directive.clear(); };
  source::Tokens tokens(text);
  for (auto token = tokens.next(); token; token = tokens.next()) {
    const std::string_view own = tokens.text(*token);
    if (token->kind == source::Token::Kind::directive || !token->in_directive) finish();
    if (token->kind == source::Token::Kind::comment || own == "\\") continue;
    (token->in_directive ? directive : result.code).push_back({own, token->line});
  }
  finish();
  return result;
}

}  // namespace

std::optional<Error> endless_macro(std::string_view text, const std::string& file) {
  Source read_source = read(text);
  for (std::size_t at = 0; at < read_source.code.size();) {
    const Token token = read_source.code[at];
    const double size = read_source.macros.size_at(read_source.code, at, {}).own;
    if (size > kMostTokens)
      return Error{
          fmt::format("the macro {} becomes {:.2g} tokens here, more than the {:.2g} that are compiled",
                      token.text, size, kMostTokens),
          "let a loop or a function repeat what it repeats",
          {file, token.line, 0}};
  }
  return std::nullopt;
}

}  // namespace warplens::compile
