// The speed maps of the window: of each kernel, size and device what is known of it, and a worker that finds
// out the rest while somebody looks.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/latest_wins.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/map/speed_map.hpp"

namespace warplens::app {

class PerformanceData;

class SpeedMaps {
 public:
  SpeedMaps();
  // What is known by now; null before anything is, and of a preview. Ask every frame.
  figures::SharedSpeedMap of(const run::SharedRun& run, const std::shared_ptr<run::Runner>& runner);
  // Called while the map is not shown: keeps what is known; the rest waits for the next of().
  void rest();
  // What was measured of the run's kernel at its size on its device.
  figures::SharedMeasured measured(const run::SharedRun& run, const PerformanceData& performance);
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  struct Ask {
    run::SharedRun run;
    std::shared_ptr<run::Runner> runner;
    figures::SharedSpeedMap known;  // may be null
  };
  struct Kept {
    std::string key;
    figures::SharedSpeedMap map;
  };
  figures::SharedSpeedMap kept(const std::string& key) const;
  void keep(figures::SharedSpeedMap map);
  static figures::SharedSpeedMap find_out(const Ask& ask, const std::atomic<bool>& cancel,
                                          const std::function<void(figures::SharedSpeedMap)>& partial);

  run::SharedRun seen_;  // the run that key_ is of
  std::string key_, asked_;
  std::deque<Kept> kept_;  // the newest first
  run::SharedRun measured_run_;
  std::uint64_t measured_version_ = 0;
  figures::SharedMeasured measured_;
  LatestWins<Ask, figures::SharedSpeedMap> worker_;
};

}  // namespace warplens::app
