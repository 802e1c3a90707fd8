// Why one kernel takes longer than another, as the model has it: where their warps wait, and what is busy.
#pragma once

#include <string>

#include "engine/time/predict.hpp"

namespace warplens::time {

// "its warps spend 16 % of their time waiting for global memory, those of the other 11 %": the greatest
// difference that the model sees; empty where it sees none. other: what the quicker one is called.
std::string why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other);
// "warps wait for shared memory most": of a kernel alone.
std::string what_limits(const Prediction& prediction);

}  // namespace warplens::time
