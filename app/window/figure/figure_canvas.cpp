#include "app/window/figure/figure_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/figures/access/access.hpp"
#include "viz/figures/parts/least_sizes.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

namespace least = figures::least;

struct Figure {
  FigureTab tab;
  scene::Scene (*draw)(const FigureInput&);
  Result<std::string> (*csv)(const FigureInput&);
  scene::Size least;
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

figures::AccessPlace place_of(const FigureInput& in, const figures::Selection& selection) {
  return {in.run.view, *in.run.stories[in.trace_block], selection};
}

scene::Scene access(const FigureInput& in) {
  const figures::Selection selection = selection_of(in);
  figures::AccessOptions options = in.access;
  if (in.beside != nullptr) {
    const figures::Selection other = selection_of(*in.beside);
    options.words_beside = figures::words_beside(place_of(in, selection), place_of(*in.beside, other),
                                                 options, in.size, in.measure);
  }
  return figures::access_scene(in.run.view, *in.run.stories[in.trace_block], selection, options, in.size,
                               in.measure);
}

// The chosen access, or the nearest one that goes to this memory.
std::optional<trace::Access> access_at(const FigureInput& in, ptx::Space space) {
  const auto& accesses = in.run.stories[in.trace_block]->accesses();
  const auto step = figures::nearest_step(accesses, in.selection.warp, in.selection.step, space);
  return step ? accesses.at(in.selection.warp, *step) : std::nullopt;
}

std::optional<figures::WarpAccessView> access_to(const FigureInput& in, ptx::Space space) {
  return figures::view_of_nearest(in.run.view, in.run.stories[in.trace_block]->accesses(), in.selection.warp,
                                  in.selection.step, space);
}

std::optional<figures::WarpAccessView> access_beside(const FigureInput& in, ptx::Space space) {
  return in.beside == nullptr ? std::nullopt : access_to(*in.beside, space);
}

scene::Scene coalescing(const FigureInput& in) {
  const auto view = access_to(in, ptx::Space::global), beside = access_beside(in, ptx::Space::global);
  return view ? figures::coalescing_scene(*view, in.size, in.measure, beside ? &*beside : nullptr)
              : figures::message_scene(in.size, "This warp does not use global memory",
                                       "Choose another warp or step", in.measure);
}

scene::Scene banks(const FigureInput& in) {
  const auto view = access_to(in, ptx::Space::shared), beside = access_beside(in, ptx::Space::shared);
  return view ? figures::banks_scene(*view, in.size, in.measure, beside ? &*beside : nullptr)
              : figures::message_scene(in.size, "This warp does not use shared memory",
                                       "Choose a step of the ladder that has shared tiles", in.measure);
}

Error no_access(const char* memory) {
  return {fmt::format("this warp does not use {} memory", memory), "choose another warp or step"};
}

Result<std::string> access_csv(const FigureInput& in) {
  return figures::access_csv(in.run.view, *in.run.stories[in.trace_block], selection_of(in));
}
Result<std::string> coalescing_csv(const FigureInput& in) {
  const auto view = access_to(in, ptx::Space::global);
  return view ? Result<std::string>(figures::coalescing_csv(*view)) : no_access("global");
}
Result<std::string> banks_csv(const FigureInput& in) {
  const auto view = access_to(in, ptx::Space::shared);
  return view ? Result<std::string>(figures::banks_csv(*view)) : no_access("shared");
}
Result<std::string> bank_map_csv(const FigureInput& in) {
  return in.banks == nullptr
             ? Result<std::string>(Error{"the banks are being counted", "try again in a moment"})
             : figures::bank_map_csv(*in.banks);
}

scene::Scene bank_map(const FigureInput& in) {
  if (in.banks == nullptr)
    return figures::message_scene(in.size, "Counting the banks of this block", "", in.measure);
  return figures::bank_map_scene(in.run.view, *in.banks, in.size, in.measure,
                                 access_at(in, ptx::Space::shared));
}

figures::OccupancyInput occupancy_input(const FigureInput& in) {
  const RunJob& job = in.run.job;
  const device::KernelUse own{threads_per_block(job.plan), in.run.report.registers,
                              in.run.report.shared_bytes};
  const device::KernelUse use{in.occupancy.threads.value_or(own.threads_per_block),
                              in.occupancy.registers.value_or(own.registers_per_thread),
                              in.occupancy.shared.value_or(own.shared_bytes_per_block)};
  return {job.device, use, job.plan.spec.title, own};
}

scene::Scene occupancy(const FigureInput& in) {
  if (!in.run.complete)
    return figures::message_scene(in.size, "Waiting for the compiler to count the registers", "", in.measure);
  const auto scene = figures::occupancy_scene(occupancy_input(in), in.size, in.measure);
  return scene ? *scene
               : figures::message_scene(in.size, scene.error().message, scene.error().next_step, in.measure);
}

Result<std::string> occupancy_csv(const FigureInput& in) {
  if (!in.run.complete) return Error{"the registers are not known yet", "try again in a moment"};
  return figures::occupancy_csv(occupancy_input(in));
}

// Plots of PerformanceData have no function of a run.
constexpr std::array<Figure, 8> figures_known = {
    {{{"access", "Access"}, access, access_csv, least::access},
     {{"coalescing", "Coalescing"}, coalescing, coalescing_csv, least::coalescing},
     {{"banks", "Banks"}, banks, banks_csv, least::banks},
     {{"bank-map", "Bank map"}, bank_map, bank_map_csv, least::bank_map},
     {{"occupancy", "Occupancy"}, occupancy, occupancy_csv, least::occupancy},
     {{"ladder", "Ladder"}, nullptr, nullptr, least::ladder},
     {{"size-curve", "Size curve"}, nullptr, nullptr, least::size_curve},
     {{"roofline", "Roofline"}, nullptr, nullptr, least::roofline}}};

}  // namespace

