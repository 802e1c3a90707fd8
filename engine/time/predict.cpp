#include "engine/time/predict.hpp"

#include <algorithm>
#include <cmath>

#include "engine/catalog/launches.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/grid.hpp"
#include "engine/time/machine_counts.hpp"
#include "engine/time/ptx_code.hpp"

namespace warplens::time {
namespace {

// A warp's instruction keeps one of the pipes of a kind, one in each part, for so many cycles.
std::array<double, kUnits> intervals_of(const device::Device& device, const Parameters& p) {
  const auto at_rate = [&](double per_clock) { return p.parts * 32 / per_clock; };
  const double fp32 = at_rate(device.fp32_lanes_per_sm);
  std::array<double, kUnits> intervals{};
  const auto set = [&](Unit unit, double cycles) { intervals[static_cast<std::size_t>(unit)] = cycles; };
  set(Unit::fma, fp32);
  set(Unit::fma_heavy, at_rate(device.multiplies_per_clock));
  set(Unit::alu, at_rate(device.integer_per_clock));
  set(Unit::special, at_rate(device.special_per_clock));
  set(Unit::fp64, device.fp64_per_clock > 0 ? at_rate(device.fp64_per_clock) : fp32);
  set(Unit::tensor, p.tensor_interval);
  for (const Unit unit : {Unit::uniform, Unit::memory, Unit::shuffle}) set(unit, 2);
  return intervals;
}

SmWork work_of(const Input& in, const MachineFlow& flow, std::vector<Step> steps, const Parameters& p) {
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch));
  const double sms = in.device.sm_count, active = std::min(sms, grid);
  const double clock = in.device.boost_clock_mhz * 1e6;
  SmWork work;
  work.code = std::move(steps);
  work.blocks = flow.blocks;
  work.warps_per_block = static_cast<int>((catalog::threads_in_block(in.launch) + 31) / 32);
  work.resident = static_cast<int>(std::min<double>(in.blocks_per_sm, std::ceil(grid / sms)));
  work.intervals = intervals_of(in.device, p);
  work.launch_interval = p.block_interval * active;
  work.l2_sectors_per_cycle = std::min(p.l2_port_sectors, p.l2_sectors / active);
  work.l2_packets_per_cycle = p.l2_packets / active;
  work.dram_sectors_per_cycle = in.device.memory_gb_per_s * 1e9 * p.dram_efficiency / clock / 32 / active;
  return work;
}

// What the units do for one warp.
struct Demand {
  std::array<double, kUnits> pipes{};  // cycles of one of the four parts' pipe
  double shared_turns = 0, l1_turns = 0, l2_sectors = 0, l2_packets = 0, dram_sectors = 0;
};

void add_access(Demand& demand, const Step& step, double executed) {
  const AccessCost& cost = step.cost;
  if (step.access == Access::constant_load) return;
  // An access to shared memory without a lane passes the pipe too.
  if (is_shared(step.access)) {
    demand.shared_turns += executed * (cost.active * cost.turns + (1 - cost.active));
    return;
  }
  demand.l1_turns += executed * cost.active * cost.turns;
  demand.l2_sectors += executed * cost.active * cost.l2_sectors;
  demand.l2_packets += executed * cost.active * cost.l2_packets;
  demand.dram_sectors += executed * cost.active * cost.dram_sectors;
}

Demand demand_of(const SmWork& work) {
  Demand demand;
  for (const Block& block : work.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Step& step = work.code[i];
      const auto unit = static_cast<std::size_t>(step.unit);
      demand.pipes[unit] += block.executed * work.intervals[unit];
      if (step.doubles)
        demand.pipes[static_cast<std::size_t>(Unit::fp64)] +=
            block.executed * work.intervals[static_cast<std::size_t>(Unit::fp64)];
      if (step.unit == Unit::shuffle) demand.shared_turns += block.executed;
      if (step.unit == Unit::memory) add_access(demand, step, block.executed);
    }
  return demand;
}

