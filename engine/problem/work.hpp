// What kind of operations a problem has.
#pragma once

#include <string_view>

namespace warplens::problem {

// Whether the operations of a problem are multiply-adds, in which a device's peak is counted: work without
// them reaches half of it. False where there is no such problem.
bool has_multiply_adds(std::string_view problem);

}  // namespace warplens::problem
