// The picture of a copy by the tensor memory accelerator: its box over the matrix, where the bytes of the box land in shared memory,
// and what of it lies outside of the matrix and comes as zeros.
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

Result<scene::Scene> draw_boxes(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
// Rows "box,kind,matrix,column,row,columns,rows,byte,bytes,outside,swizzle,warp,lane": all boxes of the block.
Result<std::string> boxes_table(const Subject& subject);
std::optional<Pick> pick_in_boxes(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                  const scene::TextMeasure& measure, Point point);
std::vector<Rect> places_in_boxes(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                  const scene::TextMeasure& measure, std::span<const CellId> cells);
// Of the box that is shown. Precondition: its tensor work is known. Empty where there is none.
explain::Explanation boxes_words(const Subject& subject);

}  // namespace warplens::figures
