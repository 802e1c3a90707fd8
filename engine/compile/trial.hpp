// Whether a text compiles, and every error in it, found out by another process (worker.hpp). What compiles is
// in its cache of PTX, which it shares with the program.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "engine/compile/worker.hpp"

namespace warplens::compile {

class TrialCompiler {
 public:
  explicit TrialCompiler(std::vector<std::string> worker) : worker_(std::move(worker)) {}

  // Every error with its place, one for a compilation that was stopped at its limits; none where it compiles.
  // Not for two threads at once. Errors: cancelled; a worker that cannot be started.
  Result<std::vector<Error>> compile(const Request& request, const std::atomic<bool>& cancel);

 private:
  CompileWorker worker_;
};

}  // namespace warplens::compile
