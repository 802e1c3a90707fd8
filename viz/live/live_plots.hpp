// Draws the data of a live run into the framebuffer that is bound, straight from its buffer: the rate of each
// launch, the blocks on their multiprocessors, and the result.
#pragma once

#include <memory>

#include "engine/base/result.hpp"
#include "engine/problem/problem.hpp"
#include "viz/live/live_buffer.hpp"
#include "viz/scene/geometry.hpp"
#include "viz/theme/theme.hpp"

namespace warplens::live {

// Where a plot goes: pixels from the framebuffer's upper left corner. clip: nothing outside is touched.
struct Target {
  scene::Rect rect, clip;
  int framebuffer_height = 0;
};

struct LaunchPlot {
  std::uint64_t written = 0;      // entries since the start; the ring has the newest of them
  std::uint32_t shown = 1;        // that fill the width
  double work = 0;                // operations (or bytes) of one entry, in 1e9
  double top = 1;                 // of the axis, 1e9 a second
  double thickness = 2;           // of the line, pixels
  theme::Rgba line, range, fill;  // the mean, from the lowest to the highest, below
};

struct BlockPlot {
  std::uint32_t blocks = 0;   // in the buffer
  std::uint64_t in_grid = 0;  // of the whole launch
  double span = 1;            // of the axis, nanoseconds
  std::uint32_t multiprocessors = 1, slots = 1;
};

struct ResultPlot {
  problem::MatrixShape shape;
  double low = 0, high = 1;  // values of the colours' ends
  theme::Rgba unwritten, hatch;
  double hatch_distance = 8;  // pixels
};

// Precondition of every call: an OpenGL 3.3 context is current. Leaves program, vertex array, viewport,
// scissor box, blending and the buffer texture of unit 0 changed.
class LivePlots {
 public:
  static Result<std::unique_ptr<LivePlots>> create();
  ~LivePlots();
  LivePlots(const LivePlots&) = delete;
  LivePlots& operator=(const LivePlots&) = delete;

  void draw(const LiveBuffer& buffer, const LaunchPlot& plot, const Target& target);
  void draw(const LiveBuffer& buffer, const BlockPlot& plot, const Target& target);
  void draw(const LiveBuffer& buffer, const ResultPlot& plot, const Target& target);

 private:
  LivePlots() = default;
  bool begin(unsigned program, const LiveBuffer& buffer, const Target& target);
  unsigned launches_ = 0, blocks_ = 0, result_ = 0;  // programs
  unsigned vertices_ = 0;                            // an array without any: shaders make them
};

}  // namespace warplens::live
