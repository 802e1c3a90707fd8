#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "app/serve/class_room.hpp"
#include "app/serve/gate.hpp"

namespace warplens::app::serve {
namespace {

TEST(ClassRoom, CountsOneAnswerATicket) {
  ClassRoom room;
  const auto round = room.ask("How many sectors?", {"4", "32"});
  ASSERT_TRUE(round);
  EXPECT_TRUE(room.answer(*round, "a", 1));
  EXPECT_FALSE(room.answer(*round, "a", 0));
  EXPECT_FALSE(room.answer(*round, "b", 2));
  EXPECT_FALSE(room.answer(*round + 1, "b", 0));
  EXPECT_TRUE(room.answer(*round, "b", 0));
  EXPECT_EQ(room.tally().counts, (std::vector<std::size_t>{1, 1}));
}

TEST(ClassRoom, ForgetsTheLastRound) {
  ClassRoom room;
  const auto first = room.ask("One?", {"yes", "no"});
  ASSERT_TRUE(first && room.answer(*first, "a", 0));
  const auto second = room.ask("Two?", {"yes", "no"});
  ASSERT_TRUE(second);
  EXPECT_EQ(room.tally().answers, 0u);
  EXPECT_TRUE(room.answer(*second, "a", 0));
}

TEST(ClassRoom, LosesNoneOfTwoHundredAtOnce) {
  ClassRoom room;
  const auto round = room.ask("Now?", {"yes", "no"});
  ASSERT_TRUE(round);
  std::vector<std::jthread> clients;
  for (int i = 0; i < 200; ++i)
    clients.emplace_back([&, i] {
      EXPECT_TRUE(room.answer(*round, "t" + std::to_string(i), static_cast<std::size_t>(i % 2)));
    });
  clients.clear();
  EXPECT_EQ(room.tally().counts, (std::vector<std::size_t>{100, 100}));
}

TEST(ClassRoom, RefusesQuestionsWithoutChoicesOrWithoutEnd) {
  ClassRoom room;
  EXPECT_FALSE(room.ask("?", {"one"}));
  EXPECT_FALSE(room.ask(std::string(5000, 'x'), {"a", "b"}));
  EXPECT_FALSE(room.answer(0, "a", 0));
}

TEST(Gate, LetsEachAddressInSoOften) {
  Gate gate;
  const Gate::Time begin{};
  int let_in = 0;
  for (int i = 0; i < 20; ++i) let_in += gate.lets_in("a", begin);
  EXPECT_EQ(let_in, Gate::kAtOnce);
  EXPECT_TRUE(gate.lets_in("b", begin));
  const auto later = begin + std::chrono::seconds(static_cast<int>(Gate::kSecondsEach));
  EXPECT_TRUE(gate.lets_in("a", later));
  EXPECT_FALSE(gate.lets_in("a", later));
}

}  // namespace
}  // namespace warplens::app::serve
