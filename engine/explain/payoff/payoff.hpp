// What mending a waste would gain, by the model of time: the run is predicted once more as if the waste were
// gone. A fix that gains less than kLeastGain of the kernel's time is not proposed; then it is said why not.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/cancel.hpp"
#include "engine/explain/against.hpp"
#include "engine/explain/explain.hpp"

namespace warplens::explain {

inline constexpr double kLeastGain = 0.05;
inline bool pays(const std::optional<double>& gain) { return gain.value_or(0) >= kLeastGain; }
inline constexpr double kLeastSaid = 0.01;  // of the time: less is not worth a number

// What like accesses of a line cost, and what mending them gains, as shares of the kernel's time.
struct AccessPayoff {
  // That the kernel takes longer for them; empty where the model cannot tell: where it has the kernel slower without them, or hardly
  // quicker though they are much of what fills the unit that limits it.
  std::optional<double> share = {};
  // Where their lanes asked for no more than the least: the mean of mending them alone, and of mending them
  // after all others, since two that are as bad hide each other.
  double gain = 0;
};

// The gains of one complete run. A gain is the share of the kernel's time that is saved; it is empty if it is
// not known.
struct Payoffs {
  time::Prediction now;
  std::map<std::uint32_t, AccessPayoff> accesses;           // by pc
  std::array<std::optional<double>, kCosts> of_costs = {};  // of the whole step, where all of a cost is gone
  std::map<int, double> of_idle_lines;  // where no lane waits at the instructions of this line any more
  // With threadIdx.x and threadIdx.y in each other's place; no more than the share of sectors that it saves:
  // else what it mends in one array it breaks in another.
  std::optional<double> other_way = {};
  bool opens_walking = false;         // the access that it opens on walks down the rows of an array
  bool opens_on_rows = false;         // each of its threads along one: has_row_of_thread()
  bool opens_on_side = false;         // and another access would, the other way: has_other_side()
  std::optional<double> turned = {};  // with blocks as wide as they are high now
  std::array<std::uint32_t, 2> turned_block = {};
  std::optional<double> without_spills = {};
  double sms = 0;
  // A row of as many blocks as the device holds, where it has SMs without one.
  std::optional<double> with_more_blocks = {};
  double blocks_at_a_time = 0;
  // One block more on each SM; where registers allow no more, of the code that the compiler makes for it.
  std::optional<double> with_more_warps = {};
  std::optional<double> with_most_warps = {};  // as many as an SM may hold, whatever stands against them
};
// Null: not known, or the model has nothing to say.
using SharedPayoffs = std::shared_ptr<const Payoffs>;

// sides: for runs with other parameters; null: those are not tried. cancel: what is returned then is of no use.
SharedPayoffs payoffs_of(const run::Run& run, Sides* sides = nullptr,
                         const std::atomic<bool>& cancel = kNeverCancelled);

// What as many warps as an SM may hold would save, whatever stands against them: the last blocks still leave idle what they leave.
// Empty where an SM holds as many.
std::optional<double> gain_of_most_warps(const time::Modelled& of, const device::Device& device);

// What is said, with the fix only where it pays. facts: of the access that it is said of; null: of the step.
// payoffs: null where they are not known: then there is no fix.
Explanation that_pays(Explanation said, const Payoffs* payoffs, const Facts* facts = nullptr);

// What a gain is of, as claims have it: of an access, or of all that is as a cost; of the idle lanes of a line its number.
inline constexpr std::string_view kOfAccessAlone = "this access", kOfSpills = "spills",
                                  kOfMoreBlocks = "more blocks", kOfFewWarps = "one block more",
                                  kOfBlockShape = "turned blocks";
std::string_view waste_of(CostKind cost);  // "wasted sectors"

// "handing blocks to the SMs takes 94 % of the kernel's cycles": what fills most of it; empty where nothing does.
Said what_holds(const time::Prediction& now);
// "costs nothing here: memory is busy 94 % of the kernel's cycles", "costs only 2 % of the kernel's time here". of: as above.
Said costs_little(const time::Prediction& now, double gain, std::string_view of);
// Of an access: "costs 12 % of the kernel's time, by the model", which it would take less without it; empty where it is not known.
Said share_words(const Payoffs* payoffs, const Facts& facts);

}  // namespace warplens::explain
