#include "app/window/damage_primitives.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace warplens::app::damage {
namespace {

using Kind = Primitive::Kind;

bool same(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }
bool is_opaque(ImU32 color) { return (color & IM_COL32_A_MASK) == IM_COL32_A_MASK; }

const ImDrawVert& vertex(const Command& c, unsigned index) { return c.vertices[c.indices[index]]; }

bool is_quad(const ImDrawIdx* k) {
  return k[1] == k[0] + 1 && k[2] == k[0] + 2 && k[3] == k[0] && k[4] == k[0] + 2 && k[5] == k[0] + 3;
}

bool is_like(const ImDrawVert& a, const ImDrawVert& b) { return a.col == b.col && same(a.uv, b.uv); }

// How many indices from here are triangles around one corner, each with a side of the one before, that look
// alike: the first triangle of the soft edge that ImGui puts around a polygon would fit too.
unsigned length_of_fan(const Command& c, unsigned first, unsigned count) {
  const ImDrawIdx* const k = c.indices + first;
  unsigned length = 3;
  while (length + 3 <= count && k[length] == k[0] && k[length + 1] == k[length - 1] &&
         is_like(c.vertices[k[length + 2]], c.vertices[k[0]]))
    length += 3;
  return length;
}

// Two triangles with a common side. Others belong to two shapes, which can stand far from each other.
bool is_pair(const ImDrawIdx* k) {
  int common = 0;
  for (int i = 0; i < 3; ++i) common += k[i] == k[3] || k[i] == k[4] || k[i] == k[5] ? 1 : 0;
  return common >= 2;
}

void include(Bounds& b, ImVec2 at) {
  b.low = {std::min(b.low.x, at.x), std::min(b.low.y, at.y)};
  b.high = {std::max(b.high.x, at.x), std::max(b.high.y, at.y)};
}

// The indices of a primitive that name other vertices than those before them mostly do.
template <class See>
void each_corner(const Primitive& p, const Command& c, See see) {
  switch (p.kind) {
    case Kind::quad: {
      const ImDrawVert* const v = &vertex(c, p.first);
      for (std::size_t i = 0; i < 4; ++i) see(v[i]);
      break;
    }
    case Kind::fan:
      see(vertex(c, p.first)), see(vertex(c, p.first + 1));
      for (unsigned i = 2; i < p.count; i += 3) see(vertex(c, p.first + i));
      break;
    case Kind::triangles:
      for (unsigned i = 0; i < p.count; ++i) see(vertex(c, p.first + i));
      break;
  }
}

// As ImDrawList::PrimRect and PrimRectUV make them.
bool is_rectangle(const Primitive& p, const Command& command) {
  if (p.kind != Kind::quad) return false;
  const ImDrawVert* const v = &vertex(command, p.first);
  const ImVec2 a = v[0].pos, b = v[1].pos, c = v[2].pos, d = v[3].pos;
  return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x && a.x < b.x && a.y < c.y;
}

bool is_whole(float x) { return static_cast<float>(static_cast<int>(x)) == x; }
bool is_whole(ImVec2 p) { return is_whole(p.x) && is_whole(p.y); }

// Turns one way only, and once around: x goes to and fro once.
bool is_convex(const Primitive& p, const Command& command) {
  const unsigned count = corner_count(p);
  bool left = false, right = false;
  int returns = 0;
  float last_dx = 0;
  ImVec2 a = corner(p, command, count - 2).pos, b = corner(p, command, count - 1).pos;
  for (unsigned i = 0; i < count; ++i) {
    const ImVec2 c = corner(p, command, i).pos;
    const float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x), dx = c.x - b.x;
    left |= turn > 0, right |= turn < 0;
    returns += dx * last_dx < 0 ? 1 : 0;
    if (dx != 0) last_dx = dx;
    a = b, b = c;
  }
  return left != right && returns <= 2;
}

// One opaque colour at every corner. Precondition: it is blank.
bool is_plain(const Primitive& p, const Command& command) {
  if (p.kind == Kind::triangles) return false;
  const ImDrawVert& first = vertex(command, p.first);
  if (!is_opaque(first.col)) return false;
  bool plain = true;
  each_corner(p, command, [&](const ImDrawVert& v) { plain &= v.col == first.col; });
  return plain;
}

// The high and the low half of a product depend on all bits of both factors.
std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash_of(const ImDrawVert& v) {
  static_assert(sizeof v == 20);
  std::uint64_t place = 0, texel = 0;
  std::memcpy(&place, &v.pos, sizeof place);
  std::memcpy(&texel, &v.uv, sizeof texel);
  return folded(place ^ 0x9e3779b97f4a7c15ull ^ std::uint64_t{v.col} << 17,
                texel ^ 0xd1b54a32d192ed03ull ^ std::uint64_t{v.col} << 32);
}

// Of a convex polygon: between its two sides.
Span span_at(const Primitive& p, const Command& command, float y) {
  const unsigned count = corner_count(p);
  Span span{1, 0};
  bool met = false;
  ImVec2 a = corner(p, command, count - 1).pos;
  for (unsigned i = 0; i < count; ++i) {
    const ImVec2 b = corner(p, command, i).pos;
    if (std::min(a.y, b.y) <= y && std::max(a.y, b.y) >= y) {
      const float share = a.y == b.y ? 0 : (y - a.y) / (b.y - a.y);
      const float from = a.x + share * (b.x - a.x), to = a.y == b.y ? b.x : from;
      const float low = std::min(from, to), high = std::max(from, to);
      span = met ? Span{std::min(span.low, low), std::max(span.high, high)} : Span{low, high};
      met = true;
    }
    a = b;
  }
  return span;
}

