// Which launches a GPU refuses at once, and with which error; and what the fault of a kernel is called once the
// program waits for it. As an H100 with CUDA 13.0 answers (runtime/testdata/calls.cu).
#pragma once

#include "engine/device/device.hpp"
#include "engine/program/examine.hpp"
#include "runtime/protocol/errors.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::program {

cudaError_t error_of_launch(const protocol::Launch& launch, const KernelEntry& entry,
                            const device::Device& device, const Fit& fit);
// kernel: that it happened in.
cudaError_t error_of_fault(const emulator::Fault& fault, const ptx::Function& kernel);

}  // namespace warplens::program
