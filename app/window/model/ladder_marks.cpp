#include "app/window/model/ladder_marks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/explain/against.hpp"
#include "engine/explain/explain.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/reason.hpp"
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

run::Request request_of(const Model& model, const PerformanceData& performance,
                        const catalog::KernelSpec& spec) {
  const measured::RecordedSpeed* speed = performance.recorded_step(spec.id);
  return {.spec = spec,
          .parameters = speed == nullptr ? catalog::Values{} : speed->params,
          .sizes = performance.listed_size(),
          .device = model.device(),
          .threads = 1,
          .background = true,
          .nearest = true};
}

Result<time::Prediction> predict(run::Runner& runner, const run::Request& request,
                                 const std::atomic<bool>& cancel) {
  const auto job = runner.job(request, cancel);
  if (!job) return job.error();
  const auto kernel = run::prepare(job->build, job->plan.device);
  if (!kernel) return kernel.error();
  const auto counted = time::count(*job, **kernel);
  if (!counted) return counted.error();
  if (cancel) return Error{"cancelled", ""};
  return time::predict(*job, **kernel, *counted);
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
  const auto steps = model.steps();
  if (index == 0 || index >= steps.size() || steps[index]->problem != steps[index - 1]->problem)
    return std::nullopt;
  const measured::Rate own = rate_at(performance, steps[index]->id),
                       before = rate_at(performance, steps[index - 1]->id);
  if (own.value <= 0 || own.unit != before.unit || own.value >= kClearlySlower * before.value)
    return std::nullopt;
  return Slower{
      index, fmt::format("{} {}, step {} has {}", number(own.value), own.unit, index, number(before.value))};
}

std::optional<figures::MeasuredAgainst> speed_against_before(const Model& model,
                                                             const PerformanceData& performance) {
  const auto steps = model.steps();
  const auto here = std::ranges::find(steps, model.state.kernel, &catalog::KernelSpec::id);
  if (here == steps.end() || here == steps.begin()) return std::nullopt;
  if ((*here)->problem != (*std::prev(here))->problem) return std::nullopt;
  const measured::Rate own = rate_at(performance, (*here)->id),
                       before = rate_at(performance, (*std::prev(here))->id);
  if (own.value <= 0 || before.value <= 0 || own.unit != before.unit) return std::nullopt;
  return figures::MeasuredAgainst{own.value / before.value, measured::short_size(performance.listed_size())};
}

LadderMarks::LadderMarks(const Model& model)
    : model_(model),
      worker_([](const Request& request, const std::atomic<bool>& cancel,
                 const auto&) { return find(request, cancel); },
              {}),
      predictions_([](const run::Run& run) {
        return std::make_shared<const Result<time::Prediction>>(
            time::why_not(run) ? Result<time::Prediction>(*time::why_not(run)) : time::predict(run));
      }) {}

std::string LadderMarks::find(const Request& request, const std::atomic<bool>& cancel) {
  run::give_way();
  // What both count says it better than what the model makes of it.
  const auto own = request.runner->count(request.slower, cancel);
  const auto other = own ? request.runner->count(request.before, cancel) : own;
  if (own && other) {
    const explain::Against counted = explain::against(*own, *other);
    if (counted.verdict == explain::Verdict::costly)
      return fmt::format("It takes {}{}", counted.words, counted.is_ratio ? " than " + request.called : "");
  }
  if (cancel) return {};
  const auto slower = predict(*request.runner, request.slower, cancel);
  if (!slower || cancel) return {};
  const auto before = predict(*request.runner, request.before, cancel);
  const std::string why = before ? time::why_slower(*slower, *before, request.called) : "";
  return why.empty() ? why : "By the model of time, " + why;
}

void LadderMarks::ask(const PerformanceData& performance, std::size_t index) {
  const auto steps = model_.steps();
  Request request{model_.runner(), request_of(model_, performance, *steps[index]),
                  request_of(model_, performance, *steps[index - 1]), fmt::format("step {}", index)};
  const auto key_of = [](const run::Request& one) {
    return fmt::format("{} {} {} {} ", one.spec.id, fingerprint(one.spec.code),
                       run::value_words(one.parameters), run::value_words(one.sizes));
  };
  std::string key = model_.device().id + " " + key_of(request.slower) + key_of(request.before);
  if (key == asked_) return;
  asked_ = std::move(key);
  reason_.reset();
  worker_.submit(std::move(request));
}

void LadderMarks::update(const PerformanceData& performance) {
  const auto steps = model_.steps();
  const auto here = std::ranges::find(steps, model_.state.kernel, &catalog::KernelSpec::id);
  const auto index = static_cast<std::size_t>(here - steps.begin());
  slower_ = slower_than_before(model_, performance, index);
  if (slower_) ask(performance, index);
  if (auto found = worker_.poll()) reason_ = *std::move(found);
  predicted_ = predictions_.of(model_.shared_run());
  // A run is explained once.
  std::string about =
      fmt::format("{} {}", performance.version(), run::value_words(performance.listed_size()));
  if (about == about_ && looked_ == model_.shared_run()) return;
  about_ = std::move(about), looked_ = model_.shared_run(), full_.clear();
  if (looked_ == nullptr || !looked_->complete || looked_->report.occupancy < kFull ||
      !is_slowest(model_, performance))
    return;
  const explain::Explanation said = explain::explain(*looked_);
  if (said.verdict == explain::Verdict::costly) full_ = said.what + (said.why.empty() ? "" : ": " + said.why);
}

}  // namespace warplens::app
