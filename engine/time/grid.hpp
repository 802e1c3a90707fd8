// From one SM to the grid: waves of blocks, the last of them, and blocks too long to simulate in full.
#pragma once

#include "engine/time/scheduler.hpp"

namespace warplens::time {

struct GridTime {
  double cycles = 0;
  SmResult sample;  // of an SM, for what its units did
  // Of blocks that start together on one SM, how many cycles each of its places takes, ascending; and those
  // of a last wave that is not full, 0: as many.
  std::vector<double> ends = {};
  double last = 0;
  double scheduled = 1;  // share of a warp's instructions that was
};

// work: of one SM, with as many blocks as it holds; `launched` is set here. blocks: that an SM gets, on
// average. held: that fit. instructions: of a warp. history: of what is scheduled, see simulate().
GridTime time_of(SmWork work, double blocks, int held, int sms, double instructions,
                 const Parameters& parameters, std::vector<WarpHistory>* history = nullptr);

// As many blocks as `resident` says that start together and do all that `work` says.
struct Generation {
  std::vector<double> ends;  // of its blocks, ascending; cycles
  SmResult sample;
  double scheduled = 1;  // share of a warp's instructions that was
};
Generation generation_of(const SmWork& work, int resident, double instructions, const Parameters& parameters,
                         std::vector<WarpHistory>* history = nullptr);

}  // namespace warplens::time
