#include "engine/expression/operations.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace warplens::expression {
namespace {

using Int = std::int64_t;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

template <bool (*Overflows)(Int, Int, Int*)>
std::optional<Int> checked(Int a, Int b) {
  Int result = 0;
  if (Overflows(a, b, &result)) return std::nullopt;
  return result;
}
bool adds(Int a, Int b, Int* r) { return __builtin_add_overflow(a, b, r); }
bool subtracts(Int a, Int b, Int* r) { return __builtin_sub_overflow(a, b, r); }
bool multiplies(Int a, Int b, Int* r) { return __builtin_mul_overflow(a, b, r); }
bool divides(Int a, Int b, Int* r) {
  if (b == 0 || (b == -1 && subtracts(0, a, r))) return true;
  *r = a / b;
  return false;
}
bool leaves(Int a, Int b, Int* r) {
  if (b == 0) return true;
  *r = b == -1 ? 0 : a % b;
  return false;
}
bool shifts_left(Int a, Int b, Int* r) { return b < 0 || b > 62 || multiplies(a, Int{1} << b, r); }
bool shifts_right(Int a, Int b, Int* r) {
  if (b < 0 || b > 63) return true;
  *r = a >> b;
  return false;
}

// null: an operator of whole numbers alone.
struct Operation {
  Op op;
  double (*real)(double, double);
  std::optional<Int> (*whole)(Int, Int);
};
template <class F>
constexpr Operation truth(Op op, F) {
  return {op, [](double a, double b) -> double { return F{}(a, b); },
          [](Int a, Int b) -> std::optional<Int> { return F{}(a, b); }};
}
constexpr std::array kOperations = {
    truth(Op::either, [](auto a, auto b) { return a != 0 || b != 0; }),
    truth(Op::both, [](auto a, auto b) { return a != 0 && b != 0; }),
    truth(Op::equal, [](auto a, auto b) { return a == b; }),
    truth(Op::unequal, [](auto a, auto b) { return a != b; }),
    truth(Op::less, [](auto a, auto b) { return a < b; }),
    truth(Op::at_most, [](auto a, auto b) { return a <= b; }),
    truth(Op::more, [](auto a, auto b) { return a > b; }),
    truth(Op::at_least, [](auto a, auto b) { return a >= b; }),
    Operation{Op::bit_or, nullptr, [](Int a, Int b) -> std::optional<Int> { return a | b; }},
    Operation{Op::bit_xor, nullptr, [](Int a, Int b) -> std::optional<Int> { return a ^ b; }},
    Operation{Op::bit_and, nullptr, [](Int a, Int b) -> std::optional<Int> { return a & b; }},
    Operation{Op::shift_left, nullptr, checked<shifts_left>},
    Operation{Op::shift_right, nullptr, checked<shifts_right>},
    Operation{Op::add, [](double a, double b) { return a + b; }, checked<adds>},
    Operation{Op::subtract, [](double a, double b) { return a - b; }, checked<subtracts>},
    Operation{Op::multiply, [](double a, double b) { return a * b; }, checked<multiplies>},
    Operation{Op::divide, [](double a, double b) { return a / b; }, checked<divides>},
    Operation{Op::remainder, [](double a, double b) { return std::fmod(a, b); }, checked<leaves>},
    Operation{Op::power, [](double a, double b) { return std::pow(a, b); }, nullptr},
};

// By their number.
constexpr auto kByOp = [] {
  std::array<Operation, static_cast<std::size_t>(Op::power) + 1> rows{};
  for (const Operation& row : kOperations) rows[static_cast<std::size_t>(row.op)] = row;
  return rows;
}();

bool can_divide(double a, double b) { return is_whole(a) && is_whole(b) && b != 0; }

}  // namespace

bool is_comparison(Op op) { return op >= Op::equal && op <= Op::at_least; }

double computed(Op op, double a, double b) { return kByOp[static_cast<std::size_t>(op)].real(a, b); }
std::optional<Int> computed(Op op, Int a, Int b) { return kByOp[static_cast<std::size_t>(op)].whole(a, b); }

bool is_whole(double x) { return std::abs(x) <= 0x1p53 && x == std::floor(x); }

double floor_div(double a, double b) {
  if (!can_divide(a, b)) return kUndefined;
  const auto x = static_cast<Int>(a), y = static_cast<Int>(b);
  const Int quotient = x / y;
  return static_cast<double>(quotient - (x % y != 0 && (x < 0) != (y < 0)));
}
double ceil_div(double a, double b) { return -floor_div(-a, b); }
double round_up(double a, double b) { return ceil_div(a, b) * b; }
double remainder(double a, double b) { return can_divide(a, b) ? std::fmod(a, b) + 0.0 : kUndefined; }

}  // namespace warplens::expression
