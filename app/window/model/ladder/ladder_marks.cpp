#include "app/window/model/ladder/ladder_marks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/model/judged_steps.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/against.hpp"
#include "engine/explain/explain.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

// Repeated measurements differ by less.
constexpr double kClearlySlower = 0.985;
constexpr std::size_t kLeastSteps = 3;  // for one of them to be the slowest
constexpr double kFull = 0.99;

std::string number(double value) {
  return value < 1000 ? plot::plain(value, 4) : grouped(static_cast<std::uint64_t>(value + 0.5));
}

measured::Rate rate_at(const PerformanceData& performance, const std::string& kernel) {
  const measured::RecordedSpeed* speed = performance.recorded_step(kernel);
  return speed == nullptr ? measured::Rate{} : measured::rate_of(*speed);
}

run::Request request_of(const LadderPlace& place, const catalog::Values& size,
                        const catalog::KernelSpec& spec, const measured::RecordedSpeed* speed) {
  return {.spec = spec,
          .parameters = speed == nullptr ? catalog::Values{} : speed->params,
          .sizes = size,
          .device = place.device,
          .threads = 1,
          .background = true,
          .nearest = true};
}

std::optional<Judged> judge(const LadderPlace& place, const catalog::Values& size, const RecordedStep& step,
                            std::size_t index) {
  const auto other = judged_against(place, index);
  if (!other) return std::nullopt;
  const auto rate = [&](std::size_t at) {
    const measured::RecordedSpeed* speed = step(*place.steps[at]);
    return speed == nullptr ? measured::Rate{} : measured::rate_of(*speed);
  };
  const measured::Rate own = rate(index), its = rate(*other);
  if (own.value <= 0 || its.value <= 0 || own.unit != its.unit) return std::nullopt;
  return Judged{*other + 1, own.value / its.value, measured::short_size(size)};
}

std::optional<Judged> judge(const Model& model, const PerformanceData& performance, std::size_t index) {
  return judge(
      ladder_place(model), performance.listed_size(),
      [&](const catalog::KernelSpec& step) { return performance.recorded_step(step.id); }, index);
}

bool is_slowest(const Model& model, const PerformanceData& performance) {
  const double own = rate_at(performance, model.state.kernel).value;
  std::size_t known = 0;
  for (const catalog::KernelSpec* step : model.steps()) {
    const double other = rate_at(performance, step->id).value;
    known += other > 0 ? 1 : 0;
    if (other > 0 && other < own) return false;
  }
  return own > 0 && known >= kLeastSteps;
}

}  // namespace

std::optional<Slower> slower_than_before(const Model& model, const PerformanceData& performance,
                                         std::size_t index) {
  const auto judged = judge(model, performance, index);
  if (!judged || judged->times >= kClearlySlower) return std::nullopt;
  const auto steps = model.steps();
  const measured::Rate own = rate_at(performance, steps[index]->id),
                       other = rate_at(performance, steps[judged->than - 1]->id);
  return Slower{judged->than, fmt::format("{} {}, step {} has {}", number(own.value), own.unit, judged->than,
                                          number(other.value))};
}

std::optional<AgainstRequest> against_request(const LadderPlace& place, const catalog::Values& size,
                                              const RecordedStep& step) {
  const std::size_t index = step_index(place);
  const auto judged = judge(place, size, step, index);
  if (!judged) return std::nullopt;
  const catalog::KernelSpec &own = *place.steps[index], &other = *place.steps[judged->than - 1];
  return AgainstRequest{{.step = request_of(place, size, own, step(own)),
                         .other = request_of(place, size, other, step(other)),
                         .times = judged->times,
                         .called = fmt::format("step {}", judged->than)},
                        *judged};
}

LadderMarks::LadderMarks(const Model& model) : model_(model), inquiry_(model.library(), model.wake()) {}

void LadderMarks::update(const PerformanceData& performance) {
  const std::size_t index = step_index(model_);
  slower_ = slower_than_before(model_, performance, index);
  judged_ = judge(model_, performance, index);
  // To say what is asked copies two kernel files: only where something of it may have changed.
  if (Asked now{performance.version(), model_.state.kernel, model_.device().id, judged_}; now != last_) {
    last_ = std::move(now);
    const auto request =
        against_request(ladder_place(model_), performance.listed_size(),
                        [&](const catalog::KernelSpec& step) { return performance.recorded_step(step.id); });
    launches_ = request ? std::optional(request->launches) : std::nullopt;
  }
  known_ = inquiry_.of({.run = model_.counted_run(), .launches = launches_ ? &*launches_ : nullptr},
                       {study::Fact::against, study::Fact::predicted});
  // A run is explained once.
  std::string about =
      fmt::format("{} {}", performance.version(), run::value_words(performance.listed_size()));
  if (about == about_ && looked_ == model_.shared_run()) return;
  about_ = std::move(about), looked_ = model_.shared_run(), full_.clear();
  if (looked_ == nullptr || !looked_->complete || looked_->report.occupancy < kFull ||
      !run::why_not_full(looked_->report).empty() || !is_slowest(model_, performance))
    return;
  const explain::Explanation said = explain::explain(*looked_);
  if (said.verdict == explain::Verdict::costly) full_ = said.what + (said.why.empty() ? "" : ": " + said.why);
}

}  // namespace warplens::app
