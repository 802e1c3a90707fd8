// Inside of the ImGui painter: the lines between the cells of a matrix as one picture. A software renderer
// draws pixels in blocks of four by four, and a hundred lines a pixel wide take it as long as all the rest of
// a figure.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "viz/paint/imgui/imgui_painter.hpp"

namespace warplens::paint {

struct ImGuiPainter::LinePictures {
  // Whole pixels, half open.
  struct Line {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    theme::Rgba color = {};
  };

  explicit LinePictures(TextureStore& textures) : textures_(textures) {}

  void begin_frame() { sizes_.clear(); }
  // Draws the lines, the later ones over the earlier, where they are so close to each other that a picture of
  // all takes less time than they do. False, and nothing drawn, where they are not.
  bool draw(ImDrawList& list, const std::vector<Line>& lines);
  std::optional<scene::Size> size_of(std::uint64_t texture) const;  // texels; of this frame's pictures

 private:
  TextureStore& textures_;
  std::unordered_map<std::uint64_t, scene::Size> sizes_;  // by texture
};

}  // namespace warplens::paint
