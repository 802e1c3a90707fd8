// The way of the data: what passes between global memory, L2, L1, shared memory and registers, as pipes of
// that width, and the bottleneck among them. What the emulator counts is exact: sectors that warps ask for,
// wavefronts of shared memory. What caches keep is not known: there the figure shows what must pass at least,
// each element once, and what can pass at most.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/explain/against.hpp"
#include "engine/run/count.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

using study::LadderScale, study::StepBefore;

// What is said of a step against another one.
struct AgainstStep {
  std::string number;       // of the other
  std::string recorded_at;  // the size at which both were measured: "4,096"; empty where they were not
  explain::Against said = {};
  std::vector<std::string> other_says = {};  // StepBefore::says of the other
  bool operator==(const AgainstStep&) const = default;
};
// Where both were measured at another size than this one: that size, to be said with it; else empty.
std::string other_size(const AgainstStep& against, const run::Plan& plan);

// What is said of the whole run. Precondition: it is complete.
std::shared_ptr<const StepWords> step_words(const run::Run& run, const std::optional<AgainstStep>& against);

// From `from` towards the registers and back; all amounts are of one launch.
struct Pipe {
  enum class Id : std::uint8_t { memory_l2, l2_l1, l2_shared, global_registers, shared_registers };
  Id id = Id::global_registers;
  double down = 0, up = 0;                // bytes towards the registers, and away from them
  double most = 0;                        // both together, where these are only the least; 0: they are exact
  double wasted_down = 0, wasted_up = 0;  // bytes of these beyond those of the ideal access
  double units = 0;                       // sectors or wavefronts
  bool is_wavefronts = false;
  double seconds = 0;  // at least, at the device's rate; 0: that is not known
  double busy = 0;     // share of a launch that its unit is, by the model; 0: not known, or hardly
  std::optional<double> before = {};  // bytes both ways in the step before, for the same work

  double bytes() const { return down + up; }
  double wasted() const { return wasted_down + wasted_up; }
};
std::string_view name_of(Pipe::Id id);  // "l2-l1", in CSV and in the ids of items

struct Flow {
  std::vector<Pipe> pipes;  // those that the device has and the kernel uses, from memory to registers
  bool has_l2 = true, has_l1 = true;
  bool uses_shared = false;
  std::string unit, units;                    // "multiply-add", "multiply-adds"; "element", "elements"
  double operations = 0;                      // of `unit` in a launch
  double blocks = 1;                          // in the grid
  double arithmetic_seconds = 0;              // 0: no operations, or the peak is not known
  double arithmetic_busy = 0;                 // as Pipe::busy
  std::optional<std::uint64_t> sampled = {};  // blocks that ran, where not all did
  double widest = 0;             // bytes of a launch in the thickest pipe of the ladder; 0: not known
  std::string widest_step = {};  // its number
  // The pipe that takes longest; empty if arithmetic takes longer, or no rate is known.
  std::optional<std::size_t> narrow = {};

  const Pipe* find(Pipe::Id id) const;
  // Of how many of what is looked at a launch consists: so much less than a launch's traffic is shown.
  double parts(FlowOptions::Per per) const;
};
// Precondition: the run is complete. before and scale may be null.
Flow flow_of(const run::Run& run, const StepBefore* before, const LadderScale* scale = nullptr);
// How busy they are is what the figure of time says, and the bottleneck what limits by the model, where that is one of the pipes.
void follow_the_model(Flow& flow, const time::Prediction& prediction);

// Pipes have the ids "pipe:l2-l1".
scene::Scene flow_scene(const run::Run& run, const Flow& flow, const Subject& subject, scene::Size size,
                        const scene::TextMeasure& measure);
// What the picture says: the bottleneck, and why; the question that it answers; and how large the
// problem is.
struct FlowSaid {
  explain::Explanation explanation = {};
  std::string question = {}, unit = {};
};
FlowSaid flow_words(const Subject& subject);
// Rows "pipe,direction,bytes,known,at_most_bytes,units,least_seconds" of a launch.
std::string flow_csv(const Flow& flow);

// "operation", "block", "kernel": in states and on the command line.
inline constexpr std::pair<FlowOptions::Per, std::string_view> kPerNames[] = {
    {FlowOptions::Per::operation, "operation"},
    {FlowOptions::Per::block, "block"},
    {FlowOptions::Per::kernel, "kernel"}};
std::optional<FlowOptions::Per> per_named(std::string_view name);

// For the table of figures.
Result<scene::Scene> draw_flow(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
Result<std::string> flow_table(const Subject& subject);

}  // namespace warplens::figures
