#include "runtime/cudart/images.hpp"

#include <cstdint>
#include <cstring>

namespace warplens::runtime {
namespace {

// The wrapper around a fat binary, as nvcc writes it: version 2, of -rdc, has a list of linked ones too.
struct Wrapper {
  std::uint32_t magic, version;
  const char* data;
  const char* const* linked;
};
constexpr std::uint32_t kWrapper = 0x466243b1;

struct BinaryHead {
  std::uint32_t magic;
  std::uint16_t version, head_bytes;
  std::uint64_t bytes;
};
constexpr std::uint32_t kBinary = 0xba55ed50;

// The sections' table stands at the end of what CUDA's compilers write.
std::uint64_t bytes_of_elf(const char* at) {
  std::uint64_t table = 0;
  std::uint16_t entry_bytes = 0, entries = 0;
  std::memcpy(&table, at + 0x28, sizeof table);
  std::memcpy(&entry_bytes, at + 0x3a, sizeof entry_bytes);
  std::memcpy(&entries, at + 0x3c, sizeof entries);
  return table + std::uint64_t{entry_bytes} * entries;
}

}  // namespace

void add_binaries(const char* at, std::vector<std::string>& binaries) {
  for (BinaryHead head; at != nullptr; at += head.head_bytes + head.bytes) {
    std::memcpy(&head, at, sizeof head);
    if (head.magic != kBinary) return;
    binaries.emplace_back(at, head.head_bytes + head.bytes);
    if (head.bytes > 0) return;
  }
}

std::vector<std::string> binaries_of(const void* wrapper) {
  std::vector<std::string> binaries;
  Wrapper head;
  std::memcpy(&head, wrapper, sizeof head);
  if (head.magic != kWrapper) return binaries;
  const char* const* linked = head.version == 2 ? head.linked : nullptr;
  for (; linked != nullptr && *linked != nullptr; ++linked) add_binaries(*linked, binaries);
  if (binaries.empty()) add_binaries(head.data, binaries);
  return binaries;
}

std::string images_at(const void* code) {
  const char* const at = static_cast<const char*>(code);
  std::uint32_t magic = 0;
  std::memcpy(&magic, at, std::strlen(at) >= 4 ? 4 : 0);
  std::vector<std::string> binaries;
  if (magic == kWrapper) binaries = binaries_of(code);
  if (magic == kBinary) add_binaries(at, binaries);
  std::string all;
  for (const std::string& binary : binaries) all += binary;
  if (!binaries.empty()) return all;
  constexpr const char kElf[] = "\x7f" "ELF";
  if (std::memcmp(&magic, kElf, 4) == 0) return {at, bytes_of_elf(at)};
  return at;
}

}  // namespace warplens::runtime
