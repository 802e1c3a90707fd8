#include "app/window/model/ladder_traffic.hpp"

#include <utility>

#include "engine/run/count.hpp"
#include "engine/run/device_limits.hpp"

namespace warplens::app {
namespace {

// The runs of the ladder leave a core to the run that the user waits for.
constexpr int kBackgroundThreads = 1;

StepTraffic refused(const std::string& why) { return {.why_not = why}; }

StepTraffic of_count(const Result<run::StepCount>& count, const catalog::KernelSpec& step) {
  if (!count) return refused(count.error().message);
  if (!count->missing.empty()) return refused("cannot run: " + count->missing);
  // Samples stand for the whole grid: a bar compares steps, and those may be sampled differently.
  return {.global_sectors = static_cast<std::uint64_t>(count->bytes / 32 / count->share),
          .shared_wavefronts = static_cast<std::uint64_t>(count->wavefronts / count->share),
          .instructions = static_cast<std::uint64_t>(count->instructions / count->share),
          .count = *count,
          .values = run::changed_words(catalog::default_values(step), count->parameters)};
}

StepTraffic of_run(const Result<run::SharedRun>& run, const catalog::KernelSpec& step) {
  if (!run) return refused(run.error().message);
  if ((*run)->fault) return refused((*run)->fault->message);
  StepTraffic traffic = of_count(step_count(**run), step);
  if ((*run)->report.verified) traffic.error = (*run)->report.max_relative_error;
  return traffic;
}

}  // namespace

LadderTraffic::LadderTraffic(std::shared_ptr<study::Library> library, bool gives_way,
                             std::function<void()> wake)
    : library_(std::move(library)),
      gives_way_(gives_way),
      runs_([this](const Request& request, const std::atomic<bool>& cancel,
                   const auto& partial) { return measure(request, cancel, partial); },
            std::move(wake)) {}

LadderTraffic::Traffics LadderTraffic::measure(const Request& request, const std::atomic<bool>& cancel,
                                               const std::function<void(Traffics)>& partial) {
  if (gives_way_) run::give_way();
  Traffics traffics;
  // Of a device that no machine code can be made for a count of some blocks is enough, and takes a fifth of
  // the time.
  const bool own_code = run::architecture_for(request.device) == request.device.compute_capability;
  for (const auto& step : request.steps) {
    const run::Request wanted{.spec = step,
                              .parameters = {},
                              .sizes = request.sizes,
                              .device = request.device,
                              .threads = kBackgroundThreads,
                              .background = true,
                              .nearest = true};
    StepTraffic traffic = own_code ? of_run(library_->runner().run(wanted, cancel), step)
                                   : of_count(library_->runner().count(wanted, cancel), step);
    if (cancel) break;
    if (request.with_time && traffic.why_not.empty())
      if (const auto side = library_->sides().of(wanted, true, cancel); side && side->predicted() != nullptr)
        traffic.seconds = side->predicted()->seconds;
    if (cancel) break;
    traffics[step.id] = std::move(traffic);
    partial(traffics);
  }
  return traffics;
}

void LadderTraffic::ask(const std::vector<const catalog::KernelSpec*>& steps, const catalog::Values& sizes,
                        const device::Device& device, bool with_time) {
  std::string key = device.id + (with_time ? " time" : "");
  Request request{.steps = {}, .sizes = sizes, .device = device, .with_time = with_time};
  for (const auto& [name, value] : sizes) key += " " + name + std::to_string(value);
  for (const auto* step : steps) {
    request.steps.push_back(*step);
    key += " " + step->id + std::to_string(std::hash<std::string>()(step->code));
  }
  if (key == asked_) return;
  asked_ = std::move(key);
  known_.clear();
  runs_.submit(std::move(request));
}

void LadderTraffic::forget() {
  runs_.cancel();
  asked_.clear();
  known_.clear();
}

bool LadderTraffic::take() {
  auto traffics = runs_.poll();
  if (traffics) known_ = *std::move(traffics);
  return traffics.has_value();
}

const StepTraffic* LadderTraffic::of(const std::string& kernel) const {
  const auto found = known_.find(kernel);
  return found == known_.end() ? nullptr : &found->second;
}

}  // namespace warplens::app
