#include "engine/time/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>

#include "engine/catalog/launches.hpp"
#include "engine/time/chip/parameters_of.hpp"
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

// The counts of some warps of one block.
emulator::Counters counters_of(const Input& in, const std::vector<int>& warps) {
  emulator::Counters counters = in.counters;
  counters.blocks_run = 1;
  for (std::size_t pc = 0; pc < counters.instructions.size(); ++pc) {
    double executed = 0;
    for (const int warp : warps) executed += in.async->executed[static_cast<std::size_t>(warp)][pc];
    counters.instructions[pc].executed = static_cast<std::uint64_t>(executed);
    counters.instructions[pc].diverged = 0;
  }
  return counters;
}

// Warps that do the same beside, and for, the others.
std::vector<WarpRole> roles_of(const Input& in) {
  const auto& function = in.kernel.function();
  std::map<std::vector<double>, WarpRole> roles;
  for (std::size_t warp = 0; warp < in.async->executed.size(); ++warp) {
    std::vector<double> told;
    for (std::uint32_t pc = 0; pc < function.code.size(); ++pc)
      if (async_of(function.code[pc]) != Async::none || function.code[pc].opcode == ptx::Opcode::bar_sync)
        told.push_back(in.async->executed[warp][pc]);
    roles[told].warps.push_back(static_cast<int>(warp));
  }
  std::vector<WarpRole> all;
  for (auto& [told, role] : roles) {
    const auto counters = counters_of(in, role.warps);
    const auto warps = static_cast<double>(role.warps.size());
    role.blocks = code_of_ptx(function, counters, in.kernel.shared_accesses(), warps, false).flow.blocks;
    all.push_back(std::move(role));
  }
  return all;
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
  work.products = {1, p.tensor_half, p.tensor_doubles};
  work.launch_interval = p.block_interval * active;
  work.l2_sectors_per_cycle = std::min(p.l2_port_sectors, p.l2_sectors / active);
  work.l2_packets_per_cycle = p.l2_packets / active;
  work.dram_sectors_per_cycle = in.device.memory_gb_per_s * 1e9 * p.dram_efficiency / clock / 32 / active;
  return work;
}

struct CountedCode {
  std::vector<Instruction> code;
  MachineFlow flow;
  std::string_view basis;
};
// Machine code where all that the PTX does is found again in it, else the PTX; and that where warps have roles, for which it is
// known exactly what each of them executes.
Result<CountedCode> counted_code(const Input& in, double warps) {
  const auto& function = in.kernel.function();
  if (!in.from_ptx && in.async == nullptr) {
    auto code = read_instructions(in.cubin, function);
    if (!code) return code.error();
    auto flow = count_blocks(*code, function, in.counters, in.kernel.shared_accesses(), warps);
    if (flow.least_kept >= kLeastKept) return CountedCode{*std::move(code), std::move(flow), "sass"};
  }
  PtxCode ptx = code_of_ptx(function, in.counters, in.kernel.shared_accesses(), warps,
                            in.device.compute_capability < 30);
  return CountedCode{std::move(ptx.code), std::move(ptx.flow), "ptx"};
}

void add_access(Demand& demand, const Step& step, double executed) {
  const AccessCost& cost = step.cost;
  // An access to shared memory without a lane passes the pipe too.
  if (is_shared(step.access)) {
    demand.shared_turns += executed * (cost.active * cost.turns + (1 - cost.active));
    return;
  }
  const double requests = executed * cost.active;
  demand.requests += requests;
  demand.l1_turns += requests * cost.turns;
  demand.l2_sectors += requests * cost.l2_sectors;
  demand.l2_packets += requests * cost.l2_packets;
  demand.dram_sectors += requests * cost.dram_sectors;
  demand.l1_misses += requests * cost.l1_miss;
  demand.l2_misses += requests * cost.l1_miss * cost.l2_miss;
}