std::span<const FigureTab> figure_tabs() {
  static constexpr auto tabs = [] {
    std::array<FigureTab, figures_known.size()> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = figures_known[i].tab;
    return list;
  }();
  return tabs;
}

scene::Size least_figure(std::string_view figure) {
  const auto known = std::find_if(figures_known.begin(), figures_known.end(),
                                  [&](const Figure& f) { return f.tab.id == figure; });
  return known == figures_known.end() ? figures_known.front().least : known->least;
}

std::span<const FigureTab> figure_tabs_of_a_run() {
  static constexpr auto count = static_cast<std::size_t>(std::count_if(
      figures_known.begin(), figures_known.end(), [](const Figure& f) { return f.draw != nullptr; }));
  return figure_tabs().first(count);
}

std::optional<scene::Scene> draw_figure(std::string_view figure, const FigureInput& input) {
  if (input.trace_block >= input.run.stories.size()) return std::nullopt;
  for (const Figure& known : figures_known) {
    if (known.tab.id == figure && known.draw != nullptr) return known.draw(input);
  }
  return std::nullopt;
}

Result<std::string> figure_csv(std::string_view figure, const FigureInput& input) {
  for (const Figure& known : figures_known) {
    if (known.tab.id == figure && known.csv != nullptr && input.trace_block < input.run.stories.size())
      return known.csv(input);
  }
  return Error{"this figure has no table", "save it as a picture"};
}

figures::AccessOptions access_options(const Drawing& drawing) {
  return {.colors = figures::colors_named(drawing.colors).value_or(figures::AccessOptions::Colors::classic),
          .whole = drawing.whole};
}

