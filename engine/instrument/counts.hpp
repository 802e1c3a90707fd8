// Counts of the accesses of a trace, by the same rules by which the emulator counts.
#pragma once

#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::instrument {

// Counts of each row of kernel.function().code and in total, of the trace's
// blocks. Also rows' `executed` and `lanes`, where an instruction made one access each time;
// requests_in_ptx is left at 0.
emulator::Counters count_accesses(const trace::Trace& trace, const emulator::Kernel& kernel,
                                  const device::Device& device);

}  // namespace warplens::instrument
