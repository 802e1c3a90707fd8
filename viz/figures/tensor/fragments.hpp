// The picture of one product of tensor cores: which lane and register holds which element of A, B and C, and where the
// elements of a tile lie in shared memory. One element is followed all the way.
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

Result<scene::Scene> draw_fragments(const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure);
// Rows "matrix,row,column,byte,lane,register,part": of the product that is shown.
Result<std::string> fragments_table(const Subject& subject);
std::optional<Pick> pick_in_fragments(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                      const scene::TextMeasure& measure, Point point);
std::vector<Rect> places_in_fragments(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                      const scene::TextMeasure& measure, std::span<const CellId> cells);
// Of the followed element. Precondition: its tensor work is known.
explain::Explanation fragments_words(const Subject& subject);

}  // namespace warplens::figures
