#include "engine/catalog/ladders.hpp"

#include <gtest/gtest.h>

#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/catalog.hpp"

namespace warplens::catalog {
namespace {

constexpr std::string_view kText = R"(
[[ladder]]
name = "first"

[[ladder]]
name = "memory"
measure = "time"
opens = "waits"
turn = "load"
turns = "N * STEPS"
steps.3.against = 1
steps.9 = { against = 2, turn = "sum", turns = "N * 32", opens = "banks" }
)";

TEST(Ladders, AreReadInOrderWithWhatTheyAreAbout) {
  const auto ladders = parse_ladders(kText);
  ASSERT_TRUE(ladders) << ladders.error().message;
  ASSERT_EQ(ladders->order.size(), 2u);
  EXPECT_EQ(ladders->rank("first"), 0u);
  EXPECT_EQ(ladders->rank("memory"), 1u);
  EXPECT_EQ(ladders->rank("another"), 2u);
  EXPECT_EQ(ladders->of("first").measure, Measure::sectors);
  EXPECT_EQ(ladders->of("first").opens, "access");
  const Ladder& memory = ladders->of("memory");
  EXPECT_EQ(memory.measure, Measure::time);
  EXPECT_EQ(memory.opens_of(3), "waits");
  EXPECT_EQ(memory.opens_of(9), "banks");
  EXPECT_TRUE(parse_ladders("")->order.empty());
}

TEST(Ladders, WhatIsNotKnownIsAnErrorInItsLine) {
  const auto line_of = [](std::string_view text) { return parse_ladders(text, "l").error().place.line; };
  EXPECT_EQ(line_of("[[ladder]]\nname = \"a\"\nmeasure = \"speed\""), 3);
  EXPECT_EQ(line_of("[[ladder]]\nname = \"a\"\ncolour = 1"), 3);
  EXPECT_EQ(line_of("[[ladder]]\nname = \"a\"\nsteps.x.against = 1"), 3);
  EXPECT_EQ(line_of("[[ladder]]\nname = \"a\"\nsteps.2.against = \"one\""), 3);
  EXPECT_EQ(line_of("[[ladder]]\nname = \"a\"\nsteps.2.about = \"beauty\""), 3);
  EXPECT_EQ(line_of("[[ladder]]\n\nmeasure = \"time\""), 1);
  EXPECT_EQ(line_of("[[ladder"), 1);
}

TEST(Ladders, AStepIsJudgedAgainstTheOneBeforeItUnlessAnotherIsNamed) {
  KernelSpec copy, sum;
  copy.problem = "copy", sum.problem = "reduce";
  const std::vector<const KernelSpec*> steps = {&copy, &copy, &copy, &sum};
  const Ladders ladders =
      *parse_ladders("[[ladder]]\nname = \"memory\"\nsteps.3.against = 1\nsteps.2.against = 9");
  EXPECT_EQ(judged_against(ladders, "other", steps, 2), 1u);
  EXPECT_EQ(judged_against(ladders, "memory", steps, 2), 0u);
  EXPECT_EQ(judged_against(ladders, "memory", steps, 1), std::nullopt);  // there is no step 9
  EXPECT_EQ(judged_against(ladders, "memory", steps, 0), std::nullopt);
  EXPECT_EQ(judged_against(ladders, "memory", steps, 3), std::nullopt);  // another problem
}

TEST(Ladders, AKernelIsToldTheArrayThatShowsItsPointUnlessItsFileSaysIt) {
  const Ladders ladders = *parse_ladders("[[ladder]]\nname = \"matmul\"\nsteps.5.show = \"A_tile\"");
  KernelSpec plain, own, other;
  plain.id = own.id = "matmul/05_register_2d", own.show = "C", other.id = "matmul/06_vectorized";
  for (KernelSpec* spec : {&plain, &own, &other}) teach(*spec, ladders);
  EXPECT_EQ(plain.show, "A_tile");
  EXPECT_EQ(own.show, "C");
  EXPECT_EQ(other.show, "");
}

TEST(Ladders, AKernelIsToldWhatItIsAbout) {
  const Ladders ladders = *parse_ladders("[[ladder]]\nname = \"first\"\nsteps.2.about = \"guard\"");
  KernelSpec told, other;
  told.id = "first/02_increment", told.show = "a", other.id = "first/03_block_too_few";
  for (KernelSpec* spec : {&told, &other}) teach(*spec, ladders);
  EXPECT_EQ(told.about, About::guard);
  EXPECT_EQ(told.show, "a");
  EXPECT_EQ(other.about, About::anything);
}

TEST(Ladders, TurnsAreCountedByAnExpressionOfSizesAndParameters) {
  const Ladders ladders = *parse_ladders(kText);
  const auto turns = turns_of(ladders.of("memory"), 2, {{"STEPS", 8}}, {{"N", 100}});
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->name, "load");
  EXPECT_EQ(turns->count, 800);
  EXPECT_EQ(turns_of(ladders.of("memory"), 9, {}, {{"N", 100}})->count, 3200);
  EXPECT_FALSE(turns_of(ladders.of("memory"), 2, {}, {{"N", 100}}));  // it has no STEPS
  EXPECT_FALSE(turns_of(ladders.of("first"), 1, {}, {{"N", 100}}));
}

TEST(Ladders, ThoseOfTheRepositoryNameLaddersAndStepsThatThereAre) {
  const auto text = read_whole_file(source_path("kernels/ladders.toml"));
  ASSERT_TRUE(text);
  const auto ladders = parse_ladders(*text, "kernels/ladders.toml");
  ASSERT_TRUE(ladders) << ladders.error().message;
  const auto catalog = Catalog::open(source_path("kernels"));
  ASSERT_TRUE(catalog);
  for (const Ladder& ladder : ladders->order) {
    std::vector<const KernelSpec*> steps;
    for (const KernelSpec& spec : catalog->kernels())
      if (spec.id.starts_with(ladder.name + "/")) steps.push_back(&spec);
    EXPECT_FALSE(steps.empty()) << ladder.name;
    for (const auto& [number, step] : ladder.steps) {
      EXPECT_LE(number, steps.size()) << ladder.name;
      EXPECT_LE(step.against.value_or(1), steps.size()) << ladder.name << number;
    }
    for (std::size_t at = 0; at < steps.size(); ++at)
      EXPECT_EQ(turns_of(ladder, at + 1, default_values(*steps[at]), {{"N", 1024}}).has_value(),
                !ladder.turns_of(at + 1).empty())
          << steps[at]->id;
  }
}

}  // namespace
}  // namespace warplens::catalog
