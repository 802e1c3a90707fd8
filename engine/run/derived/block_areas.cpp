#include "engine/run/derived/block_areas.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warplens::run {

using report::Cell;

emulator::BlockObserver* BlockAreas::begin_block(std::uint64_t block) {
  block_ = static_cast<std::size_t>(block);
  return areas_.empty() || block_ >= areas_.front().size() ? nullptr : this;
}

void BlockAreas::on_access(const emulator::AccessEvent& event) {
  if (event.space != ptx::Space::global || event.active == 0) return;
  const std::uint64_t last_byte = std::max<std::uint64_t>(event.width, 1) - 1;
  std::array<std::uint64_t, 32> lanes{};
  std::size_t count = 0;
  for (std::uint32_t left = event.active; left != 0; left &= left - 1)
    lanes[count++] = event.address(static_cast<std::uint32_t>(std::countr_zero(left)));
  const auto [low, high] = std::minmax_element(lanes.begin(), lanes.begin() + static_cast<long>(count));
  const auto first = at(*low), last = at(*high + last_byte);
  if (first && last && lie_in_one_line(*first, *last)) return widen(*first), widen(*last);
  for (std::size_t lane = 0; lane < count; ++lane)
    for (const std::uint64_t byte : {lanes[lane], lanes[lane] + last_byte})
      if (const auto place = at(byte)) widen(*place);
}

std::optional<BlockAreas::At> BlockAreas::at(std::uint64_t byte) const {
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    if (faces_[f].is_shared || faces_[f].fold != 0) continue;
    if (const auto element = report::element_of(faces_[f], byte))
      return At{f, report::cell_of(faces_[f], *element)};
  }
  return std::nullopt;
}

// So does all that lies between them.
bool BlockAreas::lie_in_one_line(const At& a, const At& b) const {
  if (a.face != b.face) return false;
  return faces_[a.face].row_major ? a.cell.row == b.cell.row : a.cell.column == b.cell.column;
}

void BlockAreas::widen(const At& place) {
  const Cell cell = place.cell;
  Area& area = areas_[place.face][block_];
  if (!area) area.emplace(cell, cell);
  auto& [low, high] = *area;
  low = {std::min(low.row, cell.row), std::min(low.column, cell.column)};
  high = {std::max(high.row, cell.row), std::max(high.column, cell.column)};
}

}  // namespace warplens::run
