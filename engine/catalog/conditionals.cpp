#include "engine/catalog/conditionals.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "engine/base/code_text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/c_expression.hpp"

namespace warplens::catalog {
namespace {

namespace fs = std::filesystem;

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view without_comment(std::string_view line) {
  return trimmed(line.substr(0, std::min(line.find("//"), line.find("/*"))));
}

// "defined(X)" and "defined X" as 1 or 0.
std::string with_defined(std::string_view text, const Macros& macros) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = first_word(text.substr(at));
    at += std::max<std::size_t>(word.size(), 1);
    if (word != "defined") {
      result += word.empty() ? text.substr(at - 1, 1) : word;
      continue;
    }
    while (at < text.size() && (text[at] == ' ' || text[at] == '(')) ++at;
    const std::string_view name = first_word(text.substr(at));
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

  void directive(std::string_view line) {
    const std::string_view word = first_word(line);
    const std::string_view rest = without_comment(line.substr(word.size()));
    if (word == "if") return open(is_true(rest, macros_));
    if (word == "ifdef") return open(macros_.contains(first_word(rest)));
    if (word == "ifndef") return open(!macros_.contains(first_word(rest)));
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
    const std::string_view name = first_word(rest);
    if (word == "undef") {
      if (const auto known = macros_.find(name); known != macros_.end()) macros_.erase(known);
    } else if (word == "define" && !name.empty() && !rest.substr(name.size()).starts_with("(")) {
      macros_.insert_or_assign(std::string(name), std::string(trimmed(rest.substr(name.size()))));
    }
  }

  Macros& macros_;
  std::vector<Branch> open_;
};

// The name in quotes behind #include; empty: none.
std::string_view quoted_include(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("#")) return {};
  line = trimmed(line.substr(1));
  if (!line.starts_with("include")) return {};
  const std::size_t open = line.find('"');
  const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

void add_included(std::string_view code, const fs::path& folder, Macros& macros, std::set<fs::path>& seen,
                  std::string& text) {
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    const std::string_view name = quoted_include(code.substr(at, end - at));
    at = end + 1;
    const bool is_below = !name.empty() && name.front() != '/' && name.find("..") == std::string_view::npos;
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

std::string taken_branches(std::string_view code, Macros& macros) {
  std::string result(code);
  Branches branches(macros);
  bool goes_on = false;  // a directive over several lines
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    const std::string_view line = code.substr(at, end - at);
    const std::string_view words = trimmed(line);
    const bool is_directive = words.starts_with("#") && !goes_on;
    const bool was_taken = branches.taken();
    if (is_directive) branches.directive(trimmed(words.substr(1)));
    goes_on = (is_directive || goes_on) && words.ends_with("\\");
    if (!was_taken && !branches.taken())
      std::fill(result.begin() + static_cast<std::ptrdiff_t>(at),
                result.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end + 1;
  }
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

}  // namespace warplens::catalog
