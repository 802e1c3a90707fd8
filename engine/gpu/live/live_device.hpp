// What a live run has on the device, and what it can queue there: launches of the kernel as it was verified,
// of its watched and of its sliced form, time stamps, copies. Queueing never waits for the GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/gpu/driver/device_memory.hpp"
#include "engine/gpu/live/live_kernels.hpp"
#include "engine/gpu/live/live_layout.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::gpu {

inline constexpr std::uint64_t most_blocks_watched = 1 << 18;  // placing more would take longer than a frame

struct LiveRequest {
  int device = 0;
  // A cubin, or PTX that the driver compiles, of the kernel as a worker ran and verified it.
  std::string code;
  std::string timed_ptx;   // instrument::with_block_times of it, verified too; empty: no timeline
  std::string sliced_ptx;  // with_first_block of it, verified too; empty: no filling in
  std::string kernel_name;
  catalog::LaunchShape launch;
  std::shared_ptr<const problem::Instance> instance;
  double seconds_of_launch = 0;  // as measured when it was verified
  bool through_host = false;     // no OpenGL buffer is shared, even where it could be
  bool cooperative = false;      // all blocks at once: the kernel has grid.sync()
};

// Keeps the device's primary context while nothing runs in it: making and unmaking one takes longer than a
// frame, and waits for the driver.
class PrimaryContext {
 public:
  static Result<std::shared_ptr<const PrimaryContext>> retain(int device);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

 private:
  PrimaryContext() = default;
  std::shared_ptr<const Driver> driver_;
  int cu_device_ = 0;
};

// Page-locked memory of the host, which copies of the device reach without waiting.
class HostMemory : public Lent<void*, &DriverFunctions::cuMemFreeHost> {
 public:
  using Lent::Lent;
  static Result<HostMemory> allocate(std::shared_ptr<const Driver> driver, std::size_t bytes);
  std::byte* data() const { return static_cast<std::byte*>(get()); }
  explicit operator bool() const { return get() != nullptr; }
};

class LiveDevice {
 public:
  // Takes the time that a context, compiling and copying the inputs take. Errors: no memory, code that the
  // driver refuses.
  static Result<std::unique_ptr<LiveDevice>> open(const LiveRequest& request);
  ~LiveDevice();  // waits for all that is queued
  LiveDevice(const LiveDevice&) = delete;
  LiveDevice& operator=(const LiveDevice&) = delete;

  static constexpr int placed_buffers = 3;  // one shown, one finished, one being written
  const LiveLayout& layout() const { return layout_; }
  const Driver& driver() const { return *driver_; }
  std::shared_ptr<const Driver> shared_driver() const { return driver_; }
  int cu_device() const { return cu_device_; }
  std::uint64_t blocks() const;  // of the whole grid
  bool has_timeline() const { return timed_ != nullptr; }
  bool has_slices() const { return sliced_ != nullptr; }
  // Makes the device's context current on the calling thread.
  Status enter() const;

  Status launch();
  Status stamp(std::uint32_t ends, std::uint32_t begins);
  Status watch(int into);                                   // one launch, its blocks into a placed buffer
  Status slice(std::uint64_t first, std::uint64_t blocks);  // into the result that is shown
  Status restore_result();                                  // as it was before any launch
  Status restore_output();                                  // the same of the launches' own output
  Status copy(void* to, DevicePointer from, std::size_t bytes);
  Status record(const Event& event);
  void wait() const;  // for all that is queued, whether it went well or not

  // In the window's stream, and waits for it.
  Result<std::vector<PlacedBlock>> placed_blocks(int which) const;

  DevicePointer ring() const { return ring_.pointer(); }
  DevicePointer placed(int which) const { return placed_[static_cast<std::size_t>(which)].pointer(); }
  DevicePointer seen() const { return seen_.pointer(); }
  DevicePointer result() const { return result_.pointer(); }
  DevicePointer output() const { return buffers_[output_].pointer(); }
  std::size_t output_bytes() const { return output_bytes_; }
  Handle show_stream() const { return show_stream_; }  // for the window's copies, ahead of launches

 private:
  LiveDevice() = default;
  Status open_context(int device);
  Status open_streams();
  Status place_buffers(const LiveRequest& request);
  Status place_records();
  Status load_code(const LiveRequest& request);
  Result<Handle> load(const std::string& code, const std::string& name, std::uint32_t dynamic_shared);
  Status start(Handle function, const std::array<std::uint32_t, 3>& grid, DevicePointer output,
               DevicePointer extra);
  Status restore(DevicePointer to);

  std::shared_ptr<const Driver> driver_;
  int cu_device_ = 0, multiprocessors_ = 1;
  Handle context_ = nullptr, stream_ = nullptr, show_stream_ = nullptr;
  LiveLayout layout_;
  catalog::LaunchShape shape_;
  std::shared_ptr<const problem::Instance> instance_;
  std::vector<DeviceMemory> buffers_, placed_;
  DeviceMemory initial_output_, result_, ring_, times_, seen_;
  std::size_t output_ = 0, output_bytes_ = 0;
  bool cooperative_ = false;
  std::vector<Module> modules_;
  Handle kernel_ = nullptr, timed_ = nullptr, sliced_ = nullptr, stamp_ = nullptr, place_ = nullptr;
  DevicePointer first_block_ = 0;
};

}  // namespace warplens::gpu
