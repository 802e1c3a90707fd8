#include "engine/check/meetings.hpp"

#include <algorithm>
#include <utility>

#include "engine/check/fixes.hpp"
#include "engine/check/order/lanes.hpp"

namespace warplens::check {

using emulator::BarrierArrival, emulator::Slice, emulator::WatchedStep;

// Blocks behind it may wait for what its threads replaced.
Meetings::~Meetings() {
  std::erase(progress_.blocks, this);
  for (auto& [address, latest] : progress_.replaced)
    if (latest.thread.block == block_) note_end(latest);
}

Meetings::Meetings(Scene& scene, std::uint32_t block, std::uint32_t warps, Progress& progress)
    : scene_(scene),
      block_(block),
      warps_(warps),
      left_(warps),
      left_pc_(std::size_t{warps} * 32),
      parted_pc_(std::size_t{warps} * 32),
      existing_(warps),
      at_barrier_(warps),
      counts_(warps),
      waits_(warps),
      spins_(warps),
      looks_(std::size_t{warps} * 32),
      barrier_pc_(std::size_t{warps} * 32),
      taken_pc_(std::size_t{warps} * 32),
      waits_beyond_(warps),
      progress_(progress) {
  progress_.blocks.push_back(this);
  const auto& size = scene.facts().block;
  const std::uint32_t threads = size[0] * size[1] * size[2];
  for (std::uint32_t w = 0; w < warps; ++w) {
    const std::uint32_t lanes = std::min(32u, threads - w * 32);
    existing_[w] = lanes == 32 ? ~0u : (1u << lanes) - 1;
  }
}

void Meetings::leave(const WatchedStep& step) {
  left_[step.warp] |= step.exec;
  // All returns may share one instruction at the end: the branch that led there says more.
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    const std::uint32_t parted = parted_pc_[step.warp * 32 + lane];
    left_pc_[step.warp * 32 + lane] = parted != 0 ? parted - 1 : step.pc;
  });
  changed();
}

void Meetings::part(const WatchedStep& step) {
  if (!progress_.replaced.empty() && step.instruction->predicated)
    for_each_lane(step.exec, [&](std::uint32_t lane) { taken_pc_[step.warp * 32 + lane] = step.pc + 1; });
  if (step.exec == step.active) return;
  for_each_lane(step.active, [&](std::uint32_t lane) { parted_pc_[step.warp * 32 + lane] = step.pc + 1; });
}

void Meetings::at_barrier(const WatchedStep& step) {
  work(step);
  if (step.exec == step.alive) at_barrier_[step.warp] = true;
  for_each_lane(step.exec, [&](std::uint32_t lane) { barrier_pc_[step.warp * 32 + lane] = step.pc + 1; });
  const ptx::Instruction& i = *step.instruction;
  const std::size_t first = i.destinations;
  const std::size_t inputs = i.operands.size() - first - (i.opcode == ptx::Opcode::bar_red ? 1 : 0);
  counts_[step.warp] = inputs > 1 ? static_cast<std::uint32_t>(step.value(first + 1, lowest(step.exec))) : 0;
}

// ---- barriers of the block

void Meetings::released(int, std::span<const BarrierArrival> arrivals) {
  changed();
  for (const BarrierArrival& one : arrivals)
    for_each_lane(one.lanes, [&](std::uint32_t lane) { barrier_pc_[one.warp * 32 + lane] = 0; });
  std::size_t first = 0;
  for (std::size_t a = 1; a <= arrivals.size(); ++a) {
    if (a < arrivals.size() && arrivals[a].warp == arrivals[first].warp) continue;
    check_warp(arrivals.subspan(first, a - first));
    at_barrier_[arrivals[first].warp] = false;
    first = a;
  }
  if (arrivals.empty()) return;
  check_counts(arrivals);
  const ptx::Instruction& barrier = scene_.function().code[arrivals[0].pc];
  const std::size_t inputs = barrier.operands.size() - barrier.destinations;
  const bool counted = inputs > (barrier.opcode == ptx::Opcode::bar_red ? 2u : 1u);
  if (counted) return;
  for (std::uint32_t w = 0; w < warps_; ++w)
    if (left_[w] != 0) return check_missing(arrivals[0], w, left_[w]);
  check_lines(arrivals);
}

