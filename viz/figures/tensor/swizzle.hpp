// The picture of a swizzle: eight rows of a tile in the banks of shared memory, as they are in the run, as they would be row after
// row, and swizzled, with what a walk down a column costs in each; and the descriptor that says so to wgmma, bit by bit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/explain/explain.hpp"
#include "viz/figures/access/pick.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

Result<scene::Scene> draw_swizzle(const Subject& subject, scene::Size size,
                                  const scene::TextMeasure& measure);
// Rows "layout,matrix,row,column,byte,bank": of the first element of each chunk of 16 bytes.
Result<std::string> swizzle_table(const Subject& subject);
std::optional<Pick> pick_in_swizzle(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                    const scene::TextMeasure& measure, Point point);
std::vector<Rect> places_in_swizzle(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                    const scene::TextMeasure& measure, std::span<const CellId> cells);
// Precondition: its tensor work is known. Empty where no tile lies in shared memory.
explain::Explanation swizzle_words(const Subject& subject);

}  // namespace warplens::figures
