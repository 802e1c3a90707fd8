// Of the steps of a ladder by the time of each: what a turn of a warp takes, and how long it waits in one.
#include <string>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

// `of` names its kernel; the run's own where it is empty.
std::string kernel_of(const Subject& s) { return s.claim.of.empty() ? s.run.plan().spec.id : s.claim.of; }

const time::Prediction* prediction_of(const Subject& s, const std::string& kernel) {
  const Beside::Step* step = s.beside != nullptr ? step_named(s, kernel) : nullptr;
  return step != nullptr && step->modelled ? &step->modelled->prediction : nullptr;
}

// A warp is 32 threads; the SMs take turns of different warps at the same time.
std::optional<double> sm_cycles(const Subject& s, const std::string& kernel) {
  const time::Prediction* p = prediction_of(s, kernel);
  if (p == nullptr || !s.beside->turns.contains(kernel)) return std::nullopt;
  const double turns_of_warps = s.beside->turns.at(kernel) / 32;
  return p->cycles / (turns_of_warps / s.run.device().sm_count);
}
Measured cycles_of_sm(const Subject& s) {
  const auto cycles = sm_cycles(s, kernel_of(s));
  return cycles ? Measured(one(*cycles)) : std::nullopt;
}
std::optional<double> warp_cycles(const Subject& s) {
  const std::string own = s.run.plan().spec.id;
  const auto cycles = sm_cycles(s, own);
  return cycles ? std::optional(*cycles * prediction_of(s, own)->resident_warps) : std::nullopt;
}
Measured cycles_of_turn(const Subject& s) {
  const auto cycles = warp_cycles(s);
  return cycles ? Measured(one(*cycles)) : std::nullopt;
}
// `of`: what is waited for.
Measured wait_of_turn(const Subject& s) {
  const auto cycles = warp_cycles(s);
  if (!cycles) return std::nullopt;
  const time::Prediction* p = prediction_of(s, s.run.plan().spec.id);
  for (std::size_t stall = 0; stall < time::kStalls; ++stall)
    if (time::name(static_cast<time::Stall>(stall)) == s.claim.of) return one(*cycles * p->stalls[stall]);
  return std::nullopt;
}
Measured local_of_turn(const Subject& s) {
  const std::string own = s.run.plan().spec.id;
  if (s.beside == nullptr || !s.beside->turns.contains(own)) return std::nullopt;
  double lanes = 0;
  for (const auto& row : s.run.instructions)
    if (row.counters.space == ptx::Space::local) lanes += static_cast<double>(row.counters.lanes);
  const auto ran = static_cast<double>(s.run.emulation.outcome.counters.blocks_run);
  const auto& grid = s.run.report.grid;
  return one(lanes * grid[0] * grid[1] * grid[2] / ran / s.beside->turns.at(own));
}
Measured seconds_of_step(const Subject& s) {
  const time::Prediction* p = prediction_of(s, kernel_of(s));
  return p != nullptr ? Measured(one(p->seconds)) : std::nullopt;
}
Measured recorded_seconds_of_step(const Subject& s) {
  if (s.beside == nullptr || !s.beside->recorded.contains(kernel_of(s))) return std::nullopt;
  return one(s.beside->recorded.at(kernel_of(s)));
}

}  // namespace

std::vector<Row> step_time_measures() {
  return {{Quantity::cycles_of_sm, cycles_of_sm},
          {Quantity::cycles_of_turn, cycles_of_turn},
          {Quantity::wait_of_turn, wait_of_turn},
          {Quantity::local_of_turn, local_of_turn},
          {Quantity::seconds_of_step, seconds_of_step},
          {Quantity::recorded_seconds_of_step, recorded_seconds_of_step}};
}

}  // namespace warplens::claims_check
