// What an access or a whole step costs, why, and what fixes it: sentences made from the run itself. The rules
// are rows of one table; where none applies, nothing is said.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/explain/claims/claims.hpp"
#include "engine/explain/cost.hpp"
#include "engine/explain/facts.hpp"
#include "engine/explain/rule_id.hpp"

namespace warplens::explain {

enum class Verdict : std::uint8_t { good, costly, neutral };

// Sentences without a full stop; each may be empty.
struct Explanation {
  RuleId rule = RuleId::none;  // the row that made it
  Verdict verdict = Verdict::neutral;
  std::string what, why, fix;
  CostKind cost = CostKind::none;  // that `what` is the amount of
  Claims claims = {};              // of the three of them
  bool is_free = false;            // mending it gains nothing here; `fix` says why
  int line = 0;                    // whose lanes wait, where the cure is of these alone; 0: of all
};

// Takes away claims of words that are not said any more.
void drop_unsaid(Explanation& said);

// Explains an access by the worst of its sectors, wavefronts and idle lanes.
Explanation explain(const Facts& facts);
// Explains a complete run as a whole; says nothing of a preview.
Explanation explain(const run::Run& run);

// Explains what values cost that found no register; says nothing if there are none.
Explanation explain_spills(const run::Run& run);
Said spill_words(const run::Run& run);  // "a thread stores 20 bytes and loads 24 bytes for spills"

// The ids of all rules of accesses and of steps, in the order in which they are tried.
std::span<const RuleId> access_rules();
std::span<const RuleId> step_rules();

// The access of this warp that shows what the step costs: of those to one array that waste most
// sectors, wavefronts and lanes, the worst one. Where nothing is wasted, the first that padding or a swizzle
// keeps free of bank conflicts, or else one of those that ask for most. The array that the kernel's front
// matter names ("show") is kept to. 0 for a warp without accesses.
std::uint32_t opening_access(const run::Run& run, std::size_t block, std::uint32_t warp);

// The warp that a view of a block opens on: `wished` where it makes such an access (where the front matter names
// an array, one to that), else the first that does; `wished` where none does. Copies that a block's first warp
// starts for the others are no accesses of its lanes.
std::uint32_t opening_warp(const run::Run& run, std::size_t block, std::uint32_t wished = 0);

}  // namespace warplens::explain
