#include "viz/paint/imgui/rounded.hpp"

#include <algorithm>
#include <cmath>

#include "viz/paint/imgui/imgui_compat.hpp"

namespace warplens::paint {
namespace {

using Place = ImGuiPainter::Atlas::Place;

// In pixels of the page; the right and the lower corners are the upper left one turned over.
void add_corner(ImDrawList& list, const Place& mask, ImVec2 at, bool right, bool low, ImU32 color) {
  constexpr float texel = 1.0f / ImGuiPainter::Atlas::page_size;
  const float w = static_cast<float>(mask.width), h = static_cast<float>(mask.height);
  ImVec2 from{static_cast<float>(mask.x) * texel, static_cast<float>(mask.y) * texel};
  ImVec2 to{from.x + w * texel, from.y + h * texel};
  if (right) std::swap(from.x, to.x);
  if (low) std::swap(from.y, to.y);
  list.PrimReserve(6, 4);
  list.PrimRectUV(at, {at.x + w, at.y + h}, from, to, color);
}

void add_corners(ImDrawList& list, ImGuiPainter::Atlas& atlas, const Place& mask, ImVec2 a, ImVec2 b,
                 ImU32 color) {
  const float n = static_cast<float>(mask.width);
  compat::push_texture(list, atlas.texture(mask.page));
  for (const bool low : {false, true})
    for (const bool right : {false, true})
      add_corner(list, mask, {right ? b.x - n : a.x, low ? b.y - n : a.y}, right, low, color);
  compat::pop_texture(list);
}

void add_picture(ImDrawList& list, ImGuiPainter::Atlas& atlas, const Place& mask, ImVec2 at, ImU32 color) {
  compat::push_texture(list, atlas.texture(mask.page));
  add_corner(list, mask, at, false, false, color);
  compat::pop_texture(list);
}

void add_rectangle(ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 color) {
  if (a.x < b.x && a.y < b.y) list.AddRectFilled(a, b, color);
}

void add_sides(ImDrawList& list, ImVec2 a, ImVec2 b, float n, float ring, ImU32 color) {
  const auto add = [&](float x0, float y0, float x1, float y1) {
    add_rectangle(list, {x0, y0}, {x1, y1}, color);
  };
  const float depth = ring > 0 ? ring : n;
  add(a.x + n, a.y, b.x - n, a.y + depth);
  if (ring > 0) {
    add(a.x, a.y + n, a.x + ring, b.y - n);
    add(b.x - ring, a.y + n, b.x, b.y - n);
  } else {
    add(a.x, a.y + n, b.x, b.y - n);
  }
  add(a.x + n, b.y - depth, b.x - n, b.y);
}

// is_within: of a place in pixels.
template <class IsWithin>
std::uint8_t coverage_of(int x, int y, IsWithin is_within) {
  constexpr int parts = 16;  // samples of a pixel, each way
  int count = 0;
  for (int i = 0; i < parts * parts; ++i)
    count += is_within(x + (i % parts + 0.5) / parts, y + (i / parts + 0.5) / parts) ? 1 : 0;
  return static_cast<std::uint8_t>(std::lround(255.0 * count / (parts * parts)));
}

template <class IsWithin>
GlyphBitmap sampled(int size, IsWithin is_within) {
  GlyphBitmap mask{size, size, 0, 0, {}};
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) mask.coverage.push_back(coverage_of(x, y, is_within));
  return mask;
}

// x, y: how far a place is from the two sides that meet in the nearest corner.
bool is_in_corner(double x, double y, double radius, double ring) {
  const double dx = std::max(0.0, radius - x), dy = std::max(0.0, radius - y);
  if (dx * dx + dy * dy > radius * radius) return false;
  const bool is_deep = x >= ring && y >= ring &&
                       (x >= radius || y >= radius || std::hypot(dx, dy) < std::max(0.0, radius - ring));
  return ring <= 0 || !is_deep;
}

// How far the corners reach, whole pixels.
int reach_of(double radius, double ring) { return static_cast<int>(std::ceil(std::max(radius, ring))); }

// Up to this a picture takes less time than the pieces of one that is put together, and there are not many
// sizes of them.
constexpr float most_pixels_of_small = 640, longest_small = 48;

bool is_small(float width, float height) {
  return width * height <= most_pixels_of_small && std::max(width, height) <= longest_small;
}

}  // namespace

GlyphBitmap disc_mask(double radius, double ring) {
  const int size = static_cast<int>(std::ceil(2 * radius));
  const double center = size / 2.0, inner = ring > 0 ? std::max(0.0, radius - ring) : 0;
  return sampled(size, [&](double x, double y) {
    const double away = std::hypot(x - center, y - center);
    return away <= radius && away >= inner;
  });
}

GlyphBitmap corner_mask(double radius, double ring) {
  return sampled(reach_of(radius, ring),
                 [&](double x, double y) { return is_in_corner(x, y, radius, ring); });
}

GlyphBitmap rounded_mask(int width, int height, double radius, double ring) {
  const int reach = reach_of(radius, ring);
  GlyphBitmap mask{width, height, 0, 0, {}};
  const auto is_within = [&](double x, double y) {
    return is_in_corner(std::min(x, width - x), std::min(y, height - y), radius, ring);
  };
  const auto is_near = [&](int at, int length) { return at < reach || at >= length - reach; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool is_plain = !is_near(x, width) && !is_near(y, height);
      mask.coverage.push_back(is_plain ? (ring > 0 ? 0 : 255) : coverage_of(x, y, is_within));
    }
  return mask;
}

void add_frame(ImDrawList& list, ImVec2 a, ImVec2 b, float ring, ImU32 color) {
  const float side = std::min(ring, (b.x - a.x) / 2), end = std::min(ring, (b.y - a.y) / 2);
  add_rectangle(list, a, {b.x, a.y + end}, color);
  add_rectangle(list, {a.x, a.y + end}, {a.x + side, b.y - end}, color);
  add_rectangle(list, {b.x - side, a.y + end}, {b.x, b.y - end}, color);
  add_rectangle(list, {a.x, b.y - end}, b, color);
}

bool add_rounded(ImDrawList& list, ImGuiPainter::Atlas& atlas, ImVec2 a, ImVec2 b, float radius, float ring,
                 ImU32 color) {
  if (is_small(b.x - a.x, b.y - a.y)) {
    const Place& all = atlas.rounded(static_cast<int>(b.x - a.x), static_cast<int>(b.y - a.y), radius, ring);
    add_picture(list, atlas, all, a, color);
    return true;
  }
  const Place& mask = atlas.corner(radius, ring);
  const float n = static_cast<float>(mask.width);
  if (2 * n > std::min(b.x - a.x, b.y - a.y)) return false;
  add_corners(list, atlas, mask, a, b, color);
  add_sides(list, a, b, n, ring, color);
  return true;
}

void add_disc(ImDrawList& list, ImGuiPainter::Atlas& atlas, ImVec2 center, float radius, float ring,
              ImU32 color) {
  const Place& mask = atlas.disc(radius, ring);
  const float half = static_cast<float>(mask.width) / 2;
  add_picture(list, atlas, mask, {std::round(center.x - half), std::round(center.y - half)}, color);
}

}  // namespace warplens::paint
