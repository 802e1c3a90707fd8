// Counts of the accesses of a trace, by the same rules by which the emulator counts.
#pragma once

#include <cstddef>
#include <functional>

#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::instrument {

// Counts of each row of kernel.function().code and in total, of the trace's
// blocks. Also rows' `executed` and `lanes`, where an instruction made one access each time;
// requests_in_ptx is left at 0.
emulator::Counters count_accesses(const trace::Trace& trace, const emulator::Kernel& kernel,
                                  const device::Device& device);

// Of one access by itself. An asynchronous copy by its source alone; instruction: row access.pc of the
// kernel's code.
emulator::AccessCounts counts_of(const trace::Access& access, const ptx::Instruction& instruction,
                                 const device::Device& device);
// Of one block access by access: what each adds to its total. A copy to shared memory is told once,
// by its source.
using CountVisitor = std::function<void(const trace::Access&, const emulator::AccessCounts&)>;
void visit_counts(const trace::Trace& trace, std::size_t b, const emulator::Kernel& kernel,
                  const device::Device& device, const CountVisitor& visit);

}  // namespace warplens::instrument
