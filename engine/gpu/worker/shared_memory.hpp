// Memory that two processes see: how the buffers of a problem reach the worker without being copied through a
// pipe.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/base/result.hpp"

namespace warplens::gpu {

class SharedMemory {
 public:
  // Zeros. Error: no memory.
  static Result<std::shared_ptr<SharedMemory>> create(std::size_t bytes);
  // Takes the descriptor over. Errors: it is no memory of so many bytes.
  static Result<std::shared_ptr<SharedMemory>> open(int descriptor, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::span<std::byte> bytes() const { return {memory_, size_}; }
  int descriptor() const { return descriptor_; }

 private:
  SharedMemory(int descriptor, std::byte* memory, std::size_t size)
      : descriptor_(descriptor), memory_(memory), size_(size) {}
  int descriptor_;
  std::byte* memory_;
  std::size_t size_;
};

}  // namespace warplens::gpu
