#include "engine/gpu/live/live_interop.hpp"

#include <chrono>

namespace warplens::gpu {
namespace {

constexpr unsigned kNoFlags = 0;  // CU_GRAPHICS_REGISTER_FLAGS_NONE: parts that are not copied stay
constexpr std::size_t most_times = 1 << 14;

using Clock = std::chrono::steady_clock;

void keep(std::vector<double>& times, std::size_t frame, Clock::time_point since) {
  const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
  if (times.size() < most_times)
    times.push_back(seconds);
  else
    times[frame % most_times] = seconds;
}

}  // namespace

Result<std::unique_ptr<GlInterop>> GlInterop::attach(std::shared_ptr<const Driver> driver, int cu_device,
                                                     unsigned gl_buffer) {
  std::unique_ptr<GlInterop> made(new GlInterop);
  WARPLENS_GPU_TRY(*driver, cuDevicePrimaryCtxRetain(&made->context_, cu_device));
  made->driver_ = std::move(driver);
  made->cu_device_ = cu_device;
  WARPLENS_GPU_TRY(*made->driver_, cuCtxSetCurrent(made->context_));
  WARPLENS_GPU_TRY(*made->driver_, cuGraphicsGLRegisterBuffer(&made->resource_, gl_buffer, kNoFlags));
  return made;
}

GlInterop::~GlInterop() {
  if (!driver_) return;
  const DriverFunctions& f = driver_->functions();
  if (resource_ != nullptr) f.cuGraphicsUnregisterResource(resource_);
  f.cuDevicePrimaryCtxRelease_v2(cu_device_);
}

Status GlInterop::queue(const std::vector<Copy>& copies, Handle stream) {
  DevicePointer pointer = 0;
  std::size_t bytes = 0;
  WARPLENS_GPU_TRY(*driver_, cuGraphicsResourceGetMappedPointer_v2(&pointer, &bytes, resource_));
  for (const Copy& copy : copies) {
    if (copy.bytes == 0) continue;
    if (copy.at > bytes || copy.bytes > bytes - copy.at)
      return Error{"a live copy does not fit in its OpenGL buffer", ""};
    WARPLENS_GPU_TRY(*driver_, cuMemcpyDtoDAsync_v2(pointer + copy.at, copy.from, copy.bytes, stream));
  }
  return Done{};
}

Status GlInterop::write(const std::vector<Copy>& copies, Handle stream) {
  const auto before = Clock::now();
  WARPLENS_GPU_TRY(*driver_, cuGraphicsMapResources(1, &resource_, stream));
  keep(times_.map, frames_, before);
  const Status queued = queue(copies, stream);
  const auto between = Clock::now();
  WARPLENS_GPU_TRY(*driver_, cuGraphicsUnmapResources(1, &resource_, stream));
  keep(times_.unmap, frames_++, between);
  return queued;
}

}  // namespace warplens::gpu
