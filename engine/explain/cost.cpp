#include "engine/explain/cost.hpp"

#include "engine/time/predict.hpp"

namespace warplens::explain {

double amount_of(const run::StepCount& count, CostKind cost) {
  switch (cost) {
    case CostKind::none:
      return 0;
    case CostKind::wasted_load_sectors:
      return count.wasted_load_sectors;
    case CostKind::wasted_store_sectors:
      return count.wasted_store_sectors;
    case CostKind::wasted_sectors:
      return count.wasted_load_sectors + count.wasted_store_sectors;
    case CostKind::sectors:
      return count.bytes / 32;
    case CostKind::wasted_load_wavefronts:
      return count.wasted_load_wavefronts;
    case CostKind::wasted_store_wavefronts:
      return count.wasted_store_wavefronts;
    case CostKind::wasted_wavefronts:
      return count.wasted_load_wavefronts + count.wasted_store_wavefronts;
    case CostKind::wavefronts:
      return count.wavefronts;
    case CostKind::idle_lanes:
      return count.idle_lanes;
    case CostKind::instructions:
      return count.instructions;
  }
  return 0;
}

namespace {

constexpr double kMost = 0.5, kClearlyLess = 0.95;

// What better accesses, or lanes that all work, would not have at all.
bool is_waste(CostKind cost) {
  switch (cost) {
    case CostKind::wasted_load_sectors:
    case CostKind::wasted_store_sectors:
    case CostKind::wasted_sectors:
    case CostKind::wasted_load_wavefronts:
    case CostKind::wasted_store_wavefronts:
    case CostKind::wasted_wavefronts:
    case CostKind::idle_lanes:
      return true;
    default:
      return false;
  }
}

// Of all that is asked for, or of all lanes.
double waste_of(const time::Prediction& of, CostKind cost) {
  switch (cost) {
    case CostKind::wasted_load_sectors:
    case CostKind::wasted_store_sectors:
    case CostKind::wasted_sectors:
      return 1 - of.useful_sectors;
    case CostKind::wasted_load_wavefronts:
    case CostKind::wasted_store_wavefronts:
    case CostKind::wasted_wavefronts:
      return 1 - of.useful_wavefronts;
    case CostKind::idle_lanes:
      return 1 - of.mean_lanes / 32;
    default:
      return 0;
  }
}

}  // namespace

bool removes(const run::StepCount& step, const run::StepCount& from, CostKind cost) {
  const bool is_known =
      step.missing.empty() && step.problem == from.problem && step.work > 0 && from.work > 0;
  const double left = is_waste(cost) ? kMost : kClearlyLess;
  return is_known && amount_of(step, cost) / run::times_the_work(step, from) < left * amount_of(from, cost);
}

bool removes(const time::Prediction& other, const time::Prediction& from, CostKind cost) {
  return waste_of(other, cost) < kMost * waste_of(from, cost);
}

}  // namespace warplens::explain
