#include "engine/explain/cost.hpp"

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

bool is_lower(const run::StepCount& step, const run::StepCount& than, CostKind cost) {
  constexpr double kClearlyLower = 0.95;
  const bool is_known =
      step.missing.empty() && step.problem == than.problem && step.work > 0 && than.work > 0;
  return is_known &&
         amount_of(step, cost) / run::times_the_work(step, than) < kClearlyLower * amount_of(than, cost);
}

}  // namespace warplens::explain
