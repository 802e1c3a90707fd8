// Of a library that is not there: each function of its list says so, and answers with what is "not supported" in its numbers.
#include "runtime/cudart/library.hpp"

extern "C" int warplens_unsupported(const char* name) {
  cudaWarplensUnsupported(name);
  return WARPLENS_NOT_SUPPORTED;
}
