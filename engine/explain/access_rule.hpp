// A row of the tables of rules, and words that several rows use.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/explain/access_traits.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/explain.hpp"

namespace warplens::explain {

struct AccessRule {
  RuleId id;
  Verdict verdict;
  bool (*holds)(const Facts&);
  Said (*what)(const Facts&);
  Said (*why)(const Facts&);
  Said (*fix)(const Facts&);
};
// The first that holds is said: worst first, so that what is good is said of accesses that waste nothing.
std::span<const AccessRule> lane_rules();  // of both kinds of memory, tried first
std::span<const AccessRule> global_rules();
std::span<const AccessRule> shared_rules();

Claim units(const Facts& f);              // "4 sectors"
Said least(const Facts& f);               // "2 sectors: the least for 64 bytes"
Said cost_against_ideal(const Facts& f);  // "32 wavefronts where 1 would do"
Said neighbours(const Facts& f);          // "the next lane reads the next element of A"
Said side_by_side(const Facts& f);        // "each group of 4 lanes reads elements side by side"
Said apart(const Facts& f);               // "the next lane reads 2 elements further on"
Said in_rows(const Facts& f);             // "each group of 16 lanes asks for one element of A"
// "nothing to fix: a broadcast is free"; where other accesses of the line waste something, how much.
Said nothing_to_fix(const Facts& f, std::string_view reason);
Said nothing_to_fix(const Facts& f);
Said nothing(const Facts& f);
Claim lane_after(const Facts& f);            // "the next lane": so far from its neighbour in each pair
Claim of_rows(const Facts& f, Claim claim);  // of the pairs within rows of lanes, where it is of these

}  // namespace warplens::explain
