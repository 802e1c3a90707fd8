// The predicted times of many sets of parameters of one kernel at one size, on several threads.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "engine/time/predict_run.hpp"

namespace warplens::time {

// Who compiles. May be called from several threads.
using MakeBuild = std::function<Result<compile::Build>(const compile::Request& request)>;

struct SetTimesOptions {
  int threads = 0;         // of the host, as far as its memory has room for the data; 0: one a core
  bool gives_way = false;  // see run::give_way()
  const std::atomic<bool>* cancel = nullptr;
};
// set: its place in `sets`. Called by one thread at a time, in no order; not of sets that were not looked at
// before somebody cancelled.
using SetFound = std::function<void(std::size_t set, const Result<Prediction>& prediction)>;

// plan: of the kernel with any parameters. sets: complete, in the order in which they are looked at. Errors
// of one set are its own; of all: no memory.
Status predict_sets(const run::Plan& plan, const std::vector<catalog::Values>& sets,
                    const run::SharedInstance& instance, const MakeBuild& build,
                    const SetTimesOptions& options, const SetFound& found);

}  // namespace warplens::time
