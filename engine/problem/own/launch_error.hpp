// Launches that no device makes, as the host code of a file has them.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::problem {

// Of the first launch that has too many threads, or no block at all, with its line; the file is not known.
// Numbers that may be others when the program runs are left alone.
std::optional<Error> launch_error(std::string_view code);

}  // namespace warplens::problem
