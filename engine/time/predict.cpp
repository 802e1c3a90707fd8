#include "engine/time/predict.hpp"

#include <algorithm>
#include <cmath>

#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/grid.hpp"
#include "engine/time/model.hpp"

namespace warplens::time {
namespace {

// Cycles that the busiest unit needs for all of the grid, however its blocks are spread over the SMs.
double cycles_of_units(const Model& model) {
  const Parameters& p = model.parameters;
  const Demand demand = demand_of(model.work);
  double most = std::max({demand.instructions * p.issue_interval / p.parts,
                          demand.shared_turns + demand.shuffles + demand.l1_turns,
                          demand.constant_turns * p.constant_interval,
                          demand.l2_sectors / model.work.l2_sectors_per_cycle,
                          demand.l2_packets / model.work.l2_packets_per_cycle,
                          demand.dram_sectors / model.work.dram_sectors_per_cycle});
  for (const double pipe : demand.pipes) most = std::max(most, pipe / p.parts);
  return most * model.warps() / std::min<double>(model.sms, model.blocks);
}

struct UnevenTime {
  GridTime grid;
  Spread spread;
  double evenly = 0;         // cycles of the same work in equal blocks
  double longest_first = 0;  // of these blocks, if the longest were started first
};

// As many blocks of a kind as do the work of the grid share the chip.
SmWork work_of(const Model& model, const UnevenGrid::Kind& kind) {
  const double length = count_of(model.uneven->blocks) * mean_of(model.uneven->blocks);
  SmWork work = with_grid_of(model, std::max(1.0, length / kind.length)).work;
  work.blocks = kind.flow, work.roles = kind.roles;
  return work;
}

double cycles_of(const Model& model, const UnevenGrid::Kind& kind, int blocks) {
  return generation_of(work_of(model, kind), blocks, kind.instructions, model.parameters).ends.back();
}

// What a block takes that does nothing: as the longest and the usual one take longer the more they do.
double cycles_of_start(const Model& model, double longest) {
  const UnevenGrid::Kind& usual = model.uneven->usual;
  constexpr double kNearTheLongest = 0.5;
  if (usual.length > kNearTheLongest) return model.parameters.block_latency;
  const double cycles = cycles_of(model, usual, 1);
  return std::clamp((cycles - usual.length * longest) / (1 - usual.length), model.parameters.block_latency,
                    std::max(cycles, model.parameters.block_latency));
}

// How fast the longest block goes beside others of its kind; of the numbers between powers of two as a straight line has it.
Pace pace_of(const Model& model) {
  const UnevenGrid::Kind& longest = model.uneven->longest;
  const int most = std::min(model.held, static_cast<int>(std::ceil(model.blocks / model.sms)));
  const double alone = cycles_of(model, longest, 1);
  Pace pace{{alone}, cycles_of_start(model, alone), model.parameters.block_interval, model.sms};
  for (int known = 1; known < most;) {
    const int next = std::min(2 * known, most);
    const double from = pace.cycles.back(), to = std::max(from, cycles_of(model, longest, next));
    for (int blocks = known + 1; blocks <= next; ++blocks)
      pace.cycles.push_back(from + (to - from) * (blocks - known) / (next - known));
    known = next;
  }
  return pace;
}

UnevenTime uneven_time(const Model& model, SmHistory* history) {
  const UnevenGrid& uneven = *model.uneven;
  const Pace pace = pace_of(model);
  const double least = cycles_of_units(model);
  UnevenTime time;
  time.spread = spread_over_sms(uneven.blocks, pace, history == nullptr ? nullptr : &history->placed);
  const std::vector<Lengths> equal{
      {static_cast<std::uint64_t>(count_of(uneven.blocks)), mean_of(uneven.blocks)}};
  time.evenly = std::max(least, spread_over_sms(equal, pace).cycles);
  std::vector<Lengths> sorted = uneven.blocks;
  std::ranges::stable_sort(sorted, std::greater{}, &Lengths::length);
  time.longest_first = std::max(least, spread_over_sms(sorted, pace).cycles);
  // Of an SM with as many blocks as most of the time.
  const int resident = std::clamp(static_cast<int>(std::lround(time.spread.resident)), 1,
                                  static_cast<int>(pace.cycles.size()));
  Generation usual = generation_of(work_of(model, uneven.longest), resident, uneven.longest.instructions,
                                   model.parameters, history == nullptr ? nullptr : &history->warps);
  time.grid = {std::max(least, time.spread.cycles), std::move(usual.sample), std::move(usual.ends), 0,
               usual.scheduled};
  return time;
}

void add_uneven(Prediction& prediction, const Model& model, const UnevenTime& time) {
  const double cycles = std::max(prediction.cycles, 1.0);
  prediction.longest_block = model.uneven->times_mean;
  prediction.tail = std::clamp(1 - time.spread.busy / (model.sms * cycles), 0.0, 1.0);
  const auto saved_in = [&](double other) {
    const double least = std::max(other, prediction.same_address * cycles);
    return std::max(0.0, 1 - model.seconds_of(least) / model.seconds_of(cycles));
  };
  prediction.waits_for_longest = saved_in(time.evenly);
  prediction.longest_first = saved_in(time.longest_first);
}

// Of all that warps do, not of what was simulated: where loops are long, that has fewer of their turns, but
// all that stands before and behind them. warps: of an SM, in all. More than 1 where that is more than the cycles have room for.
UnitShares shares_of(const SmWork& work, double warps, double cycles, double issue, const Parameters& p) {
  const Demand demand = demand_of(work);
  const auto share = [&](double busy) { return std::max(busy * warps / std::max(cycles, 1.0), 0.0); };
  const auto pipe = [&](Unit unit) { return demand.pipes[static_cast<std::size_t>(unit)] / p.parts; };
  return {.issue = issue,
          .fma = share(pipe(Unit::fma) + pipe(Unit::fma_heavy)),
          .alu = share(pipe(Unit::alu)),
          .fp64 = share(pipe(Unit::fp64)),
          .sfu = share(pipe(Unit::special)),
          .tensor = share(pipe(Unit::tensor)),
          .constant = share(demand.constant_turns * p.constant_interval),
          .shared = share(demand.shared_turns + demand.shuffles),
          .l1 = share(demand.l1_turns),
          .l2 = share(p.l2_efficiency * std::max(demand.l2_sectors / work.l2_sectors_per_cycle,
                                                 demand.l2_packets / work.l2_packets_per_cycle)),
          .dram = share(demand.dram_sectors / work.dram_sectors_per_cycle * p.dram_efficiency)};
}

// times: as long.
UnitShares at_most_all(UnitShares units, double times) {
  for (double* busy : {&units.issue, &units.fma, &units.alu, &units.fp64, &units.sfu, &units.tensor,
                       &units.constant, &units.shared, &units.l1, &units.l2, &units.dram})
    *busy = std::min(*busy / times, 1.0);
  return units;
}

// What a chip draws beyond waiting falls with the third power of the clock, whose voltage falls with it.
double clock_of(const UnitShares& units, const Parameters& p) {
  const double more = p.product_watts * units.tensor + p.l2_watts * units.l2;
  if (p.most_watts <= 0 || p.idle_watts + more <= p.most_watts) return 1;
  return std::cbrt((p.most_watts - p.idle_watts) / more);
}

// executed: of each instruction. What was scheduled may have fewer turns of its loops: each instruction
// counts as often as it really ran.
void add_stalls(Prediction& prediction, const SmResult& sim, const std::vector<Step>& code,
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

// Of what loads and stores ask for, as ncu has them: a store hits, whatever leaves L2 for it later.
void add_hits(Prediction& prediction, const Traffic& traffic) {
  prediction.local_hits = 1 - traffic.local_missed;
  const double requested = traffic.missed + traffic.written;
  prediction.has_caches = traffic.has_caches;
  if (!traffic.has_caches) return;
  if (traffic.asked > 0) prediction.l1_hits = std::clamp(1 - traffic.missed / traffic.asked, 0.0, 1.0);
  if (requested > 0) prediction.l2_hits = std::clamp(1 - traffic.read / requested, 0.0, 1.0);
}

// What its accesses and conversions are of.
void add_kinds(Prediction& prediction, const Model& model) {
  const Demand demand = demand_of(model.work);
  prediction.l2_sectors = demand.l2_sectors * model.warps();
  prediction.useful_sectors = model.useful_sectors, prediction.useful_wavefronts = model.useful_wavefronts;
  prediction.mean_lanes = model.mean_lanes, prediction.divides_warps = model.divides_warps;
  prediction.has_local_arrays = model.has_local_arrays;
  prediction.has_group_products = model.has_group_products;
  if (demand.requests > 0) prediction.local_accesses = std::min(1.0, demand.spills / demand.requests);
  double special = 0, doubles = 0;
  for (const Block& block : model.work.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i)
      if (const Step& step = model.work.code[i]; step.unit == Unit::special)
        special += block.executed, doubles += step.doubles ? block.executed : 0;
  if (special > 0) prediction.of_doubles = doubles / special;
}

// The least of several sizes of blocks, down to a warp each.
double saved_by_smaller_blocks(const Model& model, const Prediction& now) {
  double least = now.seconds;
  if (!model.work.roles.empty()) return 0;  // roles cannot be divided
  for (const int times : {2, 4, model.work.warps_per_block})
    if (times > 1 && model.work.warps_per_block % times == 0)
      least = std::min(least, predict(in_smaller_blocks(model, times)).seconds);
  return 1 - least / now.seconds;
}

// What other grids would do for SMs that have no block. Of unequal blocks: as if they were equal, where there are too few.
void add_other_grids(Prediction& prediction, const Model& model) {
  constexpr double kManyIdle = 0.4;
  const bool is_even = model.uneven == nullptr, has_few = model.blocks < model.sms;
  if (is_even && prediction.tail >= kManyIdle)
    prediction.in_smaller_blocks = saved_by_smaller_blocks(model, prediction);
  if (!has_few && (!is_even || prediction.tail < kManyIdle)) return;
  Model equal = model;
  equal.uneven = nullptr;
  prediction.blocks_for_all_sms = std::ceil(model.blocks / model.sms) * model.sms;
  const double now = is_even ? prediction.seconds : predict(equal).seconds;
  const double full = predict(with_grid_of(equal, prediction.blocks_for_all_sms)).seconds;
  prediction.all_sms_longer = std::max(0.0, full / now - 1);
}

}  // namespace

std::string_view name(Stall stall) {
  constexpr std::array<std::string_view, kStalls> kNames{
      "none",    "selected",           "wait",         "long_scoreboard", "short_scoreboard",
      "barrier", "math_pipe_throttle", "lsu_throttle", "dispatch_stall",  "not_selected"};
  return kNames[static_cast<std::size_t>(stall)];
}

std::array<UnitShare, 11> shares_of(const UnitShares& units) {
  return {{{"issue", units.issue},
           {"fma", units.fma},
           {"alu", units.alu},
           {"fp64", units.fp64},
           {"sfu", units.sfu},
           {"tensor", units.tensor},
           {"constant", units.constant},
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

Prediction predict(const Model& model, SmHistory* history) {
  const Parameters& p = model.parameters;
  const SmWork& work = model.work;
  const double on_sm = model.blocks / model.sms;
  const UnevenTime uneven = model.uneven == nullptr ? UnevenTime() : uneven_time(model, history);
  const GridTime time = model.uneven != nullptr
                            ? uneven.grid
                            : time_of(work, on_sm, model.held, model.sms, model.instructions, p,
                                      history == nullptr ? nullptr : &history->warps);
  if (history != nullptr) {
    history->code.assign(work.code.begin(), work.code.end());
    history->warps_per_block = work.warps_per_block, history->resident = work.resident;
    history->block_ends = time.ends, history->last_wave = time.last, history->scheduled = time.scheduled;
  }
  Prediction prediction;
  prediction.basis = model.basis;
  prediction.runs_away = time.sample.runs_away;
  // Atomics at one address go one after another.
  prediction.meetings = model.traffic.meetings;
  const double one_by_one = prediction.meetings * p.atomic_cycles;
  prediction.cycles = std::max(time.cycles, one_by_one);
  const double cycles = std::max(prediction.cycles, 1.0);
  prediction.blocks = model.blocks;
  prediction.crowding = crowding_of(model);
  prediction.warp_instructions = std::round(model.instructions * model.warps());
  prediction.resident_warps = work.resident * work.warps_per_block;
  prediction.waves = on_sm / model.held;
  prediction.tail = 1 - on_sm / std::ceil(on_sm - 1e-9);
  if (model.uneven != nullptr) add_uneven(prediction, model, uneven);
  const double issue = prediction.warp_instructions * p.issue_interval / (p.parts * model.sms * cycles);
  // More instructions in that time than an SM can issue: what was scheduled is not what was counted.
  constexpr double kMostIssued = 1.1;
  const UnitShares asked = shares_of(work, work.warps_per_block * on_sm, prediction.cycles, issue, p);
  const double longer = issue > kMostIssued ? busiest(asked).busy : 1;
  prediction.runs_away |= longer > 1;
  prediction.cycles *= longer;
  prediction.same_address = one_by_one / (cycles * longer);
  prediction.starts = std::min(1.0, model.blocks * p.block_interval / (cycles * longer));
  prediction.units = at_most_all(asked, longer);
  // Without a cache there are none of its units either.
  if (p.partitions > 0) prediction.units.l1 = prediction.units.l2 = 0;
  prediction.limiter = busiest(prediction.units).name;
  prediction.clock = clock_of(prediction.units, p);
  prediction.seconds = model.seconds_of(prediction.cycles / prediction.clock);
  prediction.launch = p.launch_seconds / prediction.seconds;
  add_stalls(prediction, time.sample, work.code, model.executed);
  add_hits(prediction, model.traffic);
  add_kinds(prediction, model);
  return prediction;
}

Modelled in_short(const Modelled& of) {
  constexpr double kSteps = 40'000;
  Modelled fewer = of;
  fewer.model.parameters.steps = std::min(fewer.model.parameters.steps, kSteps);
  fewer.prediction = predict(fewer.model);
  return fewer;
}

Result<Modelled> modelled(const Input& in, const Settings& instead, SmHistory* history) {
  auto model = model_of(in, instead);
  if (!model) return model.error();
  Prediction prediction = predict(*model, history);
  add_other_grids(prediction, *model);
  if (!prediction.runs_away || in.from_ptx) return Modelled{*std::move(model), std::move(prediction)};
  Input ptx = in;
  ptx.from_ptx = true;
  return modelled(ptx, instead, history);
}

Result<Prediction> predict(const Input& in, const Settings& instead, SmHistory* history) {
  auto known = modelled(in, instead, history);
  if (!known) return known.error();
  return std::move(known->prediction);
}

}  // namespace warplens::time
