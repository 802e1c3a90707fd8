// The access animation: the matrices of the problem as grids, and in them what the first thread, the first
// warp and the first block touch at one step, in the colours of the Programming Parallel Computers course
// (ppc.cs.aalto.fi): orange, blue, black. Older accesses of the warp fade away.
//
//   scene = access_scene(run, place, {}, {1280, 720}, fonts);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/report/access_story.hpp"
#include "viz/figures/parts/matrix_grid.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

using report::AccessStory, report::BlockAccesses;

// As states and the command line name them.
inline constexpr std::array<std::pair<AccessOptions::Colors, std::string_view>, 3> kColorNames = {
    {{AccessOptions::Colors::classic, "classic"},
     {AccessOptions::Colors::colour_blind, "colour-blind"},
     {AccessOptions::Colors::lanes, "lanes"}}};
std::optional<AccessOptions::Colors> colors_named(std::string_view name);

scene::Scene access_scene(const run::Run& run, const Place& place, const AccessOptions& options,
                          scene::Size size, const scene::TextMeasure& measure);

// Rows "step,pc,line,space,kind,width,lane,buffer,row,column,address" of the warp's accesses.
std::string access_csv(const run::Run& run, const Place& place);

// For the table of figures.
Result<scene::Scene> draw_access(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
Result<std::string> access_table(const Subject& subject);

}  // namespace warplens::figures