// Warps that wait for different numbers of threads.
void Meetings::check_counts(std::span<const BarrierArrival> arrivals) {
  const BarrierArrival& first = arrivals[0];
  for (const BarrierArrival& one : arrivals) {
    if (counts_[one.warp] == counts_[first.warp]) continue;
    if (!scene_.is_new(Kind::divergent_barrier, first.pc, one.pc)) return;
    Finding finding;
    finding.kind = Kind::divergent_barrier;
    scene_.set_line(finding, first.pc);
    finding.other_line = scene_.line(one.pc);
    const ThreadId here{block_, first.warp, lowest(first.lanes)}, there{block_, one.warp, lowest(one.lanes)};
    finding.at = scene_.place(here);
    finding.other = scene_.place(there);
    const auto words = [](std::uint32_t count) {
      return count == 0 ? std::string("all") : std::to_string(count);
    };
    finding.message = scene_.words(here) + " waits at this barrier for " + words(counts_[first.warp]) +
                      " threads, and " + scene_.words(there) + " for " + words(counts_[one.warp]);
    finding.fix = "give all warps that come to the barrier the same number of threads";
    scene_.add(std::move(finding));
    return;
  }
}

// Lanes of one warp that come to different barriers, or that do not come.
void Meetings::check_warp(std::span<const BarrierArrival> of_warp) {
  std::uint32_t lanes = 0;
  for (const BarrierArrival& one : of_warp) lanes |= one.lanes;
  const BarrierArrival& first = of_warp[0];
  const std::uint32_t missing = first.alive & ~lanes;
  std::size_t at = 1;  // a group at another line; the compiler may have copied one barrier
  while (at < of_warp.size() && scene_.line(of_warp[at].pc) == scene_.line(first.pc)) ++at;
  const bool other_line = at < of_warp.size();
  if (!other_line && missing == 0) return;
  const std::uint32_t other_pc = other_line ? of_warp[at].pc : first.pc;
  if (!scene_.is_new(Kind::divergent_barrier, first.pc, other_pc)) return;
  Finding finding;
  finding.kind = Kind::divergent_barrier;
  scene_.set_line(finding, first.pc);
  const ThreadId here{block_, first.warp, lowest(first.lanes)};
  const ThreadId there{block_, first.warp, lowest(other_line ? of_warp[at].lanes : missing)};
  finding.at = scene_.place(here);
  finding.other = scene_.place(there);
  if (other_line) {
    finding.other_line = scene_.line(other_pc);
    finding.message = scene_.words(here) + " waits at this barrier while " + scene_.words(there) +
                      " of the same warp waits at the one in line " + std::to_string(finding.other_line);
  } else {
    finding.message = scene_.words(here) + " waits at this barrier, which " + scene_.words(there) +
                      " of the same warp does not reach";
  }
  finding.fix = std::string(kBarrierOutOfCondition);
  scene_.add(std::move(finding));
}

// Threads that have ended: "__syncthreads() ... will not succeed until reached by all non-exited threads in the
// block" (CUDA's programming guide of 7.x, single lanes and whole warps alike).
void Meetings::check_missing(const BarrierArrival& some, std::uint32_t warp, std::uint32_t gone) {
  const std::uint32_t lane = lowest(gone), pc = left_pc_[warp * 32 + lane];
  if (!scene_.is_new(Kind::divergent_barrier, some.pc, pc)) return;
  Finding finding;
  finding.kind = Kind::divergent_barrier;
  scene_.set_line(finding, some.pc);
  finding.other_line = scene_.line(pc);
  const ThreadId here{block_, some.warp, lowest(some.lanes)}, there{block_, warp, lane};
  finding.at = scene_.place(here);
  finding.other = scene_.place(there);
  const bool is_promised = scene_.facts().compute_capability >= kFirstWithOwnWays;
  finding.severity = is_promised ? Severity::information : Severity::warning;
  finding.message = scene_.words(here) + " waits at this barrier, and " + scene_.words(there) +
                    " left at line " + std::to_string(finding.other_line) + " and does not come to it: " +
                    (is_promised ? "the barrier waits for the threads that have not ended"
                                 : "only from compute capability 7.0 on CUDA promises that the barrier waits "
                                   "for no thread that has ended");
  finding.fix =
      "where the others need what such a thread should have loaded or stored, let all threads of the block "
      "stay until the last barrier, and guard only the work";
  scene_.add(std::move(finding));
}

