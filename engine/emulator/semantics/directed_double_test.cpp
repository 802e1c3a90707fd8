// Against the host's rounding modes, where it has them.
#include "engine/emulator/semantics/directed_double.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <random>

namespace warplens::emulator::detail {
namespace {

using ptx::Opcode, ptx::Rounding;

#ifdef FE_TOWARDZERO

double by_host(Opcode opcode, double a_in, double b_in, double c_in, int mode) {
  std::fesetround(mode);
  volatile double a = a_in, b = b_in, c = c_in, result = 0;
  if (opcode == Opcode::add) result = a + b;
  if (opcode == Opcode::sub) result = a - b;
  if (opcode == Opcode::mul) result = a * b;
  if (opcode == Opcode::div) result = a / b;
  if (opcode == Opcode::rcp) result = 1.0 / a;
  if (opcode == Opcode::sqrt) result = std::sqrt(a);
  if (opcode == Opcode::fma) result = std::fma(a, b, c);
  std::fesetround(FE_TONEAREST);
  return result;
}

// Any bits, or numbers that are near each other and near the ends of what there is.
double some_double(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  switch (random() % 5) {
    case 0:
      return std::bit_cast<double>(bits);
    case 1:  // subnormal, or nearly
      return std::bit_cast<double>(bits & 0x801fffffffffffffu);
    case 2:  // nearly too large
      return std::bit_cast<double>(bits | 0x7fc0000000000000u);
    case 3:  // few bits
      return std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits % 17) - 8),
                        static_cast<int>(bits >> 58) - 32);
    default:  // about 1
      return std::bit_cast<double>((bits & 0x800fffffffffffffu) | (0x3fdu + (bits >> 60 & 3)) << 52);
  }
}

TEST(DirectedDouble, HasTheBitsOfTheHostsModes) {
  constexpr std::pair<Rounding, int> modes[] = {
      {Rounding::rz, FE_TOWARDZERO}, {Rounding::rm, FE_DOWNWARD}, {Rounding::rp, FE_UPWARD}};
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 100'000; ++trial) {
    const double a = some_double(random), b = some_double(random), c = some_double(random);
    for (const Opcode opcode :
         {Opcode::add, Opcode::sub, Opcode::mul, Opcode::div, Opcode::rcp, Opcode::sqrt, Opcode::fma})
      for (const auto& [rounding, mode] : modes) {
        const double is = directed_double(opcode, a, b, c, rounding), should = by_host(opcode, a, b, c, mode);
        if (std::isnan(is) && std::isnan(should)) continue;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(is), std::bit_cast<std::uint64_t>(should))
            << static_cast<int>(opcode) << " mode " << mode << std::hexfloat << " of " << a << ' ' << b << ' '
            << c << " is " << is << ", should be " << should;
      }
  }
}

#endif

TEST(DirectedDouble, RoundsAThirdDownAndUp) {
  EXPECT_LT(directed_double(Opcode::div, 1, 3, 0, Rounding::rm),
            directed_double(Opcode::div, 1, 3, 0, Rounding::rp));
  EXPECT_EQ(std::signbit(directed_double(Opcode::add, 1, -1, 0, Rounding::rm)), true);
}

}  // namespace
}  // namespace warplens::emulator::detail