// Of all that warps do, not of what was simulated: where loops are long, that has fewer of their turns, but
// all that stands before and behind them. warps: of an SM, in all.
UnitShares shares_of(const SmWork& work, double warps, double cycles, double issue, const Parameters& p) {
  const Demand demand = demand_of(work);
  const auto share = [&](double busy) { return std::clamp(busy * warps / std::max(cycles, 1.0), 0.0, 1.0); };
  const auto pipe = [&](Unit unit) { return demand.pipes[static_cast<std::size_t>(unit)] / p.parts; };
  return {.issue = std::min(issue, 1.0),
          .fma = share(pipe(Unit::fma) + pipe(Unit::fma_heavy)),
          .alu = share(pipe(Unit::alu)),
          .fp64 = share(pipe(Unit::fp64)),
          .sfu = share(pipe(Unit::special)),
          .shared = share(demand.shared_turns),
          .l1 = share(demand.l1_turns),
          .l2 = share(p.l2_efficiency * std::max(demand.l2_sectors / work.l2_sectors_per_cycle,
                                                 demand.l2_packets / work.l2_packets_per_cycle)),
          .dram = share(demand.dram_sectors / work.dram_sectors_per_cycle * p.dram_efficiency)};
}

// executed: of each instruction. What was scheduled may have fewer turns of its loops: each instruction
// counts as often as it really ran.
void add_stalls(Prediction& prediction, const SmResult& sim, const std::vector<Instruction>& code,
                const std::vector<double>& executed) {
  constexpr auto kIssued = static_cast<std::size_t>(Stall::selected);
  const auto weight = [&](std::size_t i) {
    const double issued = sim.stalls_at[i][kIssued];
    return issued > 0 ? executed[i] / issued : 0;
  };
  double all = 0;
  for (std::size_t i = 0; i < code.size(); ++i)
    for (const double cycles : sim.stalls_at[i]) all += weight(i) * cycles;
  for (std::size_t i = 0; i < code.size() && all > 0; ++i) {
    if (weight(i) <= 0) continue;
    StallsAt at{code[i].offset, code[i].line, code[i].ptx_line, {}};
    for (std::size_t s = 0; s < kStalls; ++s) {
      const double share = weight(i) * sim.stalls_at[i][s] / all;
      at.shares[s] = static_cast<float>(share);
      prediction.stalls[s] += share;
    }
    prediction.stalls_at.push_back(at);
  }
}

void add_hits(Prediction& prediction, const Traffic& traffic) {
  const double requested = traffic.missed + traffic.written;
  if (traffic.asked > 0) prediction.l1_hits = std::clamp(1 - traffic.missed / traffic.asked, 0.0, 1.0);
  if (requested > 0) prediction.l2_hits = std::clamp(1 - traffic.read / requested, 0.0, 1.0);
}

struct CountedCode {
  std::vector<Instruction> code;
  MachineFlow flow;
  std::string_view basis;
};
// Machine code where all that the PTX does is found again in it, else the PTX.
Result<CountedCode> counted_code(const Input& in, double warps) {
  const auto& function = in.kernel.function();
  if (!in.from_ptx) {
    auto code = read_instructions(in.cubin, in.entry);
    if (!code) return code.error();
    auto flow = count_blocks(*code, function, in.counters, in.kernel.shared_accesses(), warps);
    if (flow.least_kept >= kLeastKept) return CountedCode{*std::move(code), std::move(flow), "sass"};
  }
  PtxCode ptx = code_of_ptx(function, in.counters, in.kernel.shared_accesses(), warps,
                            in.device.compute_capability < 30);
  return CountedCode{std::move(ptx.code), std::move(ptx.flow), "ptx"};
}

// How often each instruction ran in the counted blocks.
std::vector<double> executed_of(const MachineFlow& flow, std::size_t code, double warps) {
  std::vector<double> executed(code);
  for (const Block& block : flow.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) executed[i] = block.executed * warps;
  return executed;
}

}  // namespace

