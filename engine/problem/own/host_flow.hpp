// The order in which host code is executed, as far as its text shows it: its functions, what of it is under an if or
// in a loop, and what changes a variable.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens::problem {

// What gives a name another value: "n = 4" sets it, "n += 2" and "n++" compute with what it was.
struct HostStep {
  std::size_t at = 0;        // of the name
  std::string_view sign;     // empty: it is set; else "+", "<<", ...
  std::string_view operand;  // what it is set to, or the other side of the sign
};

// The step that the name at a place is part of, and its member where `length` counts that in; empty: it is only
// read. Definitions in brackets, "dim3 g(4)", are none.
std::optional<HostStep> step_at(std::string_view plain, std::size_t at, std::size_t length);

// "n, n" of "unsigned size[2] = {n, n};", the last before a place; empty: there is none, or its elements change.
std::vector<std::string_view> elements_listed(std::string_view plain, std::string_view array,
                                              std::size_t before);

class HostFlow {
 public:
  // plain: blanked(); views of it are kept.
  explicit HostFlow(std::string_view plain);

  // A number for the function of the outermost level that a place is in, head and body; nothing: it is in none.
  std::optional<std::size_t> function_of(std::size_t place) const;

  struct Call {
    std::size_t at = 0;
    std::vector<std::string_view> arguments;
  };
  // The parameters of the function that a place is in, "float* x", and its calls in other functions.
  struct Called {
    std::vector<std::string_view> parameters;
    std::vector<Call> calls;
    // Of a parameter by its name; their number: it is none.
    std::size_t place_of(std::string_view name) const;
  };
  Called called_around(std::size_t place) const;

  enum class Reached { yes, no, unknown, several_times };
  // Of a condition that begins at a place, whether it holds.
  using Test = std::function<std::optional<bool>(std::string_view condition, std::size_t at)>;
  // Whether what stands at a place was executed when the program first comes to another place behind it.
  Reached reached(std::size_t place, std::size_t from, const Test& test) const;

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
    bool has(std::size_t place) const { return begin <= place && place < end; }
  };
  struct Part {
    enum class Kind { if_true, if_false, loop, choice };
    Kind kind = Kind::loop;
    Range range;                 // of a loop with its test
    Range other;                 // of an if the other branch, of a loop what is done behind its body
    std::string_view condition;  // of an if
  };
  void find_functions();
  void find_parts();
  void add_if(std::size_t open, std::size_t close);
  void add_for(std::size_t open, std::size_t close);
  // Behind the statement that begins there.
  std::size_t behind_statement(std::size_t at, int depth = 0) const;

  std::string_view plain_;
  mutable std::size_t read_ = 0;
  std::vector<Range> functions_;
  std::vector<Part> parts_;
};

}  // namespace warplens::problem
