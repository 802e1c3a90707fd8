// Who makes live runs: the GPU of this computer, or a stand-in of a test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"
#include "engine/gpu/live/live_feed.hpp"
#include "engine/gpu/live/live_loop.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

struct LiveGpu {
  std::string name;
  int compute_capability = 0;
  int multiprocessors = 1;
};

// A kernel that ran on the GPU in a process of its own, with these parameters and sizes, and was right.
struct LiveChecked {
  double seconds_of_launch = 0;  // median
  double low = 0, high = 1;      // where most of the result's values lie
  bool timeline = false, slices = false;
  std::function<std::unique_ptr<gpu::LiveFeed>()> start;  // at once; the feed gets ready on its own thread
};

class LiveEngine {
 public:
  virtual ~LiveEngine() = default;
  // Both may take seconds: called on a worker, one at a time.
  virtual Result<LiveGpu> find() = 0;  // error: why there is none
  virtual Result<LiveChecked> check(const run::Run& run) = 0;
  gpu::LastThreads& last() { return *last_; }

 protected:
  std::shared_ptr<gpu::LastThreads> last_ = std::make_shared<gpu::LastThreads>();
};

// Waits for what is under way on the GPU when the window closes. Outlives it, so that nobody sees the wait.
struct LiveEnd {
  std::shared_ptr<LiveEngine> engine;
  explicit LiveEnd(std::shared_ptr<LiveEngine> made) : engine(std::move(made)) {}
  LiveEnd(const LiveEnd&) = delete;
  LiveEnd& operator=(const LiveEnd&) = delete;
  ~LiveEnd() { engine->last().wait(); }
};

// through_host: the plots' data, even where OpenGL and CUDA can share memory. worker: the words that start
// the process that checks a kernel; none: this program's.
std::shared_ptr<LiveEngine> make_gpu_live_engine(CommonOptions common, bool through_host = false,
                                                 std::vector<std::string> worker = {});

}  // namespace warplens::app
