// The lanes of one warp against what they ask for: sectors of global memory, wavefronts of shared memory.
#pragma once

#include <optional>
#include <string>

#include "engine/report/pieces.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/parts/matrix_grid.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::figures {

// One access in words: "32 lanes, 32 rows of A", "32 sectors, 4 would do", "128 of 1,024 bytes used".
struct AccessSummary {
  std::string pattern, cost, detail;
  Color color = Token::text;
};
// Whether these are the lanes' words as cp.async brings them into shared memory. The hardware counts such a
// copy where it reads; its arrival is no request of the warp and has no wavefronts of its own.
bool is_arrival(const trace::Access& access);
// "32 sectors, ideal 4", or "no wavefronts" where other blocks' shared memory serves the lanes.
std::string cost_words(const report::AccessPieces& pieces);
// faces: those of an AccessStory, to say which rows of an array in shared memory it touches.
AccessSummary summarize(const run::Run& run, const trace::Access& access,
                        const std::vector<Face>* faces = nullptr);

struct AccessLayout;
// The largest room below a matrix that is lower than those beside it; nothing where the lanes have none there.
std::optional<Rect> room_for_lanes(const AccessLayout& layout, const Rect& area, double gap);

void draw_lane_card(Group& group, const Rect& rect, const run::Run& run, const Place& place,
                    const std::optional<trace::Access>& access, const AccessOptions& options);

}  // namespace warplens::figures
