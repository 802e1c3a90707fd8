// A kernel file (.cu with a TOML front matter in a comment) as data.
//   title, problem                  texts, needed; or a table [problem], see problem_text.hpp
//   idea, watch, source             texts, may be left out
//   kernel                          which of several kernels, or of a template: "scale<float, 256>"
//   registers = { "1.3" = 21 }      a thread, by compute capability, where a source gives them; see KernelSpec
//   arch = "90a"                    what it is compiled for, whatever the device; may be left out
//   maps = [{ name = "A_map", of = "A", box = ["BK", "BM"], swizzle = "128B" }]   see TensorMapText
//   show                            the array whose accesses make the step's point; may be left out
//   [params] NAME = { default = 32, values = [8, 16, 32], meaning = "tile edge" }
//   [launch] block, grid            1 to 3 expressions each, needed
//            shared                 dynamic shared memory in bytes, an expression; 0 where left out
//            require                expressions, or { test = "TILE <= 32", reason = "a tile fills a block" }
// Expressions (expression.hpp) see the parameters, the problem's sizes (one upper-case letter each) and
// WARP = 32.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/tensor_map_text.hpp"

namespace warplens::catalog {

struct ProblemText;  // problem_text.hpp

using Values = std::map<std::string, std::int64_t, std::less<>>;  // parameter or size name -> value

struct Parameter {
  std::string name;  // upper case, two letters or more, never a size's name
  std::int64_t default_value = 0;
  std::vector<std::int64_t> values;  // the valid ones, ascending, before `require`
  std::string meaning;
};

struct Requirement {
  std::string expression;  // true (non-zero) where the values are valid
  std::string reason;      // shown where it is not; made from the expression where the file gives none
  int line = 0;            // in the kernel file, from 1; 0 where unknown
};

struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
};
inline std::uint64_t blocks_in_grid(const LaunchShape& launch) {
  return std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
}

// What a step of a ladder is about, where that is another number than what its picture costs: see
// kernels/ladders.toml.
enum class About : std::uint8_t { anything, place, guard, bytes, loads, barriers, loop, sectors, wavefronts };

struct KernelSpec {
  std::string id;    // "matmul/03_shared_tile"
  std::string path;  // of the file, as opened
  std::string title, problem, idea, watch, show, source;
  std::string arch;                        // "90a"; empty: the device's
  std::vector<TensorMapText> maps;         // in the order of the file
  About about = About::anything;           // from the ladders
  std::shared_ptr<const ProblemText> own;  // of a [problem] table; null where `problem` names one
  std::string kernel;   // which of several kernels of the file, or of a template: "scale<float, 256>"; empty:
                        // the only one
  std::string guessed;  // the front matter that was guessed for a file that has none
  std::vector<Parameter> params;         // in the order of the file
  std::vector<std::string> block, grid;  // 1 to 3 expressions each
  std::string shared = "0";              // dynamic shared memory, bytes; expression
  std::vector<Requirement> require;
  // By compute capability (13 for 1.3): what a thread takes there with the file's own values. For devices
  // that no compiler of today makes machine code for; it comes from the kernel's source.
  std::map<int, int> registers;
  std::string code;  // the whole file less a byte order mark: the front matter is a comment, so lines hold
  // Their lines in the file, from 1; 0 where unknown.
  int problem_line = 0, block_line = 0, grid_line = 0, shared_line = 0;
};

// text is the file's contents. Errors have the file and the line.
Result<KernelSpec> parse_kernel(std::string_view text, std::string_view id, std::string_view path);

Values default_values(const KernelSpec& spec);

// Completes `chosen` with the defaults and checks it: unknown names, values that are not in the list,
// requirements and the hardware's 1024 threads a block. sizes are visible to the expressions. The error names
// the reason and the nearest valid values: "TILE * TILE <= 1024 is not met: TILE is 64; nearest: TILE=32".
// Nearest is the fewest slider positions away in all, among those the fewest of the parameters named in
// `chosen`.
Result<Values> resolve_values(const KernelSpec& spec, const Values& chosen, const Values& sizes);

// What a device takes of a launch, beside the rules of the file. The defaults are those of any device
// from 2.0 on.
struct Limits {
  std::string device = {};  // its name, for reasons; empty: none in particular
  std::int64_t threads_per_block = 1024;
  std::int64_t dynamic_shared_bytes = std::numeric_limits<std::int32_t>::max();  // a block
  // What only compiling shows: why the device does not take these values; empty if it may.
  std::function<std::optional<std::string>(const Values&)> refuses = {};
};

// Why the file or the device does not take a complete set of listed values; empty if both do.
std::optional<std::string> why_not(const KernelSpec& spec, const Values& values, const Values& sizes,
                                   const Limits& limits);

// The set nearest to a complete one that the file and the device take, by the measure of resolve_values, or
// that one itself. Error: why not that one, where none is.
Result<Values> nearest_values(const KernelSpec& spec, const Values& wanted, const Values& sizes,
                              const Limits& limits);

// One value of a slider, with the other sliders where they are; see choices.hpp.
struct Choice {
  std::int64_t value = 0;
  bool valid = true;
  std::string reason;  // empty where valid
};

// Every combination of values that resolve_values takes, in the order of the file (the first parameter varies
// slowest). Empty where none is valid, or where an expression cannot be evaluated with these sizes.
std::vector<Values> valid_parameter_sets(const KernelSpec& spec, const Values& sizes);

// Errors: a dimension that is not a whole number from 1 up, a block over 1024 threads or 64 deep, a grid over
// 2^31-1 x 65535 x 65535 blocks, an unknown name. The place is the line of the kernel file.
// Source of the limits: CUDA C++ Programming Guide, technical specifications per compute capability (2.0 and
// later).
Result<LaunchShape> launch_shape(const KernelSpec& spec, const Values& values, const Values& sizes);

}  // namespace warplens::catalog
