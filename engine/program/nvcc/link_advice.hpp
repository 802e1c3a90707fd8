// What a file that nvcc compiled lacks to be a program, by what nvcc and the linker say of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::program {

// source: as the user names it. said: all that nvcc wrote. Nothing: it stopped for another reason, and says that best itself.
std::optional<Error> link_advice(const std::string& source, std::string_view said);

}  // namespace warplens::program
