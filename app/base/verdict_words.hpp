// What a run came to, in the same words on the command line and in the window.
#pragma once

#include <algorithm>
#include <string_view>

#include "engine/run/report.hpp"

namespace warplens::app {

inline constexpr std::string_view kStopped = "stopped",
                                  kUntilThen = "counts and pictures are of what ran until then",
                                  kVerifiedHere = "verified at this size",
                                  kWrongElsewhere = "at others it is wrong",
                                  kVerifiedWithThis = "verified with this data",
                                  kWrongWithOther = "with other data it is wrong";

// Of wavefronts of shared memory.
inline constexpr std::string_view kAbout = "~",
                                  kGuessed =
                                      "a guess: the machine code has other widths than the model expects";
inline bool is_guessed(const run::Report& report) { return !report.vectorized_as_in_cubin.value_or(true); }

inline bool has_kind(const run::Report& report, check::Kind kind) {
  return std::ranges::any_of(report.findings,
                             [kind](const check::Finding& finding) { return finding.kind == kind; });
}

// Right as far as it was asked for, and wrong at another size, or with other data, that was tried.
inline bool is_wrong_elsewhere(const run::Report& report) {
  return has_kind(report, check::Kind::wrong_at_odd_size) ||
         has_kind(report, check::Kind::wrong_with_other_data);
}
struct Elsewhere {
  std::string_view here, there;
};
inline Elsewhere words_of_elsewhere(const run::Report& report) {
  return has_kind(report, check::Kind::wrong_at_odd_size) ? Elsewhere{kVerifiedHere, kWrongElsewhere}
                                                          : Elsewhere{kVerifiedWithThis, kWrongWithOther};
}

}  // namespace warplens::app
