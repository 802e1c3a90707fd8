// Which argument of a problem each parameter of a kernel gets.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/catalog/tensor_map_text.hpp"
#include "engine/source/signature.hpp"

namespace warplens::problem {

struct BoundArgument {
  enum class What { buffer, scalar, size, map };
  What what = What::buffer;
  std::size_t index = 0;  // in ProblemText's list of these; of a map in KernelSpec's
  std::string type;       // of element_types()
  bool is_open = false;   // a pointer to a type of the file's own: `type` is one that would do
};

struct Binding {
  std::vector<BoundArgument> arguments;
  // Whether one parameter stands for all sizes, as of a kernel for square matrices.
  bool is_square = false;
};

// By `order`; else by the names of the parameters, and where those tell nothing by their types and order.
// kernel: null where the source does not show it, then buffers, scalars and sizes follow each other as they
// are declared. Errors: without a place; a parameter that nothing fits, a type that no argument has.
// A parameter of the type CUtensorMap gets the one of `maps` that has its name.
Result<Binding> bind_arguments(const catalog::ProblemText& problem, const source::KernelSignature* kernel,
                               std::span<const catalog::TensorMapText> maps = {});

// Whether a problem has something to pass for each parameter, as far as its type says.
bool can_be_run(const source::KernelSignature& kernel);
// Whether the kernel gets all inputs: what is compared with others cannot be right.
bool has_inputs(const catalog::ProblemText& problem, const Binding& binding);

}  // namespace warplens::problem
