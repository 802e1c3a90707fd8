// mbarrier, the barriers in shared memory behind cuda::barrier and cuda::pipeline. PTX ISA 9.0,
// section 9.7.13.15 "mbarrier".
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::Opcode;

namespace {

constexpr std::uint64_t kCount = kMostArrivals;
constexpr int kExpectedAt = 20, kBytesAt = 40, kBytesWide = 22, kValidAt = 62, kOddAt = 63;

}  // namespace

SharedBarrier SharedBarrier::from(std::uint64_t bits) {
  const int above = 64 - kBytesAt - kBytesWide;
  return {.pending = static_cast<std::uint32_t>(bits & kCount),
          .expected = static_cast<std::uint32_t>(bits >> kExpectedAt & kCount),
          .bytes = static_cast<std::int64_t>(bits << above) >> (64 - kBytesWide),
          .valid = (bits >> kValidAt & 1) != 0,
          .odd = (bits >> kOddAt & 1) != 0};
}

std::uint64_t SharedBarrier::bits() const {
  const std::uint64_t some = static_cast<std::uint64_t>(bytes) & ((std::uint64_t{1} << kBytesWide) - 1);
  return pending | std::uint64_t{expected} << kExpectedAt | some << kBytesAt |
         std::uint64_t{valid} << kValidAt | std::uint64_t{odd} << kOddAt;
}

void SharedBarrier::turn() {
  if (pending != 0 || bytes != 0) return;
  odd = !odd;
  pending = expected;
}

namespace {

std::uint64_t load_bits(const std::byte* host) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, host, 8);
  return bits;
}

std::string name_of(const Warp& warp, std::uint64_t address) {
  return warp.worker->layout->describe(static_cast<std::uint32_t>(address));
}

// Where the lanes' barriers are. False: a fault has been raised.
bool find_barriers(Warp& warp, const MicroOp* op, std::size_t operand, LaneAccess& access) {
  const PtxDetail& detail = detail_of(op);
  const auto address = addresses_of(warp, detail.operands[operand], warp.exec);
  std::uint32_t rest = 0;
  if (!resolve(warp, op, detail.instruction->space, warp.exec, address, 8, true, true, access, rest))
    return false;
  if (access.space == ptx::Space::shared && rest == 0) return true;
  fault(warp, op, Fault::Kind::out_of_bounds, static_cast<std::uint32_t>(__builtin_ctz(warp.exec)),
        address[static_cast<std::size_t>(__builtin_ctz(warp.exec))],
        "uses a barrier of a block that is not in shared memory", "declare it __shared__");
  return false;
}

const MicroOp* not_initialised(Warp& warp, const MicroOp* op, std::uint32_t lane, std::uint64_t address) {
  return fault(warp, op, Fault::Kind::uninitialised_shared, lane, address,
               "uses the barrier " + name_of(warp, address) + ", which nobody has initialized",
               "let one thread call init() for it, and put __syncthreads() behind that");
}

// Changes the barrier of each lane, one after the other; `change` returns false where it raised a fault.
template <class Change>
const MicroOp* for_each_barrier(Warp& warp, const MicroOp* op, std::size_t operand, Change change) {
  LaneAccess access;
  if (!find_barriers(warp, op, operand, access)) return nullptr;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint64_t before = load_bits(access.host[lane]);
    SharedBarrier barrier = SharedBarrier::from(before);
    const bool known = barrier.valid && before >> 32 != kSharedPoison;
    if (!known) return not_initialised(warp, op, lane, access.address[lane]);
    if (!change(lane, barrier, access.address[lane], before)) return nullptr;
    const std::uint64_t after = barrier.bits();
    std::memcpy(access.host[lane], &after, 8);
    mark_written(warp, access.address[lane], access.host[lane], 8);
  }
  return op + 1;
}

