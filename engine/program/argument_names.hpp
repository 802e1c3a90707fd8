// What a kernel's source calls its arguments, so that findings can say "a[1024]" where the program has only
// allocations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/check/scene.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::program {

struct ArgumentName {
  std::string name;  // empty: it has none
  bool is_pointer = false;
  std::string type;           // of that, or its own: "float"
  std::uint32_t element = 0;  // bytes of what it points to; 0: not known
};
// Of the file that the kernel's first instruction with a line is of.
struct SourceOfKernel {
  std::string file, code;  // empty: not known; not there
};
SourceOfKernel source_of(const emulator::Kernel& kernel);

// title: "scale<float>". Empty where the source is not there, or has another kernel of that name.
std::vector<ArgumentName> argument_names(const emulator::Kernel& kernel, const std::string& title);

// The arrays under these names where an argument points into them.
std::vector<check::BufferFacts> named_arrays(const std::vector<emulator::Allocation>& arrays,
                                             const std::vector<ArgumentName>& names,
                                             const ptx::Function& kernel,
                                             const std::vector<std::byte>& arguments);

}  // namespace warplens::program
