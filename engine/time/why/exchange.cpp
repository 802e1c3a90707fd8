#include "engine/time/exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::time {
namespace {

constexpr double kAlike = 0.02;  // amounts that differ by less are the same

Demand times(Demand demand, double warps) {
  for (double& pipe : demand.pipes) pipe *= warps;
  for (double Demand::*amount :
       {&Demand::instructions, &Demand::barriers, &Demand::spills, &Demand::shared_turns, &Demand::shuffles,
        &Demand::constant_turns, &Demand::l1_turns, &Demand::l2_sectors, &Demand::l2_packets,
        &Demand::dram_sectors, &Demand::requests, &Demand::l1_misses, &Demand::l2_misses})
    demand.*amount *= warps;
  return demand;
}

bool differs(double one, double other) {
  return std::abs(one - other) > kAlike * std::max(std::abs(one), std::abs(other));
}

double over(double a, double b) { return b > 0 ? a / b : 0; }

// The pipes of what instructions do beside doubles and functions.
constexpr std::array kPlainPipes = {Unit::fma, Unit::fma_heavy, Unit::alu, Unit::uniform, Unit::tensor};

double pipe_of(const Demand& demand, Unit unit) { return demand.pipes[static_cast<std::size_t>(unit)]; }

bool traffic_differs(const Demand& one, const Demand& other, double work) {
  const auto rates = [](const Demand& d) {
    return std::array{d.l1_turns, d.l2_sectors, d.l2_packets, d.dram_sectors};
  };
  const auto mine = rates(one), its = rates(other);
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (differs(mine[i] * work, its[i])) return true;
  return differs(over(one.l1_misses, one.requests), over(other.l1_misses, other.requests)) ||
         differs(over(one.l2_misses, one.l1_misses), over(other.l2_misses, other.l1_misses));
}

// Of shares of the SMs' time with blocks: whether nearly all or nearly none are at work is the same for a few more.
bool are_clearly_others(double one, double other) {
  constexpr double kFew = 0.05, kManyTimes = 1.5;
  return std::abs(one - other) > kFew || std::max(one, other) > kManyTimes * std::min(one, other);
}

bool differs(Asked asked, const Totals& one, const Totals& other, double work) {
  const auto amount = [&](double Demand::*of) { return differs(one.demand.*of * work, other.demand.*of); };
  const auto pipe = [&](Unit unit) {
    return differs(pipe_of(one.demand, unit) * work, pipe_of(other.demand, unit));
  };
  switch (asked) {
    case Asked::traffic:
      return traffic_differs(one.demand, other.demand, work);
    case Asked::partitions:
      return differs(one.crowding, other.crowding);
    case Asked::wavefronts:
      return amount(&Demand::shared_turns);
    case Asked::instructions:
      return amount(&Demand::instructions) || std::ranges::any_of(kPlainPipes, pipe);
    case Asked::doubles:
      return pipe(Unit::fp64);
    case Asked::functions:
      return pipe(Unit::special);
    case Asked::barriers:
      return amount(&Demand::barriers);
    case Asked::spills:
      return amount(&Demand::spills);
    case Asked::atomics:
      return differs(one.meetings * work, other.meetings);
    case Asked::occupancy:
      return differs(one.resident_warps, other.resident_warps);
    case Asked::starts:
      return differs(one.blocks * work, other.blocks);
    case Asked::idle_sms:
      return are_clearly_others(one.used_sms, other.used_sms);
  }
  return false;
}

// How many times as much the other has for the same work; 1 where there is nothing to begin with.
struct Ratio {
  const Totals &own, &other;
  double work;
  double of(double mine, double its) const { return mine > 0 ? its / work / mine : 1; }
  double of(double Demand::*amount) const { return of(own.demand.*amount, other.demand.*amount); }
  double of(Unit unit) const { return of(pipe_of(own.demand, unit), pipe_of(other.demand, unit)); }
  // Of shares of accesses.
  double of(double Demand::*part, double Demand::*all) const {
    const double mine = over(own.demand.*part, own.demand.*all);
    return mine > 0 ? over(other.demand.*part, other.demand.*all) / mine : 1;
  }
};

void take_traffic(Model& model, const Ratio& ratio) {
  const double sectors = ratio.of(&Demand::l2_sectors), turns = ratio.of(&Demand::l1_turns),
               packets = ratio.of(&Demand::l2_packets),
               memory = model.parameters.partitions > 0 ? sectors : ratio.of(&Demand::dram_sectors),
               l1_miss = ratio.of(&Demand::l1_misses, &Demand::requests),
               l2_miss = ratio.of(&Demand::l2_misses, &Demand::l1_misses);
  for (Step& step : model.work.code) {
    if (!is_global(step)) continue;
    step.cost.turns *= turns;
    step.cost.l2_sectors *= sectors, step.cost.l2_packets *= packets, step.cost.dram_sectors *= memory;
    step.cost.l1_miss = std::min(1.0, step.cost.l1_miss * l1_miss);
    step.cost.l2_miss = std::min(1.0, step.cost.l2_miss * l2_miss);
  }
}

void take_partitions(Model& model, const Ratio& ratio) {
  for (Step& step : model.work.code)
    if (is_global(step)) step.cost.dram_sectors *= ratio.other.crowding / ratio.own.crowding;
}

void take_wavefronts(Model& model, const Ratio& ratio) {
  for (Step& step : model.work.code)
    if (step.unit == Unit::memory && is_shared(step.access))
      step.cost.turns *= ratio.of(&Demand::shared_turns);
}

void scale_pipe(Model& model, Unit unit, double times) {
  model.work.intervals[static_cast<std::size_t>(unit)] *= times;
}

// Each instruction stands for so many of the other's.
void take_instructions(Model& model, const Ratio& ratio) {
  const double issued = ratio.of(&Demand::instructions);
  model.parameters.issue_interval *= issued;
  model.parameters.stall_scale *= issued;
  for (const Unit unit : kPlainPipes) scale_pipe(model, unit, ratio.of(unit));
}

void take_functions(Model& model, const Ratio& ratio) {
  const double times = ratio.of(Unit::special);
  scale_pipe(model, Unit::special, times);
  model.parameters.special_latency *= times;
}

void take_occupancy(Model& model, const Ratio& ratio) {
  const double blocks = std::round(ratio.other.resident_warps / model.work.warps_per_block);
  model.held = std::max(1, static_cast<int>(blocks));
  const int gets = static_cast<int>(std::ceil(model.blocks / model.sms));
  model.work.resident = std::min(model.held, gets);
}

void take_starts(Model& model, const Ratio& ratio) {
  const double times = ratio.of(ratio.own.blocks, ratio.other.blocks);
  model.work.launch_interval *= times;
  model.parameters.block_interval *= times;
  model.parameters.block_latency *= times;
}

// With fewer of what is there or not, such as barriers: between the cycles with all of them and without any.
template <class Fits>
double cycles_with_fewer(const Model& model, double cycles, double kept, Fits fits) {
  if (kept >= 1) return cycles;
  Model none = model;
  for (Step& step : none.work.code)
    if (fits(step)) step.unit = Unit::none, step.access = Access::none, step.control = Control::none;
  const double without = std::max(predict(none).cycles, 1.0);
  return std::pow(cycles, kept) * std::pow(without, 1 - kept);
}

void take(Model& model, Asked asked, const Ratio& ratio) {
  switch (asked) {
    case Asked::traffic:
      return take_traffic(model, ratio);
    case Asked::partitions:
      return take_partitions(model, ratio);
    case Asked::wavefronts:
      return take_wavefronts(model, ratio);
    case Asked::instructions:
      return take_instructions(model, ratio);
    case Asked::doubles:
      return scale_pipe(model, Unit::fp64, ratio.of(Unit::fp64));
    case Asked::functions:
      return take_functions(model, ratio);
    case Asked::atomics:
      model.traffic.meetings *= ratio.of(ratio.own.meetings, ratio.other.meetings);
      return;
    case Asked::occupancy:
      return take_occupancy(model, ratio);
    case Asked::starts:
      return take_starts(model, ratio);
    case Asked::barriers:
    case Asked::spills:
    case Asked::idle_sms:
      return;  // of the time that comes out
  }
}

// Cycles that what all SMs share needs at least: L2, memory, atomics, starts.
double shared_cycles(const Model& model, const Demand& demand) {
  const double active = std::min<double>(model.sms, model.blocks);
  return std::max({demand.l2_sectors / model.parameters.l2_sectors,
                   demand.l2_packets / model.parameters.l2_packets,
                   demand.dram_sectors / (model.work.dram_sectors_per_cycle * active),
                   model.traffic.meetings * model.parameters.atomic_cycles,
                   model.blocks * model.parameters.block_interval});
}

}  // namespace

