// A compilation with limits: a template, a macro or an unrolled loop without an end takes all memory and for
// ever, and NVRTC cannot be told to stop.
#pragma once

#include <functional>
#include <optional>

#include "engine/compile/nvrtc.hpp"

namespace warplens::compile {

// Does it in a copy of this process, of 2 GiB and 20 seconds of a processor at most. Nothing: it cannot be
// done so, as this process has several threads, of which a copy would have one only.
std::optional<Result<Nvrtc::Outcome>> compile_guarded(const std::function<Result<Nvrtc::Outcome>()>& compile,
                                                      const std::string& file_name,
                                                      const std::function<bool()>& is_stopped);

}  // namespace warplens::compile
