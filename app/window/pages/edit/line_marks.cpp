#include "app/window/pages/edit/line_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warplens::app {
namespace {

std::string words_of(const check::ThreadPlace& place) {
  const auto& [tx, ty, tz] = place.thread;
  const auto& [bx, by, bz] = place.block;
  return fmt::format("thread ({},{},{}) of block ({},{},{})", tx, ty, tz, bx, by, bz);
}

}  // namespace

LineMark mark_of(const Error& error, const std::string& file) {
  LineMark mark{.message = error.message, .fix = error.next_step};
  if (error.code == ErrorCode::kernel_text) mark.fix.clear();  // that is what an editor is for
  if (error.place.file == file)
    mark.line = error.place.line;
  else if (!error.place.file.empty())
    mark.message = to_string(error.place) + ": " + mark.message;
  return mark;
}

LineMark mark_of(const compile::Warning& warning, const std::string& file) {
  const bool is_in_line = warning.place.file == file && warning.place.line > 0;
  return {.severity = check::Severity::warning,
          .line = is_in_line ? warning.place.line : 0,
          .message = is_in_line ? warning.text : to_line(warning),
          .fix = ""};
}

LineMark mark_of(const check::Finding& finding) {
  LineMark mark{
      .severity = finding.severity,
      .line = finding.line,
      .other_line = finding.other_line,
      .message = check::words_of(finding),
      .fix = finding.fix,
      .is_result = finding.kind == check::Kind::wrong_result || finding.kind == check::Kind::unwritten_output,
      .is_finding = true};
  if (finding.at.known) mark.where = words_of(finding.at);
  if (finding.other.known) mark.where += (mark.where.empty() ? "" : " and ") + words_of(finding.other);
  return mark;
}

void put_in_order(std::vector<LineMark>& marks) {
  const auto key = [](const LineMark& mark) {
    return std::tuple(-static_cast<int>(mark.severity), mark.is_result, mark.line, mark.message);
  };
  std::ranges::stable_sort(marks, {}, key);
  // A fault that a finding explains is said by the finding.
  std::erase_if(marks, [&](const LineMark& mark) {
    return !mark.is_finding && mark.severity == check::Severity::error &&
           std::ranges::any_of(marks, [&](const LineMark& other) {
             return other.is_finding && (other.line == mark.line || other.other_line == mark.line);
           });
  });
  const auto same = [&](const LineMark& a, const LineMark& b) { return key(a) == key(b); };
  marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
}

}  // namespace warplens::app
