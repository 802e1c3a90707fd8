// What of a .cu file is for the device. nvcc compiles host code too; NVRTC does not, so main() and what only
// the host uses are blanked, and C's and C++'s headers stand for the parts of them that devices have.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::compile {

struct DeviceSource {
  std::string text;                            // each line where it was
  std::vector<std::string> left_out;           // names of host functions
  std::map<std::string, int> host_variables;   // that device code names -> their lines in the file
  std::map<std::string, std::string> headers;  // that it includes, as NVRTC takes them
};

// A source without host code comes back as it is. folder: of the file, for what it includes from beside it.
DeviceSource device_source(std::string_view source, const std::string& folder);

}  // namespace warplens::compile
