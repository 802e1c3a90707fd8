// What a figure is drawn from: a place of a run, or one of the inputs that are no run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/measured/timing.hpp"
#include "engine/study/facts.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/look.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::figures {

struct AccessOptions {
  enum class Colors : std::uint8_t {
    classic,       // orange, blue, black
    colour_blind,  // apart in lightness too, and the first thread is crossed
    lanes,         // one colour for each lane of the warp
  };
  Colors colors = Colors::classic;
  bool whole = false;  // whole matrices, several elements a cell where they are large; else the part at work
  bool all_arrays = false;   // for a class too, which else sees the array of the access and what threads make
  int trail = 64;            // older accesses of each matrix that are shown
  Look look = Look::file;    // as in Subject
  bool with_number = false;  // the same
  bool operator==(const AccessOptions&) const = default;
};

// Of the figure of the data's way.
struct FlowOptions {
  // Whose traffic the pipes have: of one multiply-add (or element, where there are none), of a block, of all.
  enum class Per : std::uint8_t { operation, block, kernel };
  Per per = Per::operation;
  double phase = 0;  // of the packets on their way: 0 to 1, where they are as at 0 again
  bool operator==(const FlowOptions&) const = default;
};

// Of the speed map.
struct MapOptions {
  std::vector<std::string> over = {};  // one or two parameters; empty: the two that matter most
  bool others_as_now = false;          // the other parameters as they are chosen; else the best of them
  bool operator==(const MapOptions&) const = default;
};

// Of the figure of time.
struct TimeOptions {
  double from = 0, to = 0;  // the cycles that are shown; as many as 0: those that the model chose
  double cycle = -1;        // the cursor; less than 0: none
  int warp = 0;             // that it is at, of those of the SM
  bool operator==(const TimeOptions&) const = default;
};

struct MeasuredSet;
struct OccupancyInput;
struct PerformanceInput;
struct WarpAccessView;

// Numbers that a user set instead of those of the run's kernel.
struct SetByHand {
  std::optional<int> threads, registers;
  std::optional<std::int64_t> shared;  // bytes
  bool operator==(const SetByHand&) const = default;
};

// What a figure is drawn from. Figure::needs says what has to be known of the run; an error says what is missing. Two that are
// equal make the same picture. All but tests have it made by app/state/figure_inputs.hpp.
struct Subject {
  run::SharedRun run = {};
  Place place = {};
  study::Known known = {};  // of the run, its place's block and its place's warp
  AccessOptions access = {};
  FlowOptions flow = {};
  SetByHand by_hand = {};
  std::string curve = {};  // of the occupancy, for a class: one of kCurveNames; empty: what limits it
  std::shared_ptr<const WarpAccessView> own_access = {};  // of no kernel, instead of that at the place
  std::shared_ptr<const OccupancyInput> occupancy = {};   // of no run, instead of that of the run
  std::shared_ptr<const PerformanceInput> performance = {};
  std::shared_ptr<const StepWords> step = {};  // what is said of the step below that of an access
  std::shared_ptr<const std::vector<MeasuredSet>> measured = {};  // at the run's size on its device
  MapOptions map = {};
  TimeOptions time = {};
  std::string element =
      {};  // of a matrix, that is followed: "A,5,37"; empty: the first one of the place's lane
  measured::SharedTiming timing = {};  // of exactly this launch, on its device; null: nothing was measured
  double recorded_seconds = 0;         // of exactly this launch, measured on its device; 0: it was not
  std::string counter = {};            // beside the source, for a class: a title of its columns; empty: none
  bool with_ptx = false;               // below the source, for a class
  Look look = Look::file;              // for whom it is
  bool with_number = false;            // for a class: the picture says its cost, where no headline does
  bool hides_speed = false;            // a lesson asks for it later: what tells how long the kernel takes
  bool says_notice = true;             // what is known against the run; false: it is said beside the picture
  bool is_guessed = false;          // a question waits for its answer, or it is a film: nothing explains it
  const Subject* beside = nullptr;  // of the picture that this one is compared with: both look alike
  bool operator==(const Subject&) const;  // of each member, where all of them are complete types

  // The steps to which the explanation leads; empty where that is not known.
  NextSteps next() const { return known.next == nullptr ? NextSteps{} : *known.next; }
  bool is_recorded() const { return run != nullptr && place.block < run->stories.size(); }
};

}  // namespace warplens::figures
