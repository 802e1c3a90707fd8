// The kernels of a CUDA source as they are declared: enough of C++ to read parameters, not to check them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

// Where a member is in a struct that the kernel takes by value.
struct WithinStruct {
  std::size_t parameter = 0;           // of the kernel as it is declared
  std::int64_t offset = 0, count = 1;  // bytes; count: of an array whose elements are all the same
  std::string written;                 // "g.nx"
};

struct KernelParameter {
  std::string name;  // "unnamed3" of a third one without
  std::string type;  // without const, references and stars; typedefs and macros of the file are resolved
  bool is_pointer = false;
  bool is_const = false;  // what it points to, or the number itself
  std::optional<WithinStruct> within = {};
  std::string reason = {};  // of a struct: why nothing is known of its members
};

struct StructParameter {
  std::size_t parameter = 0;  // of the kernel as it is declared
  std::string name, type;
  std::int64_t bytes = 0;
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
  std::vector<StructParameter> structs = {};   // in place of which `parameters` has their members
};

// Each kernel that has a body, in the order of the file; comments, texts and branches of #if that are not
// taken are passed over. folder: of the file, for types that it includes from beside it.
std::vector<KernelSignature> kernel_signatures(std::string_view code, const std::string& folder = "");

// The same with the arguments of its template, as in "int, float, 256", for the types that it leaves open.
KernelSignature with_arguments(KernelSignature kernel, std::string_view arguments);

// Of a definition around a place what is in the brackets of the template<...> that it begins with; empty where it
// begins with none. plain: blanked().
std::string_view template_before(std::string_view plain, std::size_t at);
std::vector<TemplateParameter> template_of(std::string_view in_brackets);
// A text in which the names of a template stand for what is given for them.
std::string with_given(std::string_view text, const std::vector<TemplateParameter>& of_template,
                       const std::vector<std::string_view>& given);

}  // namespace warplens::source
