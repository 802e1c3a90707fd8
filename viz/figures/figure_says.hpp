// What each figure's picture says of its subject, in words: rows of the table of figures name these. Nothing is said where what the
// figure needs is not known yet, and then the step as a whole is spoken of. Precondition: the subject has a run.
#pragma once

#include <optional>

#include "viz/figures/figure.hpp"

namespace warplens::figures {

std::optional<Said> say_access(const Figure& figure, const Subject& subject);
std::optional<Said> say_banks(const Figure& figure, const Subject& subject);
std::optional<Said> say_occupancy(const Figure& figure, const Subject& subject);
std::optional<Said> say_flow(const Figure& figure, const Subject& subject);
std::optional<Said> say_time(const Figure& figure, const Subject& subject);
std::optional<Said> say_latency(const Figure& figure, const Subject& subject);
std::optional<Said> say_speed_map(const Figure& figure, const Subject& subject);
std::optional<Said> say_timeline(const Figure& figure, const Subject& subject);
std::optional<Said> say_waits(const Figure& figure, const Subject& subject);
std::optional<Said> say_fragments(const Figure& figure, const Subject& subject);
std::optional<Said> say_swizzle(const Figure& figure, const Subject& subject);
std::optional<Said> say_boxes(const Figure& figure, const Subject& subject);
std::optional<Said> say_pipeline(const Figure& figure, const Subject& subject);
std::optional<Said> say_cluster(const Figure& figure, const Subject& subject);
std::optional<Said> say_tile_order(const Figure& figure, const Subject& subject);
std::optional<Said> say_timing(const Figure& figure, const Subject& subject);
std::optional<Said> say_rounding(const Figure& figure, const Subject& subject);

// Of the access that a figure of one access shows; empty for other figures, and where the warp makes none.
std::optional<explain::Facts> facts_of(const Figure& figure, const Subject& subject);
// Pictures of sectors and banks say what an access costs, that of all arrays also what it is for.
explain::Explanation words_of(const Figure& figure, const Subject& subject, const explain::Facts& facts);
// Of the whole step, or of a line of it: with the fix only where it pays.
explain::Explanation of_step(const Subject& subject, explain::Explanation said);
// Of the bank map. Precondition: it is known.
explain::Explanation block_words(const Subject& subject);
// Whether the access figure shows the lanes of a line instead.
bool shows_line(const Figure& figure, const Subject& subject);

}  // namespace warplens::figures