using Corners = std::optional<std::vector<ImVec2>>;

// By one side of a box: points are within where sign * coordinate <= sign * limit.
Corners cut(const std::vector<ImVec2>& corners, float ImVec2::*axis, float sign, int limit) {
  const auto at = static_cast<float>(limit);
  float ImVec2::*const other = axis == &ImVec2::x ? &ImVec2::y : &ImVec2::x;
  std::vector<ImVec2> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const ImVec2 a = corners[i], b = corners[(i + 1) % corners.size()];
    const float da = sign * (a.*axis - at), db = sign * (b.*axis - at);
    if (da <= 0) kept.push_back(a);
    if (da * db >= 0) continue;
    if (a.*other != b.*other) return std::nullopt;
    kept.push_back(a);
    kept.back().*axis = at;
  }
  return kept;
}

Corners cut_between(const Corners& corners, float ImVec2::*axis, int low, int high) {
  Corners part = corners;
  if (part) part = cut(*part, axis, -1, low);
  if (part) part = cut(*part, axis, 1, high);
  return part;
}

}  // namespace

Primitive primitive_at(const Command& command, unsigned first, unsigned count) {
  Primitive p;
  p.first = first;
  const ImDrawIdx* const k = command.indices + first;
  const unsigned left = count - first;
  if (left >= 6 && is_quad(k)) {
    p.kind = Kind::quad, p.count = 6;
  } else {
    const unsigned fan = length_of_fan(command, first, left);
    p.kind = fan > 3 ? Kind::fan : Kind::triangles;
    p.count = fan > 3 ? fan : left >= 6 && is_pair(k) ? 6 : 3;
  }
  p.bounds = {vertex(command, first).pos, vertex(command, first).pos};
  p.is_blank = command.traits.white.has_value();
  each_corner(p, command, [&](const ImDrawVert& v) {
    include(p.bounds, v.pos);
    p.is_blank = p.is_blank && same(v.uv, *command.traits.white);
  });
  if (!p.is_blank || !is_plain(p, command)) return p;
  p.is_upright = is_rectangle(p, command);
  p.is_solid = p.is_upright || is_convex(p, command);
  return p;
}

bool is_picture(const Primitive& p, const Command& command) {
  if (p.is_blank || !command.traits.texel || !is_rectangle(p, command)) return false;
  const ImDrawVert* const v = &vertex(command, p.first);
  const ImVec2 texel = *command.traits.texel, a = v[0].uv, c = v[2].uv;
  const auto is_like = [](float all, float one, float count) {
    return std::abs(std::abs(all) - one * count) < one / 64;
  };
  return v[1].col == v[0].col && v[2].col == v[0].col && v[3].col == v[0].col && same(v[1].uv, {c.x, a.y}) &&
         same(v[3].uv, {a.x, c.y}) && is_whole(v[0].pos) && is_whole(v[2].pos) &&
         is_like(c.x - a.x, texel.x, v[2].pos.x - v[0].pos.x) &&
         is_like(c.y - a.y, texel.y, v[2].pos.y - v[0].pos.y);
}

std::uint64_t hash_of(const Primitive& p, const Command& command, const Box& pixels) {
  const auto two = [](int a, int b) {
    return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
  };
  std::uint64_t texture = 0;
  std::memcpy(&texture, &command.texture, std::min(sizeof texture, sizeof command.texture));
  std::uint64_t hash = folded(two(pixels.x0, pixels.y0) ^ 0x8bb84b93962eacc9ull,
                              two(pixels.x1, pixels.y1) ^ 0x2d358dccaa6c78a5ull);
  hash ^= folded(texture + p.count, 0x9e3779b97f4a7c15ull);
  // What stands in another place among the corners counts otherwise; the corners' own hashes do not wait for
  // each other.
  std::uint64_t sum = 0, weight = 1;
  each_corner(p, command, [&](const ImDrawVert& v) {
    sum += hash_of(v) * weight;
    weight = weight * 5 + 2;
  });
  return folded(hash ^ sum, 0xd1b54a32d192ed03ull);
}

unsigned corner_count(const Primitive& p) {
  switch (p.kind) {
    case Kind::quad:
      return 4;
    case Kind::fan:
      return p.count / 3 + 2;
    case Kind::triangles:
      return p.count;
  }
  return 0;
}

const ImDrawVert& corner(const Primitive& p, const Command& command, unsigned i) {
  switch (p.kind) {
    case Kind::quad:
      return (&vertex(command, p.first))[i];
    case Kind::fan:
      return vertex(command, p.first + (i < 2 ? i : 3 * (i - 2) + 2));
    case Kind::triangles:
      break;
  }
  return vertex(command, p.first + i);
}

Span span_between(const Primitive& p, const Command& command, float top, float bottom) {
  if (p.bounds.low.y > top || p.bounds.high.y < bottom) return {1, 0};
  if (p.is_upright) return {p.bounds.low.x, p.bounds.high.x};
  const Span a = span_at(p, command, top), b = span_at(p, command, bottom);
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// What one direction has cut away may be the only slanted side that the other would cut.
std::optional<std::vector<ImVec2>> part_within(const Primitive& p, const Command& command,
                                               const Box& pixels) {
  std::vector<ImVec2> corners;
  for (unsigned i = 0; i < corner_count(p); ++i) corners.push_back(corner(p, command, i).pos);
  const auto rows = [&](const Corners& of) { return cut_between(of, &ImVec2::y, pixels.y0, pixels.y1); };
  const auto columns = [&](const Corners& of) { return cut_between(of, &ImVec2::x, pixels.x0, pixels.x1); };
  const Corners part = columns(rows(corners));
  return part ? part : rows(columns(corners));
}

}  // namespace warplens::app::damage
