// Which tiles of a matrix product are under way at the same time, which rows of tiles of A and columns of tiles of B they need, and
// what of it L2 has: by the loads of all blocks. The wave that is shown is that of the place's block.
#pragma once

#include <string>

#include "engine/base/result.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

// Errors: a run whose blocks make no tiles of a product.
Result<scene::Scene> draw_tile_order(const Subject& subject, scene::Size size,
                                     const scene::TextMeasure& measure);
// One row a tile, in the order in which they are made.
Result<std::string> tile_order_table(const Subject& subject);
// Empty where there is none.
explain::Explanation tile_order_words(const Subject& subject);

}  // namespace warplens::figures
