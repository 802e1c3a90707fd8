// Launches of one kernel, back to back, on a thread of their own, with what the live plots show of them.
//
// A launch that faults would end the driver for the whole process (engine/gpu/worker/client.hpp), and this
// process is the window's. Therefore only a kernel goes in here that a worker process ran, in this very code,
// with these parameters and sizes, and whose result was right.
//
// At most two batches are queued, each of about a quarter of a frame or of one launch: stopping, closing and
// other parameters wait for no more than that, and the window's thread for nothing at all.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/gpu/live/live_device.hpp"
#include "engine/gpu/live/live_feed.hpp"
#include "engine/gpu/live/live_interop.hpp"

namespace warplens::gpu {

// Threads that were let go of with a launch still under way. A process must not end under them: the driver
// would be unloaded while they call it.
class LastThreads {
 public:
  ~LastThreads() { wait(); }
  void take(std::thread thread);
  void wait();  // for all so far

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

class LiveLoop final : public LiveFeed {
 public:
  LiveLoop(LiveRequest request, std::shared_ptr<LastThreads> last);
  ~LiveLoop() override;

  LiveStatus status() override;
  void stop() override;
  bool is_over() override;
  Status attach(unsigned gl_buffer, std::shared_ptr<const void> keep) override;
  Status refresh() override;
  std::vector<Part> fetch() override;
  std::vector<PlacedBlock> watched_blocks() override;

  MapTimes map_times() const override { return interop_ ? interop_->times() : MapTimes(); }
  // Starts over with fresh buffers between the launches that go on.
  Result<LiveResults> results(double timeout_seconds) override;

 private:
  class Thread;
  std::shared_ptr<Thread> thread_;
  std::shared_ptr<LastThreads> last_;
  std::thread runner_;
  std::shared_ptr<const void> keep_;  // before interop_: what that writes
  std::unique_ptr<GlInterop> interop_;
  std::uint64_t shown_watched_ = 0, shown_slices_ = 0;  // in the attached or fetched buffer
};

}  // namespace warplens::gpu
