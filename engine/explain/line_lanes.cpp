#include "engine/explain/line_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "engine/explain/facts.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/made_of.hpp"
#include "engine/explain/roles.hpp"
#include "engine/run/derived/later_tests.hpp"

namespace warplens::explain {
namespace {

constexpr double kFull = 0.995, kMostLanes = 0.75;  // shares of the lanes
constexpr double kLeastIdle = 0.05;                 // of all that the run could have done

bool is_of_line(const run::Run& run, std::uint32_t pc, int line) {
  return run.instructions[pc].line == line || run.kernel_lines[pc] == line;
}

double efficiency_of(const emulator::InstructionCounters& row) {
  return report::lane_efficiency(row.lanes, row.executed);
}

// The instruction of the line at which most lanes wait, of all the times that warps execute it: what few warps come to, as the rare
// path of a function, does not speak for the line. What the compiler moved behind a later test speaks where there is nothing else.
std::optional<std::uint32_t> speaker(const run::Run& run, int line, const std::vector<int>& later_tests) {
  std::optional<std::uint32_t> found;
  std::pair<bool, std::uint64_t> most;  // whether it is where the source has it, and the lanes that wait
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc) {
    const auto& row = run.instructions[pc].counters;
    if (!is_of_line(run, pc, line) || row.executed == 0) continue;
    const std::pair own{later_tests[pc] == 0, 32 * row.executed - row.lanes};
    if (!found || own > most) found = pc, most = own;
  }
  return found;
}

// All lanes each time: then nobody looked at them one by one.
std::vector<std::uint32_t> full_turns(const run::Run& run, const emulator::InstructionCounters& row) {
  const auto& block = run.plan().launch.block;
  const std::uint64_t warps = (std::uint64_t{block[0]} * block[1] * block[2] + 31) / 32;
  const std::uint64_t all = std::max<std::uint64_t>(warps * run.emulation.outcome.counters.blocks_run, 1);
  constexpr std::uint64_t most = 1'000'000;
  return std::vector<std::uint32_t>(
      static_cast<std::size_t>(std::clamp<std::uint64_t>(row.executed / all, 1, most)), ~0u);
}

}  // namespace

double LineLanes::mean_lanes() const {
  if (turns.empty()) return 0;
  double lanes = 0;
  for (const std::uint32_t mask : turns) lanes += std::popcount(mask);
  return lanes / static_cast<double>(turns.size());
}

bool others_work(const run::Run& run, std::size_t block, std::uint32_t warp, std::uint32_t lanes) {
  constexpr std::uint64_t kMuch = 4;
  const trace::BlockLanes* all = run.lanes == nullptr || block >= run.trace->blocks().size()
                                     ? nullptr
                                     : run.lanes->of(run.trace->blocks()[block].block);
  if (all == nullptr) return false;
  const auto& code = run.kernel->function().code;
  std::uint32_t here = 0;
  for (const trace::LaneStep& step : all->steps)
    if (step.warp == warp) here |= step.lanes;
  const std::uint32_t others = here & ~lanes;
  std::uint64_t own = 0, theirs = 0;  // a jump's guard lets those act that leave: no work
  for (const trace::LaneStep& step : all->steps) {
    if (step.warp != warp || code[step.pc].opcode == ptx::Opcode::bra) continue;
    own += step.lanes == lanes ? 1u : 0u;
    theirs += step.lanes == others ? 1u : 0u;
  }
  return others != 0 && theirs > 0 && kMuch * theirs >= own;
}