// Whether the source lines of both are in all loops of either. The compiler may have made two loops of one.
bool Meetings::in_one_loop(std::uint32_t a, std::uint32_t b) const {
  const auto holds = [&](std::uint32_t inside, std::uint32_t other) {
    const Loop loop = loop_around(scene_.function(), inside);
    if (loop.end == loop.first + 1) return true;  // none
    int least = scene_.line(inside), most = least;
    for (std::uint32_t pc = loop.first; pc < loop.end; ++pc) {
      least = std::min(least, scene_.line(pc));
      most = std::max(most, scene_.line(pc));
    }
    return scene_.line(other) >= least && scene_.line(other) <= most;
  };
  return holds(a, b) && holds(b, a);
}

// Warps that complete one barrier at different lines: it is in a condition that differs between them.
void Meetings::check_lines(std::span<const BarrierArrival> arrivals) {
  const int line = scene_.line(arrivals[0].pc);
  const auto other = std::find_if(arrivals.begin(), arrivals.end(),
                                  [&](const BarrierArrival& one) { return scene_.line(one.pc) != line; });
  if (other == arrivals.end() || other->warp == arrivals[0].warp) return;
  if (!scene_.is_new(Kind::divergent_barrier, arrivals[0].pc, other->pc)) return;
  Finding finding;
  finding.kind = Kind::divergent_barrier;
  // Two sides of one branch, with whole warps on each, work on all devices; other numbers of turns of a loop
  // do not.
  if (in_one_loop(arrivals[0].pc, other->pc)) finding.severity = Severity::warning;
  finding.line = line;
  finding.other_line = scene_.line(other->pc);
  const ThreadId here{block_, arrivals[0].warp, lowest(arrivals[0].lanes)},
      there{block_, other->warp, lowest(other->lanes)};
  finding.at = scene_.place(here);
  finding.other = scene_.place(there);
  finding.message = scene_.words(here) + " waits at this barrier while " + scene_.words(there) +
                    " waits at the one in line " + std::to_string(finding.other_line);
  finding.fix = "let all threads of the block come to the same __syncthreads(), the same number of times";
  scene_.add(std::move(finding));
}

// ---- masks of a warp

namespace {
constexpr std::string_view kFixOfMask = "name in the mask exactly the lanes that execute this line together";
}  // namespace

void Meetings::report_mask(const WatchedStep& step, std::uint32_t lane, std::uint32_t other,
                           const std::string& what) {
  if (!scene_.is_new(Kind::mask_without_caller, step.pc, step.pc)) return;
  Finding finding;
  finding.kind = Kind::mask_without_caller;
  scene_.set_line(finding, step.pc);
  finding.at = scene_.place({block_, step.warp, lane});
  finding.other = scene_.place({block_, step.warp, other});
  finding.message = scene_.words({block_, step.warp, lane}) + what;
  finding.fix = std::string(kFixOfMask);
  scene_.add(std::move(finding));
}

std::uint32_t Meetings::at_mask(const WatchedStep& step, std::size_t mask_operand) {
  std::array<std::uint64_t, 32> masks;
  step.values(mask_operand, masks);
  std::uint32_t named = 0, outside = 0;
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    named |= static_cast<std::uint32_t>(masks[lane]);
    if (((masks[lane] >> lane) & 1) == 0) outside |= 1u << lane;
  });
  if (outside != 0) {
    const std::uint32_t lane = lowest(outside);
    report_mask(step, lane, lane,
                " is lane " + std::to_string(lane) + " of its warp, which its own mask leaves out");
  }
  Wait& wait = waits_[step.warp];
  if ((named & step.alive & ~step.exec) != 0 && step.exec == step.active) {
    if (wait.lanes == 0) wait = {step.exec, step.alive, 0, step.pc, 0};
    if (step.instruction->opcode != ptx::Opcode::bar_warp_sync) return 0;
    wait.at_syncwarp |= step.exec;  // two sides of a branch may each have their own
    if ((named & step.alive & ~wait.at_syncwarp) != 0) return 0;
    const std::uint32_t met = wait.at_syncwarp;
    wait = {};
    return met;
  }
  const std::uint32_t missing = named & existing_[step.warp] & ~step.exec;
  const std::uint32_t under_guard = missing & step.active;
  const std::uint32_t late = wait.lanes != 0 && wait.pc == step.pc ? missing & wait.alive & wait.worked : 0;
  if ((late | under_guard) != 0) {
    const std::uint32_t other = lowest(late | under_guard);
    report_mask(step, lowest(step.exec), other,
                " names lane " + std::to_string(other) + " in its mask, which does not execute this line");
  }
  if (const std::uint32_t ended = missing & left_[step.warp]; ended != 0) note_ended(step, ended);
  if ((wait.lanes & step.exec) != 0) wait = {};
  return step.exec;
}

