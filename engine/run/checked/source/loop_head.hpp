// Where a loop begins in the source. Lines of its instructions say that, unless the compiler removed its
// condition.
#pragma once

#include <string_view>

namespace warplens::run {

// The line of the innermost for, while or do around this line, or the line itself where it has one; 0: there
// is none.
int loop_head(std::string_view code, int line);

}  // namespace warplens::run
