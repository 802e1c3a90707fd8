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

using Traffics = std::map<std::string, StepTraffic>;

// The steps of a ladder at one size.
struct Wanted {
  std::vector<catalog::KernelSpec> steps;
  catalog::Values sizes;
  device::Device device;
  bool with_time = false;
};

Traffics measure(study::Library& library, const Wanted& ladder, const std::atomic<bool>& cancel,
                 const Asked<Traffics>::Partial& partial) {
  Traffics traffics;
  // Of a device that no machine code can be made for a count of some blocks is enough, and takes a fifth of
  // the time.
  const bool own_code = run::architecture_for(ladder.device) == ladder.device.compute_capability;
  for (const auto& step : ladder.steps) {
    const run::Request wanted{.spec = step,
                              .parameters = {},
                              .sizes = ladder.sizes,
                              .device = ladder.device,
                              .threads = kBackgroundThreads,
                              .background = true,
                              .nearest = true};
    StepTraffic traffic = own_code ? of_run(library.runner().run(wanted, cancel), step)
                                   : of_count(library.runner().count(wanted, cancel), step);
    if (cancel) break;
    if (ladder.with_time && traffic.why_not.empty())
      if (const auto side = library.sides().of(wanted, true, cancel); side && side->predicted() != nullptr)
        traffic.seconds = side->predicted()->seconds;
    if (cancel) break;
    traffics[step.id] = std::move(traffic);
    partial(traffics);
  }
  return traffics;
}

}  // namespace

LadderTraffic::LadderTraffic(std::shared_ptr<study::Library> library, bool gives_way,
                             std::function<void()> wake)
    : library_(std::move(library)), gives_way_(gives_way), traffics_(std::move(wake)) {}

void LadderTraffic::ask(const std::vector<const catalog::KernelSpec*>& steps, const catalog::Values& sizes,
                        const device::Device& device, bool with_time) {
  std::string key = device.id + (with_time ? " time" : "");
  for (const auto& [name, value] : sizes) key += " " + name + std::to_string(value);
  for (const auto* step : steps) key += " " + step->id + std::to_string(std::hash<std::string>()(step->code));
  traffics_.ask(key, [&] {
    Wanted wanted{.steps = {}, .sizes = sizes, .device = device, .with_time = with_time};
    for (const auto* step : steps) wanted.steps.push_back(*step);
    return [library = library_, gives_way = gives_way_, wanted = std::move(wanted)](
               const std::atomic<bool>& cancel, const auto& partial) {
      if (gives_way) run::give_way();
      return measure(*library, wanted, cancel, partial);
    };
  });
}

const StepTraffic* LadderTraffic::of(const std::string& kernel) const {
  if (!traffics_.known()) return nullptr;
  const auto found = traffics_.known()->find(kernel);
  return found == traffics_.known()->end() ? nullptr : &found->second;
}

}  // namespace warplens::app
