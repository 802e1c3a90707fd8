// What the loads of a product are for, beyond what they cost: how often a word that was brought once is read,
// how many multiply-adds it serves, and whether tiles travel while others are multiplied. By the recorded
// block.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/explain/explain.hpp"
#include "engine/report/tile_flights.hpp"

namespace warplens::explain {

// Which of the story's faces is the array of the access, which is in one.
std::size_t face_of(const Facts& facts);

// Multiply-adds of a thread for each element that it reads of this face into a register; 0 where the block
// makes no whole product, or reads nothing of it.
double multiply_adds_an_element(const run::Run& run, const report::AccessStory& story, std::size_t face);

// How often each word of this face, in shared memory, is read for each time that it is written; 0 as above.
double reads_a_word(const report::AccessStory& story, std::size_t face);

// The warp's tiles that travel while another one is multiplied; empty if there are none.
std::vector<report::TileFlight> overlapping_flights(const run::Run& run, const report::AccessStory& story,
                                                    std::uint32_t warp);
// Whether the access brings a part of a tile: from global memory.
bool brings_a_tile(const trace::Access& access);

// What a step is about where that is another number than what its picture costs: its ladder names the number
// (KernelSpec::about), the run says it. Of accesses to the array that shows the step's point (KernelSpec::show),
// or to any where none is named. Says nothing where the step is about nothing else, or its run has no such number.
Explanation explain_about(const Facts& facts);
std::span<const RuleId> about_rules();

// Does the same as explain(facts); but if nothing speaks against the access except its cost, it says what the
// step is about, or what the access is for, by reuse_rules(), which are rows of one table too.
Explanation explain_use(const Facts& facts);
// cost: explain(facts), of which the caller knows it.
Explanation explain_use(const Facts& facts, Explanation cost);
std::span<const RuleId> reuse_rules();
// To which the explanation is the answer, for those of reuse_rules(); else empty.
std::string question_of(const Explanation& said, const Facts& facts);

}  // namespace warplens::explain
