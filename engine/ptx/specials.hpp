// The names of the special registers. PTX ISA 10 "Special Registers".
#pragma once

#include <string_view>

#include "engine/ptx/opcodes.hpp"

namespace warplens::ptx {

Special special_of(std::string_view name);       // Special::none where it is not one
std::string_view special_name(Special special);  // "%tid.x"

}  // namespace warplens::ptx
