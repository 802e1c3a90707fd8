// The program's malloc and its like: the C library's, but that memory which it did not get is noted. With the version that
// programs ask the C library for, and not the default one, so that none is linked with them here.
#include <cstddef>

#include "runtime/cudart/runtime.hpp"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {

void* noted(void* p, std::size_t size) {
  if (p == nullptr && size > 0) warplens::runtime::say_out_of_room();
  return p;
}

}  // namespace

#define HOST_API extern "C" __attribute__((visibility("default")))

HOST_API void* warplens_malloc(std::size_t size) { return noted(__libc_malloc(size), size); }
HOST_API void* warplens_calloc(std::size_t count, std::size_t size) {
  return noted(__libc_calloc(count, size), count > 0 ? size : 0);
}
HOST_API void* warplens_realloc(void* p, std::size_t size) { return noted(__libc_realloc(p, size), size); }

__asm__(".symver warplens_malloc, malloc@GLIBC_2.2.5");
__asm__(".symver warplens_calloc, calloc@GLIBC_2.2.5");
__asm__(".symver warplens_realloc, realloc@GLIBC_2.2.5");
