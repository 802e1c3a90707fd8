#include "engine/source/conditionals.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "engine/base/whole_file.hpp"
#include "engine/source/c_expression.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::source {
namespace {

namespace fs = std::filesystem;

// "defined(X)" and "defined X" as 1 or 0.
std::string with_defined(std::string_view text, const Macros& macros) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = word_at(text, at);
    at += std::max<std::size_t>(word.size(), 1);
    if (word != "defined") {
      result += word.empty() ? text.substr(at - 1, 1) : word;
      continue;
    }
    while (at < text.size() && (text[at] == ' ' || text[at] == '(')) ++at;
    const std::string_view name = word_at(text, at);
    at += name.size();
    const std::size_t next = text.find_first_not_of(' ', at);
    if (next != std::string_view::npos && text[next] == ')') at = next + 1;
    result += macros.contains(name) ? " 1 " : " 0 ";
  }
  return result;
}

bool is_true(std::string_view condition, const Macros& macros) {
  CNames names;
  int depth = 0;
  names.value = [&](std::string_view name) -> std::optional<CNumber> {
    const auto macro = macros.find(name);
    if (macro == macros.end() || depth > 8) return CNumber{0, true};
    ++depth;
    const auto value = evaluate_c(macro->second, names);
    --depth;
    return value ? value : CNumber{0, true};
  };
  names.call = [](std::string_view, const std::vector<CNumber>&) { return CNumber{0, true}; };
  const auto value = evaluate_c(with_defined(condition, macros), names);
  return value && value->value != 0;
}

struct Branch {
  bool outer = true;  // whether what it stands in is taken
  bool taken = true;
  bool done = false;  // one of its branches was taken
};

// Lines of #if and what they choose.
class Branches {
 public:
  explicit Branches(Macros& macros) : macros_(macros) {}
  bool taken() const { return open_.empty() || (open_.back().outer && open_.back().taken); }

  void directive(const Directive& directive) {
    const std::string_view word = directive.word, rest = directive.rest;
    if (word == "if") return open(is_true(rest, macros_));
    if (word == "ifdef") return open(macros_.contains(word_at(rest, 0)));
    if (word == "ifndef") return open(!macros_.contains(word_at(rest, 0)));
    if (word == "endif" && !open_.empty()) return open_.pop_back();
    if (word == "else" && !open_.empty()) return next(true);
    if (word == "elif" && !open_.empty()) return next(!open_.back().done && is_true(rest, macros_));
    if (taken()) change(word, rest);
  }

 private:
  void open(bool is) { open_.push_back({taken(), is, is}); }
  void next(bool is) {
    open_.back().taken = is && !open_.back().done;
    open_.back().done = open_.back().done || is;
  }
  void change(std::string_view word, std::string_view rest) {
    const Definition definition = definition_of(rest);
    if (word == "undef") {
      if (const auto known = macros_.find(definition.name); known != macros_.end()) macros_.erase(known);
    } else if (word == "define" && !definition.name.empty() && !definition.takes_arguments) {
      macros_.insert_or_assign(std::string(definition.name), std::string(definition.body));
    }
  }

  Macros& macros_;
  std::vector<Branch> open_;
};

void add_included(std::string_view code, const fs::path& folder, Macros& macros, std::set<fs::path>& seen,
                  std::string& text) {
  for (const Include& include : includes_of(code)) {
    const std::string& name = include.name;
    const bool is_below =
        include.is_quoted && !name.empty() && name.front() != '/' && name.find("..") == kNowhere;
    if (!is_below || seen.size() > 64) continue;
    const fs::path path = folder / name;
    std::error_code failed;
    if (!fs::is_regular_file(path, failed) || !seen.insert(path).second) continue;
    const auto file = read_whole_file(path);
    if (!file) continue;
    add_included(*file, path.parent_path(), macros, seen, text);
    text += taken_branches(*file, macros) + "\n";
  }
}

}  // namespace

Macros macros_of_compiler() {
  return {{"__CUDACC__", "1"}, {"__CUDACC_RTC__", "1"}, {"__CUDA_ARCH__", "900"}, {"__cplusplus", "201703"}};
}

std::vector<Include> includes_of(std::string_view code) {
  std::vector<Include> includes;
  for (const Directive& directive : directives_of(code)) {
    const std::string_view rest = directive.rest;
    if (directive.word != "include" || rest.empty() || (rest[0] != '"' && rest[0] != '<')) continue;
    const std::size_t close = rest.find(rest[0] == '"' ? '"' : '>', 1);
    if (close != kNowhere) includes.push_back({std::string(rest.substr(1, close - 1)), rest[0] == '"'});
  }
  return includes;
}

std::string taken_branches(std::string_view code, Macros& macros) {
  std::string result(code);
  Branches branches(macros);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at)
      if (result[at] != '\n') result[at] = ' ';
  };
  std::size_t behind = 0;  // the directive before
  for (const Directive& directive : directives_of(code)) {
    const bool was_taken = branches.taken();
    if (!was_taken) blank(behind, directive.begin);
    branches.directive(directive);
    if (!was_taken && !branches.taken()) blank(directive.begin, directive.end);
    behind = directive.end;
  }
  if (!branches.taken()) blank(behind, code.size());
  return result;
}

std::string included_text(std::string_view code, const std::string& folder, Macros& macros) {
  std::string text;
  std::set<fs::path> seen;
  // What stands before the #include decides what its #if choose; macros of the whole file do as well.
  Macros all = macros, own;
  taken_branches(code, own);
  for (const auto& [name, value] : own) all.insert_or_assign(name, value);
  add_included(code, folder, all, seen, text);
  for (const auto& [name, value] : all)
    if (!own.contains(name)) macros.insert_or_assign(name, value);
  return text;
}

}  // namespace warplens::source
