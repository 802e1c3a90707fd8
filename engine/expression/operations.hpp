// What operators and functions do with numbers in more than one language.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/expression/tree.hpp"

namespace warplens::expression {

bool is_comparison(Op op);

// Of an operator between two numbers that has a meaning for real ones; a comparison is 1 or 0.
double computed(Op op, double a, double b);
// Of any operator between two numbers, as in C. Nothing: no result in 64 bits, a division by 0, a shift by less
// than 0 or more than 63.
std::optional<std::int64_t> computed(Op op, std::int64_t a, std::int64_t b);

// Division of whole numbers that are doubles. NaN where one of them is not whole or the divisor is 0.
bool is_whole(double x);  // and exact: not beyond 2^53
double floor_div(double a, double b);
double ceil_div(double a, double b);
double round_up(double a, double b);   // to a multiple of b
double remainder(double a, double b);  // with the sign of a, as in C; without -0

}  // namespace warplens::expression
