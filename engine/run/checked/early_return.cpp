#include "engine/run/checked/early_return.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "engine/check/fixes.hpp"
#include "engine/run/checked/source/source_walk.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

constexpr std::array<std::string_view, 3> kLoops = {"for", "while", "do"};

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

bool goes_around(std::string_view code, int line, int inside) {
  if (line < 1 || inside < line) return false;
  const std::string blank = source::blanked(code);
  const std::size_t begin = source::begin_of_line(blank, line), end = blank.find('\n', begin);
  for (const std::string_view word : {"if", "for", "while"}) {
    const std::size_t at = source::find_word(blank, word, begin, end);
    if (at == source::kNowhere) continue;
    const std::size_t behind = behind_statement(blank, at);
    if (behind == source::kNowhere || source::line_of(blank, behind - 1) < inside) continue;
    if (!source::has_word(std::string_view(blank).substr(at, behind - at), {"return", "goto"})) return true;
  }
  return false;
}

namespace {

bool begins_loop(std::string_view code, int line) {
  if (line < 1) return false;
  const std::string blank = source::blanked(code);
  const std::size_t begin = source::begin_of_line(blank, line), end = blank.find('\n', begin);
  return std::ranges::any_of(kLoops, [&](std::string_view word) {
    return source::find_word(blank, word, begin, end) != source::kNowhere;
  });
}

// Of a barrier in a loop that some threads leave before the others.
void cure_in_loops(check::Findings& findings, std::string_view code) {
  for (Finding& finding : findings) {
    if (finding.kind != Kind::divergent_barrier || finding.fix != check::kBarrierOutOfCondition) continue;
    const bool is_around = goes_around(code, finding.other_line, finding.line);
    if (is_around ? begins_loop(code, finding.other_line) : is_in_loop(code, finding.line))
      finding.fix = std::string(check::kSameTurnsForAll);
  }
}

}  // namespace

bool is_in_loop(std::string_view code, int line) {
  if (line < 1) return false;
  const std::string blank = source::blanked(code);
  const std::size_t place = source::begin_of_line(blank, line);
  std::size_t innermost = 0;
  bool is_loop = false;
  for (const std::string_view word : {"if", "for", "while", "do"})
    for (std::size_t at = source::find_word(blank, word, 0, place); at != source::kNowhere;
         at = source::find_word(blank, word, at + word.size(), place)) {
      const std::size_t behind = behind_statement(blank, at);
      if (behind == source::kNowhere || behind <= place || at < innermost) continue;
      innermost = at, is_loop = word != "if";
    }
  return is_loop;
}

void judge_missing(check::Findings& findings, std::string_view code, bool is_wrong) {
  const auto is_around = [&](const Finding& finding) {
    return goes_around(code, finding.other_line, finding.line) ||
           (!returns_at(code, finding.other_line) && !returns_before(code, finding.line));
  };
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.kind == Kind::mask_without_caller && finding.severity == Severity::information &&
           !is_around(finding);
  });
  for (Finding& finding : findings) {
    const bool is_of_mask = finding.kind == Kind::mask_without_caller;
    if ((finding.kind != Kind::divergent_barrier && !is_of_mask) || finding.severity != Severity::information)
      continue;
    const bool is_without_return = is_around(finding);
    if (is_without_return || is_wrong) finding.severity = Severity::warning;
    if (!is_without_return) continue;
    finding.message += is_of_mask ? "; only of lanes that have ended nothing is asked"
                                  : "; nothing is promised of threads that only go around it";
    if (!is_of_mask) finding.fix = std::string(check::kBarrierOutOfCondition);
  }
  cure_in_loops(findings, code);
}

}  // namespace warplens::run