// Lanes that have ended need not come; whether they returned or only went around it, the source says.
void Meetings::note_ended(const WatchedStep& step, std::uint32_t ended) {
  const std::uint32_t here = lowest(step.exec);
  for_each_lane(ended, [&](std::uint32_t lane) {
    const std::uint32_t pc = left_pc_[step.warp * 32 + lane];
    if (!scene_.is_new(Kind::mask_without_caller, step.pc, pc)) return;
    Finding finding;
    finding.kind = Kind::mask_without_caller;
    finding.severity = Severity::information;
    scene_.set_line(finding, step.pc);
    finding.other_line = scene_.line(pc);
    finding.at = scene_.place({block_, step.warp, here});
    finding.other = scene_.place({block_, step.warp, lane});
    finding.message = scene_.words({block_, step.warp, here}) + " names lane " + std::to_string(lane) +
                      " in its mask, which left at line " + std::to_string(finding.other_line) +
                      " and does not execute this line";
    finding.fix = std::string(kFixOfMask);
    scene_.add(std::move(finding));
  });
}

// ---- waits that never end

namespace {
// Of kernels that replace the words of a whole array only some are remembered.
constexpr std::size_t kMostReplaced = 4096;
}  // namespace

void Meetings::looked_at(std::uint32_t warp, std::uint32_t lanes, const Target& what) {
  spins_[warp].looked = true;
  for_each_lane(lanes, [&](std::uint32_t lane) { looks_[warp * 32 + lane] = what; });
}

const Target& Meetings::look_of(const Slice& slice) const {
  return looks_[slice.warp * 32 + lowest(slice.lanes)];
}

void Meetings::replaced(const Replacement& replacement, std::uint64_t address) {
  const bool is_new = progress_.replaced.size() < kMostReplaced;
  if (is_new || progress_.replaced.contains(address)) progress_.replaced[address] = replacement;
}

// A deadlock is where every warp that is left waits at a barrier or has looked, slice after slice, for a
// change of memory that nobody made.
bool Meetings::is_input(const Target& look) const {
  if (look.shared) return false;
  for (const BufferFacts& buffer : scene_.facts().buffers)
    if (look.address >= buffer.address && look.address < buffer.address + buffer.size)
      return !buffer.is_output;
  return false;
}

bool Meetings::stands_still(const emulator::Slice& slice) {
  Spin& own = spins_[slice.warp];
  if (own.memory != progress_.memory_changes)
    own.seen = {}, own.memory = progress_.memory_changes, own.repeats = 0;
  const bool again = std::find(own.seen.begin(), own.seen.end(), slice.state) != own.seen.end();
  own.repeats = again ? own.repeats + 1 : 0;
  own.seen[own.next++ % own.seen.size()] = slice.state;
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if ((existing_[w] & ~left_[w]) == 0 || waits_beyond_[w] != 0) continue;
    if (spins_[w].memory != progress_.memory_changes || spins_[w].repeats < 2) return false;
  }
  return true;
}

// Whether a warp has ended, or waits for what somebody else does.
bool Meetings::is_idle(std::uint32_t warp) const {
  if ((existing_[warp] & ~left_[warp]) == 0 || at_barrier_[warp] || waits_beyond_[warp] != 0) return true;
  return spins_[warp].changes == progress_.changes && spins_[warp].idle >= 4;
}

emulator::Stuck Meetings::slice(const emulator::Slice& slice, Endless& endless) {
  Spin& own = spins_[slice.warp];
  own.pc = slice.pc;
  if ((existing_[slice.warp] & ~left_[slice.warp]) == 0) return {};  // it has just ended
  const bool looked =
      std::exchange(own.looked, false);  // a loop may have atomics that its lanes rarely come to
  const bool spins = slice.looks_outside && looked && !is_input(look_of(slice));
  const bool still = stands_still(slice);
  if (!spins) {
    own.idle = 0;
    endless = still ? Endless::never_ends : Endless::may_end;
    if (!still) return {};
    return {"is in a loop that never ends: each turn finds all variables and the memory as they were",
            std::string(kFixOfEndlessLoop)};
  }
  if (own.changes != progress_.changes) own.changes = progress_.changes, own.idle = 0;
  ++own.idle;
  for (const Meetings* block : progress_.blocks)
    for (std::uint32_t w = 0; w < warps_ && (!still || block != this); ++w)
      if (!block->is_idle(w)) return {};
  return wait_for_ever(slice);
}

