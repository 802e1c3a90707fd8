// The buffers of an instance in emulated memory.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::run {

// Room for the buffers and for what a program adds.
std::uint64_t memory_for(const problem::Instance& instance);
// Filled; outputs that start with poison hold finite numbers in its place, so that beta * C is 0 where beta
// is.
Result<std::vector<emulator::Allocation>> place_buffers(const problem::Instance& instance,
                                                        emulator::GlobalMemory& memory);

// Of all blocks, with the problem's arguments; everything else is as Launch has it. Error: a kernel that does
// not take them, where it is, and what it should be.
Result<emulator::Launch> launch_on(const std::vector<emulator::Allocation>& places,
                                   const emulator::Kernel& kernel, const problem::Instance& instance,
                                   const catalog::LaunchShape& shape);

}  // namespace warplens::run