const MicroOp* initialise(Warp& warp, const MicroOp* op) {
  LaneAccess access;
  if (!find_barriers(warp, op, 0, access)) return nullptr;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint64_t count = read_operand(warp, detail_of(op).operands[1].place, lane) & 0xffffffffu;
    if (count == 0 || count > kMostArrivals)
      return fault(warp, op, Fault::Kind::barrier, lane, access.address[lane],
                   "initializes the barrier " + name_of(warp, access.address[lane]) + " for " +
                       grouped(count) + " threads",
                   "give init() a number from 1 to " + grouped(kMostArrivals));
    const SharedBarrier fresh{.pending = static_cast<std::uint32_t>(count),
                              .expected = static_cast<std::uint32_t>(count),
                              .valid = true};
    const std::uint64_t bits = fresh.bits();
    std::memcpy(access.host[lane], &bits, 8);
    mark_written(warp, access.address[lane], access.host[lane], 8);
  }
  return op + 1;
}

const MicroOp* invalidate(Warp& warp, const MicroOp* op) {
  return for_each_barrier(warp, op, 0,
                          [](std::uint32_t, SharedBarrier& barrier, std::uint64_t, std::uint64_t) {
                            barrier = SharedBarrier{};
                            return true;
                          });
}

bool too_many(Warp& warp, const MicroOp* op, std::uint32_t lane, std::uint64_t address,
              std::uint32_t expected) {
  fault(warp, op, Fault::Kind::barrier, lane, address,
        "arrives at the barrier " + name_of(warp, address) + " when all " + grouped(expected) +
            " that it waits for have come",
        "let as many threads arrive in each phase as init() was told");
  return false;
}

// expect_tx, complete_tx: bytes that asynchronous copies are to bring, or have brought.
const MicroOp* change_bytes(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const bool expects = detail.instruction->opcode == Opcode::mbarrier_expect_tx;
  return for_each_barrier(
      warp, op, 0, [&](std::uint32_t lane, SharedBarrier& barrier, std::uint64_t, std::uint64_t) {
        const auto bytes =
            static_cast<std::int64_t>(read_operand(warp, detail.operands[1].place, lane) & 0xffffffffu);
        barrier.bytes += expects ? bytes : -bytes;
        if (!expects) barrier.turn();
        return true;
      });
}

const MicroOp* arrive(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const Opcode opcode = detail.instruction->opcode;
  const bool expects =
      opcode == Opcode::mbarrier_arrive_expect_tx || opcode == Opcode::mbarrier_arrive_drop_expect_tx;
  const bool drops = opcode == Opcode::mbarrier_arrive_drop ||
                     opcode == Opcode::mbarrier_arrive_drop_expect_tx ||
                     opcode == Opcode::mbarrier_arrive_drop_no_complete;
  return for_each_barrier(
      warp, op, 1,
      [&](std::uint32_t lane, SharedBarrier& barrier, std::uint64_t address, std::uint64_t before) {
        std::uint32_t count = 1;
        if (detail.operands.size() > 2) {
          const auto given = static_cast<std::uint32_t>(read_operand(warp, detail.operands[2].place, lane));
          if (expects)
            barrier.bytes += given;
          else
            count = given;
        }
        if (count > barrier.pending) return too_many(warp, op, lane, address, barrier.expected);
        if (drops) barrier.expected -= count;
        barrier.pending -= count;
        barrier.turn();
        write_operand(warp, detail.operands[0].place, lane, before);
        return true;
      });
}

const MicroOp* pending_count(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    write_operand(warp, detail.operands[0].place, lane,
                  SharedBarrier::from(read_operand(warp, detail.operands[1].place, lane)).pending);
  });
  return op + 1;
}

bool waits_by_parity(Opcode opcode) {
  return opcode == Opcode::mbarrier_test_wait_parity || opcode == Opcode::mbarrier_try_wait_parity;
}

// Whether the phase that an arrival's state or a parity means is over.
bool is_over(const ptx::Instruction& i, const SharedBarrier& now, std::uint64_t phase) {
  const bool odd = waits_by_parity(i.opcode) ? (phase & 1) != 0 : SharedBarrier::from(phase).odd;
  return now.odd != odd;
}