namespace {

// Whether fewer warps of the block would hold the lanes that are at work at an instruction, at one of its turns. One lane of each
// warp, which speaks for it, is nobody's neighbour.
bool is_scattered(const trace::BlockLanes& block, std::uint32_t pc) {
  struct Turn {
    int warps = 0, lanes = 0;
  };
  std::vector<Turn> turns;
  std::map<std::uint32_t, std::size_t> turn_of_warp;
  for (const trace::LaneStep& step : block.steps) {
    if (step.pc != pc) continue;
    const std::size_t turn = turn_of_warp[step.warp]++;
    if (turn >= turns.size()) turns.resize(turn + 1);
    turns[turn].warps += step.lanes != 0 ? 1 : 0;
    turns[turn].lanes += std::popcount(step.lanes);
  }
  return std::ranges::any_of(
      turns, [](const Turn& turn) { return turn.lanes > turn.warps && turn.warps > (turn.lanes + 31) / 32; });
}

// Whether all lanes that come to the line are together again within it: then something inside divides them, such as
// a function that it calls, and not what the line asks.
bool meets_within(const run::Run& run, int line, std::uint32_t speaker) {
  constexpr double kAll = 0.98;
  std::uint64_t most = 0, behind = 0;
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc) {
    if (!is_of_line(run, pc, line)) continue;
    const std::uint64_t lanes = run.instructions[pc].counters.lanes;
    most = std::max(most, lanes);
    if (pc > speaker) behind = std::max(behind, lanes);
  }
  return static_cast<double>(behind) >= kAll * static_cast<double>(most) &&
         static_cast<double>(run.instructions[speaker].counters.lanes) < kAll * static_cast<double>(most);
}

}  // namespace

LineLanes lanes_at_line(const run::Run& run, std::size_t block, std::uint32_t warp, int line) {
  LineLanes seen;
  seen.line = line;
  const std::vector<int> later_tests = run::later_tests(run);
  const auto pc = speaker(run, line, later_tests);
  if (!pc) return seen;
  seen.behind_test = later_tests[*pc];
  const auto& row = run.instructions[*pc].counters;
  seen.efficiency = efficiency_of(row);
  if (!meets_within(run, line, *pc)) seen.condition = condition_at(run, line);
  seen.is_test = !seen.condition.empty();
  const trace::BlockLanes* lanes = run.lanes == nullptr || block >= run.trace->blocks().size()
                                       ? nullptr
                                       : run.lanes->of(run.trace->blocks()[block].block);
  if (lanes == nullptr) {
    seen.turns = full_turns(run, row);
    return seen;
  }
  for (const trace::LaneStep& step : lanes->steps)
    if (step.pc == *pc && step.warp == warp) seen.turns.push_back(step.lanes);
  const auto part = std::ranges::find_if(seen.turns, [](std::uint32_t mask) { return mask != ~0u; });
  seen.others_work = part != seen.turns.end() && others_work(run, block, warp, *part);
  seen.is_scattered = is_scattered(*lanes, *pc);
  return seen;
}

namespace {

// "at the test on line 33"
Said where_words(const LineLanes& lanes) {
  const Claim line = claim::number(Quantity::line, lanes.line, Scope::line);
  return lanes.is_test ? say("at the test on line {}", {line}) : say("at line {}", {line});
}

// With `where` behind it.
Said at_line(std::string_view pattern, Claims claims, const LineLanes& lanes) {
  Said said = say(pattern, std::move(claims)), where = where_words(lanes);
  said.text += " " + where.text;
  std::ranges::move(where.claims, std::back_inserter(said.claims));
  return said;
}

Explanation explain_full(const LineLanes& lanes) {
  const double mean = 32 * lanes.efficiency;
  const Claim all = claim::amount(Quantity::warp_lanes, 32, Scope::warp);
  if (lanes.efficiency >= 1)
    return made_of(
        RuleId::full_line, Verdict::good,
        {at_line("{} of {} work", {claim::number(Quantity::mean_lanes, 32, Scope::line), all}, lanes),
         say("{} of a warp that comes here waits",
             {claim::every("no lane", Quantity::mean_idle_lanes, 0, Scope::line)}),
         say("{}", {claim::every("nothing to fix", Quantity::mean_idle_lanes, 0, Scope::line)})});
  return made_of(RuleId::full_line, Verdict::good,
                 {at_line("{} of {} work {}",
                          {rounded(Quantity::mean_lanes, mean, 4, Scope::line), all,
                           claim::average("on average", Quantity::mean_lanes, mean, Scope::line)},
                          lanes),
                  say("hardly a lane of a warp that comes here waits"), say("little to fix")});
}

}  // namespace

