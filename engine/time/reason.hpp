// Why one kernel takes longer than another, as the model has it: where their warps wait, and what is busy.
#pragma once

#include <string>

#include "engine/time/predict.hpp"

namespace warplens::time {

// "its warps wait 16 % of their time for global memory, against 11 % in step 5": the greatest difference that
// the model sees; empty where it sees none. other: what the quicker one is called.
std::string why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other);

}  // namespace warplens::time
