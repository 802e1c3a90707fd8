// An OpenGL buffer that CUDA writes: registered once, mapped for the copies of each frame.
#pragma once

#include <memory>
#include <vector>

#include "engine/gpu/driver/driver.hpp"
#include "engine/gpu/live/live_feed.hpp"

namespace warplens::gpu {

// One for a buffer, used on the thread that has the OpenGL context.
class GlInterop {
 public:
  // Holds the device's primary context, so that the buffer can be let go of whenever that is. Error: the
  // OpenGL context is not of this GPU's driver, or is software.
  static Result<std::unique_ptr<GlInterop>> attach(std::shared_ptr<const Driver> driver, int cu_device,
                                                   unsigned gl_buffer);
  ~GlInterop();
  GlInterop(const GlInterop&) = delete;
  GlInterop& operator=(const GlInterop&) = delete;

  struct Copy {
    std::size_t at = 0;  // bytes from the buffer's start
    DevicePointer from = 0;
    std::size_t bytes = 0;
  };
  // Maps the buffer, queues the copies in the stream, and gives the buffer back: OpenGL waits for the
  // copies, the host does not.
  Status write(const std::vector<Copy>& copies, Handle stream);
  const MapTimes& times() const { return times_; }
  // Leaves the buffer registered, for the driver to take back when the process ends.
  void abandon() { driver_.reset(); }

 private:
  GlInterop() = default;
  Status queue(const std::vector<Copy>& copies, Handle stream);
  std::shared_ptr<const Driver> driver_;
  int cu_device_ = 0;
  Handle context_ = nullptr, resource_ = nullptr;
  MapTimes times_;
  std::size_t frames_ = 0;
};

}  // namespace warplens::gpu