template <class Counts>
Demand demand_of_steps(const SmWork& work, Counts counts) {
  Demand demand;
  for (const Block& block : work.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Step& step = work.code[i];
      if (!counts(step)) continue;
      const auto unit = static_cast<std::size_t>(step.unit);
      demand.instructions += block.executed;
      demand.pipes[unit] += block.executed * work.interval_of(step);
      demand.shared_turns += block.executed * step.cost.operands;
      if (step.doubles)
        demand.pipes[static_cast<std::size_t>(Unit::fp64)] +=
            block.executed * work.intervals[static_cast<std::size_t>(Unit::fp64)];
      if (step.unit == Unit::shuffle) demand.shuffles += block.executed;
      if (step.control == Control::barrier) demand.barriers += block.executed;
      if (is_local(step)) demand.spills += block.executed;
      if (step.of_lanes)
        demand.constant_turns += block.executed * step.cost.active * step.cost.turns;
      else if (step.unit == Unit::memory && step.access != Access::constant_load)
        add_access(demand, step, block.executed);
    }
  return demand;
}

double mean_lanes(const emulator::Counters& counters) {
  return counters.warp_instructions == 0 ? 32
                                         : static_cast<double>(counters.thread_instructions) /
                                               static_cast<double>(counters.warp_instructions);
}

// Of the branches that divide a warp at all, those that mostly do.
bool divides_warps(const emulator::Counters& counters) {
  constexpr double kMostly = 0.3;
  double branches = 0, divided = 0;
  for (const auto& row : counters.instructions)
    if (row.diverged > 0)
      branches += static_cast<double>(row.executed), divided += static_cast<double>(row.diverged);
  return divided > kMostly * branches;
}

using emulator::AccessCounts;

// Of what accesses took of something, the share that they would take at the least; 1 where they took none.
// whole: that went without accesses, and none of it in vain.
double useful_share(std::initializer_list<const AccessCounts*> accesses, std::uint64_t AccessCounts::*taken,
                    std::uint64_t AccessCounts::*least, std::uint64_t whole = 0) {
  auto all = static_cast<double>(whole), ideal = all;
  for (const AccessCounts* access : accesses)
    all += static_cast<double>(access->*taken), ideal += static_cast<double>(access->*least);
  return all > 0 ? std::min(1.0, ideal / all) : 1;
}

double useful_sectors(const emulator::Counters& counters) {
  return useful_share({&counters.global_load, &counters.global_store, &counters.global_atomic},
                      &AccessCounts::sectors, &AccessCounts::ideal_sectors,
                      counters.tensor.load_sectors + counters.tensor.store_sectors);
}

double useful_wavefronts(const emulator::Counters& counters) {
  return useful_share({&counters.shared_load, &counters.shared_store}, &AccessCounts::wavefronts,
                      &AccessCounts::ideal_wavefronts);
}

bool has_local_arrays(const ptx::Function& function) {
  return std::ranges::any_of(function.code,
                             [](const ptx::Instruction& i) { return i.space == ptx::Space::local; });
}

// The counts of some warps of one block. executed: of each of its warps.
emulator::Counters counters_of(const emulator::Counters& of, const std::vector<std::vector<double>>& executed,
                               const std::vector<int>& warps) {
  emulator::Counters counters = of;
  for (std::size_t pc = 0; pc < counters.instructions.size(); ++pc) {
    double own = 0;
    for (const int warp : warps) own += executed[static_cast<std::size_t>(warp)][pc];
    emulator::InstructionCounters& row = counters.instructions[pc];
    const double share = row.executed > 0 ? own / static_cast<double>(row.executed) : 0;
    row.diverged = static_cast<std::uint64_t>(std::lround(share * static_cast<double>(row.diverged)));
    row.executed = static_cast<std::uint64_t>(own);
  }
  return counters;
}

MachineFlow flow_of(const Input& in, const CountedCode& counted, const emulator::Counters& counters,
                    double warps) {
  const auto& function = in.kernel.function();
  if (counted.basis == "sass")
    return count_blocks(counted.code, function, counters, in.kernel.shared_accesses(), warps);
  return code_of_ptx(function, counters, in.kernel.shared_accesses(), warps,
                     in.device.compute_capability < 30)
      .flow;
}

UnevenGrid::Kind kind_of(const Input& in, const CountedCode& counted, const emulator::Counters& counters,
                         double warps) {
  MachineFlow flow = flow_of(in, counted, counters, warps);
  return {std::move(flow.blocks), flow.instructions, {}, 1};
}

