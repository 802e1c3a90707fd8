// NVRTC (CUDA's run-time compiler), found on disk and loaded when it is first needed.
// Documentation: https://docs.nvidia.com/cuda/nvrtc
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/compile/build.hpp"

namespace warplens::compile {

// What one run of the compiler gave; also what the cache keeps.
struct CompilerOutput {
  std::string ptx;
  std::vector<std::byte> cubin;
  std::string log;
  std::string compiler;  // "NVRTC 13.0"
};

struct NvrtcLocation {
  std::filesystem::path library;               // empty: nowhere
  std::vector<std::filesystem::path> include;  // the toolkit's headers (cuda_fp16.h) beside it; empty: none
  // Path, size and time of change: tells one NVRTC from another without loading it. Empty where there is
  // none.
  std::string identity;

  // What a compilation has to read: the folder of the library, and the headers.
  std::vector<std::filesystem::path> readable() const;
};

// options.library alone if it is given; else the first of base/toolkit_library.hpp's places, the search
// folders before them; last whatever the dynamic linker finds. Only stats files, except for that last case.
NvrtcLocation find_nvrtc(const Compiler::Options& options);

class Nvrtc {
 public:
  // Errors: none found, or one that cannot be loaded.
  static Result<Nvrtc> load(const NvrtcLocation& location);

  struct Outcome {
    bool ok = false;
    CompilerOutput output;  // where not ok: the log, and the PTX if the fault came after it
  };
  // Errors: an architecture that this NVRTC does not know, lack of memory. Compiler errors are an Outcome.
  // file_name: see file_name_for_nvrtc. stop: see Compiler::compile.
  Result<Outcome> compile(const Request& request, const std::string& file_name,
                          const std::stop_token& stop = {}) const;
  const std::string& name() const { return name_; }  // "NVRTC 13.0"

 private:
  struct Library;
  std::vector<std::string> options_for(const Request& request) const;
  Result<Outcome> compile_first(const Request& request, const std::string& file_name,
                                const std::stop_token& stop) const;
  Result<Outcome> compile_again(const Request& request, const std::string& file_name,
                                const std::stop_token& stop, Outcome first) const;
  Result<Outcome> compile_with(const std::vector<std::string>& options, const Request& request,
                               const std::string& file_name, const std::stop_token& stop) const;
  std::shared_ptr<const Library> library_;
  std::vector<std::filesystem::path> include_;
  std::vector<int> architectures_;
  std::string name_;
  int major_ = 0;
  bool knows_minimal_ = false;
};

}  // namespace warplens::compile
