#include "runtime/cudart/library.hpp"

#include "runtime/cudart/runtime.hpp"

using namespace warplens::runtime;
namespace protocol = warplens::protocol;

extern "C" __attribute__((visibility("default"))) void* cudaWarplensReachable(const void* p, std::size_t size) {
  Runtime& one = runtime();
  const std::lock_guard lock(one.mutex());
  if (p == nullptr || one.start() != cudaSuccess) return nullptr;
  if (Connection::is_device_address(p)) {
    if (one.block_at(p, size) == nullptr) return nullptr;
    one.note_change(p, size);
  }
  return one.connection().reachable(p);
}

extern "C" __attribute__((visibility("default"))) void cudaWarplensLibraryCall(const char* name, double seconds) {
  Runtime& one = runtime();
  const std::lock_guard lock(one.mutex());
  if (one.start() == cudaSuccess)
    one.connection().tell(protocol::Request::library, bytes_of(protocol::LibraryCall{seconds}), name);
}

extern "C" __attribute__((visibility("default"))) void cudaWarplensUnsupported(const char* name) {
  Runtime& one = runtime();
  const std::lock_guard lock(one.mutex());
  one.unsupported(name);
}

extern "C" __attribute__((visibility("default"))) bool cudaWarplensHasKernels() {
  const std::lock_guard lock(runtime().mutex());
  return runtime().has_kernels();
}

extern "C" __attribute__((visibility("default"))) bool cudaWarplensParameter(const void* kernel, std::size_t number,
                                                                             std::size_t* offset, std::size_t* size) {
  const std::lock_guard lock(runtime().mutex());
  Function* function = nullptr;
  if (runtime().find(kernel, function) != cudaSuccess || number >= function->parameters.size()) return false;
  *offset = function->parameters[number].offset;
  *size = function->parameters[number].size;
  return true;
}
