// Why one kernel takes longer than another, or no less, as the model has it: what is busy, where their warps
// wait, what they execute.
#pragma once

#include <string>

#include "engine/time/predict.hpp"

namespace warplens::time {

struct ReasonWords {
  std::string words, brief;  // brief: for those who read few words
  bool empty() const { return words.empty(); }
};

// "its warps wait 16 % of their time for global memory, against 11 % in step 5", in brief "16 % waits for
// global memory, not 11 %": the first reason that the model sees; empty where it sees none. other: what the
// quicker one is called.
ReasonWords why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other);

// "memory is busy 93 % of the time in both": what keeps two kernels equally slow, however they differ. Empty
// where it is not the same thing, or neither is held by one.
ReasonWords what_holds_both(const Prediction& one, const Prediction& other);

}  // namespace warplens::time
