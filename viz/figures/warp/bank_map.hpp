// The picture of a study::BankMap: how often each source line asks each bank, and the shared arrays as the
// warps see them, each word in its bank's colour.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/study/bank_map.hpp"
#include "viz/figures/access/pick.hpp"
#include "viz/figures/parts/matrix_grid.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::figures {

using study::BankMap, study::bank_map_of, study::kMostAccessesMapped;

// The line with the most wavefronts beyond the ideal, with the reason and the fix of the worst of its accesses, or
// that there is none. block: as of bank_map_of().
explain::Explanation bank_map_words(const BankMap& map, const run::Run& run, std::size_t block,
                                    const explain::Payoffs* payoffs);

// How often a bank gives a word where an access asks it, against what no conflict would need: 1 is free of
// conflicts, 32 the worst. NaN: the line never asks the bank.
double conflict_of(const BankMap::Line& line, std::size_t bank);

// Rows have the ids "line:28" (an image: its columns are banks), arrays "grid:A_tile" (columns and rows of
// words). now: an access to shared memory; its line, its banks and its words are outlined.
scene::Scene bank_map_scene(const run::Run& run, const BankMap& map, scene::Size size,
                            const scene::TextMeasure& measure, const std::optional<trace::Access>& now = {},
                            Look look = Look::file);

// The word of an array that a hit on its image means: "cell:A_tile:3,17", "A_tile[3][17], bank 17". Nothing
// for other hits.
std::optional<Pick> pick_word(const BankMap& map, const scene::Hit& hit);

// Rows "line,bank,words,conflict".
std::string bank_map_csv(const BankMap& map);

// For the table of figures; shown: by draw_bank_map().
Result<scene::Scene> draw_bank_map(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure);
Result<std::string> bank_map_table(const Subject& subject);
std::vector<Rect> places_in_bank_map(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                     const scene::TextMeasure& measure, std::span<const CellId> cells);
std::optional<Pick> pick_in_bank_map(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                     const scene::TextMeasure& measure, Point point);

}  // namespace warplens::figures
