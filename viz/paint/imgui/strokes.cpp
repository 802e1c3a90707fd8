#include "viz/paint/imgui/strokes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "viz/paint/imgui/imgui_compat.hpp"

namespace warplens::paint {
namespace {

constexpr int texels_a_pixel = 32;  // no texel is mixed with its neighbour, so there are many
constexpr float widest = 24;        // pixels; what is wider is ImGui's
constexpr float longest_corner = 10;

// To the left of the way from a to b where y goes down, one pixel long; 0 where they are one point.
ImVec2 normal(ImVec2 a, ImVec2 b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  return length > 0 ? ImVec2{dy / length, -dx / length} : ImVec2{0, 0};
}

// From the middle of a line to its edge at the corner of two segments, for a line of two pixels.
ImVec2 corner_normal(ImVec2 before, ImVec2 after) {
  const ImVec2 mean{(before.x + after.x) / 2, (before.y + after.y) / 2};
  const float square = mean.x * mean.x + mean.y * mean.y;
  if (square < 1e-6f) return mean;  // it turns back
  const float stretch = std::min(1 / square, longest_corner * longest_corner);
  return {mean.x * stretch, mean.y * stretch};
}

std::vector<ImVec2> normals_of(std::span<const ImVec2> points, bool closed) {
  const std::size_t n = points.size(), segments = closed ? n : n - 1;
  std::vector<ImVec2> of_segments, of_points(n);
  of_segments.reserve(segments);
  for (std::size_t i = 0; i < segments; ++i)
    of_segments.push_back(normal(points[i], points[i + 1 == n ? 0 : i + 1]));
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i > 0 ? i - 1 : closed ? segments - 1 : 0;
    const std::size_t after = i < segments ? i : segments - 1;
    of_points[i] = corner_normal(of_segments[before], of_segments[after]);
  }
  return of_points;
}

}  // namespace

GlyphBitmap stroke_profile(double width) {
  const double all = width + 1;
  const int size = static_cast<int>(std::lround(all * texels_a_pixel));
  GlyphBitmap profile{size, 1, 0, 0, {}};
  for (int i = 0; i < size; ++i) {
    const double inside = std::min(i + 0.5, size - i - 0.5) * all / size;  // pixels from where it begins
    profile.coverage.push_back(static_cast<std::uint8_t>(std::lround(255 * std::min(inside, 1.0))));
  }
  return profile;
}

void add_stroke(ImDrawList& list, ImGuiPainter::Atlas& atlas, std::span<const ImVec2> points, bool closed,
                ImU32 color, float width) {
  if (points.size() < 2 || (color & IM_COL32_A_MASK) == 0) return;
  if (width > widest)
    return compat::add_polyline(list, points.data(), static_cast<int>(points.size()), color, closed, width);
  const auto& across = atlas.stroke(std::max(width, 1.0f));
  constexpr float texel = 1.0f / ImGuiPainter::Atlas::page_size;
  const float u0 = static_cast<float>(across.x) * texel, u1 = u0 + static_cast<float>(across.width) * texel,
              v = (static_cast<float>(across.y) + 0.5f) * texel;
  const float half = static_cast<float>(across.width) / (2 * texels_a_pixel);
  const std::size_t n = points.size(), segments = closed ? n : n - 1;
  compat::push_texture(list, atlas.texture(across.page));
  list.PrimReserve(static_cast<int>(6 * segments), static_cast<int>(2 * n));
  const unsigned first = list._VtxCurrentIdx;
  const std::vector<ImVec2> normals = normals_of(points, closed);
  for (std::size_t i = 0; i < n; ++i) {
    const ImVec2 p = points[i], away{normals[i].x * half, normals[i].y * half};
    list.PrimWriteVtx({p.x + away.x, p.y + away.y}, {u0, v}, color);
    list.PrimWriteVtx({p.x - away.x, p.y - away.y}, {u1, v}, color);
  }
  for (std::size_t i = 0; i < segments; ++i) {
    const auto at = static_cast<unsigned>(2 * i), next = static_cast<unsigned>(i + 1 == n ? 0 : 2 * (i + 1));
    for (const unsigned k : {at, at + 1, next + 1, at, next + 1, next})
      list.PrimWriteIdx(static_cast<ImDrawIdx>(first + k));
  }
  compat::pop_texture(list);
}

}  // namespace warplens::paint
