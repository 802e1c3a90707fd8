// Checker: the blocks of a launch, and what a fault of the emulator says as a finding.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "engine/check/bounds.hpp"
#include "engine/check/checker.hpp"
#include "engine/check/races.hpp"

namespace warplens::check {

Checker::Checker(LaunchFacts facts, std::vector<std::uint64_t> blocks, std::uint64_t most_steps)
    : scene_(std::move(facts)),
      blocks_(std::move(blocks)),
      tables_(scene_.facts()),
      arrays_(scene_.facts(), scene_.unit()),
      cells_(scene_.facts().shared_bytes / scene_.unit() + 32) {
  ending_.most_steps = most_steps;
}

Checker::~Checker() = default;

emulator::BlockWatcher* Checker::begin_block(std::uint64_t block) {
  // Blocks of few instructions look at no limit themselves.
  if (ending_.steps >= ending_.most_steps) ending_.gave_up = is_done_ = true;
  if (ending_.gave_up) return nullptr;
  if (!blocks_.empty() && !std::binary_search(blocks_.begin(), blocks_.end(), block)) return nullptr;
  // Blocks that run one by one use the cells of the one before.
  auto& shared = companions_.shared;
  if (running_.empty() && !shared.empty()) {
    auto cells = shared.extract(shared.begin());
    shared.clear();
    cells.key() = block;
    shared.insert(std::move(cells));
  }
  shared.try_emplace(block, cells_).first->second.clear();
  return (running_[block] = std::make_unique<BlockChecker>(scene_, arrays_, channels_, tables_, block,
                                                           companions_, ending_))
      .get();
}

void Checker::end_block(std::uint64_t block) {
  const auto running = running_.find(block);
  if (running == running_.end()) return;
  running->second->finish(true);
  effort_ += running->second->effort();
  if (!ending_.gave_up) ++blocks_watched_;
  running_.erase(running);
  arrays_.tidy(kMostMoments);
}

namespace {

Kind kind_of(const emulator::Fault& fault, const ptx::Function& function) {
  using F = emulator::Fault::Kind;
  switch (fault.kind) {
    case F::misaligned:
      return Kind::misaligned;
    case F::uninitialised_shared:
      return Kind::uninitialized_shared;
    case F::read_only:
      return Kind::write_to_input;
    case F::barrier: {
      const bool block =
          fault.pc < function.code.size() && (function.code[fault.pc].opcode == ptx::Opcode::bar_sync ||
                                              function.code[fault.pc].opcode == ptx::Opcode::bar_red);
      return block ? Kind::divergent_barrier : Kind::mask_without_caller;
    }
    case F::budget:
      return Kind::endless_loop;
    case F::deadlock:
      return Kind::deadlock;
    case F::trap:
      return Kind::trap;
    default:
      return Kind::out_of_bounds;
  }
}

}  // namespace

Finding finding_of(const emulator::Fault& fault, Scene& scene, const Ending& ending) {
  Finding finding;
  finding.kind = ending.endless != Endless::may_end ? Kind::endless_loop : kind_of(fault, scene.function());
  finding.file = scene.file();
  scene.set_line(finding, fault.pc);
  finding.at = {true, fault.thread, fault.block_index};
  const auto& code = scene.function().code;
  const ptx::Instruction i = fault.pc < code.size() ? code[fault.pc] : ptx::Instruction{};
  const auto& facts = scene.facts();
  std::optional<ArrayPlace> array = ending.pc == fault.pc ? ending.array : std::nullopt;
  if (!array || array->size == 0) array = array_at(fault, i, facts.kernel->layout(), facts.buffers);
  if (facts.memory->was_freed(fault.address)) array.reset();
  const FaultWords words = words_of_fault(fault, i, array, facts.block, facts.grid);
  finding.address = words.address.empty() ? fault.nearest : words.address;
  finding.memory = words.memory;
  finding.is_before = words.is_before;
  finding.endless = ending.endless;
  finding.message = words.message;
  finding.fix = words.fix;
  if (finding.kind != Kind::endless_loop) return finding;
  finding.fix = kFixOfEndlessLoop;
  const Loop loop = loop_around(scene.function(), fault.pc);
  finding.other_line = finding.line;
  for (std::uint32_t at = loop.first; at < loop.end; ++at)
    if (const int line = scene.line(at); line > 0) finding.line = std::min(finding.line, line);
  return finding;
}

namespace {

// Two lines, which a barrier between them mends, or one before their next turn.
bool is_of_two_lines(const Finding& race) {
  return race.line != race.other_line && !race.fix_of_block.empty();
}

// Where the warps of a block need a barrier, the lanes of one do not need less: one barrier mends both.
void prefer_block_barriers(Findings& findings) {
  const auto meets = [](const Finding& a, const Finding& b) {
    return a.line == b.line || a.line == b.other_line || a.other_line == b.line ||
           a.other_line == b.other_line;
  };
  for (Finding& warp : findings) {
    if (warp.kind != Kind::race_warp || warp.fix_of_block.empty()) continue;
    const bool is_needed = std::any_of(findings.begin(), findings.end(), [&](const Finding& block) {
      if (block.kind != Kind::race_shared || !meets(warp, block)) return false;
      const bool waits_there = is_of_two_lines(warp) && is_of_two_lines(block) &&
                               std::max(warp.line, warp.other_line) == std::max(block.line, block.other_line);
      return waits_there || block.fix == warp.fix_of_block;
    });
    if (is_needed) warp.fix = warp.fix_of_block;
  }
}

// The innermost loop that has instructions of both lines; empty where there is none.
Loop loop_of(const Finding& race, const Scene& scene) {
  const auto& code = scene.function().code;
  const auto has = [&](const Loop& loop, int line) {
    for (std::uint32_t pc = loop.first; pc < loop.end; ++pc)
      if (scene.line(pc) == line) return true;
    return false;
  };
  Loop best;
  for (std::uint32_t at = 0; at < code.size(); ++at) {
    if (code[at].opcode != ptx::Opcode::bra || code[at].operands.empty()) continue;
    const Loop loop{code[at].operands[0].target, at + 1};
    if (loop.first > at || !has(loop, race.line) || !has(loop, race.other_line)) continue;
    if (best.end == 0 || loop.end - loop.first < best.end - best.first) best = loop;
  }
  return best;
}

bool waits_for_next_turn(const Finding& race) {
  const auto [before, behind] = std::minmax(race.line, race.other_line);
  return (race.kind == Kind::race_warp || race.kind == Kind::race_shared) &&
         race.fix == fix_of_next_turn(race.kind == Kind::race_warp, behind, before);
}

// Of the races that turns of one loop make with the next, a barrier of the block behind the last line mends all, where one of them
// is between warps.
void share_barriers_of_turns(Findings& findings, const Scene& scene) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Finding*>> of_loops;
  for (Finding& race : findings)
    if (waits_for_next_turn(race))
      if (const Loop loop = loop_of(race, scene); loop.end > 0)
        of_loops[{loop.first, loop.end}].push_back(&race);
  for (const auto& [loop, races] : of_loops) {
    const auto is_of_block = [](const Finding* race) { return race->kind == Kind::race_shared; };
    if (std::ranges::none_of(races, is_of_block) || std::ranges::all_of(races, is_of_block)) continue;
    int behind = 0, before = std::numeric_limits<int>::max();
    for (const Finding* race : races)
      behind = std::max({behind, race->line, race->other_line}),
      before = std::min({before, race->line, race->other_line});
    for (Finding* race : races) race->fix = race->fix_of_block = fix_of_next_turn(false, behind, before);
  }
}

bool is_between_blocks(const Finding& race) {
  return race.kind == Kind::race_global && race.at.block != race.other.block;
}

// What orders the threads of one block mends nothing before blocks no longer meet in the array; and where they write to the
// same elements, that one of them reads what another one wrote may come of it.
void mend_blocks_first(Findings& findings, const Scene& scene) {
  for (Finding& race : findings) {
    if (race.kind != Kind::race_global || race.severity != Severity::error) continue;
    const std::string array = array_of(race);
    const bool is_of_one_block = !is_between_blocks(race) && !race.fix_of_block.empty();
    const auto* written = scene.written_by_blocks(array);
    const bool is_itself =
        written != nullptr && written->line == race.line && written->other_line == race.other_line;
    if (is_itself || (!is_between_blocks(race) && !is_of_one_block)) continue;
    int line = written != nullptr ? written->line : 0;
    for (const Finding& other : findings)
      if (line == 0 && is_of_one_block && is_between_blocks(other) && other.severity == Severity::error &&
          array_of(other) == array)
        line = other.line;
    if (line == 0) continue;
    const std::string first = fmt::format("mend line {} first, where blocks meet in {}", line, array);
    race.fix = is_of_one_block ? fmt::format("{}; then {}", first, race.fix_of_block)
                               : first + ": this may come of it";
  }
}

// A barrier in a condition orders only those who come to it: that is what to mend, not to put another one beside it.
void prefer_whole_barriers(Findings& findings) {
  const auto divergent = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.kind == Kind::divergent_barrier && finding.line > 0;
  });
  if (divergent == findings.end()) return;
  // One that does not stand between two lines would not order them either.
  const auto orders = [&](const Finding& race) {
    const auto [first, last] = std::minmax(race.line, race.other_line);
    return first == last || (first < divergent->line && divergent->line < last);
  };
  for (Finding& race : findings)
    if (!race.fix_of_block.empty() && orders(race))
      race.fix =
          fmt::format("let all threads of the block come to the barrier of line {}, as often as each other",
                      divergent->line);
}

bool has_deadlock(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.kind == Kind::deadlock; });
}

}  // namespace

void name_header(Finding& finding) {
  if (!finding.header.file.empty())
    finding.message += ", in line " + std::to_string(finding.header.line) + " of " + finding.header.file;
}

Findings Checker::finish(const std::optional<emulator::Fault>& fault) {
  Findings& findings = scene_.findings();
  using F = emulator::Fault::Kind;
  if (fault && !ending_.gave_up && fault->kind != F::cancelled && fault->kind != F::limit)
    scene_.add(finding_of(*fault, scene_, ending_));
  if (!has_deadlock(findings))
    companions_.locks.tell(scene_);
  else
    for (const auto& [block, checker] : running_) checker->finish(false);
  if (!ending_.gave_up && (!fault || has_deadlock(findings)))
    tell_bytes(scene_, companions_.bytes, fault.has_value());
  share_barriers_of_turns(findings, scene_);
  prefer_block_barriers(findings);
  mend_blocks_first(findings, scene_);
  prefer_whole_barriers(findings);
  scene_.settle_late_writes();
  for (Finding& finding : findings) name_header(finding);
  sort_by_cause(findings);
  return std::move(findings);
}

}  // namespace warplens::check
