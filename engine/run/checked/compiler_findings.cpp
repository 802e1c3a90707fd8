#include "engine/run/checked/compiler_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

struct Rule {
  int number;  // of NVRTC's warning, 12 and 13
  Kind kind;
  Severity (*severity)(std::string_view text, bool is_wrong);
  std::string_view fix;
};

Severity error(std::string_view, bool) { return Severity::error; }
Severity warning(std::string_view, bool) { return Severity::warning; }
Severity error_where_wrong(std::string_view, bool is_wrong) {
  return is_wrong ? Severity::error : Severity::warning;
}

// Of (expected type "int" but argument has type "double") the n-th.
std::string_view quoted(std::string_view text, int n) {
  for (; n > 0; --n) {
    text.remove_prefix(std::min(text.find('"') + 1, text.size()));
    text.remove_prefix(std::min(text.find('"') + 1, text.size()));
  }
  text.remove_prefix(std::min(text.find('"') + 1, text.size()));
  return text.substr(0, text.find('"'));
}

// A number of another width is read rightly on today's devices where it is the last, or small; a float as an
// int, or a number as an address, never is.
Severity by_types(std::string_view text, bool) {
  const auto form = [](std::string_view type) {
    return type.find('*') != std::string_view::npos                                           ? 'p'
           : type.find("double") != std::string_view::npos || type.find("float") != type.npos ? 'f'
                                                                                              : 'i';
  };
  return form(quoted(text, 0)) == form(quoted(text, 1)) ? Severity::warning : Severity::error;
}

constexpr std::string_view kFixOfFormat = "let the conversions of the format be those of its arguments";
constexpr std::string_view kFixOfScope = "return the value, or let the caller give the array";
constexpr std::array<Rule, 7> kRules{{
    // is used before its value is set
    {549, Kind::uninitialized_register, error_where_wrong, "give the variable a value where it is declared"},
    // returning pointer to local variable, returning reference to one
    {1056, Kind::use_after_scope, error, kFixOfScope},
    {836, Kind::use_after_scope, error, kFixOfScope},
    // argument is incompatible with corresponding format string conversion
    {181, Kind::printf_format, by_types, kFixOfFormat},
    // the format string requires additional arguments
    {224, Kind::printf_format, error, kFixOfFormat},
    // the format string ends before this argument
    {225, Kind::printf_format, warning, kFixOfFormat},
    // expression has no effect
    {174, Kind::no_effect, warning, "use its value, or take it away"},
}};

const Rule* rule_of(const compile::Warning& warning) {
  const auto rule = std::ranges::find(kRules, warning.number, &Rule::number);
  return rule == kRules.end() ? nullptr : &*rule;
}

// "__syncthreads" of "__syncthreads;": what begins with two underscores is CUDA's, and stands for no value. Empty
// where the line has no such statement.
std::string_view function_not_called(std::string_view plain, int line) {
  const std::size_t begin = source::begin_of_line(plain, line);
  const std::size_t end = std::min(plain.find('\n', begin), plain.size());
  for (std::size_t at = plain.find(';', begin); at < end; at = plain.find(';', at + 1)) {
    const std::string_view word = source::word_before(plain, source::before_blanks(plain, at));
    if (word.starts_with("__")) return word;
  }
  return {};
}

void tell_of_function(Finding& finding, const std::string& code, bool is_wrong) {
  const std::string plain = source::blanked(code);
  const std::string_view name = function_not_called(plain, finding.line);
  if (name.empty()) return;
  finding.severity = error_where_wrong({}, is_wrong);
  finding.message = fmt::format("{} is named here and not called, which does nothing", name);
  finding.fix = fmt::format("call it: {}()", name);
}

}  // namespace

bool is_finding(const compile::Warning& warning) { return rule_of(warning) != nullptr; }

void add_compiler_findings(Report& report, const std::vector<compile::Warning>& warnings,
                           const catalog::KernelSpec& kernel) {
  const bool has_error = report.is_wrong() || check::has_error(report.findings);
  check::Findings found;
  for (const compile::Warning& warning : warnings) {
    const Rule* const rule = rule_of(warning);
    if (rule == nullptr) continue;
    Finding finding;
    finding.kind = rule->kind;
    finding.severity = rule->severity(warning.text, report.is_wrong());
    finding.file = kernel.path;
    finding.line = warning.place.line;
    finding.message = warning.text;
    finding.fix = rule->fix;
    if (finding.kind == Kind::no_effect) tell_of_function(finding, kernel.code, has_error);
    const auto is_same = [&](const Finding& other) {
      return other.kind == finding.kind && other.line == finding.line;
    };
    if (std::ranges::none_of(report.findings, is_same) && std::ranges::none_of(found, is_same))
      found.push_back(std::move(finding));
  }
  std::ranges::stable_sort(found, {}, &Finding::line);
  report.findings.insert(report.findings.begin(), std::make_move_iterator(found.begin()),
                         std::make_move_iterator(found.end()));
}

}  // namespace warplens::run
