// Faults of a kernel without a front matter that no other guess would cure.
#pragma once

#include "engine/run/checked/guesses.hpp"
#include "engine/run/checked/trials.hpp"

namespace warplens::run {

// Marks errors as certain that the kernel has at every size that is tried: races of plain accesses and
// negative indices where the launch is the file's, accesses beside arrays in shared memory with every smaller
// block, and what threads of a block do to each other where no usual block is free of errors. Where the data
// may be indices nothing is certain.
void mark_certain(const Run& run, const Circumstances& found, Report& report);

}  // namespace warplens::run
