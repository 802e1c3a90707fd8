#include "engine/emulator/testing/divergence_reference.hpp"

#include <algorithm>
#include <cstring>

#include "engine/emulator/semantics/semantics.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand;

namespace {
bool meets_lanes(const Instruction& i) {
  return i.opcode == Opcode::vote || i.opcode == Opcode::shfl || i.opcode == Opcode::match ||
         i.opcode == Opcode::redux;
}
const Operand& mask_of(const Instruction& i) { return i.operands.back(); }
}  // namespace

Reference::Reference(const Kernel& kernel, const Launch& launch, std::vector<std::uint32_t> memory,
                     std::uint64_t address)
    : kernel_(kernel),
      function_(kernel.function()),
      launch_(launch),
      memory_(std::move(memory)),
      address_(address),
      shared_(kernel.static_shared_bytes()),
      executed_(function_.code.size()) {}

bool Reference::run() {
  for (std::uint32_t block = 0; block < launch_.grid[0] && error_.empty(); ++block) run_block(block);
  return error_.empty();
}

void Reference::fail(const std::string& what) {
  if (error_.empty()) error_ = what;
}

void Reference::run_block(std::uint32_t block) {
  block_ = block;
  threads_.assign(std::size_t{launch_.block[0]} * launch_.block[1] * launch_.block[2], Thread{});
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    threads_[t].index = static_cast<std::uint32_t>(t);
    threads_[t].registers.resize(function_.registers.size());
  }
  for (;;) {
    for (Thread& thread : threads_) run_thread(thread);
    bool progress = false;
    for (std::size_t warp = 0; warp * 32 < threads_.size(); ++warp) progress |= meet(warp);
    if (!error_.empty()) return;
    if (std::all_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.done; })) return;
    if (!progress && !release_barrier()) return fail("no thread can go on");
  }
}

void Reference::run_thread(Thread& thread) {
  for (std::uint64_t steps = 0; !thread.done && !thread.waiting && error_.empty(); ++steps) {
    if (thread.pc >= function_.code.size()) {
      thread.done = true;
    } else if (!step(thread)) {
      thread.waiting = true;
    }
    if (steps > 1'000'000) fail("a thread does not end");
  }
}

bool Reference::release_barrier() {
  for (const Thread& thread : threads_)
    if (!thread.done && (!thread.waiting || function_.code[thread.pc].opcode != Opcode::bar_sync))
      return false;
  for (Thread& thread : threads_) {
    if (thread.done) continue;
    ++executed_[thread.pc];
    thread.waiting = false;
    ++thread.pc;
  }
  return true;
}

bool Reference::meet(std::size_t warp) {
  std::vector<Thread*> all;
  for (std::size_t t = warp * 32; t < std::min(threads_.size(), warp * 32 + 32); ++t)
    all.push_back(&threads_[t]);
  for (const Thread* first : all) {
    if (first->done || !first->waiting || !meets_lanes(function_.code[first->pc])) continue;
    const std::uint32_t pc = first->pc;
    const auto mask = static_cast<std::uint32_t>(read(*first, mask_of(function_.code[pc])));
    std::vector<Thread*> lanes;
    bool complete = true;
    for (Thread* thread : all) {
      if (thread->done || ((mask >> (thread->index % 32)) & 1) == 0) continue;
      complete &= thread->waiting && thread->pc == pc;
      lanes.push_back(thread);
    }
    if (!complete) continue;
    exchange(function_.code[pc], lanes);
    for (Thread* thread : lanes) {
      ++executed_[pc];
      thread->waiting = false;
      ++thread->pc;
    }
    return true;
  }
  return false;
}

