// The words of the figure of time.
#pragma once

#include <string>
#include <string_view>

#include "viz/figures/time/time.hpp"

namespace warplens::figures {

// A fix that saves less of the time is none.
inline constexpr double kPays = 0.05;
// Less than this share of the time is not worth a word where nobody asks for it, and no reproach where somebody does.
inline constexpr double kWorthAWord = 0.15;

// "Multiply-add units"; short: for bottlenecks, "multiply-add".
std::string_view unit_name(std::string_view unit, bool is_short);
// "waits for global memory"; short: "global memory".
std::string_view stall_name(const time::Prediction& prediction, time::Stall stall, bool is_short);
// "M = N = K = 4,096"
std::string size_words(const run::Plan& plan);
// "31.2 µs".
std::string duration(double seconds);
// "predicted 2.1 ms, recorded 2.0 ms: 5 % too long"; recorded: seconds, 0: not known.
std::string predicted_words(const time::Prediction& prediction, double recorded);
// What speeds are of: operations, or the bytes that any kernel of the problem must move.
struct Work {
  double amount = 0;
  std::string_view unit;
};
Work work_of(const problem::Instance& problem);
Work work_of(const run::Run& run);  // operations that are none of floats are called so
// "12.3 TFLOP/s".
std::string speed_words(const Work& work, double seconds);
// "97 %".
std::string share_text(double share);
// "The warp schedulers" as "the warp schedulers"; names such as L1 stay.
std::string in_a_sentence(std::string text);
// Whether one unit is busy enough to be what limits the kernel; else its warps wait.
bool has_limiter(const time::Prediction& prediction);
// "Shared memory limits this step: busy 97 % of the kernel's cycles"; with what it claims, and alone.
explain::Said headline_said(const time::Prediction& prediction);
std::string headline(const time::Prediction& prediction);
// "of 350 µs predicted, the busiest unit (issue) needs 286 µs".
std::string bound_words(const time::Prediction& prediction);

}  // namespace warplens::figures
