// Reading and writing operands lane by lane, for handlers that have no warp-wide form.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/emulator/access_units.hpp"
#include "engine/emulator/lowering/code.hpp"
#include "engine/emulator/lowering/warp.hpp"

namespace warplens::emulator {

std::uint64_t read_operand(const Warp& warp, const ColdOperand& operand, std::uint32_t lane);
void write_operand(Warp& warp, const ColdOperand& operand, std::uint32_t lane, std::uint64_t value);

// Calls visit(lane) for each lane that the operation acts on, in ascending order.
template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

// Where an operand of memory points to; one of 32 bits is an offset in shared memory.
std::uint64_t address_of(const Warp& warp, const OperandPlace& operand, std::uint32_t lane);
std::array<std::uint64_t, 32> addresses_of(const Warp& warp, const OperandPlace& operand,
                                           std::uint32_t lanes);

// Where 32 lanes access memory: one space and 32 addresses, checked. See slow_access.cpp.
struct LaneAccess {
  ptx::Space space = ptx::Space::global;  // global, shared or local, after resolving generic addresses
  std::uint32_t active = 0;
  // global: generic; shared: offset; local: offset in the thread's memory
  std::array<std::uint64_t, 32> address{};
  std::array<std::byte*, 32> host{};
};
// Resolves and checks addresses of `width` bytes; false: a fault has been raised (return the result of
// stop()). A generic access whose lanes meet different spaces is split by the caller: `remaining` gets the
// lanes left out.
bool resolve(Warp& warp, const MicroOp* op, ptx::Space space, std::uint32_t lanes,
             const std::array<std::uint64_t, 32>& address, int width, bool write, bool atomic,
             LaneAccess& access, std::uint32_t& remaining);
// What the rules of counting are asked about.
analysis::WarpAccess counted_access(const LaneAccess& access, int width, AccessKind kind);
// Counts an access at the op's site and reports it to the observer.
void count(Warp& warp, std::uint32_t site, std::uint32_t pc, const LaneAccess& access, int width,
           AccessKind kind, AccessUnits units);
// Only reports it.
void report(Warp& warp, std::uint32_t pc, const LaneAccess& access, int width, AccessKind kind);

// The byte at an address of shared memory that was resolved.
std::byte* shared_at(const Warp& warp, std::uint64_t address);
// What an atomic of i.atomic and i.type does to one element, which others may change at the same time; c: of
// cas. Returns what was there.
std::uint64_t update_element(std::byte* host, const ptx::Instruction& i, std::uint64_t b,
                             std::uint64_t c = 0);
// After a store of `width` bytes to shared memory.
void mark_written(Warp& warp, std::uint64_t offset, const std::byte* data, int width);
// nullptr: a fault has been raised, because some of the bytes were never written.
const MicroOp* check_initialised(Warp& warp, const MicroOp* op, const LaneAccess& access, int width);

// What a lane did wrong, with its place. address: as in Fault.
Fault fault_of(Warp& warp, const MicroOp* op, Fault::Kind kind, std::uint32_t lane, std::uint64_t address,
               std::string what, std::string next_step);
// Raises a fault.
const MicroOp* fault(Warp& warp, const MicroOp* op, Fault::Kind kind, std::uint32_t lane,
                     std::uint64_t address, std::string what, std::string next_step);

// A product of matrices takes as long as many other instructions: the next look at budget and cancellation comes
// so much earlier. Of the warp that runs: one that stands would be taken for one that cannot go on.
inline void take_long(Warp& warp, std::uint64_t multiply_adds) {
  constexpr std::uint64_t kOfAnInstruction = 64;
  const std::uint64_t instructions = multiply_adds / kOfAnInstruction;
  warp.slice_end = std::max(warp.executed, warp.slice_end - std::min(warp.slice_end, instructions));
}

}  // namespace warplens::emulator
