// An entry of `maps` in a front matter: a parameter of the kernel of the type CUtensorMap, by which it copies
// boxes of a buffer. Dimensions count from the innermost one.
#pragma once

#include <string>
#include <vector>

#include "engine/tensor/swizzle.hpp"

namespace warplens::catalog {

struct TensorMapText {
  std::string name;                // of the kernel's parameter: "A_map"
  std::string of;                  // the buffer
  std::vector<std::string> box;    // expressions: elements of one copy in each dimension
  std::vector<std::string> shape;  // elements of the tensor in each; empty: columns and rows of the buffer
  tensor::Swizzle swizzle = tensor::Swizzle::none;
  int line = 0;
};

}  // namespace warplens::catalog
