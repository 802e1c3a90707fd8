#include "engine/check/races.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check/order/lanes.hpp"
#include "engine/emulator/flow/same_values.hpp"
#include "engine/emulator/memory.hpp"

namespace warplens::check {
namespace {

std::string line_words(const Scene& scene, std::uint32_t pc) {
  const int line = scene.line(pc);
  return line > 0 ? "line " + std::to_string(line) : "the kernel";
}

// What orders the threads of a warp, or of a block.
std::string_view barrier_of(bool same_warp) { return same_warp ? "__syncwarp()" : "__syncthreads()"; }

bool are_in_a_loop(const ptx::Function& function, std::uint32_t first, std::uint32_t last) {
  for (std::size_t at = last; at < function.code.size(); ++at) {
    const ptx::Instruction& i = function.code[at];
    if (i.opcode == ptx::Opcode::bra && !i.operands.empty() && i.operands[0].target <= first) return true;
  }
  return false;
}

bool has_barrier_between(const ptx::Function& function, std::uint32_t first, std::uint32_t last,
                         bool for_warp) {
  return std::any_of(
      function.code.begin() + first, function.code.begin() + last, [&](const ptx::Instruction& i) {
        return i.opcode == ptx::Opcode::bar_sync || (for_warp && i.opcode == ptx::Opcode::bar_warp_sync);
      });
}

}  // namespace

// Whether nothing orders two accesses, and by which lanes.
bool Races::clash(const Order& order, const Stamp& before, const Stamp& now, Pair& pair) const {
  if (before.block == 0 || (before.bytes & now.bytes) == 0) return false;
  pair.lane_now = lowest(now.lanes);
  pair.lane_before = lowest(before.lanes);
  if (before.block != now.block || before.warp != now.warp) return !order.knows(now.warp, before);
  if (scene_.facts().compute_capability < kFirstWithOwnWays) return false;  // the lanes of a warp go together
  for (std::uint32_t rest = now.lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t unmet = order.unmet(before, lowest(rest));
    if (unmet == 0) continue;
    pair.lane_now = lowest(rest);
    pair.lane_before = lowest(unmet);
    return true;
  }
  return false;
}

// Where the read is later, and what it read was written before a flag of the other block that its own waited
// for.
HandOvers::Place Races::flag_between(const Stamp& write, const Stamp& read) const {
  return write.block == read.block ? HandOvers::Place{}
                                   : hand_overs_.flag_between(write.block - 1, write.step, read.block - 1);
}

// Volatile accesses of a word by which threads tell each other something are meant to be at the same time.
// What is read because of what such a word said is none: only a fence orders that. Of shared memory the words
// are those that somebody waits for.
bool Races::tell_each_other(const Stamp& write, const Stamp& read, const Target& target) const {
  if (!write.is_volatile || !read.is_volatile) return false;
  if (read.polls) return true;
  return !target.shared && flag_between(write, read).address == 0;
}

void Races::check_write(const Order& order, const Stamp& write, const Stamp& now, Access kind, bool same,
                        const Target& target) {
  if (kind == Access::load && tell_each_other(write, now, target)) return;
  Pair pair{write, now, 0, 0, true, kind != Access::load};
  if (!clash(order, write, now, pair)) return;
  report(pair, kind == Access::store && same, target);
}

void Races::check_atomic(const Order& order, const Visits& visits, const Stamp& now, Access kind,
                         const Target& target) {
  if (kind == Access::atomic) return check_scopes(order, visits, now, target);
  if (now.is_volatile) return;
  for (const Stamp& atomic : visits.atomics) {
    // Atomics at one word are in one order: those before this block's own are over, as of a counter that the
    // last block sets back.
    if (kind == Access::store && atomic.block != now.block && visits.last_atomic == now.block) continue;
    Pair pair{atomic, now, 0, 0, true, kind != Access::load};
    if (!clash(order, atomic, now, pair)) continue;
    if (kind == Access::load && is_decided_by_swap(now.pc, atomic.pc)) continue;
    return report(pair, false, target);
  }
}

namespace {

bool reads(const ptx::Operand& operand, ptx::RegisterId r) {
  const bool is_register =
      operand.kind == ptx::Operand::Kind::reg || operand.kind == ptx::Operand::Kind::address;
  return (is_register && operand.register_id == r) ||
         std::ranges::any_of(operand.elements, [&](const auto& element) { return reads(element, r); });
}

// What the instruction finds out a register to be equal to, or not to be; null: it does something else with it.
const ptx::Operand* compared_with(const ptx::Instruction& i, ptx::RegisterId r) {
  const bool is_test = i.opcode == ptx::Opcode::setp && i.bool_op == ptx::BoolOp::none &&
                       i.operands.size() == 3 &&
                       (i.compare == ptx::Compare::eq || i.compare == ptx::Compare::ne);
  if (!is_test) return nullptr;
  return reads(i.operands[1], r) ? &i.operands[2] : &i.operands[1];
}

// Whether a load only asks if a word has some value, and finds the same before a swap and behind it: it asks neither for
// what the swap puts there nor for what it takes away. That it may ask for where the same swap finds it out anew.
bool finds_out_alone(const ptx::Function& function, const ptx::Instruction& load,
                     const ptx::Instruction& swap) {
  if (load.opcode != ptx::Opcode::ld || load.operands[0].kind != ptx::Operand::Kind::reg) return false;
  if (swap.opcode != ptx::Opcode::atom || swap.atomic != ptx::AtomicOp::cas) return false;
  const emulator::SameValues values(function);
  const ptx::Operand *place = &swap.operands[swap.destinations], *taken = place + 1, *put = place + 2;
  const bool is_tried_there = values.are_same(load.operands[1], *place);
  const ptx::RegisterId value = load.operands[0].register_id;
  bool is_used = false;
  for (const ptx::Instruction& i : function.code)
    for (std::size_t o = i.destinations; o < i.operands.size(); ++o) {
      if (!reads(i.operands[o], value)) continue;
      const ptx::Operand* other = compared_with(i, value);
      if (other == nullptr || values.are_same(*other, *put)) return false;
      if (!is_tried_there && values.are_same(*other, *taken)) return false;
      is_used = true;
    }
  return is_used;
}

}  // namespace

// As where a search asks whether a vertex is of this level, while an atomicCAS puts the next level at those that had none:
// the answer is the same before and after the swap.
bool Races::is_decided_by_swap(std::uint32_t load, std::uint32_t swap) {
  const auto [known, is_new] = by_swap_.try_emplace({load, swap});
  const auto& code = scene_.function().code;
  if (is_new) known->second = finds_out_alone(scene_.function(), code[load], code[swap]);
  return known->second;
}

// Atomics of two blocks, of which one is an atomic to its own block alone.
bool Races::is_too_narrow(const Stamp& before, const Stamp& now) const {
  const auto& code = scene_.function().code;
  const auto is_atomic = [&](const Stamp& one) {
    return code[one.pc].opcode == ptx::Opcode::atom || code[one.pc].opcode == ptx::Opcode::red;
  };
  return before.block != now.block && is_atomic(before) && is_atomic(now) &&
         (code[before.pc].block_scope || code[now.pc].block_scope);
}

void Races::check_scopes(const Order& order, const Visits& visits, const Stamp& now, const Target& target) {
  for (const Stamp& atomic : visits.atomics) {
    if (atomic.block == 0 || !is_too_narrow(atomic, now)) continue;
    Pair pair{atomic, now, 0, 0, true, true};
    if (clash(order, atomic, now, pair)) return report(pair, false, target);
  }
}

void Races::check_reads(const Order& order, const std::array<Stamp, 2>& reads, const Stamp& now, Access kind,
                        const Target& target) {
  for (const Stamp& read : reads) {
    const bool at_once = kind == Access::atomic || (now.is_volatile && (!target.shared || read.polls));
    if (read.is_volatile && at_once) continue;
    Pair pair{read, now, 0, 0, false, true};
    if (!clash(order, read, now, pair)) continue;
    if (kind == Access::atomic && is_decided_by_swap(read.pc, now.pc)) continue;
    return report(pair, false, target);
  }
}

namespace {

// Puts an access in its slot: of several warps those that nothing orders. Null where both slots have such.
Stamp* remember(const Order& order, std::array<Stamp, 2>& slots, const Stamp& now) {
  for (Stamp& slot : slots) {
    const bool mine = slot.block == now.block && slot.warp == now.warp;
    if (!mine) continue;
    const bool meets = slot.meeting == now.meeting && slot.clock == now.clock;
    const std::uint32_t lanes = meets ? slot.lanes | now.lanes : now.lanes;
    const auto bytes = static_cast<std::uint8_t>(meets ? slot.bytes | now.bytes : now.bytes);
    slot = now;
    slot.lanes = lanes;
    slot.bytes = bytes;
    return &slot;
  }
  for (Stamp& slot : slots)
    if (slot.block == 0 || order.knows(now.warp, slot)) return slot = now, &slot;
  return nullptr;
}

// Whether the same lanes read it just before: a write since then would have cleared that.
bool knows_read(const std::array<Stamp, 2>& reads, const Stamp& now) {
  for (const Stamp& read : reads)
    if (read.warp == now.warp && read.block == now.block && read.clock == now.clock &&
        read.meeting == now.meeting && (now.lanes & ~read.lanes) == 0 && (now.bytes & ~read.bytes) == 0)
      return true;
  return false;
}

}  // namespace

void Races::access(const Order& order, Cells& cells, Cell& cell, const Stamp& now, Access kind, bool same,
                   const Target& target) {
  Moments& moments = cells.moments();
  Visits* const visits = cells.visits().find(cell);
  std::array<Stamp, 2> reads{moments.stamp(cell.reads[0]), moments.stamp(cell.reads[1])};
  if (kind == Access::load && !cell.in_flight && knows_read(reads, now)) return;
  if (cell.in_flight) {
    report_in_flight(moments.stamp(cell.write), now, kind != Access::load, target);
    if (kind == Access::load) return;
    cell.in_flight = false;
  } else if (cell.write.key != 0) {
    check_write(order, moments.stamp(cell.write), now, kind, same, target);
  }
  if (visits != nullptr && visits->atomics[0].block != 0) check_atomic(order, *visits, now, kind, target);
  if (kind == Access::load) {
    if (const Stamp* slot = remember(order, reads, now))
      cell.reads[static_cast<std::size_t>(slot - reads.data())] = moments.mark(*slot);
    return;
  }
  if (!same || kind == Access::atomic) check_reads(order, reads, now, kind, target);
  cell.reads = {};
  if (kind == Access::store) return void(cell.write = moments.mark(now));
  Visits& own = cells.visits().of(cell);
  remember(order, own.atomics, now);
  own.last_atomic = now.block;
}

namespace {

const ptx::Operand* address_of(const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands)
    if (operand.is_memory || operand.kind == ptx::Operand::Kind::address) return &operand;
  return nullptr;
}

bool is_same(const ptx::Operand& a, const ptx::Operand& b) {
  return a.kind == b.kind && a.register_id == b.register_id && a.symbol == b.symbol && a.offset == b.offset;
}

// Whether the statement of the store also reads, in the same space, at an address that is so: test(read, written).
bool reads_in_statement(const Scene& scene, std::uint32_t store, const auto& test) {
  const auto& code = scene.function().code;
  const ptx::Operand* written = code[store].opcode == ptx::Opcode::st ? address_of(code[store]) : nullptr;
  for (std::uint32_t pc = store; written != nullptr && pc-- > 0;) {
    if (code[pc].opcode != ptx::Opcode::ld || scene.line(pc) != scene.line(store)) continue;
    const ptx::Operand* read = address_of(code[pc]);
    if (read != nullptr && code[pc].space == code[store].space && test(*read, *written)) return true;
  }
  return false;
}

// Of one statement that reads an element, changes the value and writes it back: *out += x.
bool is_change_in_place(const Scene& scene, std::uint32_t store) {
  return reads_in_statement(scene, store, is_same);
}

// Whether the statement of the store also reads elements beside the one that it writes: u[i] from u[i - 1] and u[i + 1].
// Then each thread changes what its neighbours read, and no atomic orders that.
bool reads_neighbours(const Scene& scene, std::uint32_t store) {
  return reads_in_statement(scene, store, [](const ptx::Operand& read, const ptx::Operand& written) {
    return read.kind == written.kind && read.register_id == written.register_id &&
           read.offset != written.offset;
  });
}

// The same of its load: a store in the same statement goes to the same place.
bool is_of_change_in_place(const Scene& scene, std::uint32_t pc) {
  const auto& code = scene.function().code;
  if (code[pc].opcode != ptx::Opcode::ld) return is_change_in_place(scene, pc);
  const ptx::Operand* read = address_of(code[pc]);
  for (std::uint32_t store = pc; read != nullptr && ++store < code.size();) {
    if (code[store].opcode != ptx::Opcode::st || scene.line(store) != scene.line(pc)) continue;
    const ptx::Operand* written = address_of(code[store]);
    if (written != nullptr && code[store].space == code[pc].space && is_same(*read, *written)) return true;
  }
  return false;
}

// Of what is compared, whether it is the larger that is kept, or the lesser.
enum class Kept : std::uint8_t { neither, larger, lesser };
Kept kept_by(ptx::Compare compare) {
  using enum ptx::Compare;
  if (compare == gt || compare == ge || compare == hi || compare == hs || compare == gtu || compare == geu)
    return Kept::larger;
  if (compare == lt || compare == le || compare == lo || compare == ls || compare == ltu || compare == leu)
    return Kept::lesser;
  return Kept::neither;
}
Kept turned(Kept kept) {
  return kept == Kept::larger ? Kept::lesser : kept == Kept::lesser ? Kept::larger : Kept::neither;
}

// Of "if (x > *out) *out = x": what decides whether the value that was loaded is replaced.
Kept kept_by_store(const ptx::Function& function, std::uint32_t load, std::uint32_t store) {
  const auto& code = function.code;
  Kept kept = Kept::neither;
  for (std::uint32_t pc = load; pc < store; ++pc) {
    const ptx::Instruction& i = code[pc];
    if (i.opcode == ptx::Opcode::setp && i.operands.size() > 2u) {
      const bool first = is_same(i.operands[1], code[load].operands[0]),
                 second = is_same(i.operands[2], code[load].operands[0]);
      if (first != second) kept = first ? turned(kept_by(i.compare)) : kept_by(i.compare);
    }
    const bool jumps_over = i.opcode == ptx::Opcode::bra && i.predicated && i.operands[0].target > store;
    if (jumps_over && kept != Kept::neither) return i.guard_negated ? kept : turned(kept);
  }
  return code[store].predicated && code[store].guard_negated ? turned(kept) : kept;
}

// The atomic that does what a load, an operation and a store of one statement do.
std::string atomic_of_change(const Scene& scene, std::uint32_t store) {
  const auto& code = scene.function().code;
  const ptx::Operand* written = code[store].opcode == ptx::Opcode::st ? address_of(code[store]) : nullptr;
  if (written == nullptr || code[store].operands.size() < 2) return "atomicAdd";
  const ptx::Operand* value = &code[store].operands[1];
  for (std::uint32_t pc = store; pc-- > 0;) {
    const ptx::Instruction& i = code[pc];
    if (i.opcode == ptx::Opcode::ld && address_of(i) != nullptr && is_same(*address_of(i), *written)) {
      const Kept kept = ptx::is_float(i.type) ? Kept::neither : kept_by_store(scene.function(), pc, store);
      return kept == Kept::larger ? "atomicMax" : kept == Kept::lesser ? "atomicMin" : "atomicCAS";
    }
    if (i.destinations == 0 || !is_same(i.operands[0], *value)) continue;
    using enum ptx::Opcode;
    if (i.opcode == mov && i.operands.size() > 1) value = &i.operands[1];
    if (i.opcode == add || i.opcode == sub || i.opcode == fma || i.opcode == mad) return "atomicAdd";
    if (i.opcode == min || i.opcode == max)
      return ptx::is_float(i.type) ? "atomicCAS" : i.opcode == min ? "atomicMin" : "atomicMax";
    if (i.opcode == and_ || i.opcode == or_ || i.opcode == xor_)
      return i.opcode == and_ ? "atomicAnd" : i.opcode == or_ ? "atomicOr" : "atomicXor";
    if (i.opcode != mov && i.opcode != ld) return "atomicCAS";
  }
  return "atomicCAS";
}

std::string first_of_name(const std::string& address) { return "&" + address; }

}  // namespace

