// The ladder's bars, performance against size, and the roofline. Values that were measured (recorded), that
// follow from a model, and that come from counting in the emulator look different: see plot::look_of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/device/roofline.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::figures {

// One step of a ladder at one size. What is not known is left empty.
struct PerformancePoint {
  std::string step;                            // its title
  double size = 0;                             // of the problem, for the size curve
  std::optional<double> recorded_gflops = {};  // measured on a chip, and verified
  double operations = 0;                       // counted in the emulator, with the same parameters
  double bytes = 0;                            // 32 for each sector of global memory that was asked for
  std::string id = {};                         // of the kernel; figures name its bar or point "step:<id>"
};

struct PerformanceInput {
  std::string title, device;
  std::vector<PerformancePoint> points;
  std::optional<device::Roofline> roofline;
};

// The speed if every sector asked for came from memory, or the chip's peak where that is less. No bound: a
// kernel whose sectors come from a cache can be faster.
std::optional<double> modelled_gflops(const PerformanceInput& input, const PerformancePoint& point);

plot::Plot ladder_plot(const PerformanceInput& input);
plot::Plot size_plot(const PerformanceInput& input);      // one line a step
plot::Plot roofline_plot(const PerformanceInput& input);  // precondition: input.roofline

}  // namespace warplens::figures
