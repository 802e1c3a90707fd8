// The ladder's bars, performance against size, and the roofline. Values that were measured (recorded or
// live), that follow from a model, and that come from counting in the emulator look different: see
// plot::look_of. Each value says on hover where it comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/roofline.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::figures {

// A speed that a chip reached with a verified result.
struct MeasuredSpeed {
  double value = 0;  // in the input's unit
  std::string how;   // parameters, launches, chip: a line each
};

// One step of a ladder at one size. What is not known is left empty.
struct PerformancePoint {
  std::string step;                            // its title
  std::string id = {};                         // of the kernel; figures name its bar or point "step:<id>"
  double size = 0;                             // of the problem, for the size curve
  std::size_t number = 0;                      // in its ladder, from 1; 0: its place among the points
  std::optional<MeasuredSpeed> recorded = {};  // by `warplens bench`, shipped with the program
  std::optional<MeasuredSpeed> live = {};      // on the GPU of this machine
  std::optional<MeasuredSpeed> library = {};   // cuBLAS, in the run of `recorded`
  double work = 0;                             // operations, or the least bytes of the problem: see unit
  double bytes = 0;                            // 32 for each sector of global memory asked for
  std::uint64_t blocks = 0;                    // in its grid; 0: not known
  // What the step is set to where that was not measured, "PAD = 0"; the nearest that was, and with what,
  // "PAD = 1". A figure says them in words: neither is a speed of what is set.
  std::string unmeasured = {};
  std::optional<MeasuredSpeed> nearest = {};
  std::string nearest_values = {};
  std::string counted = {};  // parameters and sample of the two above: a line each
};

struct PerformanceInput {
  std::string title = {}, device = {};
  std::vector<PerformancePoint> points = {};
  std::optional<device::Roofline> roofline = {};
  std::string unit = "GFLOP/s";  // or "GB/s" for problems without floating-point operations
  std::string caption = {};      // what else must be said; may be empty
  std::string chosen = {};       // the id of the step that stands out; empty: none does
  // The size of the run on screen, which a curve over sizes marks; nothing: there is none.
  std::optional<double> run_size = {};
};

// "16 blocks on 132 SMs: 116 idle"; empty where every multiprocessor has a block, or one of the two is not
// known (0).
std::string idle_words(std::uint64_t blocks, int multiprocessors);

// The speed if every sector asked for came from memory, or the chip's peak where that is less. No bound: a
// kernel whose sectors come from a cache can be faster. Nothing where fills_chip() is false.
std::optional<double> modelled_speed(const PerformanceInput& input, const PerformancePoint& point);
// The model knows a chip at work as a whole: false where a multiprocessor is left without a block.
bool fills_chip(const PerformanceInput& input, const PerformancePoint& point);
// "fewer blocks than the chip's 108 multiprocessors": what is so of the grids of some points; empty where all
// fill the chip.
std::string too_few_blocks(const PerformanceInput& input);
// The formula behind the height of the roof above a point, with its numbers: a line each. Empty where that is
// not known.
std::string modelled_formula(const PerformanceInput& input, const PerformancePoint& point);

// Position i of every series is point i.
plot::Plot ladder_plot(const PerformanceInput& input);
plot::Plot size_plot(const PerformanceInput& input);  // one line a step
// Position i of the series after the roof is point i. Preconditions: input.roofline; the unit is GFLOP/s.
plot::Plot roofline_plot(const PerformanceInput& input);

}  // namespace warplens::figures
