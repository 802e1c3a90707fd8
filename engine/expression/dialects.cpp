#include "engine/expression/dialects.hpp"

namespace warplens::expression {
namespace {

// ---- a ^ b is a power; all comparisons have one rank

constexpr int kUnary = 7;  // -2^2 is -4, and 2^-1 a half

constexpr Infix kFrontMatter[] = {
    {"||", Op::either, 1, 2},   {"&&", Op::both, 2, 3},      {"==", Op::equal, 4, 5},
    {"!=", Op::unequal, 4, 5},  {"<=", Op::at_most, 4, 5},   {">=", Op::at_least, 4, 5},
    {"<", Op::less, 4, 5},      {">", Op::more, 4, 5},       {"+", Op::add, 5, 6},
    {"-", Op::subtract, 5, 6},  {"*", Op::multiply, 6, 7},   {"/", Op::divide, 6, 7},
    {"%", Op::remainder, 6, 7}, {"^", Op::power, 8, kUnary},
};
constexpr Infix kElement[] = {
    {"||", Op::either, 1, 2},
    {"or", Op::either, 1, 2},
    {"&&", Op::both, 2, 3},
    {"and", Op::both, 2, 3},
    {"==", Op::equal, 4, 5, true},
    {"!=", Op::unequal, 4, 5, true},
    {"<=", Op::at_most, 4, 5, true},
    {">=", Op::at_least, 4, 5, true},
    {"<", Op::less, 4, 5, true},
    {">", Op::more, 4, 5, true},
    {"+", Op::add, 5, 6},
    {"-", Op::subtract, 5, 6},
    {"*", Op::multiply, 6, 7},
    {"/", Op::divide, 6, 7},
    {"%", Op::remainder, 6, 7},
    {"^", Op::power, 8, kUnary},
};
constexpr Infix kLesson[] = {
    {"or", Op::either, 1, 2},        {"and", Op::both, 2, 3},         {"==", Op::equal, 4, 5, true},
    {"!=", Op::unequal, 4, 5, true}, {"<=", Op::at_most, 4, 5, true}, {">=", Op::at_least, 4, 5, true},
    {"<", Op::less, 4, 5, true},     {">", Op::more, 4, 5, true},     {"+", Op::add, 5, 6},
    {"-", Op::subtract, 5, 6},       {"*", Op::multiply, 6, 7},       {"/", Op::divide, 6, 7},
    {"%", Op::remainder, 6, 7},      {"^", Op::power, 8, kUnary},
};
constexpr Prefix kFrontMatterPrefix[] = {
    {"-", Op::negate, kUnary}, {"+", Op::none, kUnary}, {"!", Op::negation, kUnary}};
constexpr Prefix kElementPrefix[] = {{"-", Op::negate, kUnary},
                                     {"+", Op::none, kUnary},
                                     {"!", Op::negation, kUnary},
                                     {"not", Op::negation, kUnary}};
// not a == b is not (a == b)
constexpr Prefix kLessonPrefix[] = {{"-", Op::negate, kUnary}, {"not", Op::negation, 3}};

// ---- C's ranks

constexpr Infix kC[] = {
    {"||", Op::either, 1, 2},      {"&&", Op::both, 2, 3},    {"|", Op::bit_or, 3, 4},
    {"^", Op::bit_xor, 4, 5},      {"&", Op::bit_and, 5, 6},  {"==", Op::equal, 6, 7},
    {"!=", Op::unequal, 6, 7},     {"<=", Op::at_most, 7, 8}, {">=", Op::at_least, 7, 8},
    {"<", Op::less, 7, 8},         {">", Op::more, 7, 8},     {"<<", Op::shift_left, 8, 9},
    {">>", Op::shift_right, 8, 9}, {"+", Op::add, 9, 10},     {"-", Op::subtract, 9, 10},
    {"*", Op::multiply, 10, 11},   {"/", Op::divide, 10, 11}, {"%", Op::remainder, 10, 11},
};
constexpr Prefix kCPrefix[] = {
    {"-", Op::negate, 11}, {"+", Op::none, 11}, {"!", Op::negation, 11}, {"~", Op::complement, 11}};

constexpr Dialect kDialects[] = {
    {.infix = kFrontMatter, .prefix = kFrontMatterPrefix, .example = "ceil_div(N, TILE)"},
    {.infix = kC, .prefix = kCPrefix, .example = "32*lane", .has_fractions = false, .has_hex = true},
    {.infix = kElement,
     .prefix = kElementPrefix,
     .example = "in[i] + 1",
     .join = "&&",
     .number_suffixes = "fF",  // 0.5f, as it stands in the kernel
     .has_elements = true},
    {.infix = kLesson,
     .prefix = kLessonPrefix,
     .example = "run('matmul/02_coalesced').sectors('A')",
     .join = "'and'",
     .has_texts = true,
     .has_members = true,
     .has_named = true},
};

}  // namespace

const Dialect& front_matter_dialect() { return kDialects[0]; }
const Dialect& index_dialect() { return kDialects[1]; }
const Dialect& element_dialect() { return kDialects[2]; }
const Dialect& lesson_dialect() { return kDialects[3]; }

Dialect c_dialect(bool (*is_type)(std::string_view)) {
  return {.infix = kC,
          .prefix = std::span(kCPrefix).first(3),
          .example = "(N + 255) / 256",
          .has_hex = true,
          .number_suffixes = "uUlLfF",
          .has_elements = true,
          .is_type = is_type};
}

}  // namespace warplens::expression
