// The parameter block of a launch: what a problem passes, laid out as the kernel's PTX declares it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/problem/problem.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::run {

// places: the address of each buffer that the arguments name. extra: an address for one more parameter,
// behind those of the problem (text that records its accesses has one). Errors: parameters of another number
// or size.
Result<std::vector<std::byte>> argument_bytes(std::span<const problem::Argument> arguments,
                                              const ptx::Function& function,
                                              std::span<const emulator::Allocation> places,
                                              std::optional<std::uint64_t> extra = std::nullopt);

// Whether the kernel has grid.sync(), so that its launches must be cooperative ones.
bool is_cooperative(std::string_view ptx);

// Of the buffer that each argument names; 0 where it is a number.
std::vector<std::uint64_t> buffer_bytes(const problem::Instance& instance);

}  // namespace warplens::run
