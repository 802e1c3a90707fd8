// Division of whole numbers that are doubles. NaN where one of them is not whole or the divisor is 0.
#pragma once

namespace warplens::expression {

bool is_whole(double x);  // and exact: not beyond 2^53
double floor_div(double a, double b);
double ceil_div(double a, double b);
double round_up(double a, double b);   // to a multiple of b
double remainder(double a, double b);  // with the sign of a, as in C

}  // namespace warplens::expression
