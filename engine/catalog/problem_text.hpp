// The [problem] table of a front matter: what a kernel is given and what it has to compute, as it was
// written. docs/kernel-files.md teaches it; engine/problem makes a problem of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::catalog {

// An expression of the table, and its line in the kernel file, from 1; 0 where unknown.
struct Written {
  std::string text;
  int line = 0;
};

// A buffer in global memory. A type of several parts ("float4") is as many elements of its base type.
struct BufferText {
  std::string name;
  std::string type;  // as in the kernel: float, half, int, uint8_t, float4, ...; empty: that of the kernel
  int parts = 1;     // elements of one of what `count` counts, as of a struct of four floats
  Written count;     // elements; empty where `shape` says it
  std::vector<Written> shape;  // rows and columns, or empty: a vector
  Written fill;                // what it holds at the start; empty: random numbers, or nothing for an output
  Written gaps;                // the same for data of which some rows are empty; empty: there is none
  Written first;               // the element that the kernel's pointer is of; empty: the first one
  bool is_output = false;      // the kernel writes it; said, or seen from the checks
  std::vector<std::string> also;  // other names that kernels give it
  int line = 0;
};

// A number that the kernel takes by value.
struct ScalarText {
  std::string name;
  std::string type;  // empty: that of the kernel
  Written value;     // sees the sizes and parameters
  std::vector<std::string> also;
  int line = 0;
};

struct SizeText {
  std::string name;
  std::int64_t value = 0;  // where nobody chooses another
  std::vector<std::string> also;
  int line = 0;
};

struct RecordedLaunch;  // recorded_launch.hpp

struct ProblemText {
  std::string kind;                 // a built-in problem that this one changes; empty: none
  std::vector<SizeText> sizes;      // in the order of the file
  std::vector<BufferText> buffers;  // likewise
  std::vector<ScalarText> scalars;
  std::vector<Written> order;       // names of all arguments; empty: as the kernel's parameters are called
  std::vector<Written> check;       // expressions over elements
  std::string like;                 // another kernel, which computes the same
  std::string none;                 // why nothing is checked
  std::optional<double> tolerance;  // the largest relative error that is right; nothing: by the types
  Written operations;               // floating-point operations of the whole; empty: not counted
  // Instead of all of that: a launch that a whole program made, with its memory; null: there is none.
  std::shared_ptr<const RecordedLaunch> recorded;
  int line = 0;
  // The table as it was written, less its place: equal for kernels of one problem.
  std::string identity;
};

// Of a [problem] table alone, as built-in problems are written. Errors have the line of the text.
Result<ProblemText> parse_problem(std::string_view toml);

}  // namespace warplens::catalog
