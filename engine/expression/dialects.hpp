// The five languages of expressions, as tables of operators and forms. Each has an evaluator of its own,
// which knows its names and functions.
#pragma once

#include "engine/expression/dialect.hpp"

namespace warplens::expression {

// ceil_div(N, TILE) <= 8 && N % 4 == 0: numbers of front matters (engine/catalog/expression.hpp).
const Dialect& front_matter_dialect();
// (lane * 4) ^ (lane / 8 & 3): C's operators on whole numbers (engine/analysis/index_expression.hpp).
const Dialect& index_dialect();
// alpha * sum(k, 0, K, A[row, k]) + old(C)[row, column] (engine/problem/elements/element_expression.hpp).
const Dialect& element_dialect();
// run('matmul/01_naive', TILE = 16).sectors('A') > 4 and verified (engine/lesson/evaluator.hpp).
const Dialect& lesson_dialect();
// (N + 255) / 256 * sizeof(float): C++, as host code and #if have it (engine/source/c_expression.hpp).
Dialect c_dialect(bool (*is_type)(std::string_view text));

}  // namespace warplens::expression
