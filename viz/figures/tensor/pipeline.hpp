// The picture of who waits for whom: warps by their roles, the stages between them, and the barriers that say full and empty, in the
// order that they allow (trace::Pipeline). It has no time.
#pragma once

#include <string>

#include "engine/explain/explain.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

Result<scene::Scene> draw_pipeline(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure);
// Rows "what,warp,line,from,to,stage,phase,tile,bytes,products".
Result<std::string> pipeline_table(const Subject& subject);
// Precondition: its tensor work is known. Empty where no copy tells a barrier.
explain::Explanation pipeline_words(const Subject& subject);

}  // namespace warplens::figures