// What would order the two if there were a fence; the address is 0 where there is none.
HandOvers::Place Races::lock_between(const Pair& pair) const {
  return hand_overs_.between(thread_before(pair), pair.before.step, thread_now(pair));
}

namespace {

// How far apart the threads of a race are: what orders blocks orders the warps of one as well, and not the other way round.
enum class Apart : std::uint8_t { lanes, warps, blocks };

Apart apart(const Finding& race, const std::array<std::uint32_t, 3>& block) {
  if (race.at.block != race.other.block) return Apart::blocks;
  const auto warp = [&](const ThreadPlace& of) {
    return (of.thread[0] + block[0] * (of.thread[1] + block[1] * of.thread[2])) / 32;
  };
  return warp(race.at) == warp(race.other) ? Apart::lanes : Apart::warps;
}

}  // namespace

Severity Races::severity_of(const Pair& pair, bool harmless) {
  const bool is_volatile_warp = pair.before.block == pair.now.block && pair.before.warp == pair.now.warp &&
                                pair.before.is_volatile && pair.now.is_volatile;
  return harmless ? Severity::information : is_volatile_warp ? Severity::warning : Severity::error;
}

// Of all that happens at two lines the worst is told, and of that what takes the most to mend.
void Races::report(const Pair& pair, bool harmless, const Target& target) {
  const Stamp &before = pair.before, &now = pair.now;
  const bool same_warp = before.block == now.block && before.warp == now.warp;
  const Kind kind = !target.shared ? Kind::race_global : same_warp ? Kind::race_warp : Kind::race_shared;
  if (scene_.is_new(kind, now.pc, before.pc)) {
    scene_.add(finding_of(pair, kind, harmless, target));
    return;
  }
  Finding* const known = scene_.known(kind, now.pc, before.pc);
  if (known == nullptr) return;
  const Severity severity = severity_of(pair, harmless);
  const Apart own = same_warp ? Apart::lanes : before.block == now.block ? Apart::warps : Apart::blocks;
  if (severity < known->severity ||
      (severity == known->severity && own <= apart(*known, scene_.facts().block)))
    return;
  const std::uint64_t times = known->times;
  *known = finding_of(pair, kind, harmless, target);
  known->file = scene_.file(), known->times = times;
}

