// Whether what sentences claim of a run is so: counted again from its trace, its counters and its source by
// code of its own, which shares nothing with the rules that made the sentences (engine/explain).
//
// A claim holds where the quantity that it names is found to be its number, for each one that it is about
// where it says "every". A sentence holds where its claims do, and where each of its digits and each word
// such as "all" or "nothing" stands in the words of one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/claims/claims.hpp"
#include "engine/run/run.hpp"

namespace warplens::claims_check {

// What the sentences are about: an access of a recorded block, by positions, and a line of the source (0:
// none).
struct Place {
  std::size_t block = 0;
  std::uint32_t warp = 0, access = 0;
  int line = 0;
};

struct Failure {
  std::string sentence;
  explain::Claim claim;  // of kind name and without a quantity where words of the sentence are no claim's
  std::string found;     // "5", "3 to 5", or what is wrong
};

// texts: as they are shown, all of them made from these claims.
std::vector<Failure> failures_of(const std::vector<std::string>& texts, const explain::Claims& claims,
                                 const run::Run& run, const Place& place);

}  // namespace warplens::claims_check