// Where the thread ended: the branch that led it there says more than an end that all threads share.
void Meetings::note_end(Replacement& latest) const {
  const std::size_t thread = latest.thread.warp * 32 + latest.thread.lane;
  if (((left_[latest.thread.warp] >> latest.thread.lane) & 1) == 0) return;
  const std::uint32_t taken = taken_pc_[thread];
  latest.has_ended = true;
  latest.end_pc = taken > latest.pc + 1 ? taken - 1 : left_pc_[thread];
}

// Who replaced the word that a thread waits for, as it is now; empty if nobody is known to have.
std::optional<Replacement> Meetings::latest_at(const Target& look) const {
  const auto found = progress_.replaced.find(look.address);
  if (found == progress_.replaced.end()) return std::nullopt;
  Replacement latest = found->second;
  if (look.shared && latest.thread.block != block_) return std::nullopt;
  if (latest.thread.block == block_) note_end(latest);
  return latest;
}

namespace {
std::string at_line(const Scene& scene, std::uint32_t pc) {
  const int line = scene.line(pc);
  return line > 0 ? "at line " + std::to_string(line) : std::string("in the kernel");
}
}  // namespace

emulator::Stuck Meetings::wait_for_ever(const Slice& slice) const {
  const Target& look = look_of(slice);
  const auto latest = look.address != 0 ? latest_at(look) : std::nullopt;
  emulator::Stuck stuck = latest ? wait_for_thread(slice, *latest) : wait_for_nobody(slice);
  if (!look.shared) stuck.address = look.address;
  return stuck;
}

std::string Meetings::name_of(const Target& look) const {
  return scene_.name_at(look.shared, look.shared ? look.address & emulator::kOwnOffset : look.address,
                        look.width);
}

// As who waits for a lock that its owner does not give back.
emulator::Stuck Meetings::wait_for_thread(const Slice& slice, const Replacement& latest) const {
  const std::string word = name_of(look_of(slice));
  const ThreadId waiting{block_, slice.warp, lowest(slice.lanes)};
  const std::string start = "waits for ever for " + word + " to change";
  if (latest.thread == waiting)
    return {start + ": it changed it last itself, " + at_line(scene_, latest.pc),
            "change " + word + " back before it is waited for again"};
  const std::string who = start + ": " + scene_.words(latest.thread) + " changed it last, " +
                          at_line(scene_, latest.pc) + ", and ";
  if (latest.has_ended)
    return {who + "returned " + at_line(scene_, latest.end_pc) + " without changing it back",
            "change " + word + " back before every return"};
  const bool is_here = latest.thread.block == block_;
  const std::size_t thread = latest.thread.warp * 32 + latest.thread.lane;
  if (is_here && barrier_pc_[thread] != 0)
    return {
        who + "waits " + at_line(scene_, barrier_pc_[thread] - 1) +
            " for all threads of its block, this one among them",
        "change " + word + " back before the barrier: who holds a lock cannot wait for those that want it"};
  const Target none, &other = is_here ? looks_[thread] : none;
  if (other.address != 0 &&
      (other.address != look_of(slice).address || other.shared != look_of(slice).shared))
    return {who + "waits itself for " + name_of(other) + " to change",
            "let all threads take " + word + " and " + name_of(other) + " in the same order"};
  return {who + "never changes it back", "change " + word + " back on every way through the kernel"};
}

// No thread is known that could have changed what it waits for.
emulator::Stuck Meetings::wait_for_nobody(const Slice& slice) const {
  const Target& look = look_of(slice);
  std::string text = "waits for ever";
  if (look.shared || look.address != 0) text += " for " + name_of(look) + " to change";
  text += ": every thread of its block that has not ended waits as well";
  for (std::uint32_t w = 0; w < warps_; ++w) {
    if (w == slice.warp || (existing_[w] & ~left_[w]) == 0) continue;
    const int line = scene_.line(spins_[w].pc);
    if (at_barrier_[w]) {
      text += ", warp " + std::to_string(w) + " at a barrier";
      break;
    }
    if (line > 0 && line != scene_.line(slice.pc)) {
      text += ", warp " + std::to_string(w) + " at line " + std::to_string(line);
      break;
    }
  }
  const auto& grid = scene_.facts().grid;
  if (std::uint64_t{grid[0]} * grid[1] * grid[2] > progress_.blocks.size())
    text += ", and no other block has to run before it has ended";
  return {text, "let nobody wait for what only a later thread or block does"};
}

}  // namespace warplens::check
