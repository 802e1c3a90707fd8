// What the host code of a file says of a kernel: how it is launched, with what numbers, and how large its
// buffers are. Read as text: what is not understood is not there.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/problem/own/host_flow.hpp"
#include "engine/problem/own/host_launch.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/structs.hpp"

namespace warplens::problem {

class HostCode {
 public:
  explicit HostCode(std::string_view code);
  HostCode(const HostCode&) = delete;  // views of its text are kept

  // The first launch that is made; an if around it that does not hold leaves one out.
  std::optional<HostLaunch> launch_of(const std::string& kernel) const;
  std::vector<HostLaunch> launches_of(const std::string& kernel) const;  // in the order of the file
  bool is_left_out(std::size_t launch) const;  // where the condition around it does not hold
  // Whether some kernel of the file may have more dynamic shared memory than the 48 KiB of any.
  bool asks_for_shared_memory() const;
  std::optional<HostStruct> struct_of(std::string_view name) const;
  const source::Structs& structs() const;
  // The launch with an argument for each parameter of a kernel that has those of its structs' members.
  HostLaunch with_members(const HostLaunch& launch, const source::KernelSignature& kernel) const;
  // The type of what a launch passes: "float*", "Scale". Empty: nobody knows.
  std::string type_of(std::string_view argument, std::size_t before, int depth = 0) const;
  // A whole number as known at the end of the file.
  std::optional<std::int64_t> value(std::string_view expression) const;
  // What an expression of a launch would be if names had these values.
  using Instead = std::vector<std::pair<std::string, std::int64_t>>;
  std::optional<std::int64_t> value_with(const HostLaunch& launch, std::string_view expression,
                                         const Instead& values) const;
  std::optional<std::int64_t> value_with(const HostLaunch& launch, std::string_view expression,
                                         std::string_view name, std::int64_t value) const {
    return value_with(launch, expression, {{std::string(name), value}});
  }
  // Of a pointer the last allocation in the function of the launch, else one of another function, and its text.
  std::optional<std::int64_t> bytes_of(std::string_view pointer, std::size_t launch) const {
    return allocation_of(pointer, launch).bytes;
  }
  std::string bytes_text_of(std::string_view pointer, std::size_t launch) const {
    return allocation_of(pointer, launch).text;
  }
  bool is_copied_back(std::string_view pointer) const;
  bool is_filled(std::string_view pointer, std::size_t launch) const;  // copied to, or set
  std::optional<std::int64_t> byte_set(std::string_view pointer, std::size_t launch) const;  // by cudaMemset
  // What the host puts into an array of whole numbers before it is copied, as a fill: "(i % 7)" of a loop's
  // "h[i] = i % 7;". named: what a size of the host's is called there. Empty: it is not that simple.
  using Named = std::function<std::optional<std::string>(std::string_view)>;
  std::optional<std::string> fill_text(std::string_view pointer, std::size_t launch,
                                       const Named& size_called) const;
  // Whether the host allocates the array, only passes it on before the kernel runs, and no other kernel gets it.
  bool is_never_set(std::string_view pointer, const std::string& kernel, std::size_t launch) const;
  // Whether host and device both see the array, and the host writes to it behind the launch or in another function.
  bool is_set_beside(std::string_view pointer, std::size_t launch) const;
  // Of "x + 2" and "&x[2]" as launches pass them 2, of "x" nothing. Nothing at all where it is not understood.
  std::optional<std::string_view> element_passed(std::string_view pointer) const;
  const source::Macros& macros() const { return macros_; }
  std::string_view plain() const { return plain_; }
  // The names in these words, and those that define them: the nearest first.
  std::vector<std::string> names_behind(std::string_view words) const;

