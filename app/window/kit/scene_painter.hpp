// Scenes on screen, with the window's fonts and textures.
#pragma once

#include <memory>

#include "app/window/kit/texture_store.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/paint/imgui/imgui_painter.hpp"
#include "viz/scene/scene.hpp"
#include "viz/theme/theme.hpp"

struct ImDrawList;

namespace warplens::app {

class ScenePainter {
 public:
  explicit ScenePainter(std::shared_ptr<const paint::Fonts> fonts);

  void begin_frame();
  void end_frame();  // before the draw data is rendered
  // scale: screen pixels of one scene pixel.
  void paint(const scene::Scene& scene, const theme::Theme& theme, ImDrawList& list, scene::Point at,
             double scale) {
    painter_.paint(scene, theme, list, at, scale, false);
  }
  // Changes with the pixels of any texture.
  std::uint64_t textures_version() const { return textures_.version(); }
  const paint::Fonts& fonts() const { return *fonts_; }
  std::shared_ptr<const paint::Fonts> shared_fonts() const { return fonts_; }

 private:
  std::shared_ptr<const paint::Fonts> fonts_;
  GlTextureStore textures_;
  paint::ImGuiPainter painter_;
};

}  // namespace warplens::app
