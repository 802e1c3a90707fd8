#include "engine/run/checked/early_return.hpp"

#include <algorithm>
#include <string>

#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

// The statement, or the block, behind the condition of an if.
std::string_view body_of_if(std::string_view text) {
  const std::size_t start = source::behind_blanks(text, source::behind_bracket(text, text.find('(')));
  if (start == text.size()) return {};
  const std::size_t end = text[start] == '{' ? source::behind_bracket(text, start) : text.find(';', start);
  return text.substr(start, std::min(end, text.size()) - start);
}

}  // namespace

bool returns_at(std::string_view code, int line) {
  if (line < 1) return false;
  const std::string blank = source::blanked(code);
  const std::string_view text = std::string_view(blank).substr(source::begin_of_line(blank, line));
  const std::string_view own = text.substr(0, text.find('\n'));
  if (source::has_word(own, {"return"})) return true;
  const std::size_t condition = source::find_word(own, "if");
  return condition != source::kNowhere && source::has_word(body_of_if(text.substr(condition)), {"return"});
}

bool returns_before(std::string_view code, int line) {
  const std::string blank = source::blanked(code);
  const std::string_view before = std::string_view(blank).substr(0, source::begin_of_line(blank, line));
  const std::size_t kernel = before.rfind("__global__");
  return kernel != source::kNowhere && source::has_word(before.substr(kernel), {"return"});
}

void judge_missing(check::Findings& findings, std::string_view code, bool is_wrong) {
  for (Finding& finding : findings) {
    if (finding.kind != Kind::divergent_barrier || finding.severity != Severity::information) continue;
    const bool goes_around = !returns_at(code, finding.other_line) && !returns_before(code, finding.line);
    if (goes_around || is_wrong) finding.severity = Severity::warning;
    if (!goes_around) continue;
    finding.message += "; nothing is promised of threads that only go around it";
    finding.fix = "move __syncthreads() out of the condition, so that every thread of the block reaches it";
  }
}

}  // namespace warplens::run
