// The kernels of transfers.hpp: text for the driver's own compiler.
//
//   warplens_copy(to, from, count)     `count` times 16 bytes, by all threads of the grid in turn
//   warplens_work(data, count, rounds) data[i] = fma(data[i], 0.5f, 1.0f), so many rounds
#pragma once

namespace warplens::gpu {

extern const char* const transfer_kernels_ptx;
inline constexpr const char* kCopyKernel = "warplens_copy";
inline constexpr const char* kWorkKernel = "warplens_work";

}  // namespace warplens::gpu
