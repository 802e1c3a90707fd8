// The picture of the centre: which figures there are, the scene of the open one, and its place on screen.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/model.hpp"
#include "app/window/texture_store.hpp"
#include "viz/figures/bank_map.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/paint/imgui_painter.hpp"
#include "viz/scene/scene.hpp"

struct ImDrawList;

namespace warplens::app {

struct FigureTab {
  std::string_view id, title;  // id: as `warplens export` names it
};
std::span<const FigureTab> figure_tabs();

// All that a figure may read.
struct FigureInput {
  const KernelRun& run;
  std::size_t trace_block = 0;  // a position in the trace's blocks
  const Selection& selection;
  const figures::BankMap* banks = nullptr;  // of that block; null while it is being counted
  scene::Size size;
  const scene::TextMeasure& measure;
};
// A pure function. Nothing for an id that is not in figure_tabs().
std::optional<scene::Scene> draw_figure(std::string_view figure, const FigureInput& input);

// Makes the scene anew only where the run, the selection or the size changed.
class FigureCanvas {
 public:
  explicit FigureCanvas(std::shared_ptr<const paint::Fonts> fonts);

  void begin_frame();
  void end_frame();  // before the draw data is rendered
  // scale: screen pixels of one scene pixel; less where the figure would not fit otherwise.
  void draw(const Model& model, const theme::Theme& theme, ImDrawList& list, const scene::Rect& rect,
            double scale);
  // Any other scene of this frame.
  void paint(const scene::Scene& scene, const theme::Theme& theme, ImDrawList& list, scene::Point at,
             double scale) {
    painter_.paint(scene, theme, list, at, scale, false);
  }
  double scale() const { return scale_; }  // of the last drawing
  // What was drawn last; null where nothing was.
  const scene::Scene* shown() const { return scene_ ? &*scene_ : nullptr; }
  const paint::Fonts& fonts() const { return *fonts_; }
  std::shared_ptr<const paint::Fonts> shared_fonts() const { return fonts_; }
  bool is_busy() const { return bank_maps_.busy_seconds().has_value(); }

 private:
  struct Key {
    SharedRun run;
    std::string figure;
    Selection selection;
    scene::Size size;
    bool operator==(const Key&) const = default;
  };
  struct BankRequest {
    SharedRun run;
    std::size_t trace_block = 0;
    bool operator==(const BankRequest&) const = default;
  };
  using SharedBanks = std::shared_ptr<const figures::BankMap>;
  bool refresh_banks(const BankRequest& wanted);

  std::shared_ptr<const paint::Fonts> fonts_;
  GlTextureStore textures_;
  paint::ImGuiPainter painter_;
  Key key_;
  double scale_ = 1;
  std::optional<scene::Scene> scene_;
  BankRequest banks_asked_;
  SharedBanks banks_;
  LatestWins<BankRequest, SharedBanks> bank_maps_;
};

}  // namespace warplens::app
