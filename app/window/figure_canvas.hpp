// The picture of the centre: which figures there are, the scene of the open one, and its place on screen.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/model.hpp"
#include "app/window/texture_store.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/paint/imgui_painter.hpp"
#include "viz/scene/scene.hpp"

struct ImDrawList;

namespace warplens::app {

struct FigureTab {
  std::string_view id, title;  // id: as `warplens export` names it
};
std::span<const FigureTab> figure_tabs();

// The figure of a run: a pure function. Nothing for an id that is not in figure_tabs().
std::optional<scene::Scene> draw_figure(std::string_view figure, const KernelRun& run,
                                        std::size_t trace_block, const Selection& selection, scene::Size size,
                                        const scene::TextMeasure& measure);

// Makes the scene anew only where the run, the selection or the size changed.
class FigureCanvas {
 public:
  explicit FigureCanvas(std::shared_ptr<const paint::Fonts> fonts);

  void begin_frame();
  void end_frame();  // before the draw data is rendered
  // scale: screen pixels of one scene pixel.
  void draw(const Model& model, const theme::Theme& theme, ImDrawList& list, const scene::Rect& rect,
            double scale);
  // What was drawn last; null where nothing was.
  const scene::Scene* shown() const { return scene_ ? &*scene_ : nullptr; }
  const paint::Fonts& fonts() const { return *fonts_; }

 private:
  struct Key {
    SharedRun run;
    std::string figure;
    Selection selection;
    scene::Size size;
    bool operator==(const Key&) const = default;
  };
  std::shared_ptr<const paint::Fonts> fonts_;
  GlTextureStore textures_;
  paint::ImGuiPainter painter_;
  Key key_;
  std::optional<scene::Scene> scene_;
};

}  // namespace warplens::app
