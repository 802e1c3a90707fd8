// Paints scenes into Dear ImGui's draw lists: the same shapes and the same text, glyph by glyph at any scale,
// as the other painters (but clips have square corners, and lines square ends). Text does not use ImGui's own
// fonts: glyphs are drawn by FreeType into atlas pages of this painter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "viz/paint/fonts.hpp"
#include "viz/scene/scene.hpp"

struct ImDrawList;

namespace warplens::paint {

// The window's textures, by key; ids are ImTextureID as integers. All textures are RGBA and sampled to the
// nearest texel.
class TextureStore {
 public:
  virtual ~TextureStore() = default;
  // The texture with this key, which is in use in this frame; empty if there is none.
  virtual std::optional<std::uint64_t> find(std::uint64_t key) = 0;
  virtual std::uint64_t create(std::uint64_t key, const scene::Raster& pixels) = 0;
  // New pixels of the same size: only these rows differ from what it has.
  virtual void update(std::uint64_t key, const scene::Raster& pixels, int first_row, int rows) = 0;
};

// One for the window's lifetime, used on its thread.
class ImGuiPainter {
 public:
  ImGuiPainter(std::shared_ptr<const Fonts> fonts, TextureStore& textures);
  ~ImGuiPainter();
  ImGuiPainter(const ImGuiPainter&) = delete;
  ImGuiPainter& operator=(const ImGuiPainter&) = delete;

  // Between begin_frame and end_frame as many scenes as there are. end_frame uploads the glyphs that are new:
  // call it before the draw data is rendered.
  void begin_frame();
  void paint(const scene::Scene& scene, const theme::Theme& theme, ImDrawList& list, scene::Point origin,
             double scale = 1, bool with_background = true);
  void end_frame();
  // Internal, public for its implementation.
  struct Atlas;

 private:
  std::shared_ptr<const Fonts> fonts_;
  TextureStore& textures_;
  std::unique_ptr<Atlas> atlas_;
};

// Triangles of a simple polygon (ear clipping), as indices into its points.
std::vector<int> triangulate(const std::vector<scene::Point>& polygon);

}  // namespace warplens::paint