Finding Races::finding_of(const Pair& pair, Kind kind, bool harmless, const Target& target) const {
  const Stamp &before = pair.before, &now = pair.now;
  const bool same_warp = before.block == now.block && before.warp == now.warp;
  const bool one_instruction = same_warp && before.pc == now.pc && before.step == now.step;
  Finding finding;
  finding.kind = kind;
  finding.severity = severity_of(pair, harmless);
  scene_.set_line(finding, now.pc);
  finding.other_line = scene_.line(before.pc);
  finding.at = scene_.place(thread_now(pair));
  finding.other = scene_.place(thread_before(pair));
  finding.address = scene_.name_at(target.shared, target.address, target.width);
  const HandOvers::Place lock = lock_between(pair);
  const bool is_read_later = pair.wrote_before && before.is_volatile && now.is_volatile;
  const HandOvers::Place flag = is_read_later ? flag_between(before, now) : HandOvers::Place{};
  const std::string does = pair.writes_now ? " writes " : " reads ";
  const std::string did = pair.wrote_before ? " writes it" : " reads it";
  const bool too_narrow = is_too_narrow(before, now);
  const HandOvers::Place& between = lock.address != 0 ? lock : flag;
  const std::string why = too_narrow ? "; an atomic of one block (.cta) is none to another block"
                          : between.address != 0
                              ? "; " + name_of(between) + " does not order the two without __threadfence()"
                          : same_warp && !one_instruction ? "; the lanes of a warp need not go together"
                                                          : "; nothing says which of the two comes first";
  finding.message = scene_.words(thread_now(pair)) + does + finding.address + " while " +
                    scene_.words(thread_before(pair)) + did +
                    (one_instruction ? " in the same instruction" : " at " + line_words(scene_, before.pc)) +
                    why + (harmless ? " (both write the same value)" : "");
  finding.fix = too_narrow          ? "use the atomic of the device: atomicAdd, say, and not atomicAdd_block"
                : lock.address != 0 ? fix_of_lock(lock)
                : flag.address != 0
                    ? "put __threadfence() before " + line_words(scene_, flag.given) + ", which changes " +
                          name_of(flag) + ", and behind " + line_words(scene_, flag.taken) +
                          ", which looks at it: volatile is no fence"
                    : fix_of(pair, finding);
  if (kind == Kind::race_global && before.block != now.block && pair.wrote_before && pair.writes_now &&
      !harmless)
    scene_.add_written_by_blocks(array_of(finding), {finding.line, finding.other_line});
  return finding;
}

