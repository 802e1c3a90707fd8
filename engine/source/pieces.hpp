// What stands at the outermost level of a CUDA source, definition by definition, and the words it is written
// with: enough of C++ to tell code of the device from code of the host, not to check it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

using Names = std::set<std::string, std::less<>>;

// A definition or a declaration.
struct Piece {
  enum class What { function, prototype, variable, type, other };
  std::size_t begin = 0, end = 0;  // in the text; begin is no blank
  What what = What::other;
  Names names;               // that it declares; none where they cannot be told
  bool is_constant = false;  // const, constexpr
  bool is_constexpr = false;
};

// plain: without comments, texts and preprocessor lines. Namespaces and extern "C" { are looked into.
std::vector<Piece> pieces_of(std::string_view plain);

// The names in a text, and those among them that may be functions: called, or given to a template.
struct Words {
  Names all, called;
};
Words words_of(std::string_view code);

// Of each macro that the text defines what stands for it.
std::map<std::string, Words, std::less<>> macros_of(std::string_view source);

}  // namespace warplens::source
