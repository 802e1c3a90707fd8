// A problem of a [problem] table, understood: what its texts mean for one kernel and one set of parameters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/problem/elements/element_evaluation.hpp"
#include "engine/problem/elements/element_expression.hpp"
#include "engine/problem/kinds.hpp"
#include "engine/problem/own/binding.hpp"

namespace warplens::problem {

struct OwnBuffer {
  ElementType type = ElementType::f32;
  int parts = 1;  // elements of one thing that `count` counts
  bool is_output = false;
  bool is_random = false;                 // an input by the pattern
  std::optional<ElementExpression> fill;  // else
  std::optional<ElementExpression> gaps;  // of data with empty rows
  bool is_of_kind = false;                // nobody but the kind says what it holds
};

struct OwnShape {
  catalog::ProblemText text;
  Values parameters;
  std::string name, key, signature, like;
  Binding binding;
  std::vector<OwnBuffer> buffers;
  std::vector<ElementCheck> checks;
  std::vector<catalog::TensorMapText> maps;
  source::KernelSignature kernel;    // with its structs' members as parameters, which `binding` is of
  std::vector<std::string> numbers;  // names that element expressions know: sizes, parameters, scalars
  std::string file;

  // Whether a kind's number that stands in a check is another one in the kernel, which has it as a constant.
  bool has_open_scalar = false;

  // The values of `numbers` at these sizes.
  std::vector<double> values_of(const Values& sizes) const;
  // An expression of sizes, parameters and whole scalars; NaN where it has no value.
  double number(const std::string& text, const Values& sizes) const;
};

// Errors: a text that is not understood, with its line.
Result<std::shared_ptr<const OwnShape>> understand(const catalog::KernelSpec& spec, const Values& parameters);
// buffers: the ones that the shape has at these sizes.
Layout layout_of(const OwnShape& shape, const Values& sizes);
std::shared_ptr<const Instance> make_own_instance(std::shared_ptr<const OwnShape> shape, Request request);

}  // namespace warplens::problem
