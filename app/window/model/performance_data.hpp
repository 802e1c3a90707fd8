// What the window knows of speed: what was recorded on the chosen device, and what the emulator counts of the
// steps at the size that is shown. Counting is a worker's; everything else is looked up.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/window/model/ladder_counts.hpp"
#include "app/window/model/model.hpp"
#include "engine/base/memo.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/measured/shown_speed.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/time/modelled_count.hpp"

namespace warplens::app {

class PerformanceData {
 public:
  explicit PerformanceData(const Model& model);

  // Once a frame: reads the recordings of a newly chosen device, takes what was counted, and asks for what
  // the open figure still needs.
  void update();
  bool is_busy() const { return counting_.busy_seconds().has_value(); }
  // Grows whenever input() would answer something else for the same figure.
  std::uint64_t version() const { return version_; }

  // figure: one that reads a ladder. Errors: nothing is known of this ladder yet or at all; says which.
  Result<figures::PerformanceInput> input(const figures::Figure& figure) const;

  const measured::RecordedSpeeds& recorded() const { return recorded_; }
  // The device whose transfers were measured, where those of the chosen one were not; empty: none.
  const std::string& transfers_elsewhere() const { return transfers_elsewhere_; }
  // Where figures compare steps: the state's size where this computer's GPU ran there, else as listed_size()
  // of ladder_counts.hpp says.
  const catalog::Values& shown_size() const { return shown_size_; }
  // Where the list of steps compares what was recorded: the same, but never a size that only this computer's
  // GPU ran at.
  const catalog::Values& listed_size() const { return listed_size_; }
  // Which speeds the list compares where it compares speeds: recorded ones where steps were recorded at
  // listed_size(), else the model's.
  measured::SpeedSource listed() const;
  std::string words_of(const catalog::Values& size) const;  // "M = N = K = 4,096"
  // How much of the device has no work at the state's size; empty if every multiprocessor has a block.
  struct Idle {
    std::uint64_t blocks = 0;
    int multiprocessors = 0;
    // That of the ladder's recordings, or the next power of two times this one, at which none is idle.
    std::optional<catalog::Values> fuller = {};
  };
  const std::optional<Idle>& idle() const { return idle_; }
  // The recorded speed of a step of the ladder at listed_size(): with its file's values, or else with the
  // quickest that were found; null if there is none.
  const measured::RecordedSpeed* recorded_step(const std::string& kernel) const;
  // The recorded speed of the state's kernel there, with its file's values and not those that are set; null
  // if there is none.
  const measured::RecordedSpeed* recorded_of_file() const { return of_file_; }
  // The recorded speed of exactly the state's kernel, values and size.
  const measured::RecordedSpeed* recorded_now() const;
  // The recorded speed that is nearest to that; null if the kernel has no recording.
  const measured::RecordedSpeed* recorded_near() const;
  // "PAD = 0": what the step on screen is set to, where nothing is recorded of it at listed_size() with that;
  // else empty.
  const std::string& unmeasured() const { return unmeasured_; }

  // What the GPU of this computer reached with a verified run: GFLOP/s or GB/s, and how it was found. The
  // newest of a step at a size is kept. timing: its samples; null of one that runs live.
  void note_live(const run::SharedRun& run, const figures::MeasuredSpeed& speed, const std::string& device,
                 measured::SharedTiming timing = {});
  struct LiveSpeed {
    figures::MeasuredSpeed speed;
    std::string device, unit;
    catalog::Values parameters;
    measured::SharedTiming timing = {};
  };
  // The live speed of exactly the state's kernel, values and size; null if there is none.
  const LiveSpeed* live_now() const;
  const LiveSpeed* live_of(const run::Plan& plan) const;  // of exactly this launch
  // What was measured of a run's kernel at its size on its device, for the marks of its map; null of no run.
  figures::SharedMeasured measured_sets(const run::SharedRun& run) const;

 private:
  Result<figures::PerformanceInput> transfers(const figures::Figure& figure) const;
  using Counts = std::map<std::string, Result<figures::ModelledCount>>;
  void count_shown_run();
  void read_recordings();
  void count_what_lacks();
  void look_up();
  std::optional<Idle> find_idle() const;
  const run::StepCount* count_of(const run::Plan& plan) const;
  figures::Counted known_of(const figures::PlannedPoint& point) const;
  std::string caption(const figures::Figure& figure) const;
  const LiveSpeed* live_of(const std::string& kernel, const catalog::Values& size) const;

  const Model& model_;
  measured::RecordedSpeeds recorded_;
  std::shared_ptr<const measured::Transfers> transfers_;
  std::string transfers_elsewhere_;
  std::string device_;
  std::uint64_t version_ = 0;
  catalog::Values shown_size_, listed_size_;
  std::optional<Idle> idle_;
  std::string unmeasured_;
  std::map<std::string, const measured::RecordedSpeed*> steps_;  // into recorded_, at listed_size_
  const measured::RecordedSpeed* of_file_ = nullptr;             // the same
  std::string about_;            // step, size, device, and whether something is still counted
  std::uint64_t looked_at_ = 0;  // the version and figure for which counts were last asked
  const figures::Figure* looked_for_ = nullptr;
  std::map<std::string, LiveSpeed> lives_;  // by step and size
  run::SharedRun noted_;                    // the run of the newest of them
  double noted_rate_ = 0;
  Counts counts_;
  std::map<std::string, run::StepCount>
      shown_counts_;        // of runs that were on screen: as much as their cards say
  run::SharedRun counted_;  // the newest of them
  mutable Memo<figures::SharedMeasured> measured_{8};  // by version and launch
  Asked<Counts> counting_;                             // of those that the open figure lacks
};

}  // namespace warplens::app
