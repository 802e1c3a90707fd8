// The values of a kernel's parameters that a device takes, nearest to those that were asked for: compiles
// what must be compiled to know.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "engine/run/device_limits.hpp"
#include "engine/run/plan.hpp"

namespace warplens::run {

// Compiles, where that is not done yet. A build with PTX alone has no machine code and no registers.
using Builds = std::function<Result<std::shared_ptr<const compile::Build>>(const compile::Request&)>;

// wanted: with or without a launch; the result has one. Errors: of the compiler; no values near that the
// device takes; cancelled.
Result<Plan> nearest_plan(const Plan& wanted, const std::shared_ptr<KnownResources>& known,
                          const Builds& builds, const std::atomic<bool>& cancel);

}  // namespace warplens::run
