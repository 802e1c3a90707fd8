// Inside of the ImGui painter: pages of glyphs, each at its size and at one of four places within a pixel.
#pragma once

#include <array>
#include <unordered_map>

#include "viz/paint/imgui/imgui_painter.hpp"

namespace warplens::paint {

struct ImGuiPainter::Atlas {
  static constexpr int kPageSize = 1024;
  static constexpr int kMostPages = 6;

  // In texels of the page; empty for a space.
  struct Place {
    int page = 0, x = 0, y = 0, width = 0, height = 0, left = 0, top = 0;
  };

  Atlas(const Fonts& fonts, TextureStore& textures) : fonts_(fonts), textures_(textures) {}

  // Forgets all glyphs where they fill too many pages; only between frames, as draw lists hold places.
  void begin_frame();
  const Place& find(int face, unsigned glyph, double pixels_per_em, double x_in_pixel);
  std::uint64_t texture(int page);
  void upload();

 private:
  struct Page {
    scene::Raster pixels;
    int x = 0, y = 0, row = 0;  // where the next glyph goes, and the height of the row it is in
    int changed_from = 0, changed_to = kPageSize;  // rows; a new page may take the texture of one of before
  };
  struct Key {
    int face;
    unsigned glyph;
    int size, shift;  // 1/8 pixel, 1/4 pixel
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    static constexpr int kBits = 47;
    std::size_t operator()(const Key& key) const {
      const std::uint64_t what = std::uint64_t{key.glyph} << 32 | static_cast<std::uint32_t>(key.face),
                          how = static_cast<std::uint64_t>(key.size) << 2 |
                                static_cast<std::uint64_t>(key.shift);
      return static_cast<std::size_t>((what ^ how << 20) * 0x9e3779b97f4a7c15ull >> (64 - kBits));
    }
  };
  Place add(const GlyphBitmap& bitmap);
  Page& page_for(int width, int height);

  const Fonts& fonts_;
  TextureStore& textures_;
  std::vector<Page> pages_;
  std::unordered_map<Key, Place, KeyHash> places_;
  // The places that were asked for last, by the high bits of their keys' hashes, which depend on all of the
  // key: most of a frame's glyphs are those of the frame before.
  static constexpr int kRecentBits = 12;
  std::array<const std::pair<const Key, Place>*, 1 << kRecentBits> recent_{};
  std::vector<std::uint64_t> ids_;  // of the pages, for this frame
};

}  // namespace warplens::paint
