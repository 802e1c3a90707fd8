// How functions of the driver interface begin: with cuInit() called, and with a context of this thread's.
#pragma once

#include <vector>

#include "runtime/cudart/library.hpp"
#include "runtime/driver/driver_types.hpp"

namespace warplens::driver {

// There is one context of the device, however often it is made; a thread has those that it made or pushed.
struct Context {
  unsigned flags = 0;
};

bool& is_initialized();
std::vector<Context*>& contexts();
Context& primary();

// A program that has kernels of nvcc's has the runtime's context as well.
inline Result ready() {
  if (!is_initialized()) return kNotInitialized;
  return contexts().empty() && !cudaWarplensHasKernels() ? kInvalidContext : kSuccess;
}

// As the runtime does it.
template <class Body>
Result with_context(Body body) {
  if (const Result why_not = ready()) return why_not;
  return static_cast<Result>(body());
}
template <class Body>
Result initialized(Body body) {
  return is_initialized() ? static_cast<Result>(body()) : kNotInitialized;
}

}  // namespace warplens::driver
