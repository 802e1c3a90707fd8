// The buffers of an instance in emulated memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::run {

// Room for the buffers and for what a program adds.
std::uint64_t memory_for(const problem::Instance& instance);
// Room for each buffer.
Result<std::vector<emulator::Allocation>> allocate_buffers(const problem::Instance& instance,
                                                           emulator::GlobalMemory& memory);
// What they hold at the start; an output that starts unwritten holds finite numbers, so that beta * C is 0
// where beta is. Once cancelled, the other buffers stay as they are.
void fill_buffers(const problem::Instance& instance, const std::vector<emulator::Allocation>& places,
                  emulator::GlobalMemory& memory, const std::atomic<bool>* cancel = nullptr);
// Both.
Result<std::vector<emulator::Allocation>> place_buffers(const problem::Instance& instance,
                                                        emulator::GlobalMemory& memory,
                                                        const std::atomic<bool>* cancel = nullptr);

// Of all blocks, with the problem's arguments; everything else is as Launch has it. Error: a kernel that does
// not take them, where it is, and what it should be.
Result<emulator::Launch> launch_on(const std::vector<emulator::Allocation>& places,
                                   const emulator::Kernel& kernel, const problem::Instance& instance,
                                   const catalog::LaunchShape& shape);

}  // namespace warplens::run
