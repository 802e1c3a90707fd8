#include "engine/problem/elements/element_functions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/expression/whole_division.hpp"

namespace warplens::problem {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
using X = const double*;
double own_size(double value, X, X, int) { return std::abs(value); }
double first_size(double, X, X sizes, int) { return sizes[0]; }
double largest_size(double, X, X sizes, int count) { return *std::max_element(sizes, sizes + count); }
double both_sizes(double, X, X sizes, int) { return sizes[0] + sizes[1]; }

constexpr ElementFunction kFunctions[] = {
    {"abs", 1, 1, [](X x, int) { return std::abs(x[0]); }, first_size},
    {"fabs", 1, 1, [](X x, int) { return std::abs(x[0]); }, first_size},
    {"min", 2, 16, [](X x, int n) { return *std::min_element(x, x + n); }, largest_size},
    {"max", 2, 16, [](X x, int n) { return *std::max_element(x, x + n); }, largest_size},
    {"exp", 1, 1, [](X x, int) { return std::exp(x[0]); },
     [](double v, X, X s, int) { return v * (1 + s[0]); }},
    {"log", 1, 1, [](X x, int) { return std::log(x[0]); },
     [](double v, X x, X s, int) { return std::abs(v) + s[0] / std::abs(x[0]); }},
    {"sqrt", 1, 1, [](X x, int) { return std::sqrt(x[0]); },
     [](double v, X, X s, int) { return v + (v > 0 ? s[0] / (2 * v) : std::sqrt(s[0])); }},
    {"rsqrt", 1, 1, [](X x, int) { return 1 / std::sqrt(x[0]); },
     [](double v, X x, X s, int) { return v * (1 + s[0] / (2 * std::abs(x[0]))); }},
    {"tanh", 1, 1, [](X x, int) { return std::tanh(x[0]); },
     [](double v, X, X s, int) { return std::abs(v) + s[0] * (1 - v * v); }},
    {"erf", 1, 1, [](X x, int) { return std::erf(x[0]); },
     [](double v, X, X s, int) { return std::abs(v) + 1.13 * s[0]; }},
    {"sin", 1, 1, [](X x, int) { return std::sin(x[0]); },
     [](double v, X, X s, int) { return std::abs(v) + s[0]; }},
    {"cos", 1, 1, [](X x, int) { return std::cos(x[0]); },
     [](double v, X, X s, int) { return std::abs(v) + s[0]; }},
    {"pow", 2, 2, [](X x, int) { return std::pow(x[0], x[1]); },
     [](double v, X x, X s, int) {
       const double size = std::abs(x[0]);
       return size > 0 ? std::abs(v) * (1 + std::abs(x[1]) * s[0] / size + std::abs(std::log(size)) * s[1])
                       : std::abs(v);
     }},
    {"floor", 1, 1, [](X x, int) { return std::floor(x[0]); }, own_size},
    {"ceil", 1, 1, [](X x, int) { return std::ceil(x[0]); }, own_size},
    {"trunc", 1, 1, [](X x, int) { return std::trunc(x[0]); }, own_size},
    {"round", 1, 1, [](X x, int) { return std::round(x[0]); }, own_size},
    {"floor_div", 2, 2, [](X x, int) { return expression::floor_div(x[0], x[1]); }, own_size},
    {"ceil_div", 2, 2, [](X x, int) { return expression::ceil_div(x[0], x[1]); }, own_size},
    {"round_up", 2, 2, [](X x, int) { return expression::round_up(x[0], x[1]); }, own_size},
    {"atan2", 2, 2, [](X x, int) { return std::atan2(x[0], x[1]); }, both_sizes},
    {"xor", 2, 2,
     [](X x, int) {
       return expression::is_whole(x[0]) && expression::is_whole(x[1])
                  ? static_cast<double>(static_cast<std::int64_t>(x[0]) ^ static_cast<std::int64_t>(x[1]))
                  : kUndefined;
     },
     own_size},
};

}  // namespace

std::span<const ElementFunction> element_functions() { return kFunctions; }

}  // namespace warplens::problem
