#include "engine/source/c_expression.hpp"

#include <gtest/gtest.h>

namespace warplens::source {
namespace {

double value(std::string_view text) {
  const CNames names{[](std::string_view name) -> std::optional<CNumber> {
                       if (name == "N") return CNumber{1000, true};
                       return std::nullopt;
                     },
                     [](std::string_view name, const std::vector<CNumber>& a) -> std::optional<CNumber> {
                       if (name == "twice" && a.size() == 1) return CNumber{2 * a[0].value, a[0].is_whole};
                       return std::nullopt;
                     }};
  const auto result = evaluate_c(text, names);
  return result ? result->value : -77;
}

TEST(CExpression, ReadsWhatHostCodeComputesSizesWith) {
  EXPECT_EQ(value("1 << 20"), 1048576);
  EXPECT_EQ(value("(N + 255) / 256"), 4);
  EXPECT_EQ(value("N * sizeof(float) + sizeof(double)"), 4008);
  EXPECT_EQ(value("sizeof(float4)"), 16);
  EXPECT_EQ(value("(float)N / 256"), 3.90625);
  EXPECT_EQ(value("(int)(7.9)"), 7);
  EXPECT_EQ(value("static_cast<int>(7.9) % 4"), 3);
  EXPECT_EQ(value("twice(twice(N) - 1)"), 3998);
  EXPECT_EQ(value("0x100u - 2 * 3"), 250);
  EXPECT_EQ(value("1e6"), 1000000);
  EXPECT_EQ(value("-(-3)"), 3);
  EXPECT_EQ(value("1 + 2 == 3 && !(4 < 3) || 0"), 1);
  EXPECT_EQ(value("argc > 1 ? atoi(argv[1]) : 1024"), 1024);
  EXPECT_EQ(value("argc > 1 ? atoi(text) : 1024"), 1024);
}

TEST(CExpression, SaysNothingWhereItDoesNotKnow) {
  for (const char* text :
       {"M", "N +", "(N", "N / 0", "1 << 70", "f(N)", "", "threadIdx.x", "N N", "sizeof(Foo)"})
    EXPECT_EQ(value(text), -77) << text;
  EXPECT_EQ(value(std::string(1000, '(') + "1"), -77);
}

}  // namespace
}  // namespace warplens::source