std::string Races::name_of(const HandOvers::Place& lock) const {
  const bool shared = lock.address >> 32 << 32 == emulator::kSharedWindow;
  return scene_.name_at(shared, shared ? lock.address & emulator::kOwnOffset : lock.address, lock.width);
}

std::string Races::fix_of_lock(const HandOvers::Place& lock) const {
  return "put __threadfence() behind " + line_words(scene_, lock.taken) + ", which takes " + name_of(lock) +
         ", and before " + line_words(scene_, lock.given) + ", which gives it back";
}

std::string Races::fix_of(const Pair& pair, Finding& finding) const {
  const Stamp &before = pair.before, &now = pair.now;
  const bool same_warp = before.block == now.block && before.warp == now.warp;
  const bool is_one_line = finding.line == finding.other_line;
  const bool is_of_neighbours = is_one_line && reads_neighbours(scene_, pair.writes_now ? now.pc : before.pc);
  if (is_of_neighbours && finding.kind == Kind::race_global)
    return "write to a second array: each thread reads here what its neighbours change, and blocks come in "
           "any order";
  if (is_one_line && !is_of_neighbours && is_of_change_in_place(scene_, now.pc) &&
      is_of_change_in_place(scene_, before.pc))
    return "change it in one step: " + atomic_of_change(scene_, pair.writes_now ? now.pc : before.pc) + "(" +
           first_of_name(finding.address) + ", ...), or let one thread do it";
  const bool is_one_step = same_warp && before.step == now.step;
  const bool both_write = before.block == now.block && pair.wrote_before && pair.writes_now;
  if (before.pc == now.pc && (is_one_step || both_write)) return "let one thread write it, or use an atomic";
  if (before.block != now.block) return fix_between_blocks(pair);
  const auto by_barrier = [&](bool of_warp) {
    return is_one_line ? fix_of_statement(pair, of_warp) : fix_of_two_lines(pair, of_warp);
  };
  finding.fix_of_block = by_barrier(false);
  return by_barrier(same_warp);
}

