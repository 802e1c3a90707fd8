// The predicted time of every set of parameters that a kernel takes at one size on one device, found one
// after the other, those that differ least from what is chosen first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/time/launch/set_times.hpp"

namespace warplens::time {

struct MapSet {
  catalog::Values values;
  double seconds = 0;             // 0: not predicted
  std::string_view limiter = {};  // the busiest unit
  std::string why_not = {};       // the device does not run it; empty: it does, or nobody looked yet
  bool waits() const { return seconds == 0 && why_not.empty(); }
};

struct SpeedMap {
  run::Plan plan;            // of what was chosen when it was begun
  std::vector<MapSet> sets;  // that the file takes; in the order in which they are looked at
  // Parameters that have several values, the one that changes the time most first: how far apart the times
  // are of sets that differ from what was chosen in it alone. Empty: those are not known yet.
  std::vector<std::string> by_influence = {};

  std::size_t known() const;  // sets that wait for nothing
  bool is_complete() const { return known() == sets.size(); }
  const MapSet* find(const catalog::Values& values) const;
  const MapSet* best() const;  // null: none is predicted
};

// Nothing predicted yet.
SpeedMap empty_map(const run::Plan& plan);
// Of the parameters of a map that have more than one value, in the order of the file.
std::vector<std::string> varied_parameters(const SpeedMap& map);

struct FillOptions {
  SetTimesOptions how = {};
  // Called now and then with what is known so far, by one thread at a time.
  std::function<void(const SpeedMap&)> partial = {};
};
// Predicts the sets that wait; some still wait where somebody cancelled. Errors: as of predict_sets().
Status fill(SpeedMap& map, const run::SharedInstance& instance, const MakeBuild& build,
            const FillOptions& options);

}  // namespace warplens::time
