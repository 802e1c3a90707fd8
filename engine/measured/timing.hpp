// A measured time with what it was made of: its samples, as they came, and the clock of the device meanwhile.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace warplens::measured {

// Seconds of one launch. Where the samples were not kept, their quantiles are all that is known of them.
struct Timing {
  std::vector<double> seconds = {};  // one value a sample, in the order in which they were taken
  int samples = 0, launches_per_sample = 1;
  double least = 0, p10 = 0, median = 0, p90 = 0;
  double clock_mhz = 0, lowest_clock_mhz = 0;  // the median reading while they were taken; 0: not known
  double power_watts = 0;                      // the highest reading
  std::vector<std::string> held_back_by = {};  // "power cap"
  std::string device = {};                     // "NVIDIA H100 80GB HBM3"
  bool is_live = false;                        // by the GPU of this computer, in this session
  bool operator==(const Timing&) const = default;
};
using SharedTiming = std::shared_ptr<const Timing>;

// Beyond them a sample is an outlier: 1.5 times the distance of the quartiles below the first and above the
// third of them (J. Tukey, Exploratory Data Analysis, 2C).
struct Fences {
  double low = 0, high = 0;
  bool are_crossed_by(double value) const { return value < low || value > high; }
};
Fences fences_of(std::vector<double> values);  // of none: both 0

}  // namespace warplens::measured
