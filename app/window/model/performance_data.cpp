#include "app/window/model/performance_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/bench_recordings.hpp"
#include "app/performance_points.hpp"
#include "app/text_table.hpp"
#include "app/window/kit/widgets.hpp"
#include "engine/problem/work.hpp"

namespace warplens::app {
namespace {

constexpr int background_threads = 1;  // the other cores are for the run that the user waits for
constexpr std::array<std::string_view, 3> figures_drawn = {"ladder", "size-curve", "roofline"};

std::string key_of(const RunPlan& plan, const device::Device& device) {
  return fmt::format("{} {} {} {} {}", plan.spec.id, fingerprint(plan.spec.code), device.id,
                     value_words(plan.parameters), value_words(plan.sizes));
}

std::string live_key(const std::string& kernel, const catalog::Values& size) {
  return kernel + " " + value_words(size);
}

}  // namespace

PerformanceData::PerformanceData(const Model& model)
    : model_(model),
      counts_worker_(
          [runner = model.runner()](const std::vector<Wanted>& list, const std::atomic<bool>& cancel,
                                    const auto& partial) {
            Counts counts;
            for (const Wanted& wanted : list) {
              auto count = runner->count(wanted.request, cancel);
              if (cancel) break;
              counts.insert_or_assign(wanted.key, std::move(count));
              partial(counts);
            }
            return counts;
          },
          {}) {}

bool PerformanceData::draws(std::string_view figure) {
  return std::find(figures_drawn.begin(), figures_drawn.end(), figure) != figures_drawn.end();
}

void PerformanceData::read_recordings() {
  if (device_ == model_.device().id) return;
  device_ = model_.device().id;
  steps_.clear();
  auto recorded = RecordedSpeeds::read(model_.home() / "assets" / "recorded", device_);
  recorded_ = recorded ? *std::move(recorded) : RecordedSpeeds{};
  ++version_;
}

// A bar says what the card of the same run says, which has counted as much of the grid as anybody will.
void PerformanceData::count_shown_run() {
  SharedRun run = model_.shared_run();
  if (run == counted_ || run == nullptr || !run->complete || !run->report.verified) return;
  counted_ = std::move(run);
  const RunJob& job = counted_->job;
  shown_counts_.insert_or_assign(key_of(job.plan, job.device),
                                 step_count(job.plan, *job.instance, counted_->emulation));
  ++version_;
}

void PerformanceData::update() {
  read_recordings();
  count_shown_run();
  if (auto counts = counts_worker_.poll()) {
    for (auto& [key, count] : *counts) counts_.insert_or_assign(key, std::move(count));
    ++version_;
  }
  std::string about =
      fmt::format("{} {} {} {} {}", model_.state.kernel, value_words(model_.state.size), device_,
                  is_busy() || model_.busy_seconds(), static_cast<int>(model_.state.view.steps_by));
  if (about != about_) {
    about_ = std::move(about);
    look_up();
  }
  const std::string& figure = model_.state.view.figure;
  if (!draws(figure) || model_.busy_seconds()) return;
  if (version_ == looked_at_ && figure == looked_for_) return;
  looked_at_ = version_;
  looked_for_ = figure;
  std::vector<Wanted> missing;
  std::vector<std::string> keys;
  for (Wanted& wanted : wanted_for(figure)) {
    keys.push_back(wanted.key);
    if (!counts_.contains(wanted.key)) missing.push_back(std::move(wanted));
  }
  if (keys == asked_) return;
  asked_ = std::move(keys);
  if (!missing.empty()) counts_worker_.submit(std::move(missing));
}

// Once a change, not once a frame: legal values are found by evaluating the files' expressions.
void PerformanceData::look_up() {
  ++version_;
  const State& state = model_.state;
  const bool is_live = live_of(state.kernel, state.size) != nullptr;
  const auto sizes = recorded_.sizes(model_.ladder());
  const bool is_recorded = std::ranges::find(sizes, state.size) != sizes.end();
  shown_size_ = is_live ? state.size : recorded_size();
  listed_size_ = is_live && is_recorded ? state.size : recorded_size();
  steps_.clear();
  for (const catalog::KernelSpec* spec : model_.steps()) steps_[spec->id] = find_step(*spec, listed_size_);
}

// At a class's usual 512 large tiles leave most of a chip idle, and a ladder falls where it should rise.
catalog::Values PerformanceData::recorded_size() const {
  const State& state = model_.state;
  const auto recorded = state.view.steps_by == StepsBy::speed_here
                            ? recorded_.nearest_size(model_.ladder(), state.size)
                            : recorded_.main_size(model_.ladder());
  return recorded.value_or(state.size);
}

const RecordedSpeed* PerformanceData::find_step(const catalog::KernelSpec& spec,
                                                const catalog::Values& size) const {
  if (const auto own = catalog::resolve_values(spec, {}, size)) {
    if (const RecordedSpeed* found = recorded_.find(spec, size, &*own)) return found;
  }
  return recorded_.find(spec, size);
}

const RecordedSpeed* PerformanceData::recorded_step(const std::string& kernel) const {
  const auto found = steps_.find(kernel);
  return found == steps_.end() ? nullptr : found->second;
}

std::string PerformanceData::words_of(const catalog::Values& size) const {
  std::vector<std::string> names;
  for (const auto& [name, value] : model_.sizes()) names.push_back(name);
  return size_words(size, names);
}

const RecordedSpeed* PerformanceData::recorded_now() const {
  const catalog::KernelSpec& spec = model_.spec();
  const KernelRun* run = model_.run();  // which mostly is of this file, and has its fingerprint
  const bool same = run != nullptr && run->job.plan.spec.code == spec.code;
  return recorded_.find(spec.id, same ? run->source : fingerprint(spec.code), model_.state.size,
                        &model_.state.params);
}

std::vector<catalog::Values> PerformanceData::sizes_of(std::string_view figure) const {
  if (figure != "size-curve") return {shown_size()};
  if (auto sizes = recorded_.sizes(model_.ladder()); !sizes.empty()) return sizes;
  std::vector<catalog::Values> sizes;
  for (const double factor : {0.25, 0.5, 1.0, 2.0}) {
    catalog::Values size = model_.state.size;
    for (auto& [name, value] : size)
      value = std::max<std::int64_t>(1, static_cast<std::int64_t>(factor * static_cast<double>(value)));
    sizes.push_back(std::move(size));
  }
  return sizes;
}

// A count stands beside a measurement only for the same parameters.
RunPlan PerformanceData::plan_of(const catalog::KernelSpec& spec, const catalog::Values& size,
                                 const RecordedSpeed*& recorded) const {
  recorded = find_step(spec, size);
  RunPlan plan{.spec = spec, .sizes = size};
  const auto values =
      catalog::resolve_values(spec, recorded == nullptr ? catalog::Values{} : recorded->params, size);
  plan.parameters = values ? *values : catalog::default_values(spec);
  return plan;
}

std::vector<PerformanceData::Wanted> PerformanceData::wanted_for(std::string_view figure) const {
  std::vector<Wanted> wanted;
  const bool curve = figure == "size-curve";
  // Measured curves are not filled up with modelled points, so nothing is counted for them.
  if (curve && recorded_.has_steps_of(model_.ladder())) return wanted;
  for (const catalog::Values& size : sizes_of(figure)) {
    for (const catalog::KernelSpec* spec : model_.steps()) {
      const RecordedSpeed* recorded = nullptr;
      RunPlan plan = plan_of(*spec, size, recorded);
      wanted.push_back({key_of(plan, model_.device()),
                        {.spec = plan.spec,
                         .parameters = plan.parameters,
                         .sizes = plan.sizes,
                         .device = model_.device(),
                         .threads = background_threads,
                         .background = true,
                         .nearest = true}});
    }
  }
  return wanted;
}

void PerformanceData::note_live(const SharedRun& run, const figures::MeasuredSpeed& speed,
                                const std::string& chip) {
  if (run == noted_ && speed.value == noted_rate_) return;
  noted_ = run;
  noted_rate_ = speed.value;
  const RunPlan& plan = run->job.plan;
  const std::string unit = unit_of(*run->job.instance);
  const std::string how = fmt::format("Measured on this computer and verified, {}\n{}\n{}", speed.how,
                                      value_words(plan.parameters), chip);
  lives_.insert_or_assign(live_key(plan.spec.id, plan.sizes),
                          LiveSpeed{{speed.value, how}, chip, unit, plan.parameters});
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

const StepCount* PerformanceData::count_of(const RunPlan& plan) const {
  const auto shown = [&](const RunPlan& run) {
    const auto count = shown_counts_.find(key_of(run, model_.device()));
    return count == shown_counts_.end() ? nullptr : &count->second;
  };
  if (const StepCount* own = shown(plan)) return own;
  const auto found = counts_.find(key_of(plan, model_.device()));
  if (found == counts_.end() || !found->second) return nullptr;
  RunPlan fitted = plan;
  fitted.parameters = found->second->parameters;
  const StepCount* own = shown(fitted);
  return own != nullptr ? own : &*found->second;
}

// A step that was counted with other values than its own, or that the device refuses.
std::optional<Departure> PerformanceData::departure_of(const RunPlan& plan, std::size_t number) const {
  const auto found = counts_.find(key_of(plan, model_.device()));
  if (found == counts_.end()) return std::nullopt;
  if (found->second) {
    if (found->second->parameters == plan.parameters) return std::nullopt;
    return Departure{.number = number, .values = changed_words(plan.parameters, found->second->parameters)};
  }
  const auto limits = model_.runner()->limits(
      {.spec = plan.spec, .parameters = {}, .sizes = plan.sizes, .device = model_.device()});
  auto why = catalog::why_not(plan.spec, plan.parameters, plan.sizes, limits);
  return why ? std::optional(Departure{.number = number, .refused = *std::move(why)}) : std::nullopt;
}

std::string PerformanceData::caption(std::string_view figure) const {
  const auto sizes = recorded_.sizes(model_.ladder());
  if (sizes.empty())
    return fmt::format("Nothing is recorded for {}: measure with 'warplens bench {} --save FILE' on one",
                       model_.device().name, model_.ladder());
  if (figure == "size-curve") return std::string(size_curve_caption);
  if (shown_size() == model_.state.size) return "";
  const std::string own = words_of(model_.state.size);
  return model_.state.view.steps_by == StepsBy::speed_here
             ? fmt::format("Nothing is recorded at {}: this is the nearest size", own)
             : fmt::format("Most steps are recorded at this size; the menu of steps has that nearest to {}",
                           own);
}

Result<figures::PerformanceInput> PerformanceData::input(std::string_view figure) const {
  const auto roof = device::roofline(model_.device(), problem::has_multiply_adds(model_.spec().problem));
  const auto steps = model_.steps();
  const std::string chip = recorded_.chip.empty() ? model_.device().name : recorded_.chip;
  figures::PerformanceInput input{
      ladder_title(model_.ladder()) + (figure == "roofline" ? ", roofline" : ""), chip, {}};
  if (roof) input.roofline = *roof;
  std::map<std::size_t, Departure> departures;
  for (const catalog::Values& size : sizes_of(figure)) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const catalog::KernelSpec* spec = steps[i];
      const RecordedSpeed* recorded = nullptr;
      const RunPlan plan = plan_of(*spec, size, recorded);
      const StepCount* count = count_of(plan);
      if (auto departure = departure_of(plan, i + 1)) departures.emplace(i + 1, *std::move(departure));
      if (recorded != nullptr) input.unit = rate_of(*recorded).unit;
      if (count != nullptr) input.unit = count->unit;
      input.points.push_back(performance_point(plan, recorded_, recorded, count));
      const LiveSpeed* live = live_of(spec->id, size);
      if (live == nullptr) continue;
      input.points.back().live = live->speed;
      input.unit = live->unit;
    }
  }
  if (figure != "size-curve") input.device += ", " + words_of(shown_size());
  std::vector<Departure> list;
  for (auto& [number, departure] : departures) list.push_back(std::move(departure));
  const std::string departed = departure_words(list, model_.device().name);
  input.caption = caption(figure);
  input.caption += (input.caption.empty() || departed.empty() ? "" : ". ") + departed;
  input.chosen = model_.state.kernel;
  const bool known = std::any_of(input.points.begin(), input.points.end(), [&](const auto& point) {
    return point.recorded || point.live || figures::modelled_speed(input, point) ||
           (figure == "roofline" && point.bytes > 0);
  });
  if (known && (figure != "roofline" || (roof && input.unit == "GFLOP/s"))) return input;
  if (figure == "roofline" && input.unit != "GFLOP/s")
    return Error{"This problem has no floating-point operations to put on a roofline",
                 "The ladder shows its speed in bytes a second"};
  if (!roof) return Error{roof.error().message, "Choose a chip in the device menu"};
  if (is_busy() || model_.busy_seconds()) return Error{"Counting the steps of this ladder", ""};
  if (auto small = why_too_small(input)) return Error{sentence(small->message), sentence(small->next_step)};
  return Error{"Nothing is known of the speed of this ladder", "Choose another ladder, such as matmul"};
}

}  // namespace warplens::app
