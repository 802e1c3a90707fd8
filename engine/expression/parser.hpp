// Reads an expression of a dialect: one tokenizer, one parser by ranks, one tree.
//
//   const auto tree = parse("TILE * 2 + 1", front_matter_dialect());   // +(*(TILE, 2), 1)
//
// What names mean is not asked here, nor how many arguments a function takes.
#pragma once

#include <string_view>

#include "engine/base/result.hpp"
#include "engine/expression/dialect.hpp"

namespace warplens::expression {

// Errors: what is not understood, with its column from 1; more than kDeepest parentheses, signs and calls in
// one another, kMostDepth operations.
Result<Node> parse(std::string_view text, const Dialect& dialect);

inline constexpr int kDeepest = 200;
inline constexpr int kMostDepth = 500;

// The error with its place in words: "'256' is not understood at position 3 of \"N 256\"".
Error in_words(Error error, std::string_view text);

}  // namespace warplens::expression
