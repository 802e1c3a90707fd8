// What the threads of one warp lose by rounding: beside each number that they compute the one that it would be
// had nothing been rounded before.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::trace {

// One addition, subtraction or multiply-add of floats that the result of its thread is made of.
struct RoundedStep {
  std::uint32_t read = 0;   // numbers that the thread has read from global memory until then
  double error = 0;         // what it computed less what it would be without any rounding
  double exact = 0;         // what it would be
  std::uint32_t terms = 0;  // numbers that it is made of, each as often as it was added
};

// Of one thread: the last number that it stores in global memory.
struct ThreadRounding {
  bool stored = false;
  bool is_double = false;  // stored as one
  double result = 0, exact = 0;
  std::vector<RoundedStep> steps = {};  // in the order of execution

  double error() const { return result - exact; }
  // Of the last place of the exact result, as a number of its type.
  double unit() const;
  double units_off() const;  // the error in those
};

struct WarpRounding {
  std::uint64_t block = 0;  // linear index
  std::uint32_t warp = 0;
  std::array<ThreadRounding, 32> threads{};
  // Numbers that came from other threads, or were computed by what is not followed (quotients, square roots,
  // sines), are taken as exact.
  bool takes_from_others = false, uses_functions = false;

  // The thread whose result is the furthest off; -1 where none stores any.
  int worst() const;
};

}  // namespace warplens::trace
