// Inside of the figures of tensor cores: shared memory as lines of 128 bytes, which are the 32 banks side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viz/figures/parts/look.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/tensor/tensor_view.hpp"

namespace warplens::figures {

namespace shared_mark {
inline constexpr std::uint8_t kOther = 0, kTile = 1, kFirst = 2;  // eight from kFirst on, as theme::series()
std::vector<Color> palette();
}  // namespace shared_mark

class SharedLines {
 public:
  SharedLines() = default;
  // As many lines of the tile as there is room for in cells that can be seen, around an address.
  SharedLines(const Rect& room, const SharedTile& tile, const trace::TensorWork& work,
              std::optional<std::uint32_t> around, Look look);
  bool is_shown() const { return lines_ > 0; }
  std::size_t cells() const { return static_cast<std::size_t>(lines_) * per_line_; }
  void mark(std::vector<std::uint8_t>& cells, std::uint32_t address, std::uint8_t value) const;
  // Head, banks, first bytes of lines, and the cells in these colours.
  void draw(Group& group, std::vector<std::uint8_t> cells, const std::vector<Color>& palette,
            const std::string& head, const scene::TextMeasure& measure) const;
  std::optional<Rect> rect_of(std::uint32_t address) const;
  std::optional<std::uint32_t> address_at(Point point) const;  // of the element there

 private:
  Rect room_, grid_;
  std::uint32_t first_ = 0, element_bytes_ = 2;  // bytes
  int lines_ = 0, per_line_ = 64;
  bool large_ = false;
};

}  // namespace warplens::figures
