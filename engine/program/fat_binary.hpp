// The fat binaries that nvcc puts into programs: PTX and machine code for several architectures, compressed or
// not. Layout, found by reading those of CUDA 13.0, little-endian:
//
//   a binary:  u32 0xba55ed50, u16 version (1), u16 bytes of this head (16), u64 bytes of its entries
//   an entry:  u16 kind (1 PTX, 2 machine code), u16 version, u32 bytes of this head, u64 bytes of the payload
//              with its padding, u32 bytes of what is compressed (at 16), u32 architecture (at 28: 90), u64 flags
//              (at 40: 0x2000 LZ4, 0x8000 zstd), u64 bytes once it is expanded (at 56)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::program {

struct Image {
  bool is_ptx = true;  // else machine code
  int arch = 0;        // 90
  std::string bytes;   // expanded; of PTX the text
};

struct FatBinary {
  std::vector<Image> images;
  // The PTX for the youngest architecture that is no younger than the device; null: there is none.
  const Image* ptx_for(int compute_capability) const;
  // The machine code of this architecture.
  const Image* machine_code_for(int compute_capability) const;
};

// Those that follow each other in the bytes; or one that stands for the text of PTX, or for machine code, alone. Errors: what is none, or is cut off, or cannot be expanded.
Result<std::vector<FatBinary>> read_fat_binaries(std::span<const std::byte> bytes);

}  // namespace warplens::program
