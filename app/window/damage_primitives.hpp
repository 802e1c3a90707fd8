// The pieces that ImGui's draw lists are made of, each drawn or left out as a whole: where they stand, what
// they cover and whether they are those of the frame before.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::app::damage {

constexpr int tile = 32;  // pixels

// Half open, in tiles or in pixels.
struct Box {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
  bool operator==(const Box&) const = default;
};
inline Box intersection(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}
inline bool contains(const Box& outer, const Box& inner) {
  return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;
}
// The tiles that these pixels touch, and the pixels of these tiles.
inline Box tiles_of(const Box& pixels) {
  return {pixels.x0 / tile, pixels.y0 / tile, (pixels.x1 + tile - 1) / tile, (pixels.y1 + tile - 1) / tile};
}
inline Box pixels_of(const Box& tiles) {
  return {tiles.x0 * tile, tiles.y0 * tile, tiles.x1 * tile, tiles.y1 * tile};
}

struct Bounds {
  ImVec2 low, high;
};
// std::floor is a call where the processor need not have an instruction for it, and this is asked four times
// for every character of a frame.
inline int floor_of(float x) {
  const int whole = static_cast<int>(x);
  return static_cast<float>(whole) > x ? whole - 1 : whole;
}
inline int ceil_of(float x) { return -floor_of(-x); }
// The pixels that it touches.
inline Box pixels_of(const Bounds& b) {
  return {floor_of(b.low.x), floor_of(b.low.y), ceil_of(b.high.x), ceil_of(b.high.y)};
}

// What is known of a texture, in its own coordinates.
struct TextureTraits {
  std::optional<ImVec2> white{};  // a texel that is white and opaque
  std::optional<ImVec2> texel{};  // the size of a texel, where what lies between two is never mixed
  bool is_image = false;          // all that is drawn with it is white
};

// A command of the frame that is taken apart.
struct Command {
  const ImDrawCmd* source = nullptr;
  const ImDrawVert* vertices = nullptr;
  const ImDrawIdx* indices = nullptr;
  std::size_t first_vertex = 0;  // where `vertices` begins among those of all lists
  Box clip;                      // what it lets through, pixels
  ImTextureID texture = {};
  TextureTraits traits{};  // of the texture
};

struct Primitive {
  enum class Kind : std::uint8_t {
    quad,       // four vertices in a row: what a rectangle or a character is
    fan,        // triangles around their first corner: what ImGui fills a convex polygon with
    triangles,  // two with a common side, or one
  };
  int command = 0;
  unsigned first = 0, count = 0;  // of the command's indices
  Kind kind = Kind::triangles;
  bool is_blank = false;    // has the white texel at every corner: it looks alike with any such texture
  bool is_solid = false;    // a convex polygon of one opaque colour, without a texture
  bool is_upright = false;  // a solid rectangle: `bounds` itself
  Bounds bounds;
  Box tiles;  // that it touches
};

// A range of x, of one that can be empty.
struct Span {
  float low = 0, high = 0;
};

// The primitive that begins at index `first` of the command's `count`; `tiles` is left to the caller.
Primitive primitive_at(const Command& command, unsigned first, unsigned count);
// Of all that decides which pixels within `pixels` it draws.
std::uint64_t hash_of(const Primitive& p, const Command& command, const Box& pixels);

// A rectangle of whole pixels, each of them a texel: a character, an icon. Any part of it in whole pixels
// looks as the same part of all of it. It may be turned over.
bool is_picture(const Primitive& p, const Command& command);

// Its corners, in order: of a polygon each once.
unsigned corner_count(const Primitive& p);
const ImDrawVert& corner(const Primitive& p, const Command& command, unsigned i);
// Where a solid primitive covers all of the lines at `top` and `bottom`, and so all between them.
Span span_between(const Primitive& p, const Command& command, float top, float bottom);
// The corners of the part of a solid primitive within the box. Nothing where a slanted side is cut: the new
// corner stands beside that side by a rounding, and another pixel might belong to it.
std::optional<std::vector<ImVec2>> part_within(const Primitive& p, const Command& command, const Box& pixels);

}  // namespace warplens::app::damage