std::string_view name(Stall stall) {
  constexpr std::array<std::string_view, kStalls> kNames{
      "none",    "selected",           "wait",         "long_scoreboard", "short_scoreboard",
      "barrier", "math_pipe_throttle", "lsu_throttle", "dispatch_stall",  "not_selected"};
  return kNames[static_cast<std::size_t>(stall)];
}

std::array<UnitShare, 9> shares_of(const UnitShares& units) {
  return {{{"issue", units.issue},
           {"fma", units.fma},
           {"alu", units.alu},
           {"fp64", units.fp64},
           {"sfu", units.sfu},
           {"shared", units.shared},
           {"l1", units.l1},
           {"l2", units.l2},
           {"dram", units.dram}}};
}

UnitShare busiest(const UnitShares& units) {
  const auto all = shares_of(units);
  return *std::ranges::max_element(all, {}, &UnitShare::busy);
}

double l2_bytes(const device::Device& device, const Prediction& prediction) {
  if (device.boost_clock_mhz <= 0) return 0;
  const double seconds = 1e-6 * prediction.cycles / device.boost_clock_mhz;
  return 1e9 * l2_gb_per_s(device) * seconds * prediction.units.l2 / parameters_of(device).l2_efficiency;
}

Result<Prediction> predict(const Input& in, const Settings& instead, SmHistory* history) {
  const Parameters p = parameters_of(in.device, instead);
  if (in.device.sm_count == 0)
    return Error{in.device.name + " is no product, so it has no number of multiprocessors", "name a device"};
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch)), sms = in.device.sm_count;
  const double warps = static_cast<double>((catalog::threads_in_block(in.launch) + 31) / 32);
  const double counted = static_cast<double>(in.counters.blocks_run) * warps;
  const auto found = counted_code(in, counted);
  if (!found) return found.error();
  const auto& [code, flow, basis] = *found;
  const AccessCosts costs(in, p);
  const std::vector<double> executed = executed_of(flow, code.size(), counted);
  const SmWork work = work_of(in, flow, costs.steps(code, executed), p);
  const GridTime time = time_of(work, grid / sms, in.blocks_per_sm, in.device.sm_count, flow.instructions, p,
                                history == nullptr ? nullptr : &history->warps);
  if (time.sample.runs_away && !in.from_ptx) {
    Input ptx = in;
    ptx.from_ptx = true;
    return predict(ptx, instead, history);
  }
  if (history != nullptr) {
    history->code = code, history->warps_per_block = work.warps_per_block, history->resident = work.resident;
    history->block_ends = time.ends, history->last_wave = time.last, history->scheduled = time.scheduled;
  }
  Prediction prediction;
  prediction.basis = basis;
  // Atomics at one address go one after another.
  prediction.meetings = costs.traffic().meetings;
  const double one_by_one = prediction.meetings * p.atomic_cycles;
  prediction.cycles = std::max(time.cycles, one_by_one);
  prediction.same_address = one_by_one / std::max(prediction.cycles, 1.0);
  prediction.blocks = grid;
  prediction.starts = std::min(1.0, grid * p.block_interval / std::max(prediction.cycles, 1.0));
  prediction.seconds = prediction.cycles / (in.device.boost_clock_mhz * 1e6) + p.launch_seconds;
  prediction.warp_instructions = std::round(flow.instructions * warps * grid);
  prediction.resident_warps = work.resident * warps;
  prediction.waves = grid / (sms * in.blocks_per_sm);
  prediction.tail = 1 - grid / sms / std::ceil(grid / sms - 1e-9);
  const double issue =
      prediction.warp_instructions * p.issue_interval / (p.parts * sms * std::max(prediction.cycles, 1.0));
  prediction.units = shares_of(work, warps * grid / sms, prediction.cycles, issue, p);
  prediction.limiter = busiest(prediction.units).name;
  add_stalls(prediction, time.sample, code, executed);
  add_hits(prediction, costs.traffic());
  return prediction;
}

}  // namespace warplens::time
