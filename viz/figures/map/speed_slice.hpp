// What the speed map shows at a time: the sets of a kernel's parameters by one or two of them, a cell for
// each pair of values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/time/launch/speed_map.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

// A set whose time was measured at the map's size on its device.
struct MeasuredSet {
  catalog::Values values;
  double seconds = 0;
  bool is_live = false;  // on the GPU of this computer; else recorded
};
using MeasuredSets = std::vector<MeasuredSet>;
MeasuredSets measured_sets(const measured::RecordedSpeeds& recorded, const run::Plan& plan);

struct SliceCell {
  const time::MapSet* set = nullptr;  // the quickest that is known of those that belong here; null: none is
  std::string why_not = {};           // no set of it runs; empty: one does, or may
  bool is_now = false;                // what is chosen belongs here
  bool is_best = false;               // the quickest of the whole map does
  const MeasuredSet* measured = nullptr;  // of `set`
};

struct Slice {
  std::string x = {}, y = {};  // parameters; y empty: a curve over x alone
  std::vector<std::int64_t> xs = {}, ys = {};
  std::vector<SliceCell> cells = {};  // by y, then x
  bool best_of_others = true;         // else the other parameters are as they are chosen
  std::vector<std::string> others = {};
  double slowest = 0, quickest = 0;  // seconds, of the cells; 0: none is known

  const SliceCell& at(std::size_t column, std::size_t row) const { return cells[row * xs.size() + column]; }
};
// What the slice goes over: those of the options that the map varies, else the two with the most influence in
// the order of the file. Empty where nothing varies, or while it is not known yet which parameter matters.
std::vector<std::string> axes_of(const time::SpeedMap& map, const MapOptions& options);
// now: the parameters that are chosen. Nothing where there are no axes.
std::optional<Slice> slice_of(const time::SpeedMap& map, const catalog::Values& now,
                              const MapOptions& options, const MeasuredSets& measured);

}  // namespace warplens::figures
