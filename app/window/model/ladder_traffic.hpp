// What each step of a ladder moves and how long it takes by the model, found on a worker behind the run that
// the user waits for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/memo.hpp"
#include "engine/study/study.hpp"

namespace warplens::app {

// What a step of the ladder moves, for the bars of the list.
struct StepTraffic {
  std::uint64_t global_sectors = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t instructions = 0;  // of warps, of the PTX
  run::StepCount count = {};       // all of it, of the blocks that ran
  double seconds = 0;              // of one launch, by the model; 0: not asked, or not known
  // The relative error of the worst element; empty if the result was not verified.
  std::optional<double> error = {};
  // The nearest values that the device takes, if they are not those of the file: "TILE = 20".
  std::string values = {};
  std::string why_not = {};  // it did not run with any values that the device takes; empty: it did
};

class LadderTraffic {
 public:
  // wake: called from the worker when a step was counted.
  LadderTraffic(std::shared_ptr<study::Library> library, bool gives_way, std::function<void()> wake);

  // Counts the steps, unless the same was asked for before. with_time: predicts them too.
  void ask(const std::vector<const catalog::KernelSpec*>& steps, const catalog::Values& sizes,
           const device::Device& device, bool with_time);
  void forget() { traffics_.rest(); }
  bool take() { return traffics_.take(); }  // true where more is known
  // What a step moves with its own parameters, or the nearest that the device takes; null if it has not run.
  const StepTraffic* of(const std::string& kernel) const;
  bool is_busy() const { return traffics_.busy_seconds().has_value(); }

 private:
  std::shared_ptr<study::Library> library_;
  const bool gives_way_;
  Asked<std::map<std::string, StepTraffic>> traffics_;  // by the id of the step
};

}  // namespace warplens::app
