#include "app/window/model/performance_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/base/text_table.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/problem/problem.hpp"
#include "engine/problem/work.hpp"
#include "viz/figures/performance/transfers.hpp"

namespace warplens::app {
namespace {

std::string live_key(const std::string& kernel, const catalog::Values& size) {
  return kernel + " " + run::value_words(size);
}

// An axis has one number for a size: of a product of three sizes, those with all of them equal.
bool is_on_axis(const catalog::Values& size, const std::vector<catalog::Values>& recorded) {
  if (size.empty()) return false;
  const auto rest = std::next(size.begin());
  const bool are_equal =
      std::all_of(rest, size.end(), [&](const auto& one) { return one.second == size.begin()->second; });
  return are_equal || std::any_of(recorded.begin(), recorded.end(), [&](const catalog::Values& other) {
           return other.size() == size.size() && std::equal(rest, size.end(), std::next(other.begin()));
         });
}

}  // namespace

PerformanceData::PerformanceData(const Model& model) : model_(model), counting_(model.wake()) {}

void PerformanceData::read_recordings() {
  if (device_ == model_.device().id) return;
  device_ = model_.device().id;
  steps_.clear(), of_file_ = nullptr;
  const auto folder = measured::recordings_folder(model_.home());
  auto recorded = measured::RecordedSpeeds::read(folder, device_);
  recorded_ = recorded ? *std::move(recorded) : measured::RecordedSpeeds{};
  auto copies = measured::Transfers::read(folder, device_);
  transfers_ = copies ? std::make_shared<const measured::Transfers>(*std::move(copies)) : nullptr;
  transfers_elsewhere_.clear();
  if (transfers_ == nullptr || transfers_->copies.empty())
    for (const device::Device& other : model_.device_table().devices())
      if (const auto its = measured::Transfers::read(folder, other.id); its && !its->copies.empty())
        transfers_elsewhere_ = other.id;
  ++version_;
}

// A bar says what the card of the same run says, which has counted as much of the grid as anybody will.
void PerformanceData::count_shown_run() {
  run::SharedRun run = model_.shared_run();
  if (run == counted_ || run == nullptr || !run->complete || !run->report.verified) return;
  if (!explain::reserve(*run).empty()) return;  // no bar of what may be wrong
  counted_ = std::move(run);
  shown_counts_.insert_or_assign(plan_key(counted_->plan()), step_count(*counted_));
  ++version_;
}

void PerformanceData::update() {
  read_recordings();
  count_shown_run();
  if (counting_.take()) {
    for (const auto& [key, count] : *counting_.known()) counts_.insert_or_assign(key, count);
    ++version_;
  }
  std::string about =
      fmt::format("{} {} {} {} {} {} {} {} {}", model_.state.kernel, run::value_words(model_.state.params),
                  run::value_words(model_.state.size), device_, is_busy() || model_.busy_seconds(),
                  static_cast<int>(model_.state.view.steps_by), model_.state.drawing.steps,
                  model_.state.drawing.kinds, model_.state.drawing.mark);
  if (about != about_) {
    about_ = std::move(about);
    look_up();
  }
  count_what_lacks();
}

void PerformanceData::count_what_lacks() {
  const figures::Figure* figure = figures::find_figure(model_.state.view.figure);
  if (figure == nullptr || !is_plot(*figure) || model_.busy_seconds()) return;
  if (version_ == looked_at_ && figure == looked_for_) return;
  looked_at_ = version_;
  looked_for_ = figure;
  std::vector<WantedCount> missing;
  std::string keys;
  for (WantedCount& wanted : wanted_counts(ladder_place(model_), recorded_, *figure, shown_size())) {
    keys += wanted.key + (wanted.with_time ? " time\n" : "\n");
    const auto known = counts_.find(wanted.key);
    const bool lacks_time =
        wanted.with_time && known != counts_.end() && known->second && known->second->seconds <= 0;
    if (known == counts_.end() || lacks_time) missing.push_back(std::move(wanted));
  }
  if (missing.empty()) return;
  counting_.ask(keys, [&] {
    return [library = model_.library(), missing = std::move(missing)](const std::atomic<bool>& cancel,
                                                                      const auto& partial) {
      Counts counts;
      for (const WantedCount& wanted : missing) {
        auto counted = figures::modelled_count(library->sides(), wanted.request, wanted.with_time, cancel);
        if (cancel) break;
        counts.insert_or_assign(wanted.key, std::move(counted));
        partial(counts);
      }
      return counts;
    };
  });
}

// Once a change, not once a frame: legal values are found by evaluating the files' expressions.
void PerformanceData::look_up() {
  ++version_;
  const State& state = model_.state;
  const bool is_live = live_of(state.kernel, state.size) != nullptr;
  const auto sizes = recorded_.sizes(model_.ladder());
  const bool is_recorded = std::ranges::find(sizes, state.size) != sizes.end();
  const LadderPlace place = ladder_place(model_);
  const catalog::Values size = app::listed_size(place, recorded_);
  shown_size_ = is_live ? state.size : size;
  listed_size_ = is_live && is_recorded ? state.size : size;
  steps_.clear();
  unmeasured_.clear();
  for (const catalog::KernelSpec* spec : place.steps)
    steps_[spec->id] = app::recorded_step(place, recorded_, *spec, listed_size_);
  of_file_ = app::recorded_of_file(recorded_, place.spec, listed_size_);
  if (is_set(place, listed_size_) && steps_[place.spec.id] == nullptr)
    unmeasured_ = figures::few_words(catalog::default_values(place.spec),
                                     *catalog::resolve_values(place.spec, state.params, listed_size_));
  idle_ = find_idle();
}

measured::SpeedSource PerformanceData::listed() const {
  return measured::shown_source({.recorded = recorded_.has_size(model_.ladder(), listed_size_),
                                 .predicted = model_.device().sm_count > 0});
}

std::optional<PerformanceData::Idle> PerformanceData::find_idle() const {
  const State& state = model_.state;
  const auto blocks_at = [&](const catalog::Values& size) -> std::uint64_t {
    const auto values = catalog::resolve_values(model_.spec(), state.params, size);
    const auto launch = values ? catalog::launch_shape(model_.spec(), *values, size) : values.error();
    return launch ? catalog::blocks_in_grid(*launch) : 0;
  };
  Idle idle{.blocks = blocks_at(state.size), .multiprocessors = model_.device().sm_count};
  const auto all = static_cast<std::uint64_t>(std::max(idle.multiprocessors, 0));
  if (idle.blocks == 0 || idle.blocks >= all) return std::nullopt;
  std::vector<catalog::Values> larger;
  if (const auto recorded = recorded_.main_size(model_.ladder())) larger.push_back(*recorded);
  constexpr int most_doublings = 5;
  for (int doublings = 1; doublings <= most_doublings; ++doublings) {
    larger.push_back(state.size);
    for (auto& [name, value] : larger.back()) value <<= doublings;
  }
  for (const catalog::Values& size : larger)
    if (!idle.fuller && blocks_at(size) >= all) idle.fuller = size;
  return idle;
}

const measured::RecordedSpeed* PerformanceData::recorded_near() const {
  return recorded_.nearest(model_.spec(), model_.state.size, model_.state.params);
}

const measured::RecordedSpeed* PerformanceData::recorded_step(const std::string& kernel) const {
  const auto found = steps_.find(kernel);
  return found == steps_.end() ? nullptr : found->second;
}

std::string PerformanceData::words_of(const catalog::Values& size) const {
  std::vector<std::string> names;
  for (const auto& [name, value] : model_.sizes()) names.push_back(name);
  return measured::size_words(size, names);
}

const measured::RecordedSpeed* PerformanceData::recorded_now() const {
  const catalog::KernelSpec& spec = model_.spec();
  const run::Run* run = model_.run();  // which mostly is of this file, and has its fingerprint
  const bool same = run != nullptr && run->plan().spec.code == spec.code;
  return recorded_.find(spec.id, same ? run->source : fingerprint(spec.code), model_.state.size,
                        &model_.state.params);
}

void PerformanceData::note_live(const run::SharedRun& run, const figures::MeasuredSpeed& speed,
                                const std::string& device, measured::SharedTiming timing) {
  if (run == noted_ && speed.value == noted_rate_) return;
  noted_ = run;
  noted_rate_ = speed.value;
  const run::Plan& plan = run->plan();
  const std::string unit = run::unit_of(*run->job->instance);
  const std::string how = fmt::format("Measured on this computer and verified, {}\n{}\n{}", speed.how,
                                      run::value_words(plan.parameters), device);
  lives_.insert_or_assign(live_key(plan.spec.id, plan.sizes),
                          LiveSpeed{{speed.value, how}, device, unit, plan.parameters, std::move(timing)});
  look_up();
}

const PerformanceData::LiveSpeed* PerformanceData::live_of(const std::string& kernel,
                                                           const catalog::Values& size) const {
  const auto found = lives_.find(live_key(kernel, size));
  return found == lives_.end() ? nullptr : &found->second;
}

const PerformanceData::LiveSpeed* PerformanceData::live_now() const {
  const LiveSpeed* live = live_of(model_.state.kernel, model_.state.size);
  return live != nullptr && live->parameters == model_.state.params ? live : nullptr;
}

const PerformanceData::LiveSpeed* PerformanceData::live_of(const run::Plan& plan) const {
  const LiveSpeed* live = live_of(plan.spec.id, plan.sizes);
  return live != nullptr && live->parameters == plan.parameters ? live : nullptr;
}

figures::SharedMeasured PerformanceData::measured_sets(const run::SharedRun& run) const {
  if (run == nullptr) return nullptr;
  const auto make = [&](const auto&) -> figures::SharedMeasured {
    auto sets = figures::measured_sets(recorded_, run->plan());
    const LiveSpeed* live = live_of(run->plan());
    if (live != nullptr && live->speed.value > 0) {
      const double amount = problem::work_of(*run->job->instance).amount;
      std::erase_if(sets, [&](const auto& set) { return set.values == live->parameters; });
      sets.push_back({live->parameters, amount / (1e9 * live->speed.value), true});
    }
    return std::make_shared<const figures::MeasuredSets>(std::move(sets));
  };
  return measured_.of(fmt::format("{} {}", version_, plan_key(run->plan())), kNeverCancelled, make)
      .value_or(nullptr);
}

// Where the run was on screen, as much as its card says.
const run::StepCount* PerformanceData::count_of(const run::Plan& plan) const {
  const auto shown = [&](const run::Plan& run) {
    const auto count = shown_counts_.find(plan_key(run));
    return count == shown_counts_.end() ? nullptr : &count->second;
  };
  if (const run::StepCount* own = shown(plan)) return own;
  const auto found = counts_.find(plan_key(plan));
  if (found == counts_.end() || !found->second) return nullptr;
  run::Plan fitted = plan;
  fitted.parameters = found->second->count.parameters;
  const run::StepCount* own = shown(fitted);
  return own != nullptr ? own : &found->second->count;
}

figures::Counted PerformanceData::known_of(const figures::PlannedPoint& point) const {
  const run::Plan& plan = point.plan;
  figures::Counted known{.count = count_of(plan)};
  if (const auto found = counts_.find(plan_key(plan)); found != counts_.end() && !found->second)
    known.refused = catalog::why_not(plan.spec, plan.parameters, plan.sizes,
                                     model_.runner()->limits(plan.device, plan.spec, plan.sizes))
                        .value_or("");
  // Of as many blocks as the count that is shown is of.
  if (const auto found = counts_.find(plan_key(plan));
      found != counts_.end() && found->second && known.count != nullptr && found->second->count.share > 0) {
    known.l2_bytes = found->second->l2_bytes / found->second->count.share * known.count->share;
    known.seconds = found->second->seconds;
    known.limit = found->second->limit;
  }
  const LiveSpeed* live = live_of(plan.spec.id, plan.sizes);
  const bool as_set = plan.spec.id != model_.state.kernel || (live && live->parameters == plan.parameters);
  if (live != nullptr && as_set) {
    known.live = live->speed;
    known.live_unit = live->unit;
  }
  return known;
}

std::string PerformanceData::caption(const figures::Figure& figure) const {
  const auto sizes = recorded_.sizes(model_.ladder());
  if (sizes.empty())
    return fmt::format("Nothing is recorded for {}: measure with 'warplens bench {} --save FILE' on one",
                       model_.device().name, model_.ladder());
  if (figure.has(figures::Trait::sizes)) {
    const std::string set = figures::few_words(catalog::default_values(model_.spec()), model_.state.params);
    return std::string(figures::kSizeCurveCaption) +
           (set.empty() ? "" : "; not with " + set + ", which is set");
  }
  const bool is_predicted = shown_size() == listed_size() && listed() == measured::SpeedSource::predicted;
  if (is_predicted)
    return fmt::format("Nothing is recorded at {}: by the model of time", words_of(shown_size()));
  if (shown_size() == model_.state.size) return "";
  const std::string own = words_of(model_.state.size);
  return model_.state.view.steps_by == StepsBy::speed_here
             ? fmt::format("Nothing is recorded at {}, the size of the run: this is the nearest", own)
             : fmt::format("At {}, where most steps are recorded; the run is at {}", words_of(shown_size()),
                           own);
}

Result<figures::PerformanceInput> PerformanceData::transfers(const figures::Figure& figure) const {
  figures::PerformanceInput input;
  input.device = model_.device().name;
  input.transfers = transfers_;
  if (const auto roof = device::roofline(model_.device())) input.roofline = *roof;
  input.memories = figures::memories_named(model_.state.drawing.kinds).value_or(std::vector<std::string>{});
  if (const auto why = figures::why_no_plot(figure, input)) return *why;
  return input;
}

Result<figures::PerformanceInput> PerformanceData::input(const figures::Figure& figure) const {
  if (figure.of == figures::Of::device) return transfers(figure);
  const auto roof = figures::roofline_of(model_.device(), problem::has_multiply_adds(model_.spec()));
  auto made = figures::performance_input(
      ladder_query(ladder_place(model_), recorded_, figure, shown_size()),
      [this](const figures::PlannedPoint& point) { return Result<figures::Counted>(known_of(point)); });
  if (!made) return made.error();
  figures::PerformanceInput input = *std::move(made);
  input.title = ladder_title(model_.ladder()) + (figure.has(figures::Trait::operations) ? ", roofline" : "");
  input.device = model_.device().name;
  if (!figure.has(figures::Trait::sizes)) input.device += ", " + words_of(shown_size());
  if (roof) input.roofline = *roof;
  input.caption = figures::with_caption(caption(figure), input.caption);
  input.chosen = model_.state.kernel;
  if (const auto& size = model_.state.size; is_on_axis(size, recorded_.sizes(model_.ladder())))
    input.run_size = static_cast<double>(size.begin()->second);
  if (const auto mark = model_.state.drawing.mark; mark > 0)
    input.run_size = static_cast<double>(mark), input.marks_run = false;
  const bool known = std::any_of(input.points.begin(), input.points.end(), [&](const auto& point) {
    return figures::shown_speed(point).speed != nullptr || figures::bound_of(input, point) ||
           (figure.has(figures::Trait::operations) && point.bytes > 0);
  });
  const auto why = figures::why_no_plot(figure, input);
  if (known && !why) return input;
  if (!roof) return Error{roof.error().message, "choose a GPU in the device menu"};
  if (known) return *why;
  if (is_busy() || model_.busy_seconds()) return Error{"counting the steps of this ladder", ""};
  return why.value_or(
      Error{"nothing is known of the speed of this ladder", "choose another ladder, such as matmul"});
}

}  // namespace warplens::app
