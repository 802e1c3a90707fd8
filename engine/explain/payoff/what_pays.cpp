#include "engine/explain/payoff/what_pays.hpp"

#include "engine/explain/made_of.hpp"
#include "engine/time/why/reason.hpp"

namespace warplens::explain {

std::string_view waste_of(CostKind cost) {
  switch (cost) {
    case CostKind::wasted_load_sectors:
    case CostKind::wasted_store_sectors:
    case CostKind::wasted_sectors:
      return "wasted sectors";
    case CostKind::wasted_load_wavefronts:
    case CostKind::wasted_store_wavefronts:
    case CostKind::wasted_wavefronts:
      return "wasted wavefronts";
    case CostKind::sectors:
      return "traffic";
    case CostKind::wavefronts:
      return "wavefronts";
    case CostKind::idle_lanes:
      return "idle lanes";
    case CostKind::instructions:
      return "costliest line";
    case CostKind::none:
      break;
  }
  return "";
}

Explanation with_constant_turns(Explanation said, const Payoffs* payoffs) {
  if (payoffs == nullptr) {
    said.fix.clear();
  } else if (time::hold_of(payoffs->now).name != "constant" || what_holds(payoffs->now).text.empty()) {
    said.verdict = Verdict::neutral, said.fix.clear();
  } else {
    Said holds = what_holds(payoffs->now);
    said.why += "; " + holds.text;
    add(said.claims, std::move(holds.claims));
  }
  drop_unsaid(said);
  return said;
}

}  // namespace warplens::explain
