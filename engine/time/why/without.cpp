#include "engine/time/why/without.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::time {
namespace {

// Of the steps that fit; empty if there are none.
template <class Fits, class Change>
std::optional<double> seconds_changed(const Modelled& of, Fits fits, Change change) {
  Model model = of.model;
  bool any = false;
  for (Step& step : model.work.code)
    if (fits(step)) change(step), any = true;
  return any ? std::optional(predict(model).seconds) : std::nullopt;
}

// The schedule follows its numbers to the last bit: shares that were added up in another order are the same.
double without_rounding(double share) {
  constexpr double kDigits = 1e9;
  return std::round(share * kDigits) / kDigits;
}

void lessen(AccessCost& cost, double left) {
  for (double* amount : {&cost.turns, &cost.l2_sectors, &cost.l2_packets, &cost.dram_sectors})
    *amount *= left;
}

// What an instruction does is left out, not the instruction.
void drop(Step& step) { step.unit = Unit::none, step.access = Access::none, step.control = Control::none; }

// Where part of the accesses goes, instructions of the line go, evenly: with all of them on half of the warps these would run apart,
// and the kernel be slower without a load than with it. What is left of the cost is that of the others. Returns whether the code has
// such accesses.
bool leave(std::vector<Step>& code, const Left& left) {
  std::vector<Step*> steps;
  for (Step& step : code)
    if (step.unit == Unit::memory && AnchorKey{step.line, anchor_of(step)} == left.at) steps.push_back(&step);
  if (steps.empty()) return false;
  const auto all = static_cast<double>(steps.size());
  const double accesses = without_rounding(left.accesses), kept = std::round(all * accesses);
  const bool goes_whole = kept > 0 || accesses == 0;  // one instruction cannot go by half
  const double share = goes_whole ? kept / all : accesses;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto before = static_cast<double>(i);
    if (goes_whole && std::floor((before + 1) * share + 1e-9) <= std::floor(before * share + 1e-9)) {
      drop(*steps[i]);
      continue;
    }
    lessen(steps[i]->cost, without_rounding(left.cost / share));
    if (!goes_whole) steps[i]->cost.active *= share;
  }
  return true;
}

// What accesses of a grid cost too little gets back, each step as it lost it.
void keep_least(Model& model, const Model& before, double least_sectors, double AccessCost::*sectors,
                double Demand::*demanded) {
  const double warps = model.warps(), had = warps * demand_of(before.work).*demanded,
               has = warps * demand_of(model.work).*demanded, least = std::min(had, least_sectors);
  if (has >= least) return;
  const double back = (least - has) / (had - has);
  for (std::size_t i = 0; i < model.work.code.size(); ++i) {
    double& now = model.work.code[i].cost.*sectors;
    now += back * (before.work.code[i].cost.*sectors - now);
  }
}

constexpr std::array kOfInstructions = {Asked::instructions, Asked::doubles, Asked::functions};

}  // namespace

std::optional<double> seconds_with(const Modelled& of, std::span<const Left> left, double least_sectors) {
  Model model = of.model;
  bool any = false;
  for (const Left& each : left) any |= leave(model.work.code, each);
  if (!any) return std::nullopt;
  if (std::ranges::all_of(left, [](const Left& each) { return each.accesses == 1; })) {
    keep_least(model, of.model, least_sectors, &AccessCost::l2_sectors, &Demand::l2_sectors);
    keep_least(model, of.model, least_sectors, &AccessCost::dram_sectors, &Demand::dram_sectors);
  }
  return predict(model).seconds;
}

std::optional<double> seconds_without_traffic(const Modelled& of) {
  return seconds_changed(of, is_global, [](Step& step) { lessen(step.cost, 0); });
}

std::optional<double> seconds_without_wavefronts(const Modelled& of) {
  return seconds_changed(
      of, [](const Step& step) { return step.unit == Unit::memory && is_shared(step.access); },
      [](Step& step) { lessen(step.cost, 0); });
}

std::optional<double> seconds_without_spills(const Modelled& of) {
  return seconds_changed(of, is_local, drop);
}

std::optional<double> seconds_without_line(const Modelled& of, int line) {
  const Demand demand = demand_of_line(of.model.work, line);
  if (demand.instructions <= 0) return std::nullopt;
  Totals rest = totals_of(of);
  const double warps = of.model.warps();
  rest.demand.instructions -= warps * demand.instructions;
  for (std::size_t unit = 0; unit < kUnits; ++unit) rest.demand.pipes[unit] -= warps * demand.pipes[unit];
  return seconds_with(of, kOfInstructions, rest, 1);
}

double seconds_with_instructions(const Modelled& of, double share) {
  Totals rest = totals_of(of);
  rest.demand.instructions *= share;
  for (double& pipe : rest.demand.pipes) pipe *= share;
  return seconds_with(of, kOfInstructions, rest, 1);
}

double seconds_with_blocks(const Modelled& of, int blocks_per_sm) {
  return predict(with_blocks_on_sm(of.model, blocks_per_sm)).seconds;
}

}  // namespace warplens::time
