// The live run that belongs to the window: looks for a GPU, has the kernel checked, starts it, follows the
// model's parameters, stops. The window's thread; nothing here waits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/model/model.hpp"
#include "app/window/pages/live/live_engine.hpp"
#include "engine/base/latest_wins.hpp"
#include "viz/figures/performance/timeline.hpp"
#include "viz/live/live_scene.hpp"

namespace warplens::app {

class LiveSession {
 public:
  explicit LiveSession(std::shared_ptr<LiveEngine> engine);
  ~LiveSession();

  enum class Phase { looking, unavailable, off, waiting, checking, starting, running, failed };
  Phase phase() const { return phase_; }
  bool can_start() const { return phase_ != Phase::looking && phase_ != Phase::unavailable; }
  bool is_on() const { return on_; }
  bool is_stopping() const { return !retired_.empty(); }
  // Something is under way that ends by itself: looking, checking, starting.
  bool is_busy() const;
  const std::optional<Error>& error() const { return error_; }  // of unavailable and failed

  void start();
  void stop();
  void fail(Error error);
  // Once a frame: takes what the workers finished; where the model has a newer run, goes on with that.
  void update(const Model& model);

  // The feed that runs; null if none does. `generation` tells one from the next.
  gpu::LiveFeed* feed() const { return phase_ == Phase::running ? feed_.get() : nullptr; }
  std::uint64_t generation() const { return generation_; }
  const LiveGpu& gpu() const { return gpu_; }
  const run::SharedRun& run() const { return run_; }  // that is live, or was last
  // The rate of run() in the check before it went live: GFLOP/s, or GB/s if the problem has no operations.
  std::optional<double> checked_rate() const;
  // What to write around the plots; status: of the feed.
  live::LiveFacts facts(const gpu::LiveStatus& status, bool through_host) const;
  // The last watched launch, as a figure for a file; empty if there is none.
  std::optional<figures::TimelineInput> timeline() const;
  // What is going on, in words.
  std::string words() const;

 private:
  struct Check {
    run::SharedRun run;
    LiveChecked checked;
  };
  struct Found {
    std::optional<LiveGpu> gpu;
    Error error;
  };
  void follow(const Model& model);
  void retire();
  void take_answers();

  std::shared_ptr<LiveEngine> engine_;
  Phase phase_ = Phase::looking;
  bool on_ = false;
  std::optional<Error> error_;
  LiveGpu gpu_;
  run::SharedRun run_;
  LiveChecked checked_;
  std::unique_ptr<gpu::LiveFeed> feed_;
  std::vector<std::unique_ptr<gpu::LiveFeed>> retired_;  // stopped, with a launch still under way
  std::uint64_t generation_ = 0;
  std::unique_ptr<LatestWins<int, Found>> finding_;
  std::unique_ptr<LatestWins<run::SharedRun, std::optional<Result<Check>>>> checking_;
};

}  // namespace warplens::app
