// How a whole program is run.
#pragma once

#include <string>
#include <vector>

namespace warplens::app {

// A whole program, and what it may do.
struct ProgramOptions {
  std::vector<std::string> words;  // a .cu file or a program, and what it is given
  std::string device = "h100";
  std::vector<std::string> read, write;  // files and folders more
  std::vector<std::string> nvcc;         // options for compiling a .cu file
  bool unconfined = false, strict = false, sample = false;
  bool check = true, repeats = true;
  double seconds = 3600;  // of all
  double memory_gb = 0;   // of device memory; 0: the device's, or three quarters of this computer's
};

}  // namespace warplens::app
