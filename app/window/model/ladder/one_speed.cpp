#include "app/window/model/ladder/one_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/explain/doubt.hpp"
#include "engine/problem/work.hpp"
#include "engine/run/device_limits.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

using measured::SpeedSource;

// The best first.
constexpr std::array kSources = {SpeedSource::live, SpeedSource::recorded, SpeedSource::predicted};

std::optional<OneSpeed> live_speed(const PerformanceData& performance) {
  const auto* live = performance.live_now();
  if (live == nullptr) return std::nullopt;
  return OneSpeed{SpeedSource::live, live->speed.value, live->unit, live->speed.how};
}

std::optional<OneSpeed> recorded_speed(const PerformanceData& performance) {
  const auto* recorded = performance.recorded_now();
  if (recorded == nullptr) return std::nullopt;
  const measured::Rate rate = rate_of(*recorded);
  return OneSpeed{SpeedSource::recorded, rate.value, std::string(rate.unit),
                  figures::measured_speed(performance.recorded(), *recorded).how,
                  recorded->cublas_gflops > 0 ? recorded->gflops / recorded->cublas_gflops : 0};
}

// Of the kernel as it is set: its run may still be on its way.
std::optional<OneSpeed> predicted_speed(const SpeedsAhead& ahead) {
  const problem::Work& work = ahead.work();
  const time::Prediction* known = ahead.now();
  const double seconds = known != nullptr ? known->seconds : ahead.about().value_or(0);
  if (work.amount <= 0 || seconds <= 0) return std::nullopt;
  const std::string time = plot::si(seconds, 3, " ", "s");
  return OneSpeed{
      .source = SpeedSource::predicted,
      .value = 1e-9 * work.amount / seconds,
      .unit = std::string(work.unit),
      .how = known != nullptr
                 ? "By the model of time: " + time
                 : fmt::format("About {}, from the times of other values: the prediction follows", time),
      .is_about = known == nullptr};
}

// What was predicted for the list of steps, whose values are the defaults, until the run is there. The speed of other values
// is no estimate.
std::optional<OneSpeed> speed_of_step(const Model& model) {
  const StepTraffic* traffic = model.ladder_traffic().of(model.state.kernel);
  const bool is_step = model.state.params == catalog::default_values(model.spec());
  if (!is_step || traffic == nullptr || traffic->seconds <= 0) return std::nullopt;
  return OneSpeed{.source = SpeedSource::predicted,
                  .value = figures::predicted_speed(traffic->count, traffic->seconds).value,
                  .unit = traffic->count.unit,
                  .how = "Of a sample of its blocks, by the model of time: the prediction of all follows",
                  .is_about = true};
}

// No number is said of a kernel that is wrong.
bool is_wrong(const Model& model) {
  const run::Run* run = model.run();
  return run != nullptr && run->plan().spec.id == model.state.kernel && !explain::doubt(*run).empty();
}

// Of these the large number is. Precondition: there is one.
SpeedSource shown_of(const std::map<SpeedSource, double>& speeds) {
  return *std::ranges::find_if(kSources, [&](SpeedSource source) { return speeds.contains(source); });
}

}  // namespace

std::string change_words(const SpeedChange& change) {
  const double ratio = change.from > 0 ? change.to / change.from : 1;
  const double percent = 100 * std::abs(ratio - 1);
  if (percent < 0.5) return "the same";
  if (ratio >= 2) return fmt::format("{:.{}f} times as much", ratio, ratio < 10 ? 1 : 0);
  return fmt::format("{:.0f} % {}", percent, ratio > 1 ? "more" : "less");
}

std::pair<std::string, std::string> speed_words(measured::Rate rate) {
  const std::string text =
      plot::si(1e9 * rate.value, 3, " ", std::string(rate.unit.substr(1)));  // behind the G
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), space == std::string::npos ? "" : text.substr(space + 1)};
}

void SpeedWatch::update(const Model& model, const PerformanceData& performance, const SpeedsAhead& ahead) {
  const bool is_elsewhere = ahead.place() != current_.place;
  if (is_elsewhere || model.state.params != current_.values) {
    if (is_elsewhere)
      before_ = {};
    else if (!current_.speeds.empty())
      before_ = current_;
    if (is_elsewhere) known_.reset();
    current_ = {ahead.place(), model.state.params};
  }
  now_.reset();
  if (is_wrong(model)) {
    known_.reset();
    return void(current_.speeds.clear());
  }
  for (const auto& speed : {predicted_speed(ahead), recorded_speed(performance), live_speed(performance)}) {
    if (!speed) continue;
    if (!speed->is_about) current_.speeds[speed->source] = speed->value;
    now_ = speed;
  }
  if (!now_ && ahead.is_waiting() && !model.error()) now_ = speed_of_step(model);
  if (now_)
    known_ = {*now_, current_.values};
  else
    now_ = speed_before(model, ahead);
}

// A number stays in sight while the next one is on its way.
std::optional<OneSpeed> SpeedWatch::speed_before(const Model& model, const SpeedsAhead& ahead) const {
  const bool is_on_its_way = ahead.is_waiting() && !model.error();
  if (!known_ || known_->values == current_.values || !is_on_its_way) return std::nullopt;
  OneSpeed speed = known_->speed;
  speed.before = known_->values;
  return speed;
}

std::optional<SpeedChange> SpeedWatch::change() const {
  if (!now_ || now_->before) return std::nullopt;
  for (const SpeedSource source : kSources) {
    const auto from = before_.speeds.find(source), to = current_.speeds.find(source);
    if (from != before_.speeds.end() && to != current_.speeds.end())
      return SpeedChange{
          .from = from->second,
          .to = to->second,
          .unit = now_->unit,
          .source = source,
          .is_shown = shown_of(before_.speeds) == source && shown_of(current_.speeds) == source};
  }
  const auto from = before_.speeds.find(SpeedSource::predicted);
  if (now_->is_about && from != before_.speeds.end())
    return SpeedChange{.from = from->second,
                       .to = now_->value,
                       .unit = now_->unit,
                       .source = SpeedSource::predicted,
                       .is_about = true,
                       .is_shown = shown_of(before_.speeds) == SpeedSource::predicted};
  return std::nullopt;
}

}  // namespace warplens::app
