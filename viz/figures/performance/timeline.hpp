// Which block ran on which multiprocessor (SM) from when to when: waves and the tail of one launch. Blocks on
// one SM at the same time take slots of it; a block's wave is how many blocks had its slot before it.
//
//   const Timeline timeline(input);  // once for a launch: sorts, O(n log n)
//   scene = timeline_scene(timeline, {1280, 720}, fonts);
//
// Times are nanoseconds of any clock that all SMs share, such as the register %globaltimer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viz/figures/parts/look.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::figures {

struct BlockTime {
  std::uint64_t block = 0;  // linear index in the grid
  std::uint32_t sm = 0;     // as the register %smid numbers it
  std::uint64_t start_ns = 0, end_ns = 0;
};

struct TimelineInput {
  std::string title, subtitle;  // the kernel; the device
  std::vector<BlockTime> blocks;
  std::uint32_t sms = 0;  // of the device; those that ran no block get an empty row. 0: only those that did
  // Whose times these are: a launch of now, one kept in a file, or a model of the scheduler.
  plot::Provenance provenance = plot::Provenance::live;
  // Of a grid so large that one bar stands for several blocks: how many blocks there are. 0: those of
  // `blocks`.
  std::uint64_t grid = 0;
  std::uint32_t held = 0;  // blocks that an SM may hold at a time; 0: the most that one had
  double seconds = 0;      // of the whole launch, where that is more than its blocks' time; 0: not known
};

// A launch with its blocks in their slots. Immutable.
class Timeline {
 public:
  explicit Timeline(TimelineInput input);

  struct Bar {
    std::uint64_t block = 0;
    double start = 0, end = 0;  // nanoseconds from the start of the launch
    std::uint32_t slot = 0;     // of the SM
    std::uint32_t wave = 0;     // from 0
  };
  struct Sm {
    std::uint32_t id = 0;
    std::vector<Bar> bars;  // by start
    double busy = 0;        // nanoseconds with at least one block
    double last_end = 0;    // 0 where it ran nothing
  };
  const TimelineInput& input() const { return input_; }
  const std::vector<Sm>& sms() const { return sms_; }  // ascending ids
  std::uint64_t blocks() const { return input_.grid > 0 ? input_.grid : input_.blocks.size(); }
  std::uint64_t bars() const { return input_.blocks.size(); }
  std::uint32_t slots() const { return slots_; }  // most bars at once on one SM
  std::uint32_t held() const { return input_.held > 0 ? input_.held : slots_; }
  std::uint32_t waves() const { return waves_; }  // of bars, begun on any SM
  double full_waves() const;                      // blocks / (SMs * held)
  double duration() const { return duration_; }
  double tail_start() const { return tail_start_; }  // the first SM has run its last block
  double busy_share() const;                         // of the SMs' time, with at least one block; 0 to 1

 private:
  void place_blocks();
  void measure_sms();
  TimelineInput input_;
  std::vector<Sm> sms_;
  std::uint32_t slots_ = 0, waves_ = 0;
  double duration_ = 0, tail_start_ = 0;
};

// Bars have the ids "block:N", rows "sm:N". Many blocks become an image.
// Where the look is brief without what it is of.
scene::Scene timeline_scene(const Timeline& timeline, scene::Size size, const scene::TextMeasure& measure,
                            Look look = Look::file);

}  // namespace warplens::figures
