#include "viz/paint/imgui/image_pictures.hpp"

#include <algorithm>
#include <cmath>

#include "viz/paint/imgui/imgui_compat.hpp"
#include "viz/paint/imgui/texture_key.hpp"

namespace warplens::paint {
namespace {

constexpr std::size_t most_kept = 4096;

std::uint64_t key_of(const scene::Pixels& image, const theme::Theme& theme, int most_width, int most_height) {
  std::uint64_t key = image.fingerprint;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(most_width), static_cast<std::uint64_t>(most_height),
        static_cast<std::uint64_t>(theme.name.size() + static_cast<unsigned char>(theme.name[0]))})
    key = key_with(key, part);
  return key;
}

}  // namespace

ImGuiPainter::ImagePictures::Part ImGuiPainter::ImagePictures::shown_of(const scene::Raster& pixels) {
  int x0 = pixels.width, y0 = pixels.height, x1 = 0, y1 = 0;
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      if (pixels
              .pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) +
                      static_cast<std::size_t>(x)]
              .a == 0)
        continue;
      x0 = std::min(x0, x), x1 = std::max(x1, x + 1);
      y0 = std::min(y0, y), y1 = std::max(y1, y + 1);
    }
  const auto width = static_cast<float>(pixels.width), height = static_cast<float>(pixels.height);
  return {static_cast<float>(x0) / width, static_cast<float>(y0) / height, static_cast<float>(x1) / width,
          static_cast<float>(y1) / height};
}

void ImGuiPainter::ImagePictures::draw(ImDrawList& list, const scene::Pixels& image,
                                       const theme::Theme& theme, ImVec2 a, ImVec2 b) {
  // One texture serves a range of sizes, so that zooming does not make a new one each frame.
  const auto most = [](float length) {
    return static_cast<int>(std::exp2(std::ceil(std::log2(std::max(64.0f, length)))));
  };
  const int most_width = std::min(image.width, most(b.x - a.x)),
            most_height = std::min(image.height, most(b.y - a.y));
  const std::uint64_t key = key_of(image, theme, most_width, most_height);
  auto known = shown_.find(key);
  if (known != shown_.end() && known->second.empty()) return;
  auto texture = textures_.find(key);
  if (!texture) {
    const scene::Raster pixels = resolve(image, theme, most_width, most_height);
    if (shown_.size() >= most_kept) shown_.clear();
    known = shown_.insert_or_assign(key, shown_of(pixels)).first;
    if (known->second.empty()) return;
    texture = textures_.create(key, pixels, TextureUse::image);
  }
  used_.push_back(*texture);
  const Part part = known == shown_.end() ? Part{} : known->second;
  // Whole pixels around it: which of them a texel shows in is as if all were drawn.
  const ImVec2 size{b.x - a.x, b.y - a.y};
  const ImVec2 low{std::floor(a.x + part.x0 * size.x), std::floor(a.y + part.y0 * size.y)},
      high{std::ceil(a.x + part.x1 * size.x), std::ceil(a.y + part.y1 * size.y)};
  list.AddImage(compat::texture_id(*texture), low, high, {(low.x - a.x) / size.x, (low.y - a.y) / size.y},
                {(high.x - a.x) / size.x, (high.y - a.y) / size.y});
}

bool ImGuiPainter::ImagePictures::has(std::uint64_t texture) const {
  return std::find(used_.begin(), used_.end(), texture) != used_.end();
}

}  // namespace warplens::paint
