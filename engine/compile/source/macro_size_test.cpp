#include "engine/compile/source/macro_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::compile {
namespace {

using testing::HasSubstr;

// Ten of the one before, so many times over.
std::string tens(int levels, const std::string& parameters = "", const std::string& argument = "") {
  std::string text = "#define A0" + parameters + " x = x * 2;\n";
  for (int level = 1; level <= levels; ++level) {
    text += "#define A" + std::to_string(level) + parameters;
    for (int i = 0; i < 10; ++i) text += " A" + std::to_string(level - 1) + argument;
    text += "\n";
  }
  return text;
}
std::optional<Error> of(const std::string& source) { return endless_macro(source, "k.cu"); }

TEST(MacroSize, TensOfTensAreNamedWithTheirLine) {
  const auto error = of(tens(9) + "__global__ void k(float* o) {\n  float x = 1; A9 o[0] = x;\n}\n");
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("the macro A9 becomes 6e+09 tokens"));
  EXPECT_EQ(error->place, (Place{"k.cu", 12, 0}));
}

TEST(MacroSize, WithArgumentsToo) {
  EXPECT_TRUE(of(tens(9, "(y)", "(y)") + "A9(1)"));
  const std::string twice = "#define D(a) a a\n";
  EXPECT_FALSE(of(twice + "D(D(D(x)))"));
  std::string many = "x";
  for (int i = 0; i < 30; ++i) many = "D(" + many + ")";
  EXPECT_TRUE(of(twice + many));
  EXPECT_TRUE(of("#define D(a) a a\n#define E(a) D(D(D(D(D(a)))))\n#define F(a) E(E(E(E(E(a)))))\nF(\nx)"));
}

TEST(MacroSize, WhatIsSmallOrNotUsedIsNot) {
  EXPECT_FALSE(of(tens(9)));
  EXPECT_FALSE(of(tens(3) + "A3"));
  EXPECT_FALSE(of(tens(9) + "// A9\n/* A9 */ const char* s = \"A9\";"));
  EXPECT_FALSE(of("#define A A A\n#define F(x) F(x) x\nA F(F(F(1)))"));  // themselves are not expanded
  EXPECT_FALSE(
      of("#define F(x) F x\nF F F\n#define CHECK(x) do { if (x) break; \\\n } while (0)\nCHECK(1);"));
  EXPECT_FALSE(of("/*"));
  EXPECT_FALSE(of("\"unclosed\n#define\n#define X\n'"));
}

// Long chains and deep brackets neither end the program nor take long.
TEST(MacroSize, DeepOnesEnd) {
  std::string chain = "#define C0 1\n";
  for (int i = 1; i < 50'000; ++i)
    chain += "#define C" + std::to_string(i) + " C" + std::to_string(i - 1) + "\n";
  EXPECT_FALSE(of(chain + "C49999"));
  std::string deep = "#define I(x) x\n";
  for (int i = 0; i < 50'000; ++i) deep += "I(";
  EXPECT_FALSE(of(deep));
}

}  // namespace
}  // namespace warplens::compile
