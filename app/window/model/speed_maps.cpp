#include "app/window/model/speed_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/model/performance_data.hpp"
#include "engine/problem/work.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t kMostKept = 16;

// Kernel, its text, size and device.
std::string key_of(const run::Run& run) {
  const run::Plan& plan = run.plan();
  return fmt::format("{} {} {} {}", plan.spec.id, std::hash<std::string>()(plan.spec.code),
                     run::value_words(plan.sizes), plan.device.id);
}

figures::SharedSpeedMap shared(const time::SpeedMap& map) {
  return std::make_shared<const Result<time::SpeedMap>>(map);
}

}  // namespace

SpeedMaps::SpeedMaps() : worker_(find_out, {}) {}

figures::SharedSpeedMap SpeedMaps::find_out(const Ask& ask, const std::atomic<bool>& cancel,
                                            const std::function<void(figures::SharedSpeedMap)>& partial) {
  time::SpeedMap map = ask.known != nullptr && *ask.known ? **ask.known : time::empty_map(ask.run->plan());
  const Status done = time::fill(map, ask.run->job->instance,
                                 [&](const compile::Request& request) { return ask.runner->build(request); },
                                 {.how = {.gives_way = true, .cancel = &cancel},
                                  .partial = [&](const time::SpeedMap& now) { partial(shared(now)); }});
  return done ? shared(map) : std::make_shared<const Result<time::SpeedMap>>(done.error());
}

figures::SharedSpeedMap SpeedMaps::of(const run::SharedRun& run, const std::shared_ptr<run::Runner>& runner) {
  if (run == nullptr || !run->complete) return nullptr;
  if (auto found = worker_.poll(); found && !asked_.empty()) keep(*std::move(found));
  if (run != seen_) seen_ = run, key_ = key_of(*run);
  figures::SharedSpeedMap known = kept(key_);
  const bool is_whole = known != nullptr && (!*known || (*known)->is_complete());
  if (asked_ != key_ && !is_whole && run->device().sm_count > 0) {
    asked_ = key_;
    worker_.submit({run, runner, known});
  }
  return known;
}

void SpeedMaps::rest() {
  if (asked_.empty()) return;
  if (auto found = worker_.poll()) keep(*std::move(found));
  worker_.cancel();
  asked_.clear();
}

figures::SharedMeasured SpeedMaps::measured(const run::SharedRun& run, const PerformanceData& performance) {
  if (run == nullptr) return nullptr;
  if (run == measured_run_ && performance.version() == measured_version_) return measured_;
  measured_run_ = run, measured_version_ = performance.version();
  auto sets = figures::measured_sets(performance.recorded(), run->plan());
  const auto* live = performance.live_of(run->plan());
  if (live != nullptr && live->speed.value > 0) {
    const problem::Instance& instance = *run->job->instance;
    const double amount = problem::work_of(instance).amount;
    std::erase_if(sets, [&](const auto& set) { return set.values == live->parameters; });
    sets.push_back({live->parameters, amount / (1e9 * live->speed.value), true});
  }
  return measured_ = std::make_shared<const figures::MeasuredSets>(std::move(sets));
}

figures::SharedSpeedMap SpeedMaps::kept(const std::string& key) const {
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  return found == kept_.end() ? nullptr : found->map;
}

void SpeedMaps::keep(figures::SharedSpeedMap map) {
  std::erase_if(kept_, [&](const Kept& one) { return one.key == asked_; });
  kept_.push_front({asked_, std::move(map)});
  if (kept_.size() > kMostKept) kept_.pop_back();
}

}  // namespace warplens::app
