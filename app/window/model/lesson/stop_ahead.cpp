#include "app/window/model/lesson/stop_ahead.hpp"

#include <utility>

#include "app/lesson/stop_context.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::app {
namespace {

// Complete, as the window asks: values that the kernel does not have fall back to its own.
run::Request complete_request(const catalog::KernelSpec& spec, const catalog::Values& params,
                              const catalog::Values& sizes, const device::Device& device,
                              std::uint64_t block) {
  const auto values = catalog::resolve_values(spec, params, sizes);
  return {.spec = spec,
          .parameters = values ? *values : catalog::default_values(spec),
          .sizes = sizes,
          .device = device,
          .block = block,
          .background = true,
          .nearest = true};
}

}  // namespace

std::vector<run::Request> runs_of(State state, const catalog::Catalog& catalog,
                                  const device::DeviceTable& devices) {
  const auto spec = catalog.find(state.kernel);
  const auto device = devices.find(state.device);
  if (!spec || !device) return {};
  const auto problem = problem::find_problem(*spec);
  if (!problem) return {};
  catalog::Values sizes = (*problem)->default_sizes();
  for (auto& [name, value] : sizes)
    if (const auto chosen = state.size.find(name); chosen != state.size.end()) value = chosen->second;
  std::vector<run::Request> runs = {
      complete_request(*spec, state.params, sizes, *device, state.selection.block)};
  if (state.view.page != Page::compare) return runs;
  state.kernel = spec->id;
  state.params = runs.front().parameters;
  const auto candidates = kernels_beside(catalog, *spec);
  if (candidates.empty()) return runs;
  complete_sides(state, candidates);
  for (const CompareSide& side : {state.compare.left, state.compare.right})
    if (const catalog::KernelSpec* own = kernel_named(candidates, side.kernel))
      runs.push_back(complete_request(*own, side.params, sizes, *device, state.compare.block));
  return runs;
}

StopAhead::StopAhead(std::filesystem::path data, device::DeviceTable devices,
                     std::shared_ptr<run::Runner> runner, std::function<void()> wake)
    : worker_(
          [data, devices = std::move(devices), runner = std::move(runner),
           recorded = measured::Recorded(data / "assets/recorded")](
              const Stop& stop, const std::atomic<bool>& cancel, const auto&) mutable {
            run::give_way();
            // What fails says so when somebody goes there.
            for (const run::Request& request : runs_of(stop.state.state, *stop.catalog, devices))
              static_cast<void>(runner->run(request, cancel));
            if (cancel || stop.expression.empty()) return !cancel;
            lesson::Runs runs(*stop.catalog, devices, *runner, cancel);
            const LessonSources sources{data, *stop.catalog, devices, recorded, runs};
            static_cast<void>(StopContext(sources, *stop.lesson, stop.state).value_of(stop.expression));
            return !cancel;
          },
          std::move(wake)) {}

void StopAhead::make(Stop stop) {
  if (asked_ && asked_->is(stop)) return;
  asked_ = stop;
  worker_.submit(std::move(stop));
}

void StopAhead::stop() {
  if (std::exchange(asked_, std::nullopt)) worker_.cancel();
}

}  // namespace warplens::app
