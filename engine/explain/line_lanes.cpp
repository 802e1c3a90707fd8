#include "engine/explain/line_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/explain/facts.hpp"
#include "engine/explain/instruction_cost.hpp"

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

// The instruction of the line that the fewest lanes execute.
std::optional<std::uint32_t> speaker(const run::Run& run, int line) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc) {
    const auto& row = run.instructions[pc].counters;
    if (!is_of_line(run, pc, line) || row.executed == 0) continue;
    if (!found || efficiency_of(row) < efficiency_of(run.instructions[*found].counters)) found = pc;
  }
  return found;
}

// All lanes each time: then nobody looked at them one by one.
std::vector<std::uint32_t> full_turns(const run::Run& run, const emulator::InstructionCounters& row) {
  const auto& block = run.plan().launch.block;
  const std::uint64_t warps = (std::uint64_t{block[0]} * block[1] * block[2] + 31) / 32;
  const std::uint64_t all = std::max<std::uint64_t>(warps * run.emulation.outcome.counters.blocks_run, 1);
  constexpr std::uint64_t most = 1'000'000;
  return std::vector<std::uint32_t>(std::clamp<std::uint64_t>(row.executed / all, 1, most), ~0u);
}

}  // namespace

double LineLanes::mean_lanes() const {
  if (turns.empty()) return 0;
  double lanes = 0;
  for (const std::uint32_t mask : turns) lanes += std::popcount(mask);
  return lanes / static_cast<double>(turns.size());
}

LineLanes lanes_at_line(const run::Run& run, std::size_t block, std::uint32_t warp, int line) {
  LineLanes seen;
  seen.line = line;
  const auto pc = speaker(run, line);
  if (!pc) return seen;
  const auto& row = run.instructions[*pc].counters;
  seen.efficiency = efficiency_of(row);
  seen.condition = condition_at(run, line);
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
  return seen;
}

Explanation explain(const LineLanes& lanes) {
  const std::string where = lanes.is_test ? fmt::format("at the test on line {}", lanes.line)
                                          : fmt::format("at line {}", lanes.line);
  if (lanes.efficiency > kFull)
    return {"full line", Verdict::good, fmt::format("32 of 32 lanes work {}", where),
            "no lane of a warp that comes here waits", "nothing to fix"};
  const int idle = 32 - static_cast<int>(std::lround(32 * lanes.efficiency));
  return {"idle line",
          lanes.efficiency < kMostLanes ? Verdict::costly : Verdict::neutral,
          fmt::format("{} of 32 lanes wait {}", std::max(idle, 1), where),
          lanes.condition.empty() ? "lanes that do not take part wait for the others"
                                  : fmt::format("only threads with {} take part", lanes.condition),
          lanes.condition.empty() ? "decide by warp, not by thread"
                                  : "let neighbouring threads work: whole warps finish early",
          CostKind::idle_lanes};
}

Explanation explain_line(const run::Run& run, const LineLanes& lanes) {
  const InstructionCost cost = instruction_cost(run);
  if (!counts_instructions(run, cost, lanes.line)) return explain(lanes);
  if (cost.lines.front().line == lanes.line) return explain(cost, run);
  const auto own = std::ranges::find(cost.lines, lanes.line, &LineInstructions::line);
  if (own == cost.lines.end()) return explain(lanes);
  return {
      "other line", Verdict::neutral,
      fmt::format("{:.0f} % of all instructions", 100 * own->all.instructions / cost.total.all.instructions),
      fmt::format("most are in line {}", cost.lines.front().line), ""};
}

int line_of_most_idle(const run::Run& run) {
  double most = kLeastIdle * 32 * static_cast<double>(run.lines.total.executed);
  int line = 0;
  for (const report::LineRow& row : run.lines.rows) {
    const double idle =
        32.0 * static_cast<double>(row.executed) - static_cast<double>(row.thread_instructions);
    if (row.line > 0 && idle > most) most = idle, line = row.line;
  }
  return line;
}

}  // namespace warplens::explain
