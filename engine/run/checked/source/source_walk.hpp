// The body of a function as statements: in which loops and under which conditions a place of it is. Enough of
// C++ for what kernels are written in; what is not understood is said to be unknown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::run {

struct SourceLoop {  // for (int v = first; v < end; v += step)
  std::string variable, first, condition, step;
  bool may_leave = false;  // a break, or a return, in its body
};
struct Guard {
  std::string condition;
  bool holds = true;
};
struct Way {  // to a place, the outermost first
  std::vector<SourceLoop> loops;
  std::vector<Guard> guards;
};

// text: without comments and texts; body: where its '{' is. Nothing: it is not certain what leads there.
std::optional<Way> way_to(std::string_view text, std::size_t body, std::size_t place);

// Behind the statement that begins at a place, with all that belongs to it; npos: it has no end.
std::size_t behind_statement(std::string_view text, std::size_t at);
// The '{' of the innermost block around a place, from `from` on.
std::size_t block_around(std::string_view text, std::size_t from, std::size_t place);
// What is assigned to a variable anywhere in [from, end), but where it is declared.
bool is_changed(std::string_view text, std::string_view variable, std::size_t from, std::size_t end);

}  // namespace warplens::run
