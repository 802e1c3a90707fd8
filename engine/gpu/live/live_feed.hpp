// What a live run offers to the window that shows it: kernels launched over and over, and a buffer that says
// what they did (engine/gpu/live/live_layout.hpp). The window never waits for any of this: launches are
// queued by a thread of the feed's own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/gpu/live/live_layout.hpp"

namespace warplens::gpu {

struct LiveStatus {
  enum class Phase : std::uint8_t { starting, running, failed };
  Phase phase = Phase::starting;
  std::optional<Error> error;  // of `failed`
  LiveLayout layout;           // known once it is running
  std::uint64_t entries = 0;   // of the ring of launches, since the start
  std::uint32_t launches_per_entry = 1;
  double seconds_of_launch = 0;  // median of the newest entries that ended; 0: none did
  std::uint32_t blocks = 0;      // of the last watched launch; 0: none yet
  double span = 0;               // of that launch, nanoseconds
  std::uint32_t slots = 1;       // blocks that a multiprocessor ran at once in it, at most
  std::uint64_t watched = 0;     // launches so far
  std::uint64_t slices = 0;      // of the result's filling in, so far
};

// Seconds that the window's thread spent in the driver to map and to unmap the buffer, of the newest frames.
struct MapTimes {
  std::vector<double> map, unmap;
};

// The result's bytes: after one launch from fresh buffers, and made slice by slice (empty: no slices).
struct LiveResults {
  std::vector<std::byte> launched, sliced;
};

class LiveFeed {
 public:
  virtual ~LiveFeed() = default;  // stops; waits for no more than a frame
  virtual LiveStatus status() = 0;
  // Asks for the end of the launches. Destroying the feed waits for nothing once it is over.
  virtual void stop() = 0;
  virtual bool is_over() = 0;

  // The window's thread, with its OpenGL context current, once the feed is running. gl_buffer: of
  // status().layout.bytes() bytes. Error: CUDA cannot write it; fetch() gives the data all the same.
  // keep: held until CUDA has let go of the buffer, on this thread.
  virtual Status attach(unsigned gl_buffer, std::shared_ptr<const void> keep) = 0;
  // Brings the attached buffer up to date, on the GPU, before what OpenGL is asked for next.
  virtual Status refresh() = 0;

  // Without OpenGL interoperation: the parts of the buffer that are newer than at the last call.
  struct Part {
    std::size_t at = 0;  // bytes from the buffer's start
    std::span<const std::byte> bytes;
  };
  virtual std::vector<Part> fetch() = 0;

  // The blocks of the last watched launch, for a figure that goes into a file. Waits for a copy, not for
  // launches. Empty: none was watched yet.
  virtual std::vector<PlacedBlock> watched_blocks() = 0;

  // For checks: these may wait for the GPU.
  virtual MapTimes map_times() const = 0;
  virtual Result<LiveResults> results(double timeout_seconds) = 0;
};

}  // namespace warplens::gpu
