#include "engine/check/races.hpp"

#include <algorithm>

#include "engine/check/lanes.hpp"

namespace warplens::check {
namespace {

std::string line_words(const Scene& scene, std::uint32_t pc) {
  const int line = scene.line(pc);
  return line > 0 ? "line " + std::to_string(line) : "the kernel";
}

}  // namespace

// Whether nothing orders two accesses, and by which lanes.
bool Races::clash(const Order& order, const Stamp& before, const Stamp& now, Pair& pair) const {
  if (before.block == 0 || (before.bytes & now.bytes) == 0) return false;
  pair.lane_now = lowest(now.lanes);
  pair.lane_before = lowest(before.lanes);
  if (before.block != now.block || before.warp != now.warp) return !order.knows(now.warp, before);
  if (scene_.facts().compute_capability < 70) return false;  // the lanes of a warp go together
  for (std::uint32_t rest = now.lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t unmet = order.unmet(before, lowest(rest));
    if (unmet == 0) continue;
    pair.lane_now = lowest(rest);
    pair.lane_before = lowest(unmet);
    return true;
  }
  return false;
}

void Races::check_write(const Order& order, const Cell& cell, const Stamp& now, Access kind, bool same,
                        const Target& target) {
  if (kind == Access::load && now.is_volatile && cell.write.is_volatile && !target.shared) return;
  Pair pair{cell.write, now, 0, 0, true, kind != Access::load};
  if (!clash(order, cell.write, now, pair)) return;
  report(pair, kind == Access::store && same, target);
}

void Races::check_atomic(const Order& order, const Visits& visits, const Stamp& now, Access kind,
                         const Target& target) {
  if (kind == Access::atomic || now.is_volatile) return;
  for (const Stamp& atomic : visits.atomics) {
    // Atomics at one word are in one order: those before this block's own are over, as of a counter that the
    // last block sets back.
    if (kind == Access::store && atomic.block != now.block && visits.last_atomic == now.block) continue;
    Pair pair{atomic, now, 0, 0, true, kind != Access::load};
    if (clash(order, atomic, now, pair)) return report(pair, false, target);
  }
}

void Races::check_reads(const Order& order, const Visits& visits, const Stamp& now, const Target& target) {
  for (const Stamp& read : visits.reads) {
    if (read.is_volatile && now.is_volatile && !target.shared) continue;
    Pair pair{read, now, 0, 0, false, true};
    if (clash(order, read, now, pair)) return report(pair, false, target);
  }
}

void Races::remember(const Order& order, std::array<Stamp, 2>& slots, const Stamp& now) const {
  for (Stamp& read : slots) {
    const bool mine = read.block == now.block && read.warp == now.warp;
    if (!mine) continue;
    const bool meets = read.meeting == now.meeting && read.clock == now.clock;
    const std::uint32_t lanes = meets ? read.lanes | now.lanes : now.lanes;
    const auto bytes = static_cast<std::uint8_t>(meets ? read.bytes | now.bytes : now.bytes);
    read = now;
    read.lanes = lanes;
    read.bytes = bytes;
    return;
  }
  for (Stamp& read : slots)
    if (read.block == 0 || order.knows(now.warp, read)) return void(read = now);
}

namespace {
// Whether the same lanes read it just before: a write since then would have cleared that.
bool knows_read(const Visits& visits, const Stamp& now) {
  for (const Stamp& read : visits.reads)
    if (read.warp == now.warp && read.block == now.block && read.clock == now.clock &&
        read.meeting == now.meeting && (now.lanes & ~read.lanes) == 0 && (now.bytes & ~read.bytes) == 0)
      return true;
  return false;
}
}  // namespace

void Races::access(const Order& order, Cell& cell, VisitPool& pool, const Stamp& now, Access kind, bool same,
                   const Target& target) {
  Visits* const visits = pool.find(cell);
  if (kind == Access::load && !cell.in_flight && visits != nullptr && knows_read(*visits, now)) return;
  if (cell.in_flight) {
    report_in_flight(cell, now, kind != Access::load, target);
    if (kind == Access::load) return;
    cell.in_flight = false;
  } else if (cell.write.block != 0) {
    check_write(order, cell, now, kind, same, target);
  }
  if (visits != nullptr && visits->atomics[0].block != 0) check_atomic(order, *visits, now, kind, target);
  if (kind == Access::load) return remember(order, pool.of(cell).reads, now);
  if (visits != nullptr && (!same || kind == Access::atomic)) check_reads(order, *visits, now, target);
  if (visits != nullptr) visits->reads = {};
  if (kind == Access::store) return void(cell.write = now);
  Visits& own = pool.of(cell);
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

// Of one statement that reads an element, changes the value and writes it back: *out += x.
bool is_change_in_place(const Scene& scene, std::uint32_t store) {
  const auto& code = scene.function().code;
  const ptx::Operand* written = code[store].opcode == ptx::Opcode::st ? address_of(code[store]) : nullptr;
  for (std::uint32_t pc = store; written != nullptr && pc-- > 0;) {
    if (code[pc].opcode != ptx::Opcode::ld || scene.line(pc) != scene.line(store)) continue;
    const ptx::Operand* read = address_of(code[pc]);
    if (read != nullptr && code[pc].space == code[store].space && is_same(*read, *written)) return true;
  }
  return false;
}

std::string first_of_name(const std::string& address) { return "&" + address; }

}  // namespace

void Races::report(const Pair& pair, bool harmless, const Target& target) {
  const Stamp &before = pair.before, &now = pair.now;
  const bool same_warp = before.block == now.block && before.warp == now.warp;
  const bool one_instruction = same_warp && before.pc == now.pc && before.step == now.step;
  const Kind kind = !target.shared ? Kind::race_global : same_warp ? Kind::race_warp : Kind::race_shared;
  if (!scene_.is_new(kind, now.pc, before.pc)) return;
  const ThreadId first{before.block - 1, before.warp, pair.lane_before},
      second{now.block - 1, now.warp, pair.lane_now};
  Finding finding;
  finding.kind = kind;
  finding.severity = harmless ? Severity::information : Severity::error;
  const bool volatile_warp = same_warp && before.is_volatile && now.is_volatile;
  if (volatile_warp && finding.severity == Severity::error) finding.severity = Severity::warning;
  finding.line = scene_.line(now.pc);
  finding.other_line = scene_.line(before.pc);
  finding.at = scene_.place(second);
  finding.other = scene_.place(first);
  finding.address = target.shared
                        ? scene_.shared_name(static_cast<std::uint32_t>(target.address), target.width)
                        : scene_.global_name(target.address, target.width);
  const std::string does = pair.writes_now ? " writes " : " reads ";
  const std::string did = pair.wrote_before ? " writes it" : " reads it";
  finding.message = scene_.words(second) + does + finding.address + " while " + scene_.words(first) + did +
                    (one_instruction ? " in the same instruction" : " at " + line_words(scene_, before.pc)) +
                    (same_warp && !one_instruction ? "; the lanes of a warp need not go together"
                                                   : "; nothing says who is first") +
                    (harmless ? " (both write the same value)" : "");
  const bool adds_up = is_change_in_place(scene_, now.pc) || is_change_in_place(scene_, before.pc);
  finding.fix = adds_up && finding.line == finding.other_line
                    ? "change it in one step: atomicAdd(" + first_of_name(finding.address) +
                          ", ...), or let one thread do it"
                : one_instruction ? "let one thread write it, or use an atomic"
                : before.block != now.block
                    ? "let each block write its own elements, or order them: __threadfence(), then an atomic"
                : same_warp ? kFixOfWarpRace
                            : kFixOfBlockRace;
  scene_.add(std::move(finding));
}

void Races::report_in_flight(const Cell& cell, const Stamp& now, bool writes, const Target& target) {
  if (!scene_.is_new(Kind::race_async, now.pc, cell.write.pc)) return;
  const ThreadId first{cell.write.block - 1, cell.write.warp, lowest(cell.write.lanes)},
      second{now.block - 1, now.warp, lowest(now.lanes)};
  Finding finding;
  finding.kind = Kind::race_async;
  finding.line = scene_.line(now.pc);
  finding.other_line = scene_.line(cell.write.pc);
  finding.at = scene_.place(second);
  finding.other = scene_.place(first);
  finding.address = scene_.shared_name(static_cast<std::uint32_t>(target.address), target.width);
  finding.message = scene_.words(second) + (writes ? " writes " : " reads ") + finding.address +
                    " while the copy that " + scene_.words(first) + " began at " +
                    line_words(scene_, cell.write.pc) + " may not have arrived";
  finding.fix = "wait for the copy (cp.async.wait_group, __pipeline_wait_prior), then put __syncthreads()";
  scene_.add(std::move(finding));
}

}  // namespace warplens::check
