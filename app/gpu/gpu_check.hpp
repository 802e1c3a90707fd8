// A first launch of a kernel that nobody has seen run: in a form that looks at its own addresses and loops
// (engine/instrument/access_guard.hpp), so that what is wrong is named with its thread and line, and never
// becomes a fault of the GPU. A fault stops all else that the GPU does, for up to 15 s; and after the first
// one since the machine started, OpenGL contexts that live while a CUDA process starts or ends lose part of
// their state (H100 and H200, driver 580.159.04: a third of the draws of a program gone, or a channel that
// hangs), which no OpenGL call reports.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "engine/base/result.hpp"
#include "engine/gpu/worker/client.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

struct CheckOptions {
  int device = 0;
  double timeout_seconds = 10;  // one thread may run so long, and the whole launch three times that
  const std::atomic<bool>* cancel = nullptr;
};

struct GpuCheck {
  // Why the job is not to be launched as it is. As faults of the GPU itself its error has a place where the
  // kernel's line is known.
  std::optional<gpu::Fault> fault;
  std::string not_checked;  // what of it was not looked at; empty: all was
};
// Error: cancelled.
Result<GpuCheck> check_on_gpu(gpu::Client& client, const run::Job& job, const CheckOptions& options);

}  // namespace warplens::app