 private:
  struct Allocation {
    std::optional<std::int64_t> bytes;
    std::string text;
  };
  struct PointerCall {
    std::size_t at = 0;
    std::vector<std::string_view> arguments;  // empty: there is none
  };
  Allocation allocation_of(std::string_view pointer, std::size_t launch) const;
  // Calls of these whose first argument is the pointer.
  std::vector<PointerCall> calls_on(std::string_view pointer,
                                    std::initializer_list<std::string_view> functions) const;
  PointerCall call_on(std::string_view pointer, std::initializer_list<std::string_view> functions,
                      std::size_t launch) const;
  std::optional<double> number(std::string_view text, std::size_t before, int depth) const;
  std::optional<double> number_of_element(std::string_view element, std::size_t before, int depth) const;
  std::optional<double> number_passed(std::string_view name, std::size_t inside, int depth) const;
  std::optional<double> size_of_open_type(std::string_view name) const;
  std::optional<double> size_of_array(std::string_view name, std::size_t before, int depth) const;
  std::string_view filled_from(std::string_view pointer, std::size_t launch) const;
  std::optional<double> number_of_name(std::string_view name, std::size_t before, int depth) const;
  std::optional<double> number_of_steps(std::string_view name, std::size_t before, int depth,
                                        bool& is_found) const;
  HostFlow::Reached reached(const HostStep& step, std::size_t before, int depth) const;
  std::vector<HostStep> steps(std::string_view name, std::size_t before) const;
  std::vector<std::string_view> definitions(std::string_view name, std::size_t before) const;
  std::vector<std::string_view> edges(std::string_view word, std::size_t before, int depth = 0) const;
  std::vector<std::string_view> edges_as_declared(std::string_view word, std::size_t before, int depth) const;
  std::vector<std::int64_t> numbers(const std::vector<std::string_view>& texts, std::size_t before) const;
  static std::optional<std::int64_t> whole(std::optional<double> value);
  std::string resolved(std::string_view arguments, std::size_t before) const;
  // What the first call of the function template around a place gives one of its parameters: "float" for T of
  // run<T>(), which main() calls as run<float>(). Empty: nobody knows.
  std::string given(std::string_view parameter, std::size_t at, int depth = 0) const;
  bool is_certain_name(std::string_view name, std::size_t inside, int depth) const;
  bool is_certain(std::string_view words, std::size_t inside, int depth) const;
  bool are_certain(const std::vector<std::string_view>& texts, std::size_t inside) const;
  HostLaunch launch_at(std::size_t at) const;
  HostLaunch read_launch(std::size_t at, std::string_view before_launch) const;
  void add_passed_on(const std::string& kernel, std::size_t at, std::vector<HostLaunch>& launches) const;
  std::optional<HostLaunch> read_call(std::size_t at, std::string_view name, const std::string& kernel) const;
  void read_shape(HostLaunch& launch, std::string_view grid, std::string_view block) const;
  void read_shared(HostLaunch& launch, std::string_view text) const;
  void add_argument(HostLaunch& launch, std::string_view text) const;
  std::vector<std::string_view> addresses_in(std::string_view name, std::size_t before) const;
  std::string_view member_of(std::string_view config, std::string_view member, std::size_t before) const;
  // "1" of "Grid{{1, 2}, n}" and "at.x"; its name where it is set. Empty: unknown.
  std::string member_text(std::string_view object, const source::StructLayout& layout, std::string_view leaf,
                          std::size_t before, int depth = 0) const;
  std::string type_given(std::string_view function, std::size_t place, std::size_t declared, int depth) const;
  std::string type_of_name(std::string_view name, std::size_t before, int depth) const;

  // Names that define each other would be looked up for minutes; host code that people write takes hundreds.
  static constexpr int kMostLookups = 20'000;
  static constexpr std::size_t kMostRead = 200'000'000;  // characters, of long texts for each of them
  source::Macros macros_;
  mutable Instead instead_;
  mutable int lookups_ = 0;  // of all questions about this file
  mutable std::size_t read_ = 0;
  std::string plain_;                     // without comments, texts and directives
  std::optional<HostFlow> flow_;          // of it
  mutable std::deque<std::string> made_;  // texts that it has not
  mutable std::optional<source::Structs> structs_;
  mutable std::optional<std::string> of_host_;  // the same without functions of the device
};

// "d_in + 1", "(float*)d_in" and "&d_in[0]" are d_in.
std::string_view pointer_name(std::string_view text);
using source::find_word;
using source::parts_of;
// Where the bracket that opens at `open` closes, of arguments and initializers that matter here; npos: nowhere.
std::size_t closing(std::string_view text, std::size_t open);

}  // namespace warplens::problem
