// What a CUDA program needs to run on the emulator, put together in one way for the command line and the window: nvcc, our
// runtime, the device as programs are told it, limits, and what its host code may touch.
#pragma once

#include <atomic>
#include <filesystem>

#include "app/base/paths.hpp"
#include "app/base/program_options.hpp"
#include "app/base/workspace.hpp"
#include "engine/program/nvcc/nvcc.hpp"
#include "engine/program/session.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {

// A folder of a run, which goes with it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// home: the folder of kernels and assets. Error: there is none.
Result<program::Nvcc> nvcc_of(const Environment& environment, const std::filesystem::path& home);

struct ProgramSetup {
  std::filesystem::path program;    // compiled
  program::SessionOptions session;  // but for what the caller wants to be told
  program::StartOptions start;
};
struct SetupRequest {
  const CommonOptions& common;
  const ProgramOptions& options;  // words: one at least
  const Environment& environment;
  const Workspace& workspace;
  const device::Device& device;
  const std::filesystem::path& scratch;
  const std::atomic<bool>* cancel = nullptr;  // see Compilation
};
// Compiles what is a source. Errors: no nvcc, what it refuses, a program with another runtime.
Result<ProgramSetup> set_up(const SetupRequest& request);

}  // namespace warplens::app
