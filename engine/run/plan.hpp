// The first part of a run: a kernel with every value chosen and valid, and the launch that they make.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/compile/build.hpp"
#include "engine/device/device.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::run {

struct Plan {
  catalog::KernelSpec spec = {};
  problem::SharedProblem problem = nullptr;
  catalog::Values sizes = {}, parameters = {};
  device::Device device = {};
  catalog::LaunchShape launch = {};
  std::shared_ptr<const Plan> like = nullptr;  // of the kernel whose result is the right one

  // The same with these parameters, complete and valid. Error: a launch that no device takes.
  Result<Plan> with(const catalog::Values& values) const;
};

// Parameters and sizes that are missing take their defaults; sizes that the problem does not have are
// ignored. Errors: values that are not valid; buffers too large for this machine; a launch that no device
// takes.
Result<Plan> plan(const catalog::KernelSpec& spec, const catalog::Values& parameters,
                  const catalog::Values& sizes, const device::Device& device);
// The same without the launch, for callers that look for other values if there is none.
Result<Plan> choose_values(const catalog::KernelSpec& spec, const catalog::Values& parameters,
                           const catalog::Values& sizes, const device::Device& device);

int threads_per_block(const Plan& plan);
// Bytes of shared memory that the device itself takes for a launch: 1.x has the kernel's arguments there, behind
// the sizes and places of grid and block; later ones take 0.
std::int64_t launch_in_shared(const device::Device& device, const catalog::KernelSpec& spec);
// Static and dynamic shared memory of a block and what the launch takes, bytes.
std::int64_t shared_bytes(const Plan& plan, const compile::Build& build);

// The architecture to compile for: the device's own, or the oldest that NVRTC still has for older devices.
int architecture_for(const device::Device& device);
// What to ask the compiler for. want_cubin false: PTX alone, quicker.
compile::Request build_request(const Plan& plan, bool want_cubin = true);

// The most bytes that the buffers of one run may take: half of the machine's memory, and no more than 8 GiB.
std::uint64_t buffer_memory_limit();

// Of what was stopped by its `cancel`.
Error cancelled();

// "BM = 128, BN = 64"
std::string value_words(const catalog::Values& values);

}  // namespace warplens::run
