// The picture of what the blocks of a cluster bring each other: the boxes of one tile of k, who asks for each, and which blocks it
// arrives in.
#pragma once

#include <string>

#include "engine/explain/explain.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

Result<scene::Scene> draw_cluster(const Subject& subject, scene::Size size,
                                  const scene::TextMeasure& measure);
// Rows "asked_by,matrix,row,column,bytes,to,byte": a row a block that gets a box.
Result<std::string> cluster_table(const Subject& subject);
// Precondition: its tensor work is known. Empty where no block of a cluster copies.
explain::Explanation cluster_words(const Subject& subject);

}  // namespace warplens::figures
