// The picture around the live plots: titles, axes, the numbers of now. The places that it leaves free are
// drawn by LivePlots, from memory that only the GPU reads.
#pragma once

#include <optional>
#include <string>

#include "engine/problem/problem.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::live {

// What the host knows of a live run. Rates are 1e9 a second, work is in 1e9.
struct LiveFacts {
  std::string kernel, device;
  std::string state;            // "Live", or why not: "Checking the result"
  std::string unit = "FLOP/s";  // "B/s" where a problem computes nothing
  double work = 0;              // of one launch
  double checked_rate = 0;      // the median when the result was verified
  double rate = 0;              // the median of the newest launches; 0: none yet
  std::uint32_t shown = 1;      // entries across the plot of launches
  std::uint32_t launches_per_entry = 1;
  std::uint32_t multiprocessors = 1, slots = 1;
  double span = 0;  // of the watched launch, nanoseconds; 0: none yet
  std::uint64_t blocks_in_grid = 0;
  bool has_timeline = true;  // false: its code or its number of blocks does not let it be watched
  std::string result_name;   // "C"
  std::optional<problem::MatrixShape> result;  // nothing: it has no picture
  double low = 0, high = 1;                    // the colours' ends
  bool through_host = false;                   // the plots' data comes through the host
  bool running = false;
};

struct LivePicture {
  scene::Scene scene;
  scene::Rect launches, blocks, result;  // for LivePlots; empty where there is no room or nothing to show
  double top = 1;                        // of the axis of rates, 1e9 a second
  double span = 1;                       // of the axis of time, nanoseconds
};

LivePicture live_picture(const LiveFacts& facts, scene::Size size, const scene::TextMeasure& measure);

}  // namespace warplens::live
