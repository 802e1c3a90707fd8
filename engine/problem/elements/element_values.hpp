// Elements of any type as doubles, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/problem/problem.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {

ElementType element_type(std::string_view base);  // of source::element_types()
std::string_view name_of(ElementType type);       // as in C++: "float", "std::int8_t"
bool is_integer(ElementType type);

// The largest relative error of one rounding: 2^-24 for float; 0 for integers.
double unit_roundoff(ElementType type);
// Below this two numbers cannot be told apart.
double least_difference(ElementType type);

double read_element(ElementType type, const std::byte* bytes, std::int64_t index);
// count elements from `first` on, each `step` further.
void read_elements(ElementType type, const std::byte* bytes, std::int64_t first, std::int64_t step, int count,
                   double* out);
// Rounded to nearest, to even between two; whole numbers without their fraction, modulo 2^bits.
void write_element(ElementType type, std::byte* bytes, std::int64_t index, double value);
// What becomes of the value when it is written and read again.
double as_written(ElementType type, double value);
// The bytes that a kernel gets of it as an argument.
ScalarArgument argument_of(ElementType type, double value);

}  // namespace warplens::problem