void Reference::exchange(const Instruction& i, const std::vector<Thread*>& lanes) {
  std::vector<std::uint64_t> values;
  std::uint32_t all = 0, ballot = 0;
  for (const Thread* lane : lanes) {
    values.push_back(read(*lane, i.operands[i.destinations]));
    all |= 1u << (lane->index % 32);
    if (values.back() != 0) ballot |= 1u << (lane->index % 32);
  }
  const auto number = [&](std::size_t k) { return lanes[k]->index % 32; };
  std::uint32_t total = static_cast<std::uint32_t>(values[0]);
  for (std::size_t k = 1; k < values.size(); ++k) {
    const auto v = static_cast<std::uint32_t>(values[k]);
    const auto a = static_cast<std::int32_t>(total), b = static_cast<std::int32_t>(v);
    const bool smaller = i.type == ptx::Type::s32 ? b < a : v < total;
    using A = ptx::AtomicOp;
    total = i.atomic == A::add                ? total + v
            : i.atomic == A::and_             ? total & v
            : i.atomic == A::or_              ? total | v
            : i.atomic == A::xor_             ? total ^ v
            : (i.atomic == A::min) == smaller ? v
                                              : total;
  }
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    std::uint64_t value = 0, second = 0;
    if (i.opcode == Opcode::vote) {
      using M = ptx::LaneMode;
      value = i.lane_mode == M::ballot ? ballot
              : i.lane_mode == M::all  ? ballot == all
              : i.lane_mode == M::any  ? ballot != 0
                                       : ballot == all || ballot == 0;
    } else if (i.opcode == Opcode::redux) {
      value = total;
    } else if (i.opcode == Opcode::match) {
      std::uint32_t same = 0;
      for (std::size_t j = 0; j < lanes.size(); ++j)
        if (values[j] == values[k]) same |= 1u << number(j);
      second = same == all;
      value = i.lane_mode == ptx::LaneMode::all && same != all ? 0 : same;
    } else {  // shfl of a whole warp (segments of 32 lanes)
      const auto b = static_cast<std::uint32_t>(read(*lanes[k], i.operands[i.destinations + 1])) & 31;
      const std::uint32_t lane = number(k);
      using M = ptx::LaneMode;
      const std::uint32_t from = i.lane_mode == M::up     ? lane - b
                                 : i.lane_mode == M::down ? lane + b
                                 : i.lane_mode == M::bfly ? lane ^ b
                                                          : b;
      second = from < 32;
      value = values[k];
      for (std::size_t j = 0; j < lanes.size(); ++j)
        if (number(j) == from) value = values[j];
    }
    write(*lanes[k], i.operands[0], value, false, 64);
    if (i.destinations > 1) write(*lanes[k], i.operands[1], second, false, 64);
  }
}

std::uint64_t Reference::special(const Thread& thread, ptx::Special special) const {
  const auto& block = launch_.block;
  using S = ptx::Special;
  switch (special) {
    case S::tid_x:
      return thread.index % block[0];
    case S::tid_y:
      return thread.index / block[0] % block[1];
    case S::tid_z:
      return thread.index / block[0] / block[1];
    case S::ntid_x:
      return block[0];
    case S::ntid_y:
      return block[1];
    case S::ntid_z:
      return block[2];
    case S::ctaid_x:
      return block_;
    case S::nctaid_x:
      return launch_.grid[0];
    default:
      return thread.index % 32;  // laneid
  }
}

std::uint64_t Reference::read(const Thread& thread, const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::reg:
      return operand.negated ? thread.registers[operand.register_id] ^ 1
                             : thread.registers[operand.register_id];
    case Operand::Kind::immediate:
      return operand.bits;
    case Operand::Kind::special:
      return special(thread, operand.special);
    default:
      return 0;  // the address of the only shared variable
  }
}

