// Inside of the access figure: which cells of each matrix carry which mark at one step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "viz/figures/access/access.hpp"

namespace warplens::figures {

// The marks, the higher one stays on top of a cell.
namespace mark {
inline constexpr std::uint8_t kNothing = 0, kBeyond = 1, kTrail = 2, kTrails = 16, kOwnedBlock = 18,
                              kOwnedWarp = 19, kOwnedThread = 20, kBlock = 21, kWarp = 22, kThread = 23,
                              kLane = 24;  // 24 to 55
}  // namespace mark
// strong: what the warp writes at another time is as strong as what it accesses now.
std::vector<Color> mark_palette(AccessOptions::Colors colors, bool strong = false);
Key::Pattern pattern_of(std::uint8_t value);  // of a mark, for colour-blind readers

// How a lane of the chosen warp looks outside of the matrices, in the same colours.
struct LaneLook {
  Color color;
  Key::Pattern pattern = Key::Pattern::plain;
};
LaneLook lane_look(AccessOptions::Colors colors, int lane);

// Makes the part between two cells, the first and the last one, hold this one too.
void widen(std::optional<std::pair<Cell, Cell>>& extent, Cell cell);

struct Mark {
  Cell cell;
  std::uint8_t value = 0;
};
struct BufferMarks {
  std::vector<Mark> marks;  // of the accesses, and of what is beyond the buffer
  // What the block writes of it, which may be all of a large tile; they are marked below the others.
  std::span<const AccessStory::Owned> owned;
  std::uint32_t warp = 0;  // the chosen one, in whose colours they are
  bool by_lane = false;
  bool now = false;  // the access of this step goes to this buffer
  // Around the accesses of all warps at this step (or at the last one that came here); in cells.
  std::optional<std::pair<Cell, Cell>> extent;

  std::uint8_t value_of(const AccessStory::Owned& each) const {
    const std::uint32_t owner = each.thread / 32, lane = each.thread % 32;
    if (owner != warp) return mark::kOwnedBlock;
    if (by_lane) return static_cast<std::uint8_t>(mark::kLane + lane);
    return lane == 0 ? mark::kOwnedThread : mark::kOwnedWarp;
  }
  // visit(mark) for all.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const AccessStory::Owned& each : owned) visit(Mark{each.cell, value_of(each)});
    for (const Mark& each : marks) visit(each);
  }
};

// One for each buffer.
std::vector<BufferMarks> marks_at(const AccessStory& story, std::uint32_t warp, std::uint32_t step,
                                  const AccessOptions& options);

}  // namespace warplens::figures
