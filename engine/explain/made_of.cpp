#include "engine/explain/made_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/base/text.hpp"

namespace warplens::explain {

Explanation made_of(RuleId rule, Verdict verdict, Parts parts, CostKind cost) {
  Explanation said{rule, verdict, parts.what.text, parts.why.text, parts.fix.text, cost};
  for (Said* part : {&parts.what, &parts.why, &parts.fix})
    std::ranges::move(part->claims, std::back_inserter(said.claims));
  return said;
}

void set_fix(Explanation& said, Said fix) {
  said.fix = std::move(fix.text);
  std::ranges::move(fix.claims, std::back_inserter(said.claims));
}

Claim percent(Quantity quantity, double share, Scope scope) {
  return claim::words(fmt::format("{:.0f} %", 100 * share), quantity, share, scope);
}

Claim rounded(Quantity quantity, double number, int digits, Scope scope) {
  const bool is_large = std::abs(number) >= std::pow(10, digits);
  return claim::words(is_large ? grouped(static_cast<std::uint64_t>(std::llround(std::abs(number))))
                               : fmt::format("{:.{}g}", number, digits),
                      quantity, number, scope);
}

}  // namespace warplens::explain
