// Inside of the access figure, for a class: where blocks do not go over the matrices row by row, the order in
// which they do, at the first access of the first block.
#pragma once

#include "engine/explain/explain.hpp"
#include "engine/run/derived/block_order.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

// Whether the access figure shows it at this place.
bool shows_order(const Subject& subject);

// Preconditions of both: shows_order().
scene::Scene order_scene(const run::Run& run, const run::BlockOrder& order, scene::Size size,
                         const scene::TextMeasure& measure);
explain::Explanation order_words(const run::Run& run, const run::BlockOrder& order);

}  // namespace warplens::figures