// counted: of the mean of all blocks. What single blocks do is found in the same code.
std::shared_ptr<const UnevenGrid> uneven_grid(const Input& in, const CountedCode& counted, double warps) {
  if (in.uneven == nullptr) return nullptr;
  const UnevenCounts& uneven = *in.uneven;
  UnevenGrid grid;
  grid.longest = kind_of(in, counted, uneven.of_longest, warps);
  grid.usual = kind_of(in, counted, uneven.of_usual, warps);
  for (const std::vector<int>& alike : alike_warps(uneven.warps_of_longest)) {
    const auto counters = counters_of(uneven.of_longest, uneven.warps_of_longest, alike);
    grid.longest.roles.push_back(
        {alike, flow_of(in, counted, counters, static_cast<double>(alike.size())).blocks});
  }
  grid.blocks = lengths_of(uneven.work), grid.times_mean = times_mean_of(uneven.work);
  grid.usual.length = length_of(uneven.work, uneven.usual);
  return std::make_shared<const UnevenGrid>(std::move(grid));
}

// What all SMs at work share is divided among those of the other grid.
void share_anew(Model& model, const Model& of) {
  const auto active = [](const Model& each) { return std::min<double>(each.sms, each.blocks); };
  model.work.resident = static_cast<int>(std::min<double>(model.held, std::ceil(model.blocks / model.sms)));
  const double share = active(of) / active(model);
  model.work.launch_interval /= share;
  model.work.l2_sectors_per_cycle =
      std::min(of.work.l2_sectors_per_cycle, of.parameters.l2_sectors / active(model));
  model.work.l2_packets_per_cycle *= share, model.work.dram_sectors_per_cycle *= share;
}

}  // namespace

Model in_smaller_blocks(const Model& model, int times) {
  Model smaller = model;
  smaller.work.warps_per_block /= times;
  smaller.blocks *= times, smaller.held *= times;
  share_anew(smaller, model);
  return smaller;
}

Model with_blocks_on_sm(const Model& model, int blocks) {
  Model other = model;
  other.held = blocks;
  other.work.resident = std::min(blocks, static_cast<int>(std::ceil(model.blocks / model.sms)));
  return other;
}

Model with_grid_of(const Model& model, double blocks) {
  Model other = model;
  other.blocks = blocks;
  other.traffic.meetings *= blocks / model.blocks;
  share_anew(other, model);
  return other;
}

Demand demand_of(const SmWork& work) {
  return demand_of_steps(work, [](const Step&) { return true; });
}

Demand demand_of_line(const SmWork& work, int line) {
  return demand_of_steps(work, [&](const Step& step) { return step.line == line; });
}

double crowding_of(const Model& model) {
  if (model.parameters.partitions <= 0) return 1;
  const Demand demand = demand_of(model.work);
  return demand.l2_sectors > 0 ? demand.dram_sectors / demand.l2_sectors : 1;
}

Result<Model> model_of(const Input& in, const Settings& instead) {
  const Parameters p = parameters_of(in.device, instead);
  if (in.device.sm_count == 0)
    return Error{in.device.name + " is no product, so it has no number of multiprocessors", "name a device"};
  const double warps = static_cast<double>(catalog::warps_in_block(in.launch));
  const double counted = static_cast<double>(in.counters.blocks_run) * warps;
  const auto found = counted_code(in, counted);
  if (!found) return found.error();
  const auto& [code, flow, basis] = *found;
  const AccessCosts costs(in, p);
  Model model;
  model.parameters = p;
  model.executed = executed_of(flow, code.size(), counted);
  model.work = work_of(in, flow, costs.steps(in.kernel.function(), code, model.executed), p);
  if (in.async != nullptr) model.work.roles = roles_of(in), model.work.async = in.async;
  model.instructions = flow.instructions;
  model.blocks = static_cast<double>(catalog::blocks_in_grid(in.launch));
  model.held = in.blocks_per_sm, model.sms = in.device.sm_count;
  model.clock_hz = in.device.boost_clock_mhz * 1e6;
  model.traffic = costs.traffic();
  model.useful_sectors = useful_sectors(in.counters);
  model.useful_wavefronts = useful_wavefronts(in.counters);
  model.mean_lanes = mean_lanes(in.counters), model.divides_warps = divides_warps(in.counters);
  model.has_local_arrays = has_local_arrays(in.kernel.function());
  // By its code: where only copies are followed, the emulator leaves products out.
  model.has_group_products =
      std::ranges::any_of(model.work.code, [](const Step& step) { return step.async == Async::multiply; });
  model.basis = basis;
  if (flow.instructions > 0) model.uneven = uneven_grid(in, *found, warps);
  return model;
}

}  // namespace warplens::time
