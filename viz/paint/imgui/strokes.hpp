// Slanted and bent lines with soft edges as one quad a segment: how much of a pixel a line covers is read
// across it from a picture in the atlas. Of plain triangles a segment takes ImGui three quads.
#pragma once

#include <imgui.h>

#include <span>

#include "viz/paint/fonts.hpp"
#include "viz/paint/imgui/glyph_atlas.hpp"

namespace warplens::paint {

// How much of a pixel is covered at each place across a line, from where that begins to where it ends: half
// a pixel outside of either edge. One row of texels.
GlyphBitmap stroke_profile(double width);

// Pixels. Lines below a pixel are drawn as one; corners are pointed, but none longer than ten widths; ends
// are cut off straight. Fewer than two points: nothing.
void add_stroke(ImDrawList& list, ImGuiPainter::Atlas& atlas, std::span<const ImVec2> points, bool closed,
                ImU32 color, float width);

}  // namespace warplens::paint
