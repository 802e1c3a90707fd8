// cp.async: the bytes are read when the copy is issued and reach shared memory when its group is waited for,
// so that a missing wait shows as the old (or never written) contents.
#include <algorithm>
#include <cstring>

#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {
namespace {

// The last operand: how many bytes to read, the others becoming 0, or a predicate that says to read none.
std::uint32_t bytes_to_read(const Warp& warp, const PtxDetail& detail, std::uint32_t lane,
                            std::uint32_t width) {
  if (detail.operands.size() <= 3) return width;
  const ColdOperand& last = detail.operands[3].place;
  const std::uint64_t value = read_operand(warp, last, lane);
  if (last.kind == ColdOperand::Kind::predicate) return value != 0 ? 0 : width;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value & 0xffffffffu, width));
}

// The source must be aligned to the whole width, but only the bytes that are read must exist.
bool resolve_source(Warp& warp, const MicroOp* op, const PtxDetail& detail, std::uint32_t reading,
                    const std::array<std::uint32_t, 32>& bytes, int width, LaneAccess& source) {
  const auto address = addresses_of(warp, detail.operands[1], warp.exec);
  const auto full = static_cast<std::uint32_t>(width);
  std::uint32_t rest = 0, whole = 0;
  for_each_lane(reading, [&](std::uint32_t lane) { whole |= bytes[lane] == full ? 1u << lane : 0; });
  if (whole != 0 && !resolve(warp, op, ptx::Space::global, whole, address, width, false, false, source, rest))
    return false;
  for (std::uint32_t mask = reading & ~whole; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    if (address[lane] % full != 0)  // raises the fault of a misaligned access
      return resolve(warp, op, ptx::Space::global, 1u << lane, address, width, false, false, source, rest);
    LaneAccess last_byte;
    auto end = address;
    end[lane] += bytes[lane] - 1;
    if (!resolve(warp, op, ptx::Space::global, 1u << lane, address, 1, false, false, source, rest) ||
        !resolve(warp, op, ptx::Space::global, 1u << lane, end, 1, false, false, last_byte, rest))
      return false;
  }
  source.active = reading;
  return true;
}

// cp.async.{ca,cg}.shared.global [target], [source], size {, source size}
const MicroOp* copy(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(warp.exec));
  const int width = static_cast<int>(read_operand(warp, detail.operands[2].place, first));
  LaneAccess target, source;
  std::uint32_t rest = 0;
  if (!resolve(warp, op, ptx::Space::shared, warp.exec, addresses_of(warp, detail.operands[0], warp.exec),
               width, true, false, target, rest))
    return nullptr;
  // Lanes that copy nothing (source size 0) only write zeros: their source address may point anywhere.
  std::array<std::uint32_t, 32> bytes{};
  std::uint32_t reading = 0;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    bytes[lane] = bytes_to_read(warp, detail, lane, static_cast<std::uint32_t>(width));
    reading |= bytes[lane] != 0 ? 1u << lane : 0;
  });
  if (reading != 0 && !resolve_source(warp, op, detail, reading, bytes, width, source)) return nullptr;
  PendingCopy& pending = warp.copies.emplace_back();
  pending.lanes = warp.exec;
  pending.width = static_cast<std::uint8_t>(width);
  pending.pc = op->pc;
  pending.number = warp.copies_issued++;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    pending.group[lane] = warp.committed[lane];
    pending.target[lane] = static_cast<std::uint32_t>(target.address[lane]);
    if (bytes[lane] != 0) std::memcpy(pending.data[lane].data(), source.host[lane], bytes[lane]);
  });
  if (reading != 0)
    count(warp, detail.site, op->pc, source, width, AccessKind::async_copy,
          copy_units(counted_access(source, width, AccessKind::async_copy), target.address,
                     detail.instruction->cache, *warp.worker->device));
  // The hardware counts the shared-memory side apart from stores: it is reported, not counted.
  report(warp, op->pc, target, width, AccessKind::async_copy);
  return op + 1;
}

const MicroOp* commit(Warp& warp, const MicroOp* op) {
  for_each_lane(warp.exec, [&](std::uint32_t lane) { ++warp.committed[lane]; });
  return op + 1;
}

void land_lane(Warp& warp, PendingCopy& pending, std::uint32_t lane) {
  std::memcpy(warp.shared + pending.target[lane], pending.data[lane].data(), pending.width);
  mark_written(warp, pending.target[lane], pending.data[lane].data(), pending.width);
  pending.lanes &= ~(1u << lane);
}

