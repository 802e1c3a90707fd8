#include "engine/gpu/worker/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace warplens::gpu {
namespace {

Error failed(const std::string& what) {
  return {what + ": " + std::strerror(errno), "choose a smaller size, or close other programs"};
}

std::byte* map(int descriptor, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

Result<std::shared_ptr<SharedMemory>> SharedMemory::create(std::size_t bytes) {
  const int descriptor = memfd_create("warplens", MFD_CLOEXEC);
  if (descriptor < 0) return failed("no memory to share with the GPU's process");
  // posix_fallocate: a machine without so much memory says so now, not by a signal at the first write.
  errno = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  std::byte* memory = errno == 0 ? map(descriptor, bytes) : nullptr;
  if (memory == nullptr) {
    const Error error = failed("no memory to share with the GPU's process");
    close(descriptor);
    return error;
  }
  return std::shared_ptr<SharedMemory>(new SharedMemory(descriptor, memory, bytes));
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::open(int descriptor, std::size_t bytes) {
  struct stat status {};
  const bool fits = fstat(descriptor, &status) == 0 && static_cast<std::size_t>(status.st_size) >= bytes;
  std::byte* memory = fits ? map(descriptor, bytes) : nullptr;
  if (memory == nullptr) {
    if (descriptor >= 0) close(descriptor);
    return Error{"the shared memory that came with a request is not as large as it says", ""};
  }
  return std::shared_ptr<SharedMemory>(new SharedMemory(descriptor, memory, bytes));
}

SharedMemory::~SharedMemory() {
  munmap(memory_, size_);
  close(descriptor_);
}

}  // namespace warplens::gpu
