// Everything that can be said on the command line, as plain structs with defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/options.hpp"

namespace warplens::app {

struct RunOptions {
  KernelOptions kernel;
  GpuOptions gpu;
  std::string engine = "emulator";
  std::string pattern = "random";  // of the input data
  std::uint64_t seed = 1;
  std::uint64_t budget = 20'000'000;  // instructions that one warp may execute on the emulator
  bool record = false;                // with --engine both: the GPU's own accesses too
};

struct BenchOptions {
  KernelOptions kernel;  // size: not used
  GpuOptions gpu = {.cublas = true};
  std::string engine = "gpu";
  std::string sizes;      // "512,1024": each for all sizes of the problem, or one for each: "512x512x64"
  std::string save;       // file of the recordings; it is read first, and what it has is not run again
  bool autotune = false;  // try every legal set of parameters
  int passes = 3;         // over everything; on a GPU each in a process of its own
};

struct AccessOptions {
  std::string space, op = "ld";
  int width = 4;  // bytes a lane
  std::string mask = "0xffffffff";
  std::string index, csv;  // exactly one
  std::string device = "h100";
};

struct OccupancyOptions {
  KernelOptions kernel;
  std::optional<int> threads, registers;
  std::optional<std::int64_t> shared;  // bytes a block
};

struct WindowOptions {
  std::string state;       // a TOML file; empty: as the window was left
  double close_after = 0;  // seconds; 0: when the user closes it
};

struct ScreenshotOptions {
  std::string state;    // a TOML file
  std::string output;   // a PNG file
  bool timing = false;  // say on stderr how long the frames took
  int thumbnail = 0;    // pixels across; 0: the window as it is
};

}  // namespace warplens::app
