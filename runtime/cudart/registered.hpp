// What a program has of kernels and variables.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cudart/cuda_types.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::runtime {

// A kernel of the program, by the address of its stub.
struct Function {
  std::uint32_t module = 0;
  std::string name;
  bool is_known = false;
  cudaError_t status = cudaSuccess;
  protocol::Kernel facts;
  std::vector<protocol::Parameter> parameters;
  std::size_t parameter_bytes = 0;
  std::int64_t shared_allowed = -1;  // by cudaFuncSetAttribute; below 0: the device's usual
  int carveout = -1;
};

struct Variable {
  std::uint64_t address = 0, size = 0;
};

// A module, as the session has it.
struct LoadedModule {
  std::uint32_t id = 0;
  std::map<std::string, protocol::Entry, std::less<>> variables;
  std::map<std::string, const void*, std::less<>> kernels;  // handles that were asked for
};

// What __cudaRegister... told of one source file.
struct Registered {
  std::vector<std::string> binaries;  // copies of its fat binaries
  std::vector<std::pair<const void*, std::string>> functions;
  struct Named {
    const void* host = nullptr;
    void** managed = nullptr;
    std::string name;
  };
  std::vector<Named> variables;
  bool is_loaded = false;
};

}  // namespace warplens::runtime
