// What a launch asked of the tensor cores, and of the tensor memory accelerator (TMA).
#pragma once

#include <cstdint>

namespace warplens::emulator {

// What goes past the load/store units: tensor cores, and the tensor memory accelerator (TMA).
struct TensorCounts {
  // Instructions of warps by the pipe that takes them: wgmma; mma and
  // wmma of f16, bf16, tf32 and 8-bit floats; of whole numbers; of f64.
  std::uint64_t group_products = 0, half_products = 0, integer_products = 0, double_products = 0;
  std::uint64_t operations = 0;                       // of all of them: a multiply-add is two
  std::uint64_t operand_wavefronts = 0;               // of shared memory, for the operands of wgmma
  std::uint64_t copy_requests = 0;                    // to TMA: loads, stores, and the commits of stores
  std::uint64_t load_sectors = 0, store_sectors = 0;  // of global memory, by TMA

  TensorCounts& operator+=(const TensorCounts& other);
  TensorCounts& operator*=(std::uint64_t times);
  bool operator==(const TensorCounts&) const = default;
};

}  // namespace warplens::emulator
