// A kernel file (.cu with a TOML front matter in a comment) as data.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::catalog {

using Values = std::map<std::string, std::int64_t, std::less<>>;  // parameter or size name -> value

struct Parameter {
  std::string name;  // upper case, two letters or more, never a size's name
  std::int64_t default_value = 0;
  std::vector<std::int64_t> values;  // the legal ones, ascending, before `require`
  std::string meaning;
};

struct Requirement {
  std::string expression;  // true (non-zero) where the values are legal
  std::string reason;      // shown where it is not; made from the expression where the file gives none
};

struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
};

struct KernelSpec {
  std::string id;    // "matmul/03_shared_tile"
  std::string path;  // of the file, as opened
  std::string title, problem, idea, watch, source;
  std::vector<Parameter> params;  // in the order of the file
  std::vector<std::string> block, grid;  // 1 to 3 expressions each
  std::string shared = "0";              // dynamic shared memory, bytes; expression
  std::vector<Requirement> require;
  std::string code;  // the whole file: the front matter is a comment, so line numbers hold
};

// text is the file's contents. Errors have the file and the line.
Result<KernelSpec> parse_kernel(std::string_view text, std::string_view id, std::string_view path);

Values default_values(const KernelSpec& spec);

// Completes `chosen` with the defaults and checks it: unknown names, values that are not in the list, requirements.
// sizes are visible to the expressions. The error names the reason and the nearest legal values.
Result<Values> resolve_values(const KernelSpec& spec, const Values& chosen, const Values& sizes);

// For a slider: each value of one parameter, with the others as in `values`.
struct Choice {
  std::int64_t value = 0;
  bool legal = true;
  std::string reason;  // empty where legal
};
std::vector<Choice> choices(const KernelSpec& spec, std::string_view parameter, const Values& values, const Values& sizes);

// Every combination of values that meets the requirements, in the order of the file.
std::vector<Values> legal_parameter_sets(const KernelSpec& spec, const Values& sizes);

// Errors: a dimension that is not a whole number from 1 up, a block over 1024 threads, an unknown name.
Result<LaunchShape> launch_shape(const KernelSpec& spec, const Values& values, const Values& sizes);

}  // namespace warplens::catalog
