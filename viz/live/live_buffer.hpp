// The OpenGL buffer of a live run (engine/gpu/live/live_layout.hpp), which CUDA may write too.
#pragma once

#include <memory>
#include <span>

#include "engine/base/result.hpp"
#include "engine/gpu/live/live_layout.hpp"

namespace warplens::live {

// Precondition of every call, the destructor included: the OpenGL 3.3 context it was made in is current.
class LiveBuffer {
 public:
  // Zeros, but for the result: large ones would take longer to clear than a frame has time. Error: larger
  // than this OpenGL's texture buffers.
  static Result<std::unique_ptr<LiveBuffer>> create(const gpu::LiveLayout& layout);
  ~LiveBuffer();
  LiveBuffer(const LiveBuffer&) = delete;
  LiveBuffer& operator=(const LiveBuffer&) = delete;

  const gpu::LiveLayout& layout() const { return layout_; }
  unsigned name() const { return buffer_; }      // of the buffer object, for CUDA
  unsigned texture() const { return texture_; }  // a buffer texture over it, GL_RGBA32UI
  // Where CUDA cannot write the buffer: what the host has, at so many bytes from the start.
  void upload(std::size_t at, std::span<const std::byte> bytes);

 private:
  explicit LiveBuffer(const gpu::LiveLayout& layout) : layout_(layout) {}
  gpu::LiveLayout layout_;
  unsigned buffer_ = 0, texture_ = 0;
};

}  // namespace warplens::live
