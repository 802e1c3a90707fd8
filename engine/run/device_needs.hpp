// Instructions that a device does not have at all, so that no kernel with them runs there.
#pragma once

#include <string>
#include <string_view>

#include "engine/device/device.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::run {

struct Run;

// "cp.async needs 8.0": the first instruction of the kernel that the device does not have and that no other
// stands for; empty where it has all. The emulator runs it all the same: counts are by the device's memory
// rules. Source: PTX ISA, "Target ISA Notes" of each instruction.
std::string missing_instruction(const ptx::Function& function, const device::Device& device);
// The same where atomics count too. The ladders of reductions end in an atomic where the lectures that they
// are from launched a second kernel, so that what they take on the chips of that time is told; that they run
// there is not.
std::string instruction_lacked(const ptx::Function& function, const device::Device& device);
// The same of a run's kernel on its device; empty where it has no kernel.
std::string missing_instruction(const Run& run);
// "cp.async needs 8.0: plain copies run here", where the source has such an instruction behind __CUDA_ARCH__
// and the code for this device is without it; empty elsewhere. source: the kernel's file.
std::string replaced_instruction(std::string_view source, const ptx::Function& function,
                                 const device::Device& device);

}  // namespace warplens::run
