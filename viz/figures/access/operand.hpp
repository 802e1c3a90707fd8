// Inside of the access figure, for a class: which factor of a product an access reads, and what one of its
// words serves. A class sees that factor beside C: an array in shared memory in the place of the matrix whose
// tile it holds.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "viz/figures/access/access_layout.hpp"

namespace warplens::figures {

// Of a load of a product; nothing of other accesses, and where the picture is for no class.
std::optional<Operand> operand_of(const AccessView& view);

// Whether a class sees a tile of shared memory in the place of A or B.
bool stands_in(const AccessView& view);

// Of the plate with the number of those that it serves; as wide is the gap between factor and C at least.
double factor_width(const Operand& operand, const scene::TextMeasure& measure);
inline constexpr double kAboveBoth = 48;  // where both stand side by side and the line goes over them

// A ring around the word, one around what it serves, and the line between them.
void draw_served(Group& group, const AccessView& view, const AccessLayout& layout);

}  // namespace warplens::figures
