// Paints scenes into Dear ImGui's draw lists: the same shapes and the same text, glyph by glyph at any scale,
// as the other painters (but clips have square corners, and lines square ends). Text does not use ImGui's own
// fonts: glyphs are drawn by FreeType into atlas pages of this painter.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "viz/paint/fonts.hpp"
#include "viz/scene/scene.hpp"

struct ImDrawList;

namespace warplens::paint {

// Textures that are drawn as they are, and such that vertices bring the colours to.
enum class TextureUse { image, coverage };

// The window's textures, by key; ids are ImTextureID as integers. All textures are RGBA and sampled to the
// nearest texel.
class TextureStore {
 public:
  virtual ~TextureStore() = default;
  // The texture with this key, which is in use this frame; nothing where there is none.
  virtual std::optional<std::uint64_t> find(std::uint64_t key) = 0;
  virtual std::uint64_t create(std::uint64_t key, const scene::Raster& pixels, TextureUse use) = 0;
  // New pixels of the same size for a texture of coverage: only these rows differ from what it has.
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
  // call it before the draw data is rendered. begin_frame is true where it forgot all glyphs, whose textures
  // are filled anew then: nothing of the frame before may be kept.
  bool begin_frame();
  void paint(const scene::Scene& scene, const theme::Theme& theme, ImDrawList& list, scene::Point origin,
             double scale = 1, bool with_background = true);
  void end_frame();
  // Shapes of the window itself, drawn as those of scenes are. Pixels; ring: the width of an outline within,
  // or 0 for all of it; colours as ImGui packs them. False, and nothing drawn, where the rectangle is not on
  // whole pixels or too small for its corners.
  bool rounded(ImDrawList& list, const scene::Rect& rect, double radius, double ring, std::uint32_t color);
  void disc(ImDrawList& list, scene::Point center, double radius, double ring, std::uint32_t color);

  // In texture coordinates. white: where it is white and opaque, so that what is drawn with it there is as if
  // it had none. texel: the size of one, where pictures in it are drawn one texel to a pixel. is_image: all
  // that is drawn with it is TextureUse::image, with white vertices.
  struct Traits {
    std::optional<scene::Point> white{}, texel{};
    bool is_image = false;
  };
  // Of a texture of this frame; without any for what is not this painter's.
  Traits traits(std::uint64_t texture) const;

  // Internal, public for its implementation.
  struct Atlas;
  struct LinePictures;
  struct ImagePictures;

 private:
  std::shared_ptr<const Fonts> fonts_;
  std::unique_ptr<Atlas> atlas_;
  std::unique_ptr<LinePictures> line_pictures_;
  std::unique_ptr<ImagePictures> image_pictures_;
};

// Triangles of a simple polygon (ear clipping), as indices into its points.
std::vector<int> triangulate(const std::vector<scene::Point>& polygon);

}  // namespace warplens::paint
