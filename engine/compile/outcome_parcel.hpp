// What came of a compilation as a text, from the process that did it.
#pragma once

#include <optional>
#include <string>

#include "engine/compile/nvrtc.hpp"

namespace warplens::compile {

std::string packed_outcome(const Result<Nvrtc::Outcome>& result);
// Nothing: it is no such text.
std::optional<Result<Nvrtc::Outcome>> unpacked_outcome(const std::string& text);

}  // namespace warplens::compile
