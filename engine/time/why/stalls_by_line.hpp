// Where in the source warps spend their time: what a prediction says of each instruction, line by line.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/time/predict.hpp"

namespace warplens::time {

struct LineStalls {
  int line = 0;                           // of the source; 0: of instructions of which no line is known
  double share = 0;                       // of the time of all warps
  std::array<double, kStalls> reasons{};  // by Stall; their sum is the share
};
// Those with the largest share first.
std::vector<LineStalls> stalls_by_line(const Prediction& prediction);

// As Nsight Compute calls it, which has two for the queue of the load/store unit.
std::string_view nsight_name(Stall stall);
// "waits for global memory": what a warp does, in plain words.
std::string_view plain_words(Stall stall);
// The same of a kernel: a load of local memory is waited for as one of global memory is.
std::string_view plain_words(const Prediction& prediction, Stall stall);
bool is_for_local_memory(const Prediction& prediction, Stall stall);
bool is_for_constants(const Prediction& prediction, Stall stall);

// What warps do there most, and its share.
struct Reason {
  Stall stall = Stall::none;
  double share = 0;
};
// Without those below a thousandth of all time; the largest first.
template <class Shares>
std::vector<Reason> reasons_of(const Shares& shares);
extern template std::vector<Reason> reasons_of(const std::array<double, kStalls>&);
extern template std::vector<Reason> reasons_of(const std::array<float, kStalls>&);

// "20 % waits for shared memory or a function (short_scoreboard), 4 % issues an instruction (selected)": the
// largest of them.
// of: the kernel that they are of, for whether it waits for local memory; null: not known.
std::string reason_words(const std::vector<Reason>& reasons, std::size_t most,
                         const Prediction* of = nullptr);

}  // namespace warplens::time
