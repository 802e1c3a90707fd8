#include <sys/mman.h>
#include <unistd.h>

#include <memory>

#include "engine/base/memory_pages.hpp"

namespace warplens {

void use_large_pages(std::span<std::byte> memory) {
  constexpr std::size_t kPage = std::size_t{2} << 20;
  void* begin = memory.data();
  std::size_t room = memory.size();
  if (std::align(kPage, kPage, begin, room) == nullptr) return;
  static_cast<void>(
      madvise(begin, room / kPage * kPage, MADV_HUGEPAGE));  // advice: not taken, it costs time only
}

namespace {
std::byte* map_memory(std::size_t bytes, int flags, int file) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}
}  // namespace

std::byte* reserve_memory(std::size_t bytes) { return map_memory(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1); }

std::byte* map_file(int file, std::size_t bytes, Written written) {
  return map_memory(bytes, written == Written::kShared ? MAP_SHARED : MAP_PRIVATE, file);
}

void release_memory(std::byte* memory, std::size_t bytes) { munmap(memory, bytes); }

std::optional<std::uint64_t> memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace warplens
