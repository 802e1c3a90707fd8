#include "viz/figures/tensor/shared_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"

namespace warplens::figures {
namespace {

constexpr std::uint32_t kLine = 128;
constexpr double kHead = 44, kLeast = 4.5, kOffsets = 52;

}  // namespace

std::vector<Color> shared_mark::palette() {
  std::vector<Color> colors{Color{Token::raised}, Color{Token::dim, 0.30}};
  for (int i = 0; i < 8; ++i) colors.push_back(Color{theme::series(i), 0.85});
  return colors;
}

SharedLines::SharedLines(const Rect& room, const SharedTile& tile, const trace::TensorWork& work,
                         std::optional<std::uint32_t> around, Look look)
    : room_(room), element_bytes_(work.element_bytes), large_(is_large(look)) {
  std::uint32_t low = ~0u, high = 0;
  for (const std::uint32_t address : tile.address)
    if (address != SharedTile::kNowhere) low = std::min(low, address), high = std::max(high, address);
  if (low > high) return;
  per_line_ = static_cast<int>(kLine / element_bytes_);
  const int all = static_cast<int>(high / kLine - low / kLine) + 1;
  const double height = room.height - kHead;
  lines_ = std::clamp(static_cast<int>(height / kLeast), 1, all);
  const int at =
      around && *around >= low && *around <= high ? static_cast<int>(*around / kLine - low / kLine) : 0;
  const int first = std::clamp(at - lines_ / 2, 0, all - lines_);
  first_ = (low / kLine + static_cast<std::uint32_t>(first)) * kLine;
  const double width = room.width - kOffsets;
  const double cell_height = std::min(height / lines_, 3 * width / per_line_);
  grid_ = {room.x + kOffsets, room.y + kHead, width, cell_height * lines_};
}

void SharedLines::mark(std::vector<std::uint8_t>& cells, std::uint32_t address, std::uint8_t value) const {
  if (address < first_) return;
  const std::size_t cell = (address - first_) / element_bytes_;
  if (cell < cells.size()) cells[cell] = value;
}

void SharedLines::draw(Group& group, std::vector<std::uint8_t> cells, const std::vector<Color>& palette,
                       const std::string& head, const scene::TextMeasure& measure) const {
  group.text({room_.x, room_.y + 14}, head, within(caption(Token::text), room_.width));
  group.rect(grid_, {.fill = Token::panel, .stroke = scene::Stroke{edge(), 1}});
  group.image(grid_, scene::make_indexed_image(per_line_, lines_, std::move(cells), palette));
  const double bank = grid_.width / 32, row = grid_.height / lines_;
  for (int at = 4; at < 32; at += 4)
    group.line({grid_.x + at * bank, grid_.y}, {grid_.x + at * bank, grid_.bottom()},
               {{Token::background, 0.9}, 1});
  if (row >= 4)
    for (int line = 1; line < lines_; ++line)
      group.line({grid_.x, grid_.y + line * row}, {grid_.right(), grid_.y + line * row},
                 {{Token::background, 0.7}, 0.5});
  const TextStyle small = caption(Token::dim);
  const int every = measure.width("28", small) + 6 < 4 * bank ? 4 : 8;
  for (int at = 0; at < 32; at += every)
    group.text({grid_.x + at * bank + 1, grid_.y - 6}, std::to_string(at), small);
  group.text({room_.x, grid_.y - 6}, "Bank", small);
  const int each = std::max(1, static_cast<int>(std::ceil((large_ ? 20 : 16) / row)));
  const int step = each <= 1 ? 1 : each <= 2 ? 2 : each <= 4 ? 4 : 8;
  for (int line = 0; line < lines_; line += step) {
    const double y = grid_.y + line * row + std::min(row / 2, 8.0) + 4.5;
    if (y > grid_.bottom() + 6) break;
    group.text({grid_.x - 6, y}, grouped(std::uint64_t{first_ + static_cast<std::uint32_t>(line) * kLine}),
               at_end(small));
  }
}

std::optional<Rect> SharedLines::rect_of(std::uint32_t address) const {
  if (!is_shown() || address < first_ || (address - first_) / kLine >= static_cast<std::uint32_t>(lines_))
    return std::nullopt;
  const std::uint32_t at = address - first_;
  const double width = grid_.width / per_line_, row = grid_.height / lines_;
  return Rect{grid_.x + (at % kLine) / element_bytes_ * width, grid_.y + at / kLine * row, width, row};
}

std::optional<std::uint32_t> SharedLines::address_at(Point point) const {
  if (!is_shown() || !grid_.contains(point)) return std::nullopt;
  const auto line = static_cast<std::uint32_t>((point.y - grid_.y) / grid_.height * lines_),
             at = static_cast<std::uint32_t>((point.x - grid_.x) / grid_.width * per_line_);
  return first_ + std::min(line, static_cast<std::uint32_t>(lines_ - 1)) * kLine + at * element_bytes_;
}

}  // namespace warplens::figures
