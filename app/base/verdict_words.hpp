// What a run came to, in the same words on the command line and in the window.
#pragma once

#include <algorithm>
#include <string_view>

#include "engine/run/report.hpp"

namespace warplens::app {

inline constexpr std::string_view kStopped = "stopped",
                                  kUntilThen = "counts and pictures are of what ran until then",
                                  kVerifiedHere = "verified at this size",
                                  kWrongElsewhere = "at others it is wrong";

// Of wavefronts of shared memory.
inline constexpr std::string_view kAbout = "~",
                                  kGuessed =
                                      "a guess: the machine code has other widths than the model expects";
inline bool is_guessed(const run::Report& report) { return !report.vectorized_as_in_cubin.value_or(true); }

// Right as far as it was asked for, and wrong at another size that was tried.
inline bool is_wrong_elsewhere(const run::Report& report) {
  return std::ranges::any_of(report.findings, [](const check::Finding& finding) {
    return finding.kind == check::Kind::wrong_at_odd_size;
  });
}

}  // namespace warplens::app
