// NVRTC's and ptxas' log, read as errors, warnings and resource numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/compile/build.hpp"

namespace warplens::compile {

// What NVRTC says where it gave up computing a constant.
inline constexpr std::string_view kTooComplex = "excessive constexpr function call complexity";

// Without the file's own folder, so that the output is the same wherever the file lies; absolute, since NVRTC
// writes the working folder before a relative name.
std::string file_name_for_nvrtc(const std::string& file_name);

// The first error of a failed compilation, with the number of further ones in its message, placed in the
// kernel file: ptxas' errors name a line of the PTX, which is traced back through .loc.
Error compile_error(const Request& request, std::string_view log, std::string_view ptx);

// All of them, in the order of the log; one at least.
std::vector<Error> compile_errors(const Request& request, std::string_view log, std::string_view ptx);

std::vector<Warning> warnings_of(const Request& request, std::string_view log);

// The lines that --ptxas-options=-v writes for one entry function. -1: the log does not say.
struct ResourceLog {
  int registers = -1;
  std::int64_t stack_bytes = -1, spill_store_bytes = -1, spill_load_bytes = -1, static_shared_bytes = -1;
};
ResourceLog read_resource_log(std::string_view log, std::string_view kernel);

// The source line of a line of PTX (from 1): that of the last .loc before it. 0: unknown.
int source_line_of_ptx_line(std::string_view ptx, int ptx_line);

// The name of the one extern "C" __global__ function. Errors: none, more than one, a C++ name.
Result<std::string> find_entry(const Request& request, std::string_view ptx);

}  // namespace warplens::compile
