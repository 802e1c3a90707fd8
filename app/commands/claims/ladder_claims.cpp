#include "app/commands/claims/ladder_claims.hpp"

#include <algorithm>
#include <deque>

#include "engine/problem/problem.hpp"
#include "engine/study/ladder.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/performance/performance_words.hpp"
#include "viz/figures/time/modelled_count.hpp"

namespace warplens::app {
namespace {

using claims_check::Beside;

double number_of(const catalog::Values& size) {
  return size.empty() ? 0 : static_cast<double>(size.begin()->second);
}
bool has_defaults(const run::Plan& plan) {
  const auto defaults = catalog::resolve_values(plan.spec, {}, plan.sizes);
  return defaults && *defaults == plan.parameters;
}

// Counts and predicts steps at the run's size where somebody asks for them: the run's own, and those of which
// nothing is recorded.
class Counts {
 public:
  Counts(const run::Run& run, explain::Sides& sides, Beside& beside)
      : run_(run), sides_(sides), beside_(beside) {}

  Result<figures::Counted> operator()(const figures::PlannedPoint& point) {
    const run::Plan &plan = point.plan, &own = run_.plan();
    const bool is_own = plan.spec.id == own.spec.id;
    if (plan.sizes != own.sizes || (is_own ? plan.parameters != own.parameters : point.recorded != nullptr))
      return figures::Counted{};
    const auto side = sides_.with_time(
        is_own ? request_of(run_, plan.spec, own.parameters) : request_beside(run_, plan.spec), false);
    if (!side) return figures::Counted{.refused = side.error().message};
    beside_.steps.emplace(plan.spec.id, Beside::Step{side->count, side->modelled});
    counted_.push_back(side->count);
    figures::Counted known{.count = &counted_.back()};
    if (const time::Prediction* predicted = side->predicted()) known.seconds = predicted->seconds;
    if (is_own) known.limit = figures::limit_of(plan.device, side->count, side->predicted());
    return known;
  }

 private:
  const run::Run& run_;
  explain::Sides& sides_;
  Beside& beside_;
  std::deque<run::StepCount> counted_;
};

// With values of its file, or else the quickest; of the run's step with the run's.
const measured::RecordedSpeed* recorded_of(const run::Plan& own, const InLadder& ladder,
                                           const catalog::KernelSpec& spec, const catalog::Values& size) {
  const bool is_set = spec.id == own.spec.id && !has_defaults(own);
  const auto values = catalog::resolve_values(spec, is_set ? own.parameters : catalog::Values{}, size);
  if (!values) return nullptr;
  const auto* exact = ladder.recorded->find(spec, size, &*values);
  return exact != nullptr || is_set ? exact : ladder.recorded->find(spec, size);
}

// For the checker, by the recordings and predictions themselves.
void note_launches(const run::Run& run, const InLadder& ladder, const std::vector<catalog::Values>& sizes,
                   Beside& beside) {
  for (const catalog::KernelSpec* spec : ladder.steps)
    for (const catalog::Values& size : sizes) {
      Beside::Launch launch{.kernel = spec->id, .problem = spec->problem, .size = number_of(size)};
      const auto* recorded = recorded_of(run.plan(), ladder, *spec, size);
      const auto step = beside.steps.find(spec->id);
      if (recorded != nullptr) {
        launch.speed = 1e9 * rate_of(*recorded).value, launch.is_measured = true;
        launch.library = 1e9 * recorded->cublas_gflops;
      } else if (size == run.plan().sizes && step != beside.steps.end() && step->second.modelled) {
        const run::StepCount& count = step->second.count;
        launch.speed = count.work / count.share / step->second.modelled->prediction.seconds;
      }
      if (launch.speed > 0) beside.launches.push_back(std::move(launch));
    }
}

figures::PerformanceInput with_device(figures::PerformanceInput input, const run::Plan& plan) {
  if (const auto roof = figures::roofline_of(plan.device, problem::has_multiply_adds(plan.spec)))
    input.roofline = *roof;
  input.chosen = plan.spec.id;
  return input;
}

}  // namespace

run::Request request_of(const run::Run& run, const catalog::KernelSpec& spec, const catalog::Values& values) {
  const run::Plan& plan = run.plan();
  return {.spec = spec,
          .parameters = values,
          .sizes = plan.sizes,
          .device = plan.device,
          .threads = 1,
          .nearest = true};
}

run::Request request_beside(const run::Run& run, const catalog::KernelSpec& spec) {
  return request_of(run, spec, study::like(run.plan(), spec).parameters);
}

void say_ladder(const run::Run& run, const InLadder& ladder, explain::Sides& sides, Beside& beside,
                const SayOfLadder& say) {
  const run::Plan& plan = run.plan();
  if (ladder.recorded == nullptr || ladder.steps.empty()) return;
  const std::string name = plan.spec.id.substr(0, plan.spec.id.find('/'));
  std::vector<catalog::Values> sizes = ladder.recorded->sizes(name);
  if (std::ranges::find(sizes, plan.sizes) == sizes.end()) sizes.push_back(plan.sizes);
  figures::LadderQuery query{
      .steps = ladder.steps, .sizes = {plan.sizes}, .device = plan.device, .recorded = *ladder.recorded};
  query.chosen = plan.spec.id, query.set = plan.parameters;
  Counts counts(run, sides, beside);
  const auto count = [&](const auto& point) { return counts(point); };
  const auto here = figures::performance_input(query, count);
  note_launches(run, ladder, sizes, beside);
  if (here) {
    const figures::PerformanceInput input = with_device(*here, plan);
    say("ladder", figures::ladder_words(input));
    if (figures::has_operations(input)) say("roofline", figures::roofline_words(input));
  }
  if (!has_defaults(plan)) return;  // a curve is of those of the file
  query.sizes = sizes, query.chosen.clear(), query.set.clear();
  const auto over = figures::performance_input(query, count);
  if (!over) return;
  figures::PerformanceInput input = with_device(*over, plan);
  say("size-curve", figures::size_words(input));
  input.run_size = number_of(plan.sizes);
  say("size-curve", figures::size_words(input));
}

std::shared_ptr<const Result<time::SpeedMap>> map_of_few(const run::Run& run, const InLadder& ladder,
                                                         const OtherSets& sets, explain::Sides& sides,
                                                         Beside& beside) {
  time::SpeedMap map = time::empty_map(run.plan());
  if (sets.most == 0 || time::varied_parameters(map).empty()) return nullptr;
  time::SpeedMap few = map;
  few.sets.resize(std::min(sets.most, few.sets.size()));
  if (!time::fill(few, run.job->instance, sets.build, {.how = {.threads = 1}})) return nullptr;
  std::ranges::copy(few.sets, map.sets.begin());
  for (const time::MapSet& set : few.sets) {
    run::Request request = request_of(run, run.plan().spec, set.values);
    request.nearest = false;
    const auto side = sides.with_time(request, false);
    Beside::Set known{side ? side->modelled : nullptr};
    if (const auto* speed = ladder.recorded == nullptr
                                ? nullptr
                                : ladder.recorded->find(run.plan().spec, run.plan().sizes, &set.values))
      known.recorded = speed->seconds;
    beside.sets.emplace(set.values, std::move(known));
  }
  return std::make_shared<const Result<time::SpeedMap>>(std::move(map));
}

}  // namespace warplens::app
