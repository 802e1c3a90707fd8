#include "viz/live/live_shaders.hpp"

namespace warplens::live::shader {

const char* const kWholeVertex = R"(#version 330 core
void main() {
  gl_Position = vec4(4.0 * float(gl_VertexID & 1) - 1.0, 2.0 * float(gl_VertexID & 2) - 1.0, 0.0, 1.0);
}
)";

// One column of pixels shows the mean of the launches that fall on it, joined to that of the column before,
// and their range; so that a line stays one line at any number of launches.
const char* const kLaunchesFragment = R"(#version 330 core
uniform usamplerBuffer data;
uniform int capacity, newest, count, shown;  // newest: the slot that is written next; count: entries there are
uniform vec2 origin, size;                   // of the plot, pixels from the framebuffer's lower left corner
uniform float work, top, thickness;          // work of an entry; top of the axis in 1e9 a second
uniform vec4 line_color, range_color, fill_color;
out vec4 color;

// 1e9 a second of the i-th entry shown; below 0 where there is none. GLSL 3.3 has no 64-bit integers.
float rate(int i) {
  int age = shown - i;
  if (i < 0 || age < 1 || age > count) return -1.0;
  uvec4 t = texelFetch(data, (newest - age + capacity) % capacity);
  if ((t.z | t.w) == 0u) return -1.0;
  uint low = t.z - t.x;
  uint high = t.w - t.y - (t.z < t.x ? 1u : 0u);
  if (high > 0x7fffffffu) return -1.0;
  float ns = float(high) * 4294967296.0 + float(low);
  return ns > 0.0 ? work / ns : -1.0;
}

// Of the entries on a column of pixels: x lowest, y highest, z mean; z below 0 where there is none.
vec3 summary(float column) {
  int first = int(column * float(shown) / size.x);
  int last = max(int((column + 1.0) * float(shown) / size.x), first + 1);
  float low = 1e30, high = 0.0, sum = 0.0, entries = 0.0;
  for (int i = first; i < last; ++i) {
    float r = rate(i);
    if (r < 0.0) continue;
    low = min(low, r);
    high = max(high, r);
    sum += r;
    entries += 1.0;
  }
  return entries > 0.0 ? vec3(low, high, sum / entries) / top * size.y : vec3(-1.0);
}

void main() {
  vec2 at = gl_FragCoord.xy - origin;
  float column = floor(at.x);
  vec3 here = summary(column);
  if (here.z < 0.0) discard;
  vec3 before = column < 1.0 ? vec3(-1.0) : summary(column - 1.0);
  float joined = before.z < 0.0 ? here.z : before.z;
  float from = min(here.z, joined) - 0.5 * thickness, to = max(here.z, joined) + 0.5 * thickness;
  if (at.y >= from && at.y <= to) color = line_color;
  else if (at.y >= here.x && at.y <= here.y) color = range_color;
  else if (at.y < from) color = fill_color;
  else discard;
}
)";

const char* const kBlocksVertex = R"(#version 330 core
uniform usamplerBuffer data;
uniform int first;  // texel
uniform vec2 size;  // of the plot, pixels
uniform float span, rows, slots, blocks;  // span: of the axis, nanoseconds; rows: multiprocessors
flat out float order;

void main() {
  uvec4 b = texelFetch(data, first + gl_InstanceID);
  if (b.z <= b.y) {  // not ended
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  float row = float(b.x >> 8), slot = float(b.x & 255u);
  vec2 low = vec2(float(b.y) / span, (row + slot / slots) / rows) * size;
  vec2 high = vec2(float(b.z) / span, (row + (slot + 1.0) / slots) / rows) * size;
  vec2 extent = high - low;
  // A hair of background between neighbours where there is room for it; never thinner than a pixel.
  high.x -= extent.x > 4.0 ? 1.0 : 0.0;
  high.y -= extent.y > 4.0 ? 1.0 : 0.0;
  high = max(high, low + vec2(1.0));
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  gl_Position = vec4(2.0 * mix(low, high, corner) / size - 1.0, 0.0, 1.0);
  order = float(b.w) / max(blocks - 1.0, 1.0);
}
)";

const char* const kBlocksFragment = R"(#version 330 core
uniform vec3 ramp[33];
flat in float order;
out vec4 color;
void main() {
  float at = clamp(order, 0.0, 1.0) * 32.0;
  int below = min(int(at), 31);
  color = vec4(mix(ramp[below], ramp[below + 1], at - float(below)), 1.0);
}
)";

// A pixel is the mean of the elements that it covers, at most 8 x 8 of them, evenly spread; the share of them
// that still hold the poison of before the run (a NaN) is drawn as hatching.
const char* const kResultFragment = R"(#version 330 core
uniform usamplerBuffer data;
uniform int first, rows, columns, leading;  // first: texel; leading: elements from one row to the next
uniform bool by_rows;
uniform vec2 origin, size, range;  // range: values of the ramp's ends
uniform vec3 ramp[33];
uniform vec4 unwritten_color, hatch_color;
uniform float hatch;  // pixels from one line to the next
out vec4 color;

uint bits(int row, int column) {
  int at = by_rows ? row * leading + column : column * leading + row;
  return texelFetch(data, first + at / 4)[at % 4];
}

void main() {
  vec2 at = (gl_FragCoord.xy - origin) / size;
  vec2 pixel = 1.0 / size;
  vec2 shape = vec2(float(columns), float(rows));
  vec2 from = vec2(at.x - 0.5 * pixel.x, 1.0 - at.y - 0.5 * pixel.y) * shape;
  vec2 covered = max(pixel * shape, vec2(1.0));
  ivec2 steps = ivec2(min(covered, vec2(8.0)));
  if (covered.x <= 1.0) from.x = (at.x) * shape.x;
  if (covered.y <= 1.0) from.y = (1.0 - at.y) * shape.y;
  float sum = 0.0, written = 0.0, all = 0.0;
  for (int j = 0; j < steps.y; ++j) {
    for (int i = 0; i < steps.x; ++i) {
      vec2 cell = from + covered * vec2(float(i), float(j)) / vec2(steps);
      uint b = bits(clamp(int(cell.y), 0, rows - 1), clamp(int(cell.x), 0, columns - 1));
      all += 1.0;
      if ((b & 0x7fffffffu) > 0x7f800000u) continue;
      sum += uintBitsToFloat(b);
      written += 1.0;
    }
  }
  float stripe = mod(gl_FragCoord.x + gl_FragCoord.y, hatch);
  vec4 ground = stripe < 0.3 * hatch ? hatch_color : unwritten_color;
  if (written == 0.0) {
    color = ground;
    return;
  }
  float value = clamp((sum / written - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0) * 32.0;
  int below = min(int(value), 31);
  color = mix(ground, vec4(mix(ramp[below], ramp[below + 1], value - float(below)), 1.0), written / all);
}
)";

}  // namespace warplens::live::shader
