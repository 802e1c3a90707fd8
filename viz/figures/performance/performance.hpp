// The ladder's bars, performance against size, and the roofline. Values that were measured (recorded or
// live), bounds, and what comes from counting in the emulator look different: see plot::look_of. Each value
// says on hover where it comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/speed.hpp"
#include "engine/device/roofline.hpp"
#include "engine/explain/explain.hpp"
#include "engine/measured/shown_speed.hpp"
#include "engine/measured/transfers.hpp"
#include "engine/run/count.hpp"
#include "viz/figures/parts/look.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::figures {

// A speed that a device reached with a verified result, or that the model of time predicts.
struct MeasuredSpeed {
  double value = 0;  // in the input's unit
  std::string how;   // parameters, launches, device: a line each
};

// One step of a ladder at one size. What is not known is left empty.
struct PerformancePoint {
  std::string step;                             // its title
  std::string id = {};                          // of the kernel; figures name its bar or point "step:<id>"
  std::string problem = {};                     // speeds of steps that solve another one say little
  double size = 0;                              // of the problem, for the size curve
  std::size_t number = 0;                       // in its ladder, from 1; 0: its place among the points
  std::optional<MeasuredSpeed> recorded = {};   // by `warplens bench`, shipped with the program
  std::optional<MeasuredSpeed> live = {};       // on the GPU of this machine
  std::optional<MeasuredSpeed> predicted = {};  // by the model of time
  std::optional<MeasuredSpeed> library = {};    // cuBLAS, in the run of `recorded`
  std::string unit = {};                        // of its speeds; empty: not known
  double work = 0;                              // operations, or the least bytes of the problem: see unit
  double operations = 0;                        // floating-point, whatever its speed is told in
  bool are_floats = true;                       // done by lanes of fp32 or by tensor cores
  run::TensorOperations tensor = {};            // of the operations, those of tensor cores
  double bytes = 0;                             // 32 for each sector of global memory asked for
  double wavefronts = 0;                        // of shared memory
  double least_bytes = 0;                       // that any kernel of the problem must move
  double l2_bytes = 0;                          // that keep L2 busy, by the model of time; 0: not known
  double share = 1;                             // of its blocks that the five above are of
  std::uint64_t blocks = 0;                     // in its grid; 0: not known
  std::string refused = {};                     // why the device does not run it; empty: it does
  std::string replaced = {};                    // "cp.async needs 8.0: plain copies run here"
  // What the step is set to where that was not measured, "PAD = 0"; the nearest that was, and with what,
  // "PAD = 1". A figure says them in words: neither is a speed of what is set.
  std::string unmeasured = {};
  std::optional<MeasuredSpeed> nearest = {};
  std::string nearest_values = {};
  explain::Explanation limit = {};  // what holds it by the model of time, and what follows; empty: not known
  std::string counted = {};         // parameters and sample of the two above: a line each
};

struct PerformanceInput {
  std::string title = {}, device = {};
  std::vector<PerformancePoint> points = {};
  std::optional<device::Roofline> roofline = {};
  std::string unit = std::string(kFloatingPoint);  // or of whole numbers, or of bytes: see base/speed.hpp
  std::string caption = {};                        // what else must be said; may be empty
  std::string chosen = {};                         // the id of the step that stands out; empty: none does
  std::shared_ptr<const measured::Transfers> transfers = {};  // to this device; null: not measured
  std::vector<std::string> memories = {};  // of the host, whose transfers are shown; empty: all
  // The size that a curve over sizes marks: that of the run on screen, or one that is spoken of; nothing:
  // none.
  std::optional<double> run_size = {};
  bool marks_run = true;
  Look look = Look::file;  // where words are few, of many steps only the chosen one has its name
};

// The speed of a point that is shown (measured::shown_source()), and what it is; null where none is known.
struct ShownSpeed {
  const MeasuredSpeed* speed = nullptr;
  measured::SpeedSource from = measured::SpeedSource::none;
  bool is_measured() const { return speed != nullptr && from != measured::SpeedSource::predicted; }
};
ShownSpeed shown_speed(const PerformancePoint& point);
// Those with a speed, of several sizes at the one with most of them: the measured ones where there are two,
// else what is predicted.
std::vector<const PerformancePoint*> shown_at_one_size(const PerformanceInput& input);

// "16 blocks on 132 SMs: 116 idle"; empty where every multiprocessor has a block, or one of the two is not
// known (0).
std::string idle_words(std::uint64_t blocks, int multiprocessors);

// The most that the device allows of a step: the work over the longest of the times that its parts need at
// least (device::least_times). A bound, never a speed: no launch is above it.
struct Bound {
  double speed = 0;
  device::Roof by = device::Roof::memory;
};
// Nothing where the work is bytes that L2 may have kept: how fast that is, no table says; nor where
// no peak is known of what computes.
std::optional<Bound> bound_of(const PerformanceInput& input, const PerformancePoint& point);
// Behind it: what each part has to do and how long it takes, a line each. Empty where there is no bound.
std::string bound_formula(const PerformanceInput& input, const PerformancePoint& point);
// What computes for some of the points, and how much of it a second there is at most.
struct Peak {
  std::string of;
  double gflops = 0;
};
// The highest first; that of fp32 where no step uses anything else. Precondition: input.roofline.
std::vector<Peak> peaks_of(const PerformanceInput& input);
double peak_of(const PerformanceInput& input, const PerformancePoint& point);
// Why steps have no mark of it: "Steps 8 to 13 have no mark: they are not of floats"; empty where all have one.
std::string no_bound_note(const PerformanceInput& input);
// "In a roofline" of a step: its work over what passes a level of memory.
struct Intensities {
  double memory = 0;   // over what must come from memory; 0: nothing must
  double l2 = 0;       // over what passes L2, by the model of time; 0: not known
  double on_chip = 0;  // over what passes L1 or shared memory, whichever is busier, at the rate of the latter
};
Intensities intensities_of(const device::Roofline& roofline, const PerformancePoint& point);
// Whether some step computes, which is what a roofline needs.
bool has_operations(const PerformanceInput& input);
// GB/s of that level: shared memory, and L1 where it is the same memory.
double chip_rate(const device::Roofline& roofline);

// What the points say together: "98 times as fast in 10 steps, 95 % of cuBLAS", and "by the model" where it
// is predicted. At the size with most of them; empty where fewer than two are known.
std::string headline_of(const PerformanceInput& input);

// Position i of every series is point i.
plot::Plot ladder_plot(const PerformanceInput& input);
plot::Plot size_plot(const PerformanceInput& input);  // one line a step
// Position i of the series of points is point i. Preconditions: input.roofline; has_operations().
plot::Plot roofline_plot(const PerformanceInput& input);

}  // namespace warplens::figures
