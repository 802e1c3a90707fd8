// What figures of a ladder's speeds need of a state: the size at which its steps are compared, what was
// recorded of them there, and what the emulator has to count.
#pragma once

#include <string>
#include <vector>

#include "app/window/model/judged_steps.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/performance/performance_input.hpp"

namespace warplens::app {

// At which steps are compared: the state's size, unless View::steps_by asks for another one at which they were
// recorded.
catalog::Values listed_size(const LadderPlace& place, const measured::RecordedSpeeds& recorded);
// A step at a size, as its file has it, else the quickest; the state's kernel as it is set. Null where that
// was not recorded.
const measured::RecordedSpeed* recorded_step(const LadderPlace& place,
                                             const measured::RecordedSpeeds& recorded,
                                             const catalog::KernelSpec& step, const catalog::Values& size);
// The same as its file has it, whatever is set.
const measured::RecordedSpeed* recorded_of_file(const measured::RecordedSpeeds& recorded,
                                                const catalog::KernelSpec& step, const catalog::Values& size);
// The state's kernel has other values than its file.
bool is_set(const LadderPlace& place, const catalog::Values& size);

// shown: the size at which figures compare steps.
figures::LadderQuery ladder_query(const LadderPlace& place, const measured::RecordedSpeeds& recorded,
                                  const figures::Figure& figure, const catalog::Values& shown);

struct WantedCount {
  std::string key;  // of its plan, see plan_key()
  run::Request request;
  bool with_time = false;
};
std::string plan_key(const run::Plan& plan);
std::vector<WantedCount> wanted_counts(const LadderPlace& place, const measured::RecordedSpeeds& recorded,
                                       const figures::Figure& figure, const catalog::Values& shown);

}  // namespace warplens::app
