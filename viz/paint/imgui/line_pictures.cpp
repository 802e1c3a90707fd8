#include "viz/paint/imgui/line_pictures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "viz/paint/imgui/imgui_compat.hpp"
#include "viz/paint/imgui/texture_key.hpp"

namespace warplens::paint {
namespace {

using Line = ImGuiPainter::LinePictures::Line;

constexpr std::size_t fewest_lines = 8;
constexpr int widest_picture = 2048;  // pixels, each way
// A pixel of a thin line takes llvmpipe as long as so many of a picture (measured: 35 and 5 ns).
constexpr std::int64_t cost_of_a_line = 7;

Line box_of(const std::vector<Line>& lines) {
  Line box = lines.front();
  for (const Line& l : lines)
    box = {
        std::min(box.x0, l.x0), std::min(box.y0, l.y0), std::max(box.x1, l.x1), std::max(box.y1, l.y1), {}};
  return box;
}

bool is_worth_it(const std::vector<Line>& lines, const Line& box) {
  const std::int64_t width = box.x1 - box.x0, height = box.y1 - box.y0;
  if (width > widest_picture || height > widest_picture) return false;
  std::int64_t drawn = 0;
  for (const Line& l : lines) drawn += std::max(l.x1 - l.x0, l.y1 - l.y0);
  return width > 0 && height > 0 && drawn * cost_of_a_line > width * height;
}

std::uint64_t key_of(const std::vector<Line>& lines, const Line& box) {
  std::uint64_t key = 0x6c696e6573000000ull;
  const auto add = [&](std::uint64_t part) { key = key_with(key, part); };
  const auto two = [](int a, int b) {
    return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
  };
  add(two(box.x1 - box.x0, box.y1 - box.y0));
  for (const Line& l : lines)
    add(two(l.x0 - box.x0, l.y0 - box.y0)), add(two(l.x1 - box.x0, l.y1 - box.y0)),
        add(std::bit_cast<std::uint32_t>(l.color));
  return key;
}

constexpr theme::Rgba transparent{0, 0, 0, 0};

// One colour over another, neither multiplied with its alpha.
theme::Rgba over(theme::Rgba above, theme::Rgba below) {
  const double a = above.a / 255.0, b = below.a / 255.0 * (1 - a), sum = a + b;
  if (sum <= 0) return transparent;
  const auto mixed = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround((x * a + y * b) / sum));
  };
  return {mixed(above.r, below.r), mixed(above.g, below.g), mixed(above.b, below.b),
          static_cast<std::uint8_t>(std::lround(255 * sum))};
}

scene::Raster picture_of(const std::vector<Line>& lines, const Line& box) {
  scene::Raster picture{box.x1 - box.x0, box.y1 - box.y0, {}};
  const auto width = static_cast<std::size_t>(picture.width);
  picture.pixels.assign(width * static_cast<std::size_t>(picture.height), transparent);
  for (const Line& l : lines) {
    for (int y = l.y0 - box.y0; y < l.y1 - box.y0; ++y)
      for (theme::Rgba& pixel :
           std::span(picture.pixels)
               .subspan(static_cast<std::size_t>(y) * width + static_cast<std::size_t>(l.x0 - box.x0),
                        static_cast<std::size_t>(l.x1 - l.x0)))
        pixel = over(l.color, pixel);
  }
  return picture;
}

}  // namespace

bool ImGuiPainter::LinePictures::draw(ImDrawList& list, const std::vector<Line>& lines) {
  if (lines.size() < fewest_lines) return false;
  const Line box = box_of(lines);
  if (!is_worth_it(lines, box)) return false;
  const std::uint64_t key = key_of(lines, box);
  auto texture = textures_.find(key);
  if (!texture) texture = textures_.create(key, picture_of(lines, box), TextureUse::image);
  sizes_[*texture] = {static_cast<double>(box.x1 - box.x0), static_cast<double>(box.y1 - box.y0)};
  list.AddImage(compat::texture_id(*texture), {static_cast<float>(box.x0), static_cast<float>(box.y0)},
                {static_cast<float>(box.x1), static_cast<float>(box.y1)});
  return true;
}

std::optional<scene::Size> ImGuiPainter::LinePictures::size_of(std::uint64_t texture) const {
  const auto found = sizes_.find(texture);
  return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warplens::paint