// test_wait, try_wait: the lanes whose phase is over get true. Where there are none, try_wait waits, and
// test_wait lets others run before it goes on.
const MicroOp* wait_for_phase(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  LaneAccess access;
  if (!find_barriers(warp, op, 1, access)) return nullptr;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint64_t bits = load_bits(access.host[lane]);
    if (!SharedBarrier::from(bits).valid || bits >> 32 == kSharedPoison)
      return not_initialised(warp, op, lane, access.address[lane]);
  }
  const std::uint32_t over = phases_over(warp, detail, warp.exec);
  const Opcode opcode = detail.instruction->opcode;
  const bool tries = opcode == Opcode::mbarrier_try_wait || opcode == Opcode::mbarrier_try_wait_parity;
  if (over == 0 && tries && warp.exec == warp.active && !warp.running.timed_out)
    return stop(warp, op, Event::memory_barrier);
  warp.running.timed_out = false;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    write_operand(warp, detail.operands[0].place, lane, over >> lane & 1);
  });
  return over == 0 ? stop(warp, op, Event::yield) : op + 1;
}

// cp.async.mbarrier.arrive{.noinc}: an arrival when the copies that the thread issued before have come.
const MicroOp* arrive_with_copies(Warp& warp, const MicroOp* op) {
  PendingArrival& arrival = warp.worker->arrivals.emplace_back();
  arrival.warp = &warp;
  arrival.lanes = warp.exec;
  arrival.copies = warp.copies_issued;
  const bool counts = detail_of(op).instruction->opcode == Opcode::cp_async_mbarrier_arrive;
  return for_each_barrier(
      warp, op, 0, [&](std::uint32_t lane, SharedBarrier& barrier, std::uint64_t address, std::uint64_t) {
        arrival.barrier[lane] = static_cast<std::uint32_t>(address);
        if (counts) ++barrier.pending;
        return true;
      });
}

}  // namespace

std::uint32_t phases_over(Warp& warp, const PtxDetail& detail, std::uint32_t lanes) {
  std::uint32_t over = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    const auto offset = static_cast<std::uint32_t>(read_operand(warp, detail.operands[1].place, lane) +
                                                   static_cast<std::uint64_t>(detail.operands[1].offset));
    finish_copies(warp, offset);
    const auto now = SharedBarrier::from(load_bits(shared_at(warp, offset)));
    if (is_over(*detail.instruction, now, read_operand(warp, detail.operands[2].place, lane)))
      over |= 1u << lane;
  });
  return over;
}

std::string words_of_phase(const Warp& warp, const Group& group) {
  const OperandPlace& place = group.wait->operands[1];
  const auto lane = static_cast<std::uint32_t>(__builtin_ctz(group.mask));
  const auto offset = static_cast<std::uint32_t>(read_operand(warp, place.place, lane) +
                                                 static_cast<std::uint64_t>(place.offset));
  const auto now = SharedBarrier::from(load_bits(shared_at(warp, offset)));
  std::string text = "the barrier " + name_of(warp, offset) + ": " +
                     grouped(now.expected - std::min(now.pending, now.expected)) + " of " +
                     grouped(now.expected) + " threads have arrived";
  if (now.bytes > 0) text += ", and " + grouped(static_cast<std::uint64_t>(now.bytes)) + " bytes are to come";
  return text;
}

Handler barrier_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mbarrier_init:
      return initialise;
    case Opcode::mbarrier_inval:
      return invalidate;
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
      return change_bytes;
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_expect_tx:
    case Opcode::mbarrier_arrive_no_complete:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_arrive_drop_expect_tx:
    case Opcode::mbarrier_arrive_drop_no_complete:
      return arrive;
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_test_wait_parity:
    case Opcode::mbarrier_try_wait:
    case Opcode::mbarrier_try_wait_parity:
      return wait_for_phase;
    case Opcode::mbarrier_pending_count:
      return pending_count;
    case Opcode::cp_async_mbarrier_arrive:
    case Opcode::cp_async_mbarrier_arrive_noinc:
      return arrive_with_copies;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator
