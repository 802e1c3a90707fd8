#include "engine/check/order/cells.hpp"

namespace warplens::check {

void Cells::tidy(std::size_t most) {
  if (moments_.count() <= most || moments_.count() <= 2 * kept_) return;
  Moments kept;
  std::vector<std::uint32_t> keys(
      moments_.count());  // the new key of each moment, but for the bytes; 0: none
  const auto keep = [&](Mark& mark) {
    if (mark.key == 0) return;
    std::uint32_t& key = keys[mark.key >> 4];
    if (key == 0) key = kept.mark(Stamp{moments_.of(mark)}).key;
    mark.key = key | (mark.key & 15);
  };
  for (std::size_t page = 0; page < count_; ++page)
    for (Cell& cell : chunks_[page / kOfChunk][page % kOfChunk]) {
      keep(cell.write);
      for (Mark& read : cell.reads) keep(read);
    }
  moments_ = std::move(kept);
  kept_ = moments_.count();
}

}  // namespace warplens::check