// No barrier of a block orders blocks.
std::string Races::fix_between_blocks(const Pair& pair) const {
  const auto& function = scene_.function();
  const auto is_atomic = [&](const Stamp& stamp) {
    const ptx::Opcode opcode = function.code[stamp.pc].opcode;
    return opcode == ptx::Opcode::atom || opcode == ptx::Opcode::red;
  };
  if (pair.wrote_before && pair.writes_now)
    return is_atomic(pair.before) == is_atomic(pair.now)
               ? "let each block write its own elements, or order them: __threadfence(), then an atomic"
               : "set it before the launch, such as with cudaMemset(): blocks come in any order";
  const auto [read, write] =
      pair.writes_now ? std::pair(pair.before.pc, pair.now.pc) : std::pair(pair.now.pc, pair.before.pc);
  const auto [first, last] = std::minmax(read, write);
  if (are_in_a_loop(function, first, last))
    return "launch the kernel once for each turn of the loop: a launch begins when the one before it has "
           "ended";
  return read < write ? "write to a second array: other blocks may still read this one"
                      : "read it in a second kernel, launched behind this one: __syncthreads() orders the "
                        "threads of one block";
}

// A statement reads before it writes: one whose write comes first in the code is an earlier one of a loop that was unrolled.
std::string Races::fix_of_statement(const Pair& pair, bool same_warp) const {
  const auto [write, other] =
      pair.writes_now ? std::pair(pair.now.pc, pair.before.pc) : std::pair(pair.before.pc, pair.now.pc);
  const std::string_view barrier = barrier_of(same_warp);
  if (write < other) return fmt::format("put {} behind it, outside of conditions", barrier);
  // A turn may read what it writes itself, or what the turn before wrote.
  if (are_in_a_loop(scene_.function(), other, write))
    return fmt::format(
        "read it into a variable, put {0}, write behind that, and put {0} again before the next turn, both "
        "outside of conditions",
        barrier);
  // As a scan does: no atomic orders the two.
  return fmt::format("read it into a variable, put {}, and write behind that: one statement does both",
                     barrier);
}

