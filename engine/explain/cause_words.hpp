// What a cause that the model of time found is called, with how much less or more there is of it.
#pragma once

#include <string>

#include "engine/explain/claims/claims.hpp"
#include "engine/run/count.hpp"
#include "engine/time/apart.hpp"

namespace warplens::explain {

// What a number of a sentence is of, and how many times as much the other has.
struct CauseWords {
  std::string words = {};     // "2.0 times fewer wavefronts of shared memory"
  Claims claims = {};         // of its numbers
  std::string quantity = {};  // "wavefronts of shared memory"; empty where it is no amount of both
  double times = 0;           // fewer; below 1: more, one over that
};
// step, other: counts of both; their machine instructions where they are known. called: the other.
CauseWords cause_words(const time::Cause& cause, const time::Apart& apart, const run::StepCount& step,
                       const run::StepCount& other, const std::string& called);

// 1.73, 5.4, 32
std::string ratio_words(double ratio);

}  // namespace warplens::explain
