// What holds a kernel, as the model has it, in words.
#pragma once

#include <string>
#include <string_view>

#include "engine/time/predict.hpp"

namespace warplens::time {

// With the one number that is in it.
struct ReasonWords {
  std::string words, brief;      // brief: for those who read few words
  std::string_view name = {};    // of what holds them, as Hold has it
  double value = 0;              // a share of the time of both, or how many atomics
  std::string number = {};       // the same as the words have it
  std::string long_number = {};  // where they have it in other words too; may be empty
  bool is_count = false;
  bool empty() const { return words.empty(); }
};

// "memory is busy 93 % of both kernels' time": what keeps two kernels equally slow, however they differ. Empty
// where it is not the same thing, or neither is held by one.
ReasonWords what_holds_both(const Prediction& one, const Prediction& other);

// What fills most of the time of a kernel: a unit, the starts of blocks, or atomics at one address.
struct Hold {
  std::string_view name;
  double busy = 0;
};
Hold hold_of(const Prediction& prediction);
std::string share_of(const Hold& hold);  // "83 %", "no block for 83 %"
// "shared memory is busy 83 % of the kernel's cycles", "handing blocks to the SMs takes 94 % of the kernel's cycles".
std::string words_of(const Hold& hold, std::string_view whose = "the kernel's");
// Whether the name of a unit is a plural: "the tensor cores".
bool are_many(std::string_view unit);

// "global memory": what a warp waits for.
std::string_view waited_for(Stall stall);

}  // namespace warplens::time
