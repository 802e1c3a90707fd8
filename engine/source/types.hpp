// CUDA's types of numbers, and vectors of them, under all names that kernels give them: the one table of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

// "float4" is 4 parts of "float".
struct TypeText {
  std::string base;  // one of element_types()
  int parts = 1;
  int bytes() const;
  // CUDA C++ Programming Guide, "Built-in Vector Types": those of 2 and 4 parts are aligned to their size, 16 bytes
  // at most, others as their parts are.
  int alignment() const;
};

// Names as CUDA has them, and those of <cstdint> and PyTorch. Nothing: no type.
std::optional<TypeText> read_type(std::string_view name);
// float, double, half, bfloat16, int8, uint8, ..., int64, uint64
const std::vector<std::string>& element_types();
// Of one of element_types().
int bytes_of(std::string_view base);

}  // namespace warplens::source
