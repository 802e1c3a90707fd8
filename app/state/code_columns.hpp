// The counter beside the code, as the picture of the source calls its columns.
#pragma once

#include <string>

#include "app/state/state.hpp"

namespace warplens::app {

// Empty: none.
std::string column_of(Counter counter);

}  // namespace warplens::app
