// The names of errors, and the last one.
#include <algorithm>
#include <iterator>

#include "runtime/cudart/runtime.hpp"

using namespace warplens::runtime;

namespace {

struct ErrorName {
  int error;
  const char *name, *text;
};
constexpr ErrorName kErrors[] = {
#include "runtime/cudart/error_names.inc"
};

const ErrorName* named(int error) {
  const auto found = std::find_if(std::begin(kErrors), std::end(kErrors),
                                  [error](const ErrorName& one) { return one.error == error; });
  return found == std::end(kErrors) ? nullptr : found;
}
constexpr const char* kUnknown = "unrecognized error code";

cudaError_t last(bool forget) {
  const std::lock_guard lock(runtime().mutex());
  return runtime().last(forget);
}

}  // namespace

WARPLENS_API const char* cudaGetErrorName(int error) { return named(error) ? named(error)->name : kUnknown; }
WARPLENS_API const char* cudaGetErrorString(int error) { return named(error) ? named(error)->text : kUnknown; }
WARPLENS_API cudaError_t cudaGetLastError() { return last(true); }
WARPLENS_API cudaError_t cudaPeekAtLastError() { return last(false); }
