// The transport of the ladder: where the chosen access is, and the barriers on its way.
#include <fmt/format.h>

#include <algorithm>

#include "app/window/kit/transport.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::app {
namespace {

std::string here(const Ui& ui) {
  const auto access = ui.model.access();
  if (ui.model.run() == nullptr) return "";
  if (const int line = ui.state().selection.line; line > 0) return fmt::format("line {}", line);
  if (!access) return "no accesses";
  return figures::place_of(*ui.model.run(), access->pc);
}

std::vector<double> barriers_of(const Model& model) {
  std::vector<double> shares;
  const run::Run* run = model.run();
  const auto& events = model.events();
  if (run == nullptr || events.size() < 2 || run->trace->blocks().empty()) return shares;
  for (const trace::Barrier& barrier : run->trace->barriers(model.trace_block())) {
    const auto at = std::lower_bound(events.begin(), events.end(), barrier.before_event) - events.begin();
    shares.push_back(std::min(1.0, static_cast<double>(at) / static_cast<double>(events.size() - 1)));
  }
  return shares;
}

}  // namespace

void draw_ladder_transport(const Ui& ui, const Rect& rect, TransportPlace place) {
  Selection& selection = ui.state().selection;
  const bool ran = ui.model.run() != nullptr;
  draw_transport(
      ui, rect,
      {.steps = ui.model.events().size(),
       .step = ui.model.shown_access(),
       .block = selection.block,
       .blocks = ran ? ui.model.blocks() : 0,
       .warp = selection.warp,
       .warps = ran ? ui.model.warps() : 0,
       .here = here(ui),
       .is_framed = place == TransportPlace::framed,
       .is_brief = place == TransportPlace::row,
       .barriers = barriers_of(ui.model),
       .go_to = [&](std::uint32_t step) { selection.step = step, selection.line = 0; },
       .choose_block = [&](std::uint64_t b) { selection.block = b, selection.step = kOpeningAccess; },
       .choose_warp = [&](std::uint32_t warp) { ui.model.choose_warp(warp); }});
}

}  // namespace warplens::app
