// How the lines of a text differ from those of another one, for the marks beside them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {

struct LineChange {
  enum class Kind : std::uint8_t { same, added, changed };
  Kind kind = Kind::same;
  int removed_before = 0;  // so many lines of the other text stood here; behind the last line: of its end
  bool operator==(const LineChange&) const = default;
};

// One a line of `lines`, and one more for what was removed at the end.
std::vector<LineChange> changes_from(std::string_view original, const std::vector<std::string>& lines);
bool has_changes(const std::vector<LineChange>& changes);

}  // namespace warplens::app
