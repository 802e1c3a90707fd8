#include "app/window/pages/edit/line_changes.hpp"

#include <algorithm>

#include "app/edit/text_buffer.hpp"
#include "app/window/model/compare_diff.hpp"

namespace warplens::app {

std::vector<LineChange> changes_from(std::string_view original, const std::vector<std::string>& lines) {
  const TextBuffer before(original);
  const std::vector<std::string_view> left(before.lines().begin(), before.lines().end());
  const std::vector<std::string_view> right(lines.begin(), lines.end());
  std::vector<LineChange> changes(lines.size() + 1);
  std::size_t next = 0;  // line of `lines`
  for (const DiffRow& row : diff_lines(left, right)) {
    if (row.kind == DiffRow::Kind::left_only) {
      ++changes[next].removed_before;
      continue;
    }
    if (row.kind == DiffRow::Kind::changed) changes[row.right].kind = LineChange::Kind::changed;
    if (row.kind == DiffRow::Kind::right_only) changes[row.right].kind = LineChange::Kind::added;
    next = row.right + 1;
  }
  return changes;
}

bool has_changes(const std::vector<LineChange>& changes) {
  return std::ranges::any_of(changes, [](const LineChange& change) { return change != LineChange{}; });
}

}  // namespace warplens::app