void Reference::write(Thread& thread, const Operand& operand, std::uint64_t value, bool is_signed, int bits) {
  if (operand.kind != Operand::Kind::reg) return;
  if (is_signed && bits < 64 && ((value >> (bits - 1)) & 1) != 0) value |= ~std::uint64_t{0} << bits;
  const ptx::Type type = function_.registers[operand.register_id].type;
  const int width = type == ptx::Type::pred ? 1 : ptx::size_in_bytes(type) * 8;
  thread.registers[operand.register_id] = width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::byte* Reference::at(const Thread& thread, const Instruction& i, const Operand& operand, int bytes) {
  const std::uint64_t address = read(thread,
                                     [&] {
                                       Operand base = operand;
                                       if (base.kind == Operand::Kind::address)
                                         base.kind = Operand::Kind::reg;
                                       return base;
                                     }()) +
                                static_cast<std::uint64_t>(operand.offset);
  const bool shared = i.space == ptx::Space::shared;
  const std::uint64_t offset = shared ? address : address - address_;
  const std::uint64_t size = shared ? shared_.size() : memory_.size() * 4;
  if (offset + static_cast<std::uint64_t>(bytes) > size) {
    fail("an address is out of bounds");
    return nullptr;
  }
  return (shared ? shared_.data() : reinterpret_cast<std::byte*>(memory_.data())) + offset;
}

void Reference::memory_step(Thread& thread, const Instruction& i) {
  const int bytes = ptx::size_in_bytes(i.type);
  if (i.opcode == Opcode::ld && i.space == ptx::Space::param) {
    std::uint64_t value = 0;
    std::memcpy(
        &value,
        launch_.arguments.data() + function_.parameters[i.operands[1].symbol].offset + i.operands[1].offset,
        static_cast<std::size_t>(bytes));
    return write(thread, i.operands[0], value, false, 64);
  }
  const bool load = i.opcode == Opcode::ld;
  std::byte* place = at(thread, i, i.operands[load ? 1 : 0], bytes * i.vector);
  if (place == nullptr) return;
  const Operand& data = i.operands[load ? 0 : 1];
  for (std::size_t e = 0; e < i.vector; ++e, place += bytes) {
    const Operand& element = i.vector == 1 ? data : data.elements[e];
    std::uint64_t value = load ? 0 : read(thread, element);
    if (load) {
      std::memcpy(&value, place, static_cast<std::size_t>(bytes));
      write(thread, element, value, ptx::is_signed(i.type), bytes * 8);
    } else if (i.opcode == Opcode::st) {
      std::memcpy(place, &value, static_cast<std::size_t>(bytes));
    } else {
      std::uint32_t old = 0;
      std::memcpy(&old, place, 4);
      const auto v = static_cast<std::uint32_t>(value);
      using A = ptx::AtomicOp;
      const std::uint32_t result = i.atomic == A::add    ? old + v
                                   : i.atomic == A::xor_ ? old ^ v
                                   : i.atomic == A::or_  ? old | v
                                   : i.atomic == A::max
                                       ? std::max(old, v)
                                       : static_cast<std::uint32_t>(std::min(static_cast<std::int32_t>(old),
                                                                             static_cast<std::int32_t>(v)));
      std::memcpy(place, &result, 4);
    }
  }
}

bool Reference::step(Thread& thread) {
  const Instruction& i = function_.code[thread.pc];
  const bool off = i.predicated && (thread.registers[i.guard] != 0) == i.guard_negated;
  if (!off && (i.opcode == Opcode::bar_sync || meets_lanes(i))) return false;
  ++executed_[thread.pc++];
  if (off) return true;
  switch (i.opcode) {
    case Opcode::bra:
      thread.pc = i.operands[0].target;
      return true;
    case Opcode::brx_idx:
      thread.pc = function_.branch_tables[i.operands[1].target]
                      .targets[static_cast<std::size_t>(read(thread, i.operands[0]))];
      return true;
    case Opcode::ret:
    case Opcode::exit:
      thread.done = true;
      return true;
    case Opcode::ld:
    case Opcode::st:
    case Opcode::red:
      memory_step(thread, i);
      return true;
    default:
      break;
  }
  const LaneFunction function = lane_function(i);
  if (function == nullptr) {
    fail("an instruction that the reference does not know in PTX line " + std::to_string(i.ptx_line));
    return true;
  }
  std::array<std::uint64_t, 5> in{};
  for (std::size_t s = i.destinations; s < i.operands.size(); ++s)
    in[s - i.destinations] = read(thread, i.operands[s]);
  const LaneResult result = function(i, {in[0], in[1], in[2], in[3], thread.carry, in[4]});
  write(thread, i.operands[0], result.value, i.opcode == Opcode::cvt && ptx::is_signed(i.type),
        ptx::size_in_bytes(i.type) * 8);
  if (i.destinations > 1) write(thread, i.operands[1], result.second, false, 64);
  if (i.carry_out) thread.carry = result.carry;
  return true;
}

}  // namespace warplens::emulator
