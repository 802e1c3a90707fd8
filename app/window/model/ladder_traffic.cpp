#include "app/window/model/ladder_traffic.hpp"

#include <utility>

namespace warplens::app {
namespace {

// The runs of the ladder leave a core to the run that the user waits for.
constexpr int kBackgroundThreads = 1;

}  // namespace

LadderTraffic::LadderTraffic(std::shared_ptr<run::Runner> runner, bool gives_way, std::function<void()> wake)
    : runner_(std::move(runner)),
      gives_way_(gives_way),
      runs_([this](const Request& request, const std::atomic<bool>& cancel,
                   const auto& partial) { return measure(request, cancel, partial); },
            std::move(wake)) {}

LadderTraffic::Traffics LadderTraffic::measure(const Request& request, const std::atomic<bool>& cancel,
                                               const std::function<void(Traffics)>& partial) {
  if (gives_way_) run::give_way();
  Traffics traffics;
  for (const auto& step : request.steps) {
    const auto run = runner_->run({.spec = step,
                                   .parameters = {},
                                   .sizes = request.sizes,
                                   .device = request.device,
                                   .threads = kBackgroundThreads,
                                   .background = true,
                                   .nearest = true},
                                  cancel);
    if (cancel) break;
    if (!run || (*run)->fault) {
      traffics[step.id].why_not = run ? (*run)->fault->message : run.error().message;
      partial(traffics);
      continue;
    }
    const emulator::Counts& counts = (*run)->report.counts;
    // Samples stand for the whole grid: a bar compares steps, and those may be sampled differently.
    const double scale = static_cast<double>((*run)->emulation.blocks_in_grid) /
                         static_cast<double>((*run)->emulation.outcome.counters.blocks_run);
    const auto whole = [&](std::uint64_t n) {
      return static_cast<std::uint64_t>(static_cast<double>(n) * scale);
    };
    traffics[step.id] = {whole(counts.global_load.sectors + counts.global_store.sectors),
                         whole(counts.shared_load.wavefronts + counts.shared_store.wavefronts),
                         run::changed_words(catalog::default_values(step), (*run)->plan().parameters)};
    partial(traffics);
  }
  return traffics;
}

void LadderTraffic::ask(const std::vector<const catalog::KernelSpec*>& steps, const catalog::Values& sizes,
                        const device::Device& device) {
  std::string key = device.id;
  Request request{.steps = {}, .sizes = sizes, .device = device};
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
