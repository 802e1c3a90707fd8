#include "viz/paint/imgui/glyph_atlas.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::paint {
namespace {

// Keys of the pages; image keys are hashes, which will not meet these few.
constexpr std::uint64_t kFirstPageKey = 0x676c797068730000ull;

}  // namespace

void ImGuiPainter::Atlas::begin_frame() {
  ids_.clear();
  if (pages_.size() <= kMostPages) return;
  pages_.clear();
  places_.clear();
  recent_.fill(nullptr);
}

const ImGuiPainter::Atlas::Place& ImGuiPainter::Atlas::find(int face, unsigned glyph, double pixels_per_em,
                                                            double x_in_pixel) {
  const Key key{face, glyph, static_cast<int>(std::lround(pixels_per_em * 8)),
                static_cast<int>(x_in_pixel * 4)};
  auto& recent = recent_[KeyHash()(key) >> (KeyHash::kBits - kRecentBits)];
  if (recent != nullptr && recent->first == key) return recent->second;
  auto it = places_.find(key);
  if (it == places_.end())
    it = places_.emplace(key, add(fonts_.render(face, glyph, key.size / 8.0, key.shift / 4.0))).first;
  recent = &*it;
  return it->second;
}

ImGuiPainter::Atlas::Page& ImGuiPainter::Atlas::page_for(int width, int height) {
  if (!pages_.empty()) {
    Page& page = pages_.back();
    if (page.x + width > kPageSize) page.x = 0, page.y += page.row, page.row = 0;
    if (page.y + height <= kPageSize) return page;
  }
  constexpr std::size_t texels = static_cast<std::size_t>(kPageSize) * kPageSize;
  // White everywhere: coverage is the alpha, the vertex brings the colour.
  return pages_.emplace_back(
      Page{{kPageSize, kPageSize, std::vector<theme::Rgba>(texels, {255, 255, 255, 0})}});
}

ImGuiPainter::Atlas::Place ImGuiPainter::Atlas::add(const GlyphBitmap& bitmap) {
  // A texel of air on each side: neighbours must not show at fractional places.
  const int width = std::min(bitmap.width + 2, kPageSize), height = std::min(bitmap.height + 2, kPageSize);
  if (bitmap.width == 0 || bitmap.height == 0) return {};
  Page& page = page_for(width, height);
  for (int y = 0; y < height - 2; ++y)
    for (int x = 0; x < width - 2; ++x)
      page.pixels.pixels[static_cast<std::size_t>((page.y + y + 1) * kPageSize + page.x + x + 1)].a =
          bitmap.coverage[static_cast<std::size_t>(y * bitmap.width + x)];
  const Place place{static_cast<int>(pages_.size()) - 1,
                    page.x + 1,
                    page.y + 1,
                    width - 2,
                    height - 2,
                    bitmap.left,
                    bitmap.top};
  page.changed_from = std::min(page.changed_from, page.y);
  page.changed_to = std::max(page.changed_to, page.y + height);
  page.x += width;
  page.row = std::max(page.row, height);
  return place;
}

std::uint64_t ImGuiPainter::Atlas::texture(int page) {
  while (ids_.size() <= static_cast<std::size_t>(page)) {
    const std::uint64_t key = kFirstPageKey + ids_.size();
    const auto known = textures_.find(key);
    ids_.push_back(known ? *known : textures_.create(key, pages_[ids_.size()].pixels));
  }
  return ids_[static_cast<std::size_t>(page)];
}

void ImGuiPainter::Atlas::upload() {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    Page& page = pages_[i];
    if (page.changed_from >= page.changed_to) continue;
    texture(static_cast<int>(i));
    textures_.update(kFirstPageKey + i, page.pixels, page.changed_from, page.changed_to - page.changed_from);
    page.changed_from = kPageSize, page.changed_to = 0;
  }
}

}  // namespace warplens::paint
