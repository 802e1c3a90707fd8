// Inside of the ImGui painter: images of scenes as textures, of which the part is drawn that holds something.
// The cells that a warp reads are a few rows of a matrix; the rest of their image is clear.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "viz/paint/imgui/imgui_painter.hpp"

namespace warplens::paint {

struct ImGuiPainter::ImagePictures {
  explicit ImagePictures(TextureStore& textures) : textures_(textures) {}

  void begin_frame() { used_.clear(); }
  // From corner a to corner b, pixels.
  void draw(ImDrawList& list, const scene::Pixels& image, const theme::Theme& theme, ImVec2 a, ImVec2 b);
  bool has(std::uint64_t texture) const;  // of this frame's

 private:
  // As parts of the image, 0 to 1; nothing where all of it is clear.
  struct Part {
    float x0 = 0, y0 = 0, x1 = 1, y1 = 1;
    bool empty() const { return x0 >= x1; }
  };
  static Part shown_of(const scene::Raster& pixels);

  TextureStore& textures_;
  std::unordered_map<std::uint64_t, Part> shown_;  // by key; all of those that are not there
  std::vector<std::uint64_t> used_;                // textures
};

}  // namespace warplens::paint
