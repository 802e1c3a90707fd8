// What a block has the tensor cores do, and where the elements of the inputs lie meanwhile: it runs once more, alone and followed,
// with the elements' numbers in the place of their values.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/base/cancel.hpp"
#include "engine/run/run.hpp"
#include "engine/trace/tensor_work.hpp"

namespace warplens::run {

// block: linear index. Errors: a kernel without products of tensor cores; a run that stopped, or takes more memory than a picture is
// worth; data that cannot be followed, as where the kernel goes by its values.
Result<trace::TensorWork> tensor_work_of(const Run& run, std::uint64_t block,
                                         const std::atomic<bool>& cancel = kNeverCancelled);

}  // namespace warplens::run
