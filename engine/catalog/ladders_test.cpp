#include "engine/catalog/ladders.hpp"

#include <gtest/gtest.h>

namespace warplens::catalog {
namespace {

TEST(Ladders, AreReadInOrderWithWhatStepsAreJudgedAgainst) {
  const Ladders ladders = parse_ladders("# as they are taught\nfirst\n\nmemory  3:1 9:1\r\nbad 3:x :1 0:1 4");
  EXPECT_EQ(ladders.order, (std::vector<std::string>{"first", "memory", "bad"}));
  ASSERT_EQ(ladders.against.size(), 1u);
  EXPECT_EQ(ladders.against.at("memory"), (std::map<std::size_t, std::size_t>{{3, 1}, {9, 1}}));
  EXPECT_TRUE(parse_ladders("").order.empty());
}

TEST(Ladders, AStepIsJudgedAgainstTheOneBeforeItUnlessAnotherIsNamed) {
  KernelSpec copy, sum;
  copy.problem = "copy", sum.problem = "reduce";
  const std::vector<const KernelSpec*> steps = {&copy, &copy, &copy, &sum};
  const Ladders ladders = parse_ladders("memory 3:1 2:9");
  EXPECT_EQ(judged_against(ladders, "other", steps, 2), 1u);
  EXPECT_EQ(judged_against(ladders, "memory", steps, 2), 0u);
  EXPECT_EQ(judged_against(ladders, "memory", steps, 1), std::nullopt);  // there is no step 9
  EXPECT_EQ(judged_against(ladders, "memory", steps, 0), std::nullopt);
  EXPECT_EQ(judged_against(ladders, "memory", steps, 3), std::nullopt);  // another problem
}

}  // namespace
}  // namespace warplens::catalog
