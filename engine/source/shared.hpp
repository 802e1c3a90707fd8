// Arrays in shared memory as kernel files declare them: the one reader of __shared__.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

struct SharedArrayText {
  std::string_view name;
  std::vector<std::string_view> extents;  // as written; none: it is a single variable
};

// "__shared__ __align__(16) float A[8], B[9][N];"
struct SharedDeclaration {
  std::size_t at = 0;  // of the word __shared__
  bool is_extern = false;
  std::string_view type;             // "unsigned int"
  std::optional<int> alignment = 0;  // that it asks for; 0: for none; nothing: by more than a number
  std::vector<SharedArrayText> arrays;
};

// What is in the brackets "[8][N + 1]" that begin there.
std::vector<std::string_view> extents_at(std::string_view plain, std::size_t at);
// In the order of the file. plain: blanked(), which the texts are views of.
std::vector<SharedDeclaration> shared_declarations(std::string_view plain);

}  // namespace warplens::source
