// Everything that can be said on the command line, as plain structs with defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::app {

struct CommonOptions {
  std::string home = {};   // folder of kernels/ and assets/; empty: look for it
  std::string cache = {};  // folder of compiled kernels; empty: the user's
  bool no_cache = false;
  bool json = false;
};

// Which kernel, with which values, for which chip: the options that `run` and `occupancy` share.
struct KernelOptions {
  std::string kernel;                // id, path to a .cu file, or (run only) a ladder
  std::vector<std::string> defines;  // "TILE=16"
  std::string size;                  // "512" or "35,79,19"; empty: the problem's own
  std::string device = "h100";
};

// How a GPU is used, where there is one.
struct GpuOptions {
  int index = 0;         // which, as `warplens gpus` numbers them
  double patience = 10;  // seconds that one launch may take before its process is ended
  double seconds = 1;    // of timing, at most, for one kernel
  bool cold = false;     // the L2 cache written over before each launch
  bool cublas = false;   // timed beside matrix products
};

struct RunOptions {
  KernelOptions kernel;
  GpuOptions gpu;
  std::string engine = "emulator";
  std::string pattern = "random";  // of the input data
  std::uint64_t seed = 1;
  std::uint64_t budget = 20'000'000;  // instructions that one warp may execute on the emulator
  bool record = false;                // with --engine both: the GPU's own accesses too
  bool ncu = false;                   // with --engine both: the hardware's counters by ncu, not by CUPTI
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

}  // namespace warplens::app