void forget_landed(Warp& warp) {
  std::erase_if(warp.copies, [](const PendingCopy& pending) { return pending.lanes == 0; });
}

// Lands the copies of the lanes' groups, but the latest `keep` committed ones (all of them, committed or not,
// where keep is negative).
void land(Warp& warp, std::int64_t keep) {
  for (PendingCopy& pending : warp.copies) {
    for_each_lane(pending.lanes & warp.exec, [&](std::uint32_t lane) {
      if (keep >= 0 && static_cast<std::int64_t>(pending.group[lane]) >=
                           static_cast<std::int64_t>(warp.committed[lane]) - keep)
        return;
      land_lane(warp, pending, lane);
    });
  }
  forget_landed(warp);
}

const MicroOp* wait_group(Warp& warp, const MicroOp* op) {
  land(warp, static_cast<std::int64_t>(read_operand(warp, detail_of(op).operands[0].place, 0)));
  return op + 1;
}

const MicroOp* wait_all(Warp& warp, const MicroOp* op) {
  land(warp, -1);
  return op + 1;
}

}  // namespace

void land_copies(Warp& warp, std::uint32_t lanes, std::uint64_t before) {
  for (PendingCopy& pending : warp.copies) {
    if (pending.number >= before) continue;
    for_each_lane(pending.lanes & lanes, [&](std::uint32_t lane) { land_lane(warp, pending, lane); });
  }
  forget_landed(warp);
}

namespace {

// The barrier at an offset, changed.
template <class Change>
void change_barrier(Warp& of_block, std::uint32_t offset, Change change) {
  std::byte* host = shared_at(of_block, offset);
  std::uint64_t bits = 0;
  std::memcpy(&bits, host, 8);
  SharedBarrier barrier = SharedBarrier::from(bits);
  change(barrier);
  barrier.turn();
  bits = barrier.bits();
  std::memcpy(host, &bits, 8);
  mark_written(of_block, offset, host, 8);
}

}  // namespace

namespace {

// Chunk by chunk, since a swizzle lets them change places.
void land_bulk(Warp& of_block, const PendingBulkCopy& copy) {
  for (std::uint32_t at = 0; at < copy.data.size(); at += tensor::kChunkBytes) {
    const std::uint32_t place = tensor::swizzled(copy.target + at, copy.swizzle);
    std::memcpy(shared_at(of_block, place), copy.data.data() + at, tensor::kChunkBytes);
    mark_written(of_block, place, copy.data.data() + at, tensor::kChunkBytes);
  }
}

// An offset in the shared memory of the cluster that means the block's own.
std::uint32_t own_offset(const BlockState& block, std::uint32_t offset) {
  const bool own = offset >> kRankShift == block.rank + 1;
  return own ? offset & static_cast<std::uint32_t>(kOwnOffset) : offset;
}

}  // namespace

void finish_copies(Warp& of_block, std::uint32_t offset) {
  auto& arrivals = of_block.worker->arrivals;
  for (PendingArrival& arrival : arrivals)
    for_each_lane(arrival.lanes, [&](std::uint32_t lane) {
      if (arrival.barrier[lane] != offset) return;
      land_copies(*arrival.warp, 1u << lane, arrival.copies);
      change_barrier(of_block, offset,
                     [](SharedBarrier& barrier) { barrier.pending -= barrier.pending != 0; });
      arrival.lanes &= ~(1u << lane);
    });
  std::erase_if(arrivals, [](const PendingArrival& arrival) { return arrival.lanes == 0; });
  offset = own_offset(*of_block.worker, offset);
  std::erase_if(*of_block.worker->bulk_copies, [&](const PendingBulkCopy& copy) {
    if (copy.barrier != offset) return false;
    land_bulk(of_block, copy);
    change_barrier(of_block, offset, [&](SharedBarrier& barrier) {
      barrier.bytes -= static_cast<std::int64_t>(copy.data.size());
    });
    return true;
  });
}

Handler copy_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::cp_async:
      return i.operands.size() >= 3 && i.operands[2].kind == ptx::Operand::Kind::immediate ? copy : nullptr;
    case ptx::Opcode::cp_async_commit_group:
      return commit;
    case ptx::Opcode::cp_async_wait_group:
      return wait_group;
    case ptx::Opcode::cp_async_wait_all:
      return wait_all;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator
