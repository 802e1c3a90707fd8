// An explanation from its three parts and all that they claim.
#pragma once

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/explain.hpp"

namespace warplens::explain {

struct Parts {
  Said what, why, fix;
};
Explanation made_of(RuleId rule, Verdict verdict, Parts parts, CostKind cost = CostKind::none);

// In place of the fix that it has; claims of that one stay until drop_unsaid().
void set_fix(Explanation& said, Said fix);

// "28 %"
Claim percent(Quantity quantity, double share, Scope scope);
// "1.5", to so many digits, or whole: "1,024".
Claim rounded(Quantity quantity, double number, int digits, Scope scope);

}  // namespace warplens::explain
