// How much the macros of a source become, before a compiler is asked to write it all out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::compile {

// The first macro in use that becomes more tokens than a compiler can take in the time it has ("macro bomb");
// nothing: none does. Each name stands for its last #define, whatever #if says. file: for the error's place.
std::optional<Error> endless_macro(std::string_view source, const std::string& file);

}  // namespace warplens::compile
