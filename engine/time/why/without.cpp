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

constexpr std::array kOfInstructions = {Asked::instructions, Asked::doubles, Asked::functions};

}  // namespace

std::optional<double> seconds_with(const Modelled& of, std::span<const Left> left) {
  const auto left_of = [&](const Step& step) {
    return std::ranges::find(left, AnchorKey{step.line, anchor_of(step)}, &Left::at);
  };
  return seconds_changed(
      of, [&](const Step& step) { return step.unit == Unit::memory && left_of(step) != left.end(); },
      [&](Step& step) {
        lessen(step.cost, without_rounding(left_of(step)->cost));
        step.cost.active *= without_rounding(left_of(step)->accesses);
      });
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
  Model model = of.model;
  model.held = blocks_per_sm;
  model.work.resident = std::min(blocks_per_sm, static_cast<int>(std::ceil(model.blocks / model.sms)));
  return predict(model).seconds;
}

}  // namespace warplens::time
