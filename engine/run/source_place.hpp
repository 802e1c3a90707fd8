// Which line of the kernel file a line of its PTX came from.
#pragma once

#include <string_view>

#include "engine/base/error.hpp"

namespace warplens::run {

// By the last `.loc` before the line (from 1) and the `.file` that it names. An empty place where there is
// none. Works on text that the parser does not understand. Source: PTX ISA, debugging directives.
Place source_place(std::string_view ptx, int line);

}  // namespace warplens::run
