// Structs of a source, laid out as C++ lays them out, and kernels that take them by value with a parameter for each of
// their members.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/source/aliases.hpp"
#include "engine/source/signature.hpp"

namespace warplens::source {

struct StructLayout;
using SharedLayout = std::shared_ptr<const StructLayout>;

struct StructMember {
  std::string name;         // empty: of a struct that it derives from
  std::string type;         // of element_types(); of a pointer what it points to
  bool is_pointer = false;  // and then is_const what it points to
  bool is_const = false;
  std::int64_t offset = 0, count = 1, bytes = 0;  // count: of an array its elements; bytes: of one
  SharedLayout of;                                // where it is a struct or a vector; else null
  std::string initial;                            // what the struct itself sets it to
};

struct StructLayout {
  std::string name;  // without the arguments of a template
  std::int64_t bytes = 0, alignment = 1;
  std::vector<StructMember> members;
  std::int64_t leaves = 0;       // numbers and pointers in it, as leaves_of() counts them
  std::int64_t used = 0;         // bytes of these
  std::string element;           // the type of all of them, "uint64" of pointers; "mixed": they have several
  bool has_constructor = false;  // what is in brackets behind its name are no members then
};

// A number or a pointer somewhere in a struct.
struct StructLeaf {
  std::string
      name;  // as it is written behind the struct's: "at.x", "weight[2]", "weight" of an array of one value
  std::string type;
  bool is_pointer = false, is_const = false;
  std::int64_t offset = 0, count = 1;
};
// Errors: there are more than a problem has numbers for.
Result<std::vector<StructLeaf>> leaves_of(const StructLayout& layout);

// The structs and classes that a source defines, and CUDA's vectors.
class Structs {
 public:
  // A whole number as the source knows it: an extent such as "2 * N".
  using Number = std::function<std::optional<std::int64_t>(std::string_view)>;
  // plain: blanked(), of which views are kept.
  Structs(std::string_view plain, const Macros& macros, Number number);

  // Errors: why it is not laid out, such as "its member flags is a bit field".
  Result<SharedLayout> of(std::string_view type) const;
  // Whether it is defined here.
  bool has(std::string_view type) const;
  // Those that can be called, in the order of the file: "Scale", of a template "Scale<float>".
  std::vector<std::string> functors() const;

 private:
  struct Definition {
    std::size_t at = 0;
    std::string_view members, bases;
    std::vector<TemplateParameter> of_template;
    std::optional<std::string_view> alignment;  // in brackets
    bool is_union = false;
  };
  void add_definition(std::size_t keyword, std::size_t length);
  Result<SharedLayout> laid_out(const std::string& type, int depth) const;
  Result<StructMember> member_of_type(std::string_view type, int depth) const;
  Status add_bases(std::string_view bases, int depth, StructLayout& laid) const;
  Status add_members(std::string_view members, int depth, StructLayout& laid) const;
  Status add_statement(std::string_view statement, int depth, StructLayout& laid) const;
  std::optional<std::int64_t> alignment_in(std::string_view& statement) const;

  std::string_view plain_;
  Number number_;
  Aliases aliases_;
  std::map<std::string, Definition, std::less<>> definitions_;
  mutable std::map<std::string, Result<SharedLayout>, std::less<>> known_;
};

// The kernel with a parameter for each number and pointer of the structs that it takes by value: "g_nx" of "g.nx". Those
// that are not laid out stay and say why.
KernelSignature with_members(KernelSignature kernel, const Structs& structs);
// The body of such a kernel with the parameters' names in the place of the members.
std::string named_as_parameters(std::string_view body, const KernelSignature& kernel);

}  // namespace warplens::source
