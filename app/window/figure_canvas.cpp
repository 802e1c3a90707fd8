#include "app/window/figure_canvas.hpp"

#include <array>
#include <cmath>

#include "viz/figures/access.hpp"

namespace warplens::app {
namespace {

struct Figure {
  FigureTab tab;
  scene::Scene (*draw)(const KernelRun&, std::size_t trace_block, const figures::Selection&, scene::Size,
                       const scene::TextMeasure&);
};

constexpr std::array<Figure, 1> figures_known = {{
    {{"access", "Access"},
     [](const KernelRun& run, std::size_t b, const figures::Selection& selection, scene::Size size,
        const scene::TextMeasure& measure) {
       return figures::access_scene(run.view, *run.stories[b], selection, {}, size, measure);
     }},
}};

figures::Selection selection_of(const KernelRun& run, const Selection& selection) {
  return {.kernel = run.job.plan.spec.id,
          .parameters = run.job.plan.parameters,
          .sizes = run.job.plan.sizes,
          .device = run.job.device.id,
          .block = figures::block_index(selection.block, run.job.plan.launch.grid),
          .warp = selection.warp,
          .lane = selection.lane,
          .step = selection.step};
}

}  // namespace

std::span<const FigureTab> figure_tabs() {
  static constexpr auto tabs = [] {
    std::array<FigureTab, figures_known.size()> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = figures_known[i].tab;
    return list;
  }();
  return tabs;
}

std::optional<scene::Scene> draw_figure(std::string_view figure, const KernelRun& run,
                                        std::size_t trace_block, const Selection& selection, scene::Size size,
                                        const scene::TextMeasure& measure) {
  if (trace_block >= run.stories.size()) return std::nullopt;
  Selection here = selection;
  here.block = run.trace.blocks()[trace_block].block;
  for (const Figure& known : figures_known) {
    if (known.tab.id == figure) return known.draw(run, trace_block, selection_of(run, here), size, measure);
  }
  return std::nullopt;
}

FigureCanvas::FigureCanvas(std::shared_ptr<const paint::Fonts> fonts)
    : fonts_(std::move(fonts)), painter_(fonts_, textures_) {}

void FigureCanvas::begin_frame() {
  textures_.next_frame();
  painter_.begin_frame();
}

void FigureCanvas::end_frame() { painter_.end_frame(); }

void FigureCanvas::draw(const Model& model, const theme::Theme& theme, ImDrawList& list,
                        const scene::Rect& rect, double scale) {
  if (model.run() == nullptr || rect.width < 16 || rect.height < 16) return;
  Key key{model.shared_run(),
          model.state.view.figure,
          model.state.selection,
          {std::floor(rect.width / scale), std::floor(rect.height / scale)}};
  if (key != key_ || !scene_) {
    scene_ = draw_figure(key.figure, *key.run, model.trace_block(), key.selection, key.size, *fonts_);
    key_ = std::move(key);
  }
  if (scene_) painter_.paint(*scene_, theme, list, {rect.x, rect.y}, scale, false);
}

}  // namespace warplens::app
