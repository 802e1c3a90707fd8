// How a whole program is run.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplens::app {

// What it may use at most. Those of the host's code hold where the program is confined.
struct ProgramLimits {
  double seconds = 3600;       // of all
  double host_seconds = 600;   // of the processor, for the host's code
  double memory_gb = 0;        // of device memory; 0: the device's, or three quarters of this computer's
  double host_memory_gb = 16;  // beside the device's
  double output_gb = 4;        // in a file that it writes; in the window on stdout and stderr, too
  bool operator==(const ProgramLimits&) const = default;
};

// One of them: an option of `exec`, a field of states, and of the window.
struct Limit {
  double ProgramLimits::*value = nullptr;
  const char* name = "";  // in a state; as an option with "-" for "_"
  const char* title = "";
  const char* unit = "";
  const char* meaning = "";
  double least = 0, most = 0;
};
inline constexpr std::array kLimits = {
    Limit{&ProgramLimits::seconds, "time", "Time", "s", "seconds after which all is stopped", 0.1, 1e7},
    Limit{&ProgramLimits::host_seconds, "host_time", "Host’s processor", "s",
          "seconds of the processor that its host code may take", 1, 1e7},
    Limit{&ProgramLimits::memory_gb, "memory", "Device memory", "GiB",
          "GiB of device memory that it may have at most", 0.01, 128},
    Limit{&ProgramLimits::host_memory_gb, "host_memory", "Host’s memory", "GiB",
          "GiB of memory that its host code may have", 0.1, 4096},
    Limit{&ProgramLimits::output_gb, "output", "Output", "GiB", "GiB that a file which it writes may have",
          0.001, 4096}};
// Places of those that a program can run into.
enum class LimitId : std::size_t { time, host_time, memory, host_memory, output };
constexpr const Limit& limit_of(LimitId id) { return kLimits[static_cast<std::size_t>(id)]; }

// What it reads on stdin.
struct ProgramInput {
  std::string text;
  std::string file;  // in place of the text, where it is not empty
};

// A whole program, and what it may do.
struct ProgramOptions {
  std::vector<std::string> words;  // a .cu file or a program, and what it is given
  std::string device = "h100";
  std::vector<std::string> read, write;                     // files and folders more
  std::vector<std::string> nvcc;                            // options for compiling a .cu file
  std::map<std::string, std::int64_t, std::less<>> values;  // in place of its own, see program::SourceValue
  bool unconfined = false, strict = false, sample = false;
  bool check = true, repeats = true;
  ProgramLimits limits;
  ProgramInput input;  // in the window; elsewhere it has this process's
};

}  // namespace warplens::app
