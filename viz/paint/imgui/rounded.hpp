// Rounded rectangles as few upright quads: small ones are pictures in the atlas, made once a size, and of
// others the corners are. As a polygon with soft edges one takes ImGui some sixty triangles.
#pragma once

#include <imgui.h>

#include "viz/paint/fonts.hpp"
#include "viz/paint/imgui/glyph_atlas.hpp"

namespace warplens::paint {

// How much of each pixel of the upper left corner is within a rectangle with this radius and, where `ring`
// is above 0, in its outermost `ring` pixels. As wide and high as the rounding reaches.
GlyphBitmap corner_mask(double radius, double ring);

// The same of all of a rectangle, in whole pixels.
GlyphBitmap rounded_mask(int width, int height, double radius, double ring);

// The same of a whole circle, in the middle of its picture.
GlyphBitmap disc_mask(double radius, double ring);

// The outline of a rectangle: the outermost `ring` pixels of it.
void add_frame(ImDrawList& list, ImVec2 a, ImVec2 b, float ring, ImU32 color);

// Pixels. The corners a (upper left) and b are whole; ring: the width of the outline within them, whole, or 0
// for all of it. False where it is large and the corners of one side meet within a pixel: nothing is drawn
// then.
bool add_rounded(ImDrawList& list, ImGuiPainter::Atlas& atlas, ImVec2 a, ImVec2 b, float radius, float ring,
                 ImU32 color);
// A circle, moved by up to half a pixel so that its picture stands on whole ones.
void add_disc(ImDrawList& list, ImGuiPainter::Atlas& atlas, ImVec2 center, float radius, float ring,
              ImU32 color);

}  // namespace warplens::paint
