// Scenes on screen, with the window's fonts and textures.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

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
    if (watch_.scene) watch_.scene(scene, at, scale);
    painter_.paint(scene, theme, list, at, scale, false);
  }
  // What tests read of a frame: every scene that is painted, and every text that widgets draw beside them.
  struct Watch {
    std::function<void(const scene::Scene&, scene::Point at, double scale)> scene = {};
    std::function<void(std::string_view text, const scene::Rect& box, double size)> text =
        {};  // screen pixels
  };
  void watch(Watch watch) { watch_ = std::move(watch); }
  // height: from ascent to descent, of a font of this family.
  void note(std::string_view text, scene::Point at, double width, double height, scene::Family family) const {
    if (!watch_.text) return;
    watch_.text(text, {at.x, at.y, width, height},
                height / fonts_->metrics({.size = 1, .family = family}).line_height());
  }
  // Changes with the pixels of any texture.
  std::uint64_t textures_version() const { return textures_.version(); }
  const paint::Fonts& fonts() const { return *fonts_; }
  std::shared_ptr<const paint::Fonts> shared_fonts() const { return fonts_; }

 private:
  Watch watch_;
  std::shared_ptr<const paint::Fonts> fonts_;
  GlTextureStore textures_;
  paint::ImGuiPainter painter_;
};

}  // namespace warplens::app
