// With which step each step of a list is compared, and how many times it that one is.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warplens::app {

// One step of the list.
struct StepAmount {
  std::string problem;
  double amount = 0;    // its speed, or how little it moves; 0: not known
  double as_first = 0;  // in place of its own where others are compared with it; 0: its own
};

struct StepFactor {
  double times = 0;       // 0: not known
  std::size_t base = 0;   // with which step it is compared, from 0: the first known one of its problem
  bool is_alone = false;  // no other step is compared with that one
};

std::vector<StepFactor> step_factors(std::span<const StepAmount> steps);

// "1.21×", and "1.21× step 5" where it is not the first of the list that it is compared with. Empty where it
// is not known, and of a step that only others are compared with.
std::string factor_words(const std::vector<StepFactor>& factors, std::size_t index);

// The unit of a list of speeds: that of the quickest, or a smaller one in which the slowest is more than zeros
// and the quickest has still room.
struct SpeedUnit {
  double scale = 1;  // of billions
  std::string name;
};
// speeds: in billions of `unit` ("GFLOP/s"); 0: not known.
SpeedUnit speed_unit(std::span<const double> speeds, const std::string& unit);
std::string speed_in(const SpeedUnit& unit, double speed);  // "41.5"

}  // namespace warplens::app
