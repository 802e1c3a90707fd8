// What the command line and the window are both told: where the data is, which kernel, how a GPU is used.
#pragma once

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

}  // namespace warplens::app