// Where a barrier stands between the two lines already, or the code has the later line first, it is the next turn of their loop that
// nothing holds back.
std::string Races::fix_of_two_lines(const Pair& pair, bool same_warp) const {
  const auto [first, last] = std::minmax(pair.before.pc, pair.now.pc);
  const int at = scene_.line(first), behind = scene_.line(last);
  const bool is_unrolled = at > behind && behind > 0;
  const bool comes_back = has_barrier_between(scene_.function(), first, last, same_warp) &&
                          are_in_a_loop(scene_.function(), first, last);
  if (!is_unrolled && !comes_back) return std::string(same_warp ? kFixOfWarpRace : kFixOfBlockRace);
  return fix_of_next_turn(same_warp, std::max(at, behind), std::min(at, behind));
}

std::string fix_of_next_turn(bool of_warp, int behind, int before) {
  return fmt::format("put {} behind line {}, before the next turn of the loop comes to line {}",
                     barrier_of(of_warp), behind, before);
}

void Races::report_in_flight(const Stamp& write, const Stamp& now, bool writes, const Target& target) {
  if (!scene_.is_new(Kind::race_async, now.pc, write.pc)) return;
  const ThreadId first{write.block - 1, write.warp, lowest(write.lanes)},
      second{now.block - 1, now.warp, lowest(now.lanes)};
  Finding finding;
  finding.kind = Kind::race_async;
  scene_.set_line(finding, now.pc);
  finding.other_line = scene_.line(write.pc);
  finding.at = scene_.place(second);
  finding.other = scene_.place(first);
  finding.address = scene_.shared_name(static_cast<std::uint32_t>(target.address), target.width);
  finding.message = scene_.words(second) + (writes ? " writes " : " reads ") + finding.address +
                    " while the copy that " + scene_.words(first) + " began at " +
                    line_words(scene_, write.pc) + " may not have arrived";
  finding.fix =
      scene_.function().code[write.pc].opcode == ptx::Opcode::cp_async
          ? "wait for the copy (cp.async.wait_group, __pipeline_wait_prior), then put __syncthreads()"
          : "wait for the phase of the barrier that the copy arrives in: 0, 1, 0, 1 and so on";
  scene_.add(std::move(finding));
}

}  // namespace warplens::check
