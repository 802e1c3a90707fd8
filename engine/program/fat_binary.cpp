#include "engine/program/fat_binary.hpp"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "engine/compile/elf.hpp"

namespace warplens::program {
namespace {

using compile::ByteReader, compile::Bytes;

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::uint16_t kPtx = 1, kMachineCode = 2;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;
constexpr std::uint64_t kMostExpanded = std::uint64_t{1} << 30;

struct EntryHead {
  std::uint16_t kind = 0;
  std::uint32_t head_bytes = 0, compressed = 0, arch = 0;
  std::uint64_t padded = 0, flags = 0, expanded = 0;
};

EntryHead head_at(Bytes bytes) {
  EntryHead head;
  ByteReader reader(bytes);
  head.kind = reader.u16();
  reader.skip(2);
  head.head_bytes = reader.u32();
  head.padded = reader.u64();
  head.compressed = reader.u32();
  reader.skip(8);
  head.arch = reader.u32();
  reader.skip(8);
  head.flags = reader.u64();
  reader.skip(8);
  head.expanded = reader.u64();
  return head;
}

Error malformed() { return {"the program has a fat binary that cannot be read", "build it again with nvcc"}; }

Result<std::string> expanded(const EntryHead& head, Bytes payload) {
  const bool is_lz4 = (head.flags & kLz4) != 0, is_zstd = (head.flags & kZstd) != 0;
  const auto* from = reinterpret_cast<const char*>(payload.data());
  if (!is_lz4 && !is_zstd) return std::string(from, payload.size());
  if (head.compressed > payload.size() || head.expanded > kMostExpanded) return malformed();
  std::string to(head.expanded, '\0');
  const std::size_t got =
      is_zstd ? ZSTD_decompress(to.data(), to.size(), from, head.compressed)
              : static_cast<std::size_t>(LZ4_decompress_safe(
                    from, to.data(), static_cast<int>(head.compressed), static_cast<int>(to.size())));
  if (got != to.size()) return malformed();
  return to;
}

Result<FatBinary> read_entries(Bytes bytes) {
  FatBinary binary;
  while (!bytes.empty()) {
    const EntryHead head = head_at(bytes);
    if (head.head_bytes < 64 || head.head_bytes > bytes.size() ||
        head.padded > bytes.size() - head.head_bytes)
      return malformed();
    if (head.kind == kPtx || head.kind == kMachineCode) {
      auto image = expanded(head, bytes.subspan(head.head_bytes, head.padded));
      if (!image) return image.error();
      if (head.kind == kPtx) image->resize(std::min(image->find('\0'), image->size()));
      binary.images.push_back({head.kind == kPtx, static_cast<int>(head.arch), *std::move(image)});
    }
    bytes = bytes.subspan(head.head_bytes + head.padded);
  }
  return binary;
}

// What a program loads itself may be the text of PTX, or machine code, as it is.
std::optional<FatBinary> bare(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr std::string_view kElf =
      "\x7f"
      "ELF";
  if (text.starts_with(kElf)) return FatBinary{{{false, 0, std::string(text)}}};
  if (text.find(".version") == text.npos) return std::nullopt;
  return FatBinary{{{true, 0, std::string(text.substr(0, text.find('\0')))}}};
}

}  // namespace

const Image* FatBinary::ptx_for(int compute_capability) const {
  const Image* best = nullptr;
  for (const Image& image : images)
    if (image.is_ptx && image.arch <= compute_capability && (best == nullptr || image.arch > best->arch))
      best = &image;
  return best;
}

const Image* FatBinary::machine_code_for(int compute_capability) const {
  const auto found = std::ranges::find_if(
      images, [&](const Image& image) { return !image.is_ptx && image.arch == compute_capability; });
  return found == images.end() ? nullptr : &*found;
}

Result<std::vector<FatBinary>> read_fat_binaries(std::span<const std::byte> bytes) {
  std::vector<FatBinary> all;
  ByteReader first(bytes);
  if (first.u32() != kMagic)
    if (auto image = bare(bytes)) return std::vector{*std::move(image)};
  while (!bytes.empty()) {
    ByteReader reader(bytes);
    const std::uint32_t magic = reader.u32();
    reader.skip(2);
    const std::uint16_t head_bytes = reader.u16();
    const std::uint64_t size = reader.u64();
    if (reader.failed() || magic != kMagic || head_bytes < 16 || head_bytes > bytes.size() ||
        size > bytes.size() - head_bytes)
      return malformed();
    auto binary = read_entries(bytes.subspan(head_bytes, size));
    if (!binary) return binary.error();
    if (!binary->images.empty()) all.push_back(*std::move(binary));
    bytes = bytes.subspan(head_bytes + size);
  }
  return all;
}

}  // namespace warplens::program
