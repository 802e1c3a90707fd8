// A program started for a session: confined, with limits, its runtime library ours.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/process.hpp"
#include "engine/base/result.hpp"

namespace warplens::program {

// What the program may do. Its own file and its folder it may read, and the system's programs and libraries.
struct Confinement {
  bool is_on = true;
  std::vector<std::filesystem::path> readable,
      writable;  // files and folders more; a writable one is readable
};
// Whether this system can keep a program from files; else a start with a confinement is an error.
bool can_confine_programs();

struct Limits {
  std::uint64_t memory = std::uint64_t{16} << 30;  // bytes of its own, device memory aside
  std::uint64_t file = std::uint64_t{4} << 30;     // bytes of a file that it writes
  double processor_seconds = 600;                  // of the host's code
};

struct StartOptions {
  std::vector<std::string> words;   // the program's path first
  std::filesystem::path libraries;  // the folder of our runtime
  Confinement confinement;
  Limits limits;
  std::filesystem::path scratch;  // a folder that it may write, as TMPDIR; empty: none
  std::filesystem::path folder;   // that it starts in; empty: this process's
  int output = -1;  // where what it writes on stdout and stderr goes; -1: as this process has them
  int input = -1;   // what it reads on stdin; -1: as this process has it
  // Libraries of NVIDIA's that ours hand their work on to, by their variables (runtime/protocol/forwarded_names.hpp). It may
  // read them.
  std::vector<std::pair<std::string, std::filesystem::path>> forwarded;
};

class Started {
 public:
  Started(pid_t child, Descriptor socket) : child_(child), socket_(std::move(socket)) {}
  const Descriptor& socket() const { return socket_; }
  void stop() const;  // at once
  // Waits for its end. 128 + the signal where one ended it.
  int wait();
  std::optional<int> signal() const { return signal_; }
  double processor_seconds() const { return processor_seconds_; }  // of all of its threads, once it has ended

 private:
  pid_t child_;
  Descriptor socket_;
  std::optional<int> signal_;
  double processor_seconds_ = 0;
};

// memory: the session's file. Errors: no such program, none that runs here, no Landlock.
Result<Started> start(const StartOptions& options, const Descriptor& memory);

// Whether the file asks for the shared runtime of CUDA 13; an error says how to build it so.
Status check_runtime(const std::filesystem::path& program);

}  // namespace warplens::program
