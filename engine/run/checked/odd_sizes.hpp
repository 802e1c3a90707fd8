// Whether a kernel that is right at the sizes asked for is right at odd ones as well, and where its sizes
// differ.
#pragma once

#include <optional>

#include "engine/check/finding.hpp"
#include "engine/run/checked/trials.hpp"

namespace warplens::run {

// A warning that says where it goes wrong, and which of the sizes tried are right: multiples of what, or those
// of which two are equal; empty if it is right. Sizes that the kernel file does not take are not tried. Each
// trial is of a few million operations at most.
std::optional<check::Finding> finding_at_odd_sizes(const Trials& trials);

// "wrong at N = 1003: what; of the sizes tried, right": what was seen, and no rule made of it.
std::string wrong_at(const catalog::Values& sizes, const std::string& what, const std::string& right);

// Small ones, multiples of `unit`.
catalog::Values small_sizes(const Trials& trials, std::int64_t unit);
// Some that differ by much, in the order of their names or the other way round.
catalog::Values apart_sizes(const Trials& trials, std::int64_t unit, bool descending);
// Of sizes only one is free, and the work grows as it does.
bool is_of_one_dimension(const Trials& trials);

}  // namespace warplens::run