std::optional<figures::Pick> FigureCanvas::pick(const Model& model, scene::Point at) const {
  const KernelRun* run = key_.run.get();
  if (key_.figure == "bank-map" && banks_ && scene_) {
    const auto hit = scene::hit_test(*scene_, at, *fonts_);
    return hit ? figures::pick_word(*banks_, *hit) : std::nullopt;
  }
  if (key_.figure != "access" || run == nullptr || model.trace_block() >= run->stories.size())
    return std::nullopt;
  const FigureInput in{*run, model.trace_block(), key_.selection, nullptr, key_.size, *fonts_};
  return figures::pick_access(run->view, *run->stories[in.trace_block], selection_of(in), key_.access,
                              key_.size, *fonts_, at);
}

FigureSnapshot FigureCanvas::snapshot(const Model& model) const {
  return {.figure = key_.figure,
          .run = key_.run,
          .trace_block = model.trace_block(),
          .selection = key_.selection,
          .banks = banks_,
          .size = key_.size,
          .access = key_.access,
          .occupancy = key_.occupancy,
          .plot = plot_.is_shown() ? std::optional(plot_.plot()) : std::nullopt,
          .shown = scene_};
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

bool FigureCanvas::begin_frame() {
  textures_.next_frame();
  return painter_.begin_frame();
}

void FigureCanvas::end_frame() { painter_.end_frame(); }

scene::Scene FigureCanvas::draw_plot(const Key& key, const std::string& ladder,
                                     const PerformanceData& performance) {
  auto input = performance.input(key.figure);
  if (!input) {
    plot_.hide();
    return figures::message_scene(key.size, input.error().message, input.error().next_step, *fonts_);
  }
  plot_.show(key.figure == "ladder"       ? figures::ladder_plot(*input)
             : key.figure == "size-curve" ? figures::size_plot(*input)
                                          : figures::roofline_plot(*input),
             key.figure + " " + ladder, key.size, *fonts_);
  return plot_.draw(*fonts_);
}

std::optional<scene::Scene> FigureCanvas::make(const Key& key, const Model& model,
                                               const PerformanceData& performance) {
  if (PerformanceData::draws(key.figure)) return draw_plot(key, model.ladder(), performance);
  plot_.hide();
  return draw_figure(key.figure, {*key.run, model.trace_block(), key.selection, banks_.get(), key.size,
                                  *fonts_, key.access, key.occupancy});
}

void FigureCanvas::clear() {
  scene_.reset();
  plot_.hide();
  key_ = {};
}

void FigureCanvas::draw(const Model& model, const PerformanceData& performance, const theme::Theme& theme,
                        ImDrawList& list, const scene::Rect& rect, double scale) {
  const std::string& figure = model.state.view.figure;
  const bool is_plot = PerformanceData::draws(figure);
  if (rect.width < 16 || rect.height < 16) return;
  if (!is_plot && model.run() == nullptr) return clear();  // nothing of an older run stays
  const scene::Size least = least_figure(figure);
  scale_ = std::min({scale, rect.width / least.width, rect.height / least.height});
  Key key{is_plot ? nullptr : model.shared_run(),
          figure,
          is_plot || figure == "occupancy" ? Selection{} : model.state.selection,  // shows no access
          {std::floor(rect.width / scale_), std::floor(rect.height / scale_)},
          is_plot ? performance.version() : 0,
          access_options(model.state.drawing),
          model.state.occupancy};
  const bool banks_came = figure == "bank-map" && refresh_banks({key.run, model.trace_block()});
  if (key != key_ || !scene_ || banks_came) {
    scene_ = make(key, model, performance);
    key_ = key;
    // A few words need not be small where the figure would be.
    is_message_ = scene_ && figures::is_message(*scene_);
    key.size = {std::floor(rect.width / scale), std::floor(rect.height / scale)};
    if (is_message_ && scale_ < scale) scene_ = make(key, model, performance);
  } else if (redraw_ && plot_.is_shown()) {
    scene_ = plot_.draw(*fonts_);
  }
  redraw_ = false;
  if (is_message_) scale_ = scale;
  if (scene_) painter_.paint(*scene_, theme, list, {rect.x, rect.y}, scale_, false);
}

}  // namespace warplens::app
