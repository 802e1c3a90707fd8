// One warp-wide access with its cost taken apart, from a recorded run or from a free index expression: what
// the coalescing and the bank figures draw.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/access.hpp"
#include "engine/base/result.hpp"
#include "engine/report/pieces.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

struct WarpAccessView {
  analysis::WarpAccess access;
  report::AccessPieces pieces;
  std::string title;     // the source line, or the expression
  std::string subtitle;  // who does what
  device::Device device;
  bool arrives = false;        // see is_arrival()
  Look look = Look::file;      // as in Subject
  bool with_number = false;    // the same
  std::string elsewhere = {};  // explain::elsewhere_words()
  std::string brief = {};      // the subtitle without the kernel's title; empty: it has none
  std::string instead = {};    // which access this is where the chosen one goes to other memory; else empty
};
// The subtitle, and on which device where that has room too; without the kernel's title where that has none.
// On two lines where it is wider than `width` even so.
std::vector<std::string> subtitle_of(const WarpAccessView& view, double width,
                                     const scene::TextMeasure& measure);
// Draws it with its first baseline at `at`; answers the height of what stands below that line. beside: of the
// picture that this one is compared with, which takes as many lines.
double add_subtitle(scene::Group& group, scene::Point at, const WarpAccessView& view, double width,
                    const scene::TextMeasure& measure, const WarpAccessView* beside = nullptr);

// The head of a picture of an access in this area: its title, subtitle and key. Answers where what follows
// begins.
double add_head(scene::Group& group, const Rect& area, const WarpAccessView& view,
                const std::vector<Key>& keys, const scene::TextMeasure& measure,
                const WarpAccessView* beside);

WarpAccessView view_of(const run::Run& run, const trace::Access& access);
// An access to shared or global memory that no kernel makes: the playground.
WarpAccessView view_of(const analysis::WarpAccess& access, bool shared, const device::Device& device,
                       std::string title);

// The access of the warp at `access` or, where that goes to other memory, the next one after it (or before
// it) that goes to this space; empty if there is none.
std::optional<std::uint32_t> nearest_access(const report::BlockAccesses& accesses, std::uint32_t warp,
                                            std::uint32_t access, ptx::Space space);
// That access, which says so where it is not the one at the place.
std::optional<WarpAccessView> view_of_nearest(const run::Run& run, const Place& place, ptx::Space space);

// Of a figure's subject: its own access, or the nearest one of its warp to this space. Error: the warp has
// none.
Result<WarpAccessView> view_for(const Subject& subject, ptx::Space space);

// For the table of figures: the picture of that access, and its table. beside: the access of the picture that
// this one is compared with, so that both are laid out alike.
using DrawView = scene::Scene (*)(const WarpAccessView& view, scene::Size size,
                                  const scene::TextMeasure& measure, const WarpAccessView* beside);
Result<scene::Scene> draw_view(const Subject& subject, ptx::Space space, DrawView draw, scene::Size size,
                               const scene::TextMeasure& measure);
Result<std::string> view_table(const Subject& subject, ptx::Space space,
                               std::string (*csv)(const WarpAccessView& view));

}  // namespace warplens::figures