std::string_view name(Asked asked) {
  constexpr std::array<std::string_view, kAsked> kNames{"traffic", "partitions", "wavefronts", "instructions",
                                                        "doubles", "functions",  "barriers",   "spills",
                                                        "atomics", "occupancy",  "starts",     "idle_sms"};
  return kNames[static_cast<std::size_t>(asked)];
}

Totals totals_of(const Modelled& of) {
  const Model& model = of.model;
  Totals totals;
  totals.demand = times(demand_of(model.work), model.warps());
  totals.blocks = model.blocks, totals.meetings = model.traffic.meetings;
  totals.resident_warps = of.prediction.resident_warps;
  totals.used_sms = std::max(1e-6, 1 - of.prediction.tail);
  totals.of_doubles = of.prediction.of_doubles;
  totals.crowding = crowding_of(model);
  return totals;
}

std::vector<Asked> differences(const Totals& one, const Totals& other, double work) {
  std::vector<Asked> found;
  for (std::size_t i = 0; i < kAsked; ++i)
    if (const auto asked = static_cast<Asked>(i); differs(asked, one, other, work)) found.push_back(asked);
  return found;
}

double cycles_spread(const Model& model, double cycles, double used, double other) {
  const double evenly = cycles * used / other;
  if (evenly >= cycles) return evenly;
  const Demand demand = times(demand_of(model.work), model.warps());
  return std::clamp(shared_cycles(model, demand), evenly, cycles);
}

double seconds_with(const Modelled& of, std::span<const Asked> asked, const Totals& other, double work) {
  const Totals own = totals_of(of);
  const Ratio ratio{own, other, work};
  Model model = of.model;
  for (const Asked each : asked) take(model, each, ratio);
  const Prediction changed = predict(model);
  double cycles = changed.cycles;
  const auto has = [&](Asked one) { return std::ranges::find(asked, one) != asked.end(); };
  if (has(Asked::barriers))
    cycles = cycles_with_fewer(model, cycles, ratio.of(&Demand::barriers),
                               [](const Step& step) { return step.control == Control::barrier; });
  if (has(Asked::spills)) cycles = cycles_with_fewer(model, cycles, ratio.of(&Demand::spills), is_local);
  if (has(Asked::idle_sms)) cycles = cycles_spread(model, cycles, own.used_sms, other.used_sms);
  return model.seconds_of(cycles / changed.clock);
}

}  // namespace warplens::time