namespace {

bool is_costly(const LineLanes& lanes) { return lanes.efficiency < kMostLanes && lanes.behind_test == 0; }

Said why_idle(const LineLanes& lanes) {
  if (lanes.behind_test > 0)
    return say("the compiler has moved it behind the test on line {}",
               {claim::of(claim::number(Quantity::line, lanes.behind_test, Scope::line),
                          std::to_string(lanes.behind_test))});
  if (lanes.condition.empty()) return say("lanes that do not take part wait for the others");
  if (lanes.others_work)
    return say("threads with {} go one way, and the others of their warp another",
               {claim::name(lanes.condition)});
  return say("threads with {} take part", {claim::name(lanes.condition)});
}
// Threads at work that are neighbours already leave no warp more that could finish early: the bounds of an array, or one thread of
// the block.
Said fix_of_idle(const LineLanes& lanes) {
  if (lanes.behind_test > 0 || !is_costly(lanes)) return {};
  if (lanes.condition.empty()) return lanes.is_scattered ? say("decide by warp, not by thread") : Said{};
  if (lanes.others_work) return say(kOneWay);
  if (!lanes.is_scattered) return {};
  return say("let neighbouring threads work: whole warps finish early");
}

}  // namespace

Explanation explain(const LineLanes& lanes) {
  if (lanes.efficiency > kFull) return explain_full(lanes);
  const double idle = 32 * (1 - lanes.efficiency);
  Explanation said =
      made_of(RuleId::idle_line, is_costly(lanes) ? Verdict::costly : Verdict::neutral,
              {at_line("{} of {} wait {}",
                       {rounded(Quantity::mean_idle_lanes, idle, 3, Scope::line),
                        claim::amount(Quantity::warp_lanes, 32, Scope::warp),
                        claim::average("on average", Quantity::mean_idle_lanes, idle, Scope::line)},
                       lanes),
               why_idle(lanes), fix_of_idle(lanes)},
              CostKind::idle_lanes);
  said.line = lanes.line;
  return said;
}

Explanation explain_line(const run::Run& run, const LineLanes& lanes) {
  if (const auto roles = roles_of(run, 0); roles && roles->line == lanes.line) return explain(*roles);
  const InstructionCost cost = instruction_cost(run);
  if (!counts_instructions(run, cost, lanes.line)) return explain(lanes);
  if (cost.lines.front().line == lanes.line) return explain(cost, run);
  const auto own = std::ranges::find(cost.lines, lanes.line, &LineInstructions::line);
  if (own == cost.lines.end()) return explain(lanes);
  const auto share_of = [&](const LineInstructions& line) {
    return claim::of(
        percent(Quantity::share_of_line, line.all.instructions / cost.total.all.instructions, Scope::kernel),
        std::to_string(line.line));
  };
  const LineInstructions& costliest = cost.lines.front();
  Claim here = share_of(*own);
  here.shown += " of all instructions";
  const Claim line = claim::number(Quantity::line, costliest.line, Scope::line);
  return made_of(
      RuleId::other_line, Verdict::neutral,
      {say("{}", {here}),
       say("{} are in line {}", {share_of(costliest), claim::of(line, std::to_string(costliest.line))}),
       {}});
}

int line_of_most_idle(const run::Run& run) {
  const auto idle_of = [](const emulator::InstructionCounters& row) {
    return 32.0 * static_cast<double>(row.executed) - static_cast<double>(row.lanes);
  };
  double most = kLeastIdle * 32 * static_cast<double>(run.lines.total.executed);
  const std::vector<int> later_tests = run::later_tests(run);
  std::map<int, double> idle;
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc)
    if (later_tests[pc] == 0) idle[run.instructions[pc].line] += idle_of(run.instructions[pc].counters);
  int found = 0;
  for (const auto& [line, lanes] : idle)
    if (line > 0 && lanes > most) most = lanes, found = line;
  return found;
}

std::map<int, double> idle_instructions(const run::Run& run) {
  std::map<int, double> idle;
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc) {
    const auto& row = run.instructions[pc].counters;
    const double more = static_cast<double>(row.executed) - static_cast<double>(row.lanes) / 32;
    const int own = run.instructions[pc].line, of_kernel = run.kernel_lines[pc];
    if (more <= 0) continue;
    idle[own] += more;
    if (of_kernel != own) idle[of_kernel] += more;
  }
  return idle;
}

}  // namespace warplens::explain
