#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/run/checked/source/source_checks.hpp"
#include "engine/run/checked/source/source_code.hpp"
#include "engine/run/checked/source/source_walk.hpp"
#include "engine/source/scan.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;

// Where a variable of a function is declared, by a type before it; npos: nowhere, or more than once.
std::size_t declaration_of(std::string_view text, const std::string& name, const SourceFunction& function,
                           std::size_t& start) {
  std::size_t found = std::string_view::npos;
  for (std::size_t at = source::find_word(text, name, function.body, function.end);
       at != std::string_view::npos; at = source::find_word(text, name, at + 1, function.end)) {
    const std::size_t last = text.find_last_not_of(" \t\r\n", at - 1);
    const std::size_t begin = text.find_last_of(";{}(", at) + 1;
    const std::string_view before = trimmed(text.substr(begin, at - begin));
    const bool has_type = !before.empty() && (is_of_name(text[last]) || text[last] == '*') &&
                          before.find_first_of("=+-/!?|&.[]();") == std::string_view::npos &&
                          before.find("return") == std::string_view::npos && is_of_name(before.front());
    if (!has_type) continue;
    if (found != std::string_view::npos) return std::string_view::npos;
    found = at, start = begin;
  }
  return found;
}

struct Ended {
  std::string pointer, variable;
  std::size_t use = 0;
};

// `pointer = variable;` or `= &variable`, at the equals sign.
std::optional<Ended> ended_at(std::string_view text, const SourceFunction& function, std::size_t equals) {
  std::size_t end = equals;
  while (end > 0 && text[end - 1] == ' ') --end;
  const std::size_t begin = end - source::word_before(text, end).size();
  const std::size_t before = text.find_last_not_of(" \t\r\n", begin - 1);
  if (begin == end || before == std::string_view::npos ||
      std::string_view(";{})").find(text[before]) == std::string_view::npos)
    return std::nullopt;
  Ended ended{std::string(text.substr(begin, end - begin)), {}, 0};
  std::size_t value = text.find_first_not_of(" \t", equals + 1);
  const bool is_address = value != std::string_view::npos && text[value] == '&';
  if (is_address) value = text.find_first_not_of(" \t", value + 1);
  if (value == std::string_view::npos) return std::nullopt;
  ended.variable = source::word_at(text, value);
  const std::size_t behind = text.find_first_not_of(" \t\r\n", value + ended.variable.size());
  if (ended.variable.empty() || behind == std::string_view::npos ||
      (text[behind] != ';' && !(is_address && text[behind] == '[')))
    return std::nullopt;
  std::size_t of_pointer = 0, of_variable = 0;
  const std::size_t pointer = declaration_of(text, ended.pointer, function, of_pointer);
  const std::size_t variable = declaration_of(text, ended.variable, function, of_variable);
  if (pointer == std::string_view::npos || variable == std::string_view::npos || variable > equals)
    return std::nullopt;
  const std::string_view type = text.substr(of_variable, variable - of_variable);
  const std::size_t after = text.find_first_not_of(" \t", variable + ended.variable.size());
  const bool is_array = after != std::string_view::npos && text[after] == '[';
  if (source::has_word(type, {"__shared__", "static"}) || (!is_array && !is_address)) return std::nullopt;
  const std::size_t block = block_around(text, function.body, variable),
                    close = source::behind_bracket(text, block);
  if (block <= pointer || close == std::string_view::npos) return std::nullopt;  // they end together
  const std::size_t use = source::find_word(text, ended.pointer, close, function.end);
  if (use == std::string_view::npos) return std::nullopt;
  const std::size_t next = text.find_first_not_of(" \t\r\n", use + ended.pointer.size());
  if (text[next] == '=' && text.substr(next, 2) != "==") return std::nullopt;  // it is set anew
  const std::size_t last = text.find_last_not_of(" \t\r\n", use - 1);
  const bool reads = text[next] == '[' || text[last] == '*' || text.substr(next, 2) == "->";
  ended.use = use;
  return reads ? std::optional(ended) : std::nullopt;
}

}  // namespace

check::Findings ended_variables_in_source(const Job& job) {
  check::Findings findings;
  const SourceCode code(job);
  const std::string_view text = code.text();
  for (const SourceFunction& function : code.functions())
    for (std::size_t at = text.find('=', function.body); at < function.end; at = text.find('=', at + 1)) {
      const auto ended = ended_at(text, function, at);
      if (!ended) continue;
      Finding finding;
      finding.kind = Kind::use_after_scope;
      finding.severity = check::Severity::warning;
      finding.file = job.plan.spec.path;
      finding.line = code.line_of(ended->use);
      finding.other_line = code.line_of(at);
      finding.message =
          ended->pointer + " may point to " + ended->variable + ", which has ended with its block";
      finding.fix = "declare " + ended->variable + " where " + ended->pointer + " is declared";
      findings.push_back(std::move(finding));
    }
  return findings;
}

}  // namespace warplens::run
