// Why one kernel takes longer than another, or no less, as the model has it: what is busy, where their warps
// wait, what they execute.
#pragma once

#include <string>

#include "engine/time/predict.hpp"

namespace warplens::time {

// "its warps wait 16 % of their time for global memory, against 11 % in step 5": the first reason that the
// model sees; empty where it sees none. other: what the quicker one is called.
std::string why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other);

// "memory is busy 93 % of the time in both": what keeps two kernels equally slow, however they differ. Empty
// where it is not the same thing, or neither is held by one.
std::string what_holds_both(const Prediction& one, const Prediction& other);

}  // namespace warplens::time
