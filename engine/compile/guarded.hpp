// A compilation with limits: a template, a macro or an unrolled loop without an end takes all memory and for
// ever, NVRTC cannot be told to stop, and it reads whatever file a kernel names.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "engine/compile/nvrtc.hpp"

namespace warplens::compile {

using Compilation = std::function<Result<Nvrtc::Outcome>()>;

inline constexpr int kMostSecondsOfClock = 120;  // of a compilation, where others take the processor

struct Limits {
  std::string file_name;                             // as errors name it
  std::vector<std::filesystem::path> readable = {};  // see confine.hpp; NVRTC's own, see NvrtcLocation
  std::function<bool()> is_stopped = {};             // asked again and again
  int nice = 0;                                      // how much it gives way to others
};

int niceness();         // of this thread, as nice(2) counts; at least 0
bool has_one_thread();  // this process; false where the system does not say

// Does it in a copy of this process, of 2 GiB, 20 seconds of a processor and kMostSecondsOfClock at most,
// which reads the files of NVRTC alone. Nothing: it cannot be done so, as this process has several threads,
// of which a copy would have one only.
std::optional<Result<Nvrtc::Outcome>> compile_guarded(const Compilation& compile, const Limits& limits);

// In this process, on a thread that reads these files alone. Its time and memory have the limits that NVRTC
// itself looks at.
Result<Nvrtc::Outcome> compile_confined(const Compilation& compile, const Limits& limits);

}  // namespace warplens::compile
