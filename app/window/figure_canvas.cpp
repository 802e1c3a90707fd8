#include "app/window/figure_canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/figures/access.hpp"
#include "viz/figures/banks.hpp"
#include "viz/figures/coalescing.hpp"
#include "viz/figures/occupancy.hpp"
#include "viz/figures/parts.hpp"

namespace warplens::app {
namespace {

struct Figure {
  FigureTab tab;
  scene::Scene (*draw)(const FigureInput&);
};

figures::Selection selection_of(const FigureInput& in) {
  const RunJob& job = in.run.job;
  return {.kernel = job.plan.spec.id,
          .parameters = job.plan.parameters,
          .sizes = job.plan.sizes,
          .device = job.device.id,
          .block = figures::block_index(in.run.trace.blocks()[in.trace_block].block, job.plan.launch.grid),
          .warp = in.selection.warp,
          .lane = in.selection.lane,
          .step = in.selection.step};
}

scene::Scene access(const FigureInput& in) {
  return figures::access_scene(in.run.view, *in.run.stories[in.trace_block], selection_of(in), {}, in.size,
                               in.measure);
}

// The chosen access, or the nearest one that goes to this memory.
std::optional<figures::WarpAccessView> access_to(const FigureInput& in, ptx::Space space) {
  const auto& accesses = in.run.stories[in.trace_block]->accesses();
  const auto step = figures::nearest_step(accesses, in.selection.warp, in.selection.step, space);
  const auto found = step ? accesses.at(in.selection.warp, *step) : std::nullopt;
  if (!found) return std::nullopt;
  return figures::view_of(in.run.view, *found);
}

scene::Scene coalescing(const FigureInput& in) {
  const auto view = access_to(in, ptx::Space::global);
  return view ? figures::coalescing_scene(*view, in.size, in.measure)
              : figures::message_scene(in.size, "This warp does not use global memory",
                                       "Choose another warp or step");
}

scene::Scene banks(const FigureInput& in) {
  const auto view = access_to(in, ptx::Space::shared);
  return view ? figures::banks_scene(*view, in.size, in.measure)
              : figures::message_scene(in.size, "This warp does not use shared memory",
                                       "Choose a step of the ladder that has shared tiles");
}

scene::Scene bank_map(const FigureInput& in) {
  return in.banks == nullptr ? figures::message_scene(in.size, "Counting the banks of this block", "")
                             : figures::bank_map_scene(in.run.view, *in.banks, in.size, in.measure);
}

scene::Scene occupancy(const FigureInput& in) {
  const RunJob& job = in.run.job;
  if (!in.run.complete)
    return figures::message_scene(in.size, "Waiting for the compiler to count the registers", "");
  const auto scene = figures::occupancy_scene(
      {job.device,
       {threads_per_block(job.plan), in.run.report.registers, in.run.report.shared_bytes},
       job.plan.spec.title},
      in.size, in.measure);
  return scene ? *scene : figures::message_scene(in.size, scene.error().message, scene.error().next_step);
}

constexpr std::array<Figure, 5> figures_known = {{{{"access", "Access"}, access},
                                                  {{"coalescing", "Coalescing"}, coalescing},
                                                  {{"banks", "Banks"}, banks},
                                                  {{"bank-map", "Bank map"}, bank_map},
                                                  {{"occupancy", "Occupancy"}, occupancy}}};

// Figures need this much room; on less of it they are drawn smaller instead.
constexpr scene::Size least_size{720, 460};

}  // namespace

std::span<const FigureTab> figure_tabs() {
  static constexpr auto tabs = [] {
    std::array<FigureTab, figures_known.size()> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = figures_known[i].tab;
    return list;
  }();
  return tabs;
}

std::optional<scene::Scene> draw_figure(std::string_view figure, const FigureInput& input) {
  if (input.trace_block >= input.run.stories.size()) return std::nullopt;
  for (const Figure& known : figures_known) {
    if (known.tab.id == figure) return known.draw(input);
  }
  return std::nullopt;
}

FigureCanvas::FigureCanvas(std::shared_ptr<const paint::Fonts> fonts)
    : fonts_(std::move(fonts)),
      painter_(fonts_, textures_),
      bank_maps_(
          [](const BankRequest& request, const auto&, const auto&) {
            const auto& accesses = request.run->stories[request.trace_block]->accesses();
            return std::make_shared<const figures::BankMap>(
                figures::bank_map_of(request.run->view, accesses));
          },
          {}) {}

// Counting a block's banks takes longer than a frame: a worker does it.
bool FigureCanvas::refresh_banks(const BankRequest& wanted) {
  if (wanted.trace_block >= wanted.run->stories.size()) return false;
  if (wanted != banks_asked_) {
    banks_asked_ = wanted;
    banks_.reset();
    bank_maps_.submit(wanted);
  }
  auto done = bank_maps_.poll();
  if (done) banks_ = *std::move(done);
  return done.has_value();
}

void FigureCanvas::begin_frame() {
  textures_.next_frame();
  painter_.begin_frame();
}

void FigureCanvas::end_frame() { painter_.end_frame(); }

void FigureCanvas::draw(const Model& model, const theme::Theme& theme, ImDrawList& list,
                        const scene::Rect& rect, double scale) {
  if (model.run() == nullptr || rect.width < 16 || rect.height < 16) return;
  scale_ = std::min({scale, rect.width / least_size.width, rect.height / least_size.height});
  Key key{model.shared_run(),
          model.state.view.figure,
          model.state.selection,
          {std::floor(rect.width / scale_), std::floor(rect.height / scale_)}};
  const bool banks_came = key.figure == "bank-map" && refresh_banks({key.run, model.trace_block()});
  if (key != key_ || !scene_ || banks_came) {
    scene_ = draw_figure(key.figure,
                         {*key.run, model.trace_block(), key.selection, banks_.get(), key.size, *fonts_});
    key_ = std::move(key);
  }
  if (scene_) painter_.paint(*scene_, theme, list, {rect.x, rect.y}, scale_, false);
}

}  // namespace warplens::app
