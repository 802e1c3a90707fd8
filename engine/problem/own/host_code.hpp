// What the host code of a file says of a kernel: how it is launched, with what numbers, and how large its
// buffers are. Read as text: what is not understood is not there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/conditionals.hpp"

namespace warplens::problem {

struct HostLaunch {
  std::size_t at = 0;                               // in the text
  int line = 0;                                     // from 1
  std::vector<std::int64_t> grid, block;            // 1 to 3 edges; empty: not understood
  std::vector<std::string> grid_text;               // as written, names of dim3 resolved
  std::optional<std::int64_t> shared;               // bytes; nothing: none or not understood
  bool has_shared = false;                          // a third argument that is not 0
  std::string template_arguments;                   // "256, 4", with numbers for names that have one
  std::vector<std::string> arguments;               // as written
  std::vector<std::optional<std::int64_t>> values;  // of arguments that are whole numbers
};

class HostCode {
 public:
  explicit HostCode(std::string_view code);

  // The first launch that is made; an if around it that does not hold leaves one out.
  std::optional<HostLaunch> launch_of(const std::string& kernel) const;
  // A whole number as known at the end of the file.
  std::optional<std::int64_t> value(std::string_view expression) const;
  // What an expression of a launch would be if a name had this value.
  std::optional<std::int64_t> value_with(const HostLaunch& launch, std::string_view expression,
                                         std::string_view name, std::int64_t value) const;
  // Of a pointer as a launch passes it; their text as it is allocated, empty where nobody knows them.
  std::optional<std::int64_t> bytes_of(std::string_view pointer) const {
    return allocation_of(pointer).bytes;
  }
  std::string bytes_text_of(std::string_view pointer) const { return allocation_of(pointer).text; }
  bool is_copied_back(std::string_view pointer) const;
  bool is_filled(std::string_view pointer) const;  // copied to, or set
  const catalog::Macros& macros() const { return macros_; }
  // The names in these words, and those that define them: the nearest first.
  std::vector<std::string> names_behind(std::string_view words) const;

 private:
  struct Allocation {
    std::optional<std::int64_t> bytes;
    std::string text;
  };
  Allocation allocation_of(std::string_view pointer) const;
  std::optional<double> number(std::string_view text, std::size_t before, int depth) const;
  std::optional<double> size_of_open_type(std::string_view name) const;
  std::optional<double> number_of_name(std::string_view name, std::size_t before, int depth) const;
  std::vector<std::string_view> definitions(std::string_view name, std::size_t before) const;
  std::vector<std::string_view> edges(std::string_view word, std::size_t before, int depth = 0) const;
  std::vector<std::int64_t> numbers(const std::vector<std::string_view>& texts, std::size_t before) const;
  bool is_left_out(std::size_t launch) const;
  std::string resolved(std::string_view arguments, std::size_t before) const;
  // What the host gives the function template around a place for one of its parameters, at the first call of
  // it: "float" for T of run<T>(), which main() calls as run<float>(). Empty: nobody knows.
  std::string given(std::string_view parameter, std::size_t at, int depth = 0) const;
  HostLaunch read_launch(std::size_t at, std::string_view before_launch) const;

  struct Instead {
    std::string_view name;
    double value = 0;
  };
  catalog::Macros macros_;
  mutable Instead instead_;
  mutable int lookups_ = 0;  // of all questions about this file
  mutable std::size_t read_ = 0;
  std::string plain_;  // without comments, texts and directives
};

// At commas outside of brackets, trimmed.
std::vector<std::string_view> parts_of(std::string_view text);
// Where the bracket that opens at `open` closes; npos: nowhere.
std::size_t closing(std::string_view text, std::size_t open);
// The next place of a name of its own from `from` on; npos: none.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);

}  // namespace warplens::problem
