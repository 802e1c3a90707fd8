// The kernels of a CUDA source as they are declared: enough of C++ to read parameters, not to check them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

struct KernelParameter {
  std::string name;  // "unnamed3" of a third one without
  std::string type;  // without const, references and stars; typedefs and macros of the file are resolved
  bool is_pointer = false;
  bool is_const = false;  // what it points to, or the number itself
};

struct TemplateParameter {
  std::string name, type;  // "BLOCK", "int"; the type of a type is "typename"
  std::string fallback;    // the default; empty: none
};

struct KernelSignature {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::vector<TemplateParameter> of_template;  // empty: no template
  bool is_instantiated = false;                // a template that the file itself gives arguments
  int line = 0;                                // of the name, from 1
};

// Each kernel that has a body, in the order of the file; comments, texts and branches of #if that are not
// taken are passed over. folder: of the file, for types that it includes from beside it.
std::vector<KernelSignature> kernel_signatures(std::string_view code, const std::string& folder = "");

// The same with the arguments of its template, as in "int, float, 256", for the types that it leaves open.
KernelSignature with_arguments(KernelSignature kernel, std::string_view arguments);

}  // namespace warplens::source
