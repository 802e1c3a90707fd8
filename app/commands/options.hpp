// Everything that can be said on the command line, as plain structs with defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/options.hpp"
#include "app/base/program_options.hpp"

namespace warplens::app {

struct RunOptions {
  KernelOptions kernel;
  GpuOptions gpu;
  std::string engine = "emulator";
  std::string pattern = "random";  // of the input data
  std::uint64_t seed = 1;
  std::uint64_t budget = 20'000'000;  // instructions that one warp may execute on the emulator
  bool check = true;                  // races, barriers, masks, values that nobody wrote
  bool record = false;                // with --engine both: the GPU's own accesses too
};

struct NewOptions {
  std::string name;                 // of the file, with or without .cu
  std::string like = "vector_add";  // a kind of problem, or a .cu file that gets a front matter
};

struct SassOptions {
  KernelOptions kernel;
};

struct TimeOptions {
  KernelOptions kernel;
  std::string against;  // another kernel, at the same size; empty: none
};

struct ClaimsOptions {
  std::string kernel = "all";  // or an id, a path, a ladder
  std::vector<std::string> devices = {"h100", "8.6", "1.3"};
  int sets = 0;     // so many random legal sets of parameters, beside the defaults
  int threads = 0;  // 0: one a core, at most four
};

struct TuneOptions {
  KernelOptions kernel;
  bool device_named = false;  // else the GPU's own, where there is one
  GpuOptions gpu = {.seconds = 0.1};
  bool predict = false;  // by the model alone, also where there is a GPU
  bool compile = false;  // nothing but to compile all sets, into the cache
  bool all = false;      // measure every set
  int first = 40;  // so many of the model's ranking are measured, or more that are as good (see Shortlist)
};

struct TransfersOptions {
  int gpu = 0;       // which, as `warplens gpus` numbers them
  std::string save;  // a JSON file
};

struct ServeCommandOptions {
  std::string bind = "127.0.0.1";  // the address; others than this machine's reach it at 0.0.0.0
  int port = 8000;                 // 0: any that is free
};

struct CpuOptions {
  int size = 512;  // of the square matrices
  int repeats = 3;
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

struct ExecOptions : ProgramOptions {
  std::string json;  // a file for the report; empty: as text on stderr
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
