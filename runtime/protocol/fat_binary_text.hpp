// A fat binary as nvcc writes it, with entries that are not compressed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace warplens::program {

// flags: how the payload is compressed; expanded: its size before that.
inline std::string fat_entry(std::uint16_t kind, std::uint32_t arch, std::string_view payload,
                             std::uint64_t flags = 0, std::uint64_t expanded = 0) {
  std::string entry(64, '\0');
  const auto put = [&](std::size_t at, auto value) { std::memcpy(entry.data() + at, &value, sizeof value); };
  const std::uint64_t padded = (payload.size() + 8) / 8 * 8;
  put(0, kind);
  put(2, std::uint16_t{0x101});
  put(4, std::uint32_t{64});
  put(8, padded);
  put(16, static_cast<std::uint32_t>(flags != 0 ? payload.size() : 0));
  put(28, arch);
  put(40, flags);
  put(56, expanded);
  entry += payload;
  entry.resize(64 + padded, '\0');
  return entry;
}

inline std::string fat_binary(std::string_view entries) {
  std::string head(16, '\0');
  const std::uint32_t magic = 0xba55ed50;
  const std::uint16_t version = 1, bytes = 16;
  const std::uint64_t size = entries.size();
  std::memcpy(head.data(), &magic, 4);
  std::memcpy(head.data() + 4, &version, 2);
  std::memcpy(head.data() + 6, &bytes, 2);
  std::memcpy(head.data() + 8, &size, 8);
  return head + std::string(entries);
}

inline std::string fat_ptx(std::string_view text, std::uint32_t arch = 80) {
  return fat_binary(fat_entry(1, arch, text));
}

}  // namespace warplens::program
