// Measures what it takes to bring data to the GPU and back: copies by kind of host memory and size, one copy
// against many small ones, copies beside kernels in streams, kernels beside each other.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/base/result.hpp"
#include "engine/measured/transfers.hpp"

namespace warplens::gpu {

struct TransferOptions {
  int device = 0;
  std::uint64_t most_bytes = std::uint64_t{1}
                             << 28;  // of a copy; sizes are 1 KiB and each four times the last
  double seconds_each = 0.15;        // of timing, at most, for one kind and size
};

// All of them. What was copied is compared first, byte by byte, and what the kernels wrote with the host's
// own result. say: what is measured next, for who waits. Errors: no driver, no such GPU, not enough memory, a
// copy that is not right.
Result<measured::Transfers> measure_transfers(const TransferOptions& options,
                                              const std::function<void(std::string_view)>& say);

}  // namespace warplens::gpu
