// A launch that a whole program made, as it found memory: what stands for a front matter and a problem where a program
// itself says what its kernel is given. engine/program records it, engine/problem makes a problem of it, and
// engine/compile takes the code that ran.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::catalog {

// An array of the program's, or a variable of its modules.
struct RecordedArray {
  std::string name;              // as the kernel calls it, else "allocation 3"
  std::string type;              // of what the kernel's pointer is of: "float4"; empty: not known
  std::uint64_t address = 0;     // where the program has it
  std::vector<std::byte> bytes;  // before the launch
  bool is_output = false;        // the launch changed some of it
  bool read_only = false, internal = false, of_module = false;  // see emulator::Allocation
};

struct RecordedArgument {
  std::string name;                    // empty: its source is not known
  std::string type;                    // as declared: "float*"
  std::uint32_t offset = 0, size = 0;  // in RecordedLaunch::arguments, bytes
};

struct RecordedLaunch {
  std::string id;                     // no other launch of this process has it
  std::vector<RecordedArray> arrays;  // those that arguments point into, in their order; one at least
  std::vector<RecordedArray> others;  // what else there is
  std::vector<RecordedArgument> parameters;
  std::vector<std::byte> arguments;      // all of them, as the launch has them
  std::vector<std::uint64_t> variables;  // the address of each variable of the PTX; 0: it has none
  std::string ptx;
  std::vector<std::byte> machine_code;   // empty: the program has none for the device
  std::string kernel;                    // its name in both
  std::string file, code;                // its source, and where that stood
  std::int64_t static_shared_bytes = 0;  // of a block
  int arch = 0;                          // that it was compiled for: 90
  double predicted_seconds = 0;          // by the model; 0: not predicted

  std::uint64_t bytes() const;  // of all arrays
};

}  // namespace warplens::catalog
