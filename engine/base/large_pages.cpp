#include "engine/base/large_pages.hpp"

#include <sys/mman.h>

#include <memory>

namespace warplens {

void use_large_pages(std::span<std::byte> memory) {
  constexpr std::size_t kPage = std::size_t{2} << 20;
  void* begin = memory.data();
  std::size_t room = memory.size();
  if (std::align(kPage, kPage, begin, room) == nullptr) return;
  static_cast<void>(
      madvise(begin, room / kPage * kPage, MADV_HUGEPAGE));  // advice: not taken, it costs time only
}

}  // namespace warplens
