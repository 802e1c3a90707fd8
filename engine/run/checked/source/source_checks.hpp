// What only the source says of a kernel: a column beyond its row, an element beyond an array that lies beside
// another one, a pointer to what has ended. The compiler's text has one piece of memory there.
#pragma once

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Indices that are certain: of constants, loops and the threads of block 0, where every condition around the
// access is known. Lines of the kernel file.
check::Findings overruns_in_source(const Job& job);
// A pointer that is used behind the block of the variable that it was set to.
check::Findings ended_variables_in_source(const Job& job);
// A member of a local struct or vector that is read and that nothing sets: the compiler takes any value for
// it.
check::Findings unset_members_in_source(const Job& job);

// Products of two numbers of the int type, as "row * columns", that are beyond it at the sizes of the file's own host code,
// which are too large to run: warnings.
check::Findings overflows_in_source(const Job& job);

}  // namespace warplens::run
