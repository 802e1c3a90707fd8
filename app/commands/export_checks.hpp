// What is known against a kernel of which a figure becomes a file.
#pragma once

#include "engine/base/result.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// Error: a result that is wrong. No file shows one.
Status check_result(const run::Run& run);

// What the picture says of the kernel, on stderr too. True where it is an error.
bool tell_notice(const run::Run& run);

}  // namespace warplens::app
