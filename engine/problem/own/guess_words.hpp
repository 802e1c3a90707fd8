// What names of kernels and of their template parameters mostly mean.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warplens::problem {

// Words in the names of kernels, the telling ones first.
struct Hint {
  std::string_view word, kind;
  std::string_view check = {};  // of a kind that does not say what is right
};
std::span<const Hint> hints();
// Whether the name says that a function is not the plain one that its word says: leakyRelu, relu_backward.
bool is_of_another_function(std::string_view name);
// Of a template's number that no launch says, such as BM or TILE_SIZE.
int usual_number(std::string_view name);
// BLOCK_SIZE, THREADS and the like.
bool is_name_of_block(std::string_view name);
// In small letters, and without the underscores.
std::string plain_name(std::string_view name);
std::string lower(std::string_view text);

}  // namespace warplens::problem
