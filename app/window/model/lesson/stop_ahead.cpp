#include "app/window/model/lesson/stop_ahead.hpp"

#include <utility>

#include "app/state/compare_choice.hpp"
#include "app/state/complete_state.hpp"
#include "app/window/model/compare_model.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/ladder_counts.hpp"
#include "viz/figures/time/modelled_count.hpp"

namespace warplens::app {
namespace {

run::Request complete_request(const catalog::KernelSpec& spec, catalog::Values params, const State& state,
                              const device::Device& device, std::uint64_t block) {
  return {.spec = spec,
          .parameters = std::move(params),
          .sizes = state.size,
          .device = device,
          .block = block,
          .background = true,
          .nearest = true};
}

// What a stop is made of, on the worker.
struct Making {
  SharedBench bench;
  std::shared_ptr<study::Library> library;

  bool make(const StopAhead::Stops& stops, const std::atomic<bool>& cancel) const;
  void make_picture(State state, const StopAhead::Stops& stops, const std::atomic<bool>& cancel) const;
  void make_ladder(const LadderPlace& place, const run::SharedRun& run,
                   const std::atomic<bool>& cancel) const;
  void make_of_run(const State& state, const LadderPlace& place, const run::SharedRun& run,
                   const std::atomic<bool>& cancel) const;
};

// The speeds of the ladder where the stop shows them, and how its step does against another one.
void Making::make_ladder(const LadderPlace& place, const run::SharedRun& run,
                         const std::atomic<bool>& cancel) const {
  const auto speeds = bench->recorded->speeds(place.device.id);
  if (!speeds) return;
  const catalog::Values size = listed_size(place, **speeds);
  const auto step = [&](const catalog::KernelSpec& spec) {
    return recorded_step(place, **speeds, spec, size);
  };
  const auto request = against_request(place, size, step);
  const study::StepOf ladder = step_of(place, *run, *speeds);
  library->now({.run = run, .ladder = &ladder, .launches = request ? &request->launches : nullptr},
               {study::Fact::against, study::Fact::before}, cancel);
  const figures::Figure* figure = figures::find_figure(place.state.view.figure);
  if (figure == nullptr || !is_plot(*figure)) return;
  for (const WantedCount& wanted : wanted_counts(place, **speeds, *figure, size)) {
    if (cancel) return;
    static_cast<void>(figures::modelled_count(library->sides(), wanted.request, wanted.with_time, cancel));
  }
}

// What pages and figures of a kernel find out about its run.
void Making::make_of_run(const State& state, const LadderPlace& place, const run::SharedRun& run,
                         const std::atomic<bool>& cancel) const {
  const figures::Figure* figure = figures::find_figure(state.view.figure);
  study::Facts facts = study::Fact::predicted;
  if (figure != nullptr)
    facts = facts |
            figures::facts_for(*figure, state.view.presenter ? figures::Look::stage : figures::Look::page);
  const auto speeds = bench->recorded->speeds(place.device.id);
  const study::StepOf ladder = step_of(place, *run, speeds ? *speeds : nullptr);
  // A map is found out while somebody looks.
  library->now({.run = run, .warp = state.selection.warp, .ladder = &ladder}, facts - study::Fact::speed_map,
               cancel);
}

void Making::make_picture(State state, const StopAhead::Stops& stops, const std::atomic<bool>& cancel) const {
  std::vector<run::SharedRun> runs;
  for (const run::Request& request : runs_of(state, *stops.catalog, bench->devices)) {
    const auto run = library->runner().run(request, cancel);
    if (cancel) return;
    if (run && (*run)->complete) runs.push_back(*run);
  }
  const auto spec = stops.catalog->find(state.kernel);
  const auto device = bench->devices.find(state.device);
  if (!spec || !device || runs.empty() || !complete_kernel(state, *spec)) return;
  if (state.view.page == Page::compare) {
    const study::Facts facts = compared_figure(state).needs - study::Fact::speed_map;
    for (const run::SharedRun& run : runs)
      library->now({.run = run, .warp = state.compare.warp}, facts, cancel);
    return;
  }
  if (state.view.page != Page::ladder) return;
  const std::string ladder = ladder_of(state.kernel);
  const LadderPlace place{.state = state,
                          .spec = *spec,
                          .ladder = ladder,
                          .steps = steps_of(*stops.catalog, ladder),
                          .taught = stops.taught,
                          .device = *device};
  make_of_run(state, place, runs.front(), cancel);
  if (!cancel) make_ladder(place, runs.front(), cancel);
}

// What fails says so when somebody goes there.
bool Making::make(const StopAhead::Stops& stops, const std::atomic<bool>& cancel) const {
  for (const StopAhead::Stop& stop : stops.stops) {
    make_picture(stop.state.state, stops, cancel);
    if (cancel) return false;
    if (stop.expression.is_empty()) continue;
    const LessonSources sources = bench->over(*stops.catalog, cancel);
    static_cast<void>(StopContext(sources, *stops.lesson, stop.state).value_of(stop.expression));
    if (cancel) return false;
  }
  return true;
}

}  // namespace

std::vector<run::Request> runs_of(State state, const catalog::Catalog& catalog,
                                  const device::DeviceTable& devices) {
  const auto spec = catalog.find(state.kernel);
  const auto device = devices.find(state.device);
  if (!spec || !device || !complete_kernel(state, *spec)) return {};
  std::vector<run::Request> runs = {
      complete_request(*spec, state.params, state, *device, state.selection.block)};
  if (state.view.page != Page::compare) return runs;
  const auto candidates = kernels_beside(catalog, *spec);
  if (candidates.empty()) return runs;
  complete_sides(state, candidates);
  for (const CompareSide& side : {state.compare.left, state.compare.right})
    if (const catalog::KernelSpec* own = kernel_named(candidates, side.kernel))
      runs.push_back(complete_request(*own, complete_values(*own, side.params, state.size), state, *device,
                                      state.compare.block));
  return runs;
}

void StopAhead::make(const std::string& key, const std::function<Stops()>& stops) {
  made_.ask(key, [&] {
    return
        [making = Making{bench_, library_}, stops = stops()](const std::atomic<bool>& cancel, const auto&) {
          run::give_way();
          return making.make(stops, cancel);
        };
  });
}

}  // namespace warplens::app
