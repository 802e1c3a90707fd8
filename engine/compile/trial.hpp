// Whether a text compiles, found out by another process: what was typed half may be a template or a macro
// without an end, which would take all memory of a program of several threads (guarded.hpp). The process
// stays, so that NVRTC is loaded once, and compiles each text in a copy of itself with limits. What compiles
// is in its cache of PTX, which it shares with the program.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/compile/build.hpp"

namespace warplens::compile {

class TrialCompiler {
 public:
  // worker: the words of a command that calls serve_trials() on its descriptor 0. It is started when it is
  // first needed, and again when it ended.
  explicit TrialCompiler(std::vector<std::string> worker);
  ~TrialCompiler();

  // Every error with its place, one for a compilation that was stopped at its limits; none where it compiles.
  // Not for two threads at once. Errors: cancelled; a worker that cannot be started.
  Result<std::vector<Error>> compile(const Request& request, const std::atomic<bool>& cancel);

 private:
  struct Worker;
  std::vector<std::string> words_;
  std::unique_ptr<Worker> worker_;
  std::uint64_t number_ = 0;  // of the last request
};

// Answers until the other end of the socket is closed. A request that follows another one ends that. Returns
// the exit code.
int serve_trials(const Compiler::Options& options, int socket);

}  // namespace warplens::compile
