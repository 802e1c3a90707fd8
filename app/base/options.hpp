// What the command line tells more than its own commands: where the data is, which kernel, how a GPU is used,
// what a window shows.
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

// Which kernel, with which values, for which device: the options that `run` and `occupancy` share.
struct KernelOptions {
  std::string kernel;                // id, path to a .cu file, or (run only) a ladder
  std::vector<std::string> defines;  // "TILE=16"
  std::string size;                  // "512" or "35,79,19"; empty: the problem's own
  std::string device = "h100";
};

// How a GPU is used, where there is one.
struct GpuOptions {
  int index = 0;        // which, as `warplens gpus` numbers them
  double timeout = 10;  // seconds that one launch may take before its process is ended
  double seconds = 1;   // of timing, at most, for one kernel
  bool cold = false;    // the L2 cache written over before each launch
  bool cublas = false;  // timed beside matrix products
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
