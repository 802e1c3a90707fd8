// What is made once by its key, by two threads that want it, and what is polled.
#include "engine/base/memo.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace warplens {
namespace {

TEST(Memo, WhoWaitsIsCancelledWhileAnotherOneGoesOn) {
  std::latch begun(1), may_end(1);
  Memo<int> memo(4);
  const auto slowly = [&](const std::atomic<bool>&) {
    begun.count_down(), may_end.wait();
    return 7;
  };
  std::jthread maker([&] { EXPECT_EQ(memo.of("run", kNeverCancelled, slowly), 7); });
  begun.wait();
  std::atomic<bool> cancel = false;
  std::jthread waiter([&] { EXPECT_EQ(memo.of("run", cancel, slowly), std::nullopt); });
  cancel = true;
  waiter.join();  // while the maker is at work
  EXPECT_EQ(memo.kept("run"), std::nullopt);
  may_end.count_down();
  maker.join();
  EXPECT_EQ(memo.kept("run"), 7);
}

TEST(Memo, WhatWasCancelledIsMadeByTheNextOne) {
  int times = 0;
  Memo<int> memo(4);
  const auto make = [&](const std::atomic<bool>&) { return ++times; };
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(memo.of("run", cancelled, make), std::nullopt);
  EXPECT_EQ(memo.of("run", kNeverCancelled, make), 1);
  EXPECT_EQ(memo.of("run", kNeverCancelled, make), 1);
}

TEST(Memo, KeepsWhatWasAskedForLast) {
  Memo<int> memo(2);
  memo.keep("one", 1);
  memo.keep("two", 2);
  EXPECT_EQ(memo.kept("one"), 1);
  memo.keep("three", 3);
  EXPECT_EQ(memo.kept("two"), std::nullopt);
  EXPECT_EQ(memo.kept("one"), 1);
  memo.keep("three", 4);
  EXPECT_EQ(memo.kept("three"), 4);
}

// Polls until it is known.
int wait_for(Asked<int>& asked, const std::string& key, const auto& make_job) {
  for (;;)
    if (const auto& known = asked.of(key, make_job)) return *known;
}

TEST(Asked, IsMadeOnceAKeyAndKeptWhileItIsAskedFor) {
  std::atomic<int> times = 0;
  Asked<int> asked(nullptr);
  const auto job = [&] { return [&](const std::atomic<bool>&, const auto&) { return ++times; }; };
  EXPECT_FALSE(asked.busy_seconds());
  EXPECT_EQ(wait_for(asked, "one", job), 1);
  EXPECT_EQ(wait_for(asked, "one", job), 1);
  EXPECT_EQ(wait_for(asked, "two", job), 2);
  asked.rest_unless("two");
  EXPECT_EQ(wait_for(asked, "two", job), 2);
  asked.rest();
  EXPECT_EQ(wait_for(asked, "two", job), 3);
}

TEST(Asked, CancelsWhatNobodyWaitsForAnyMore) {
  std::latch begun(1), ended(1);
  Asked<int> asked(nullptr);
  asked.of("one", [&] {
    return [&](const std::atomic<bool>& cancel, const auto&) {
      begun.count_down();
      while (!cancel) std::this_thread::yield();
      ended.count_down();
      return 1;
    };
  });
  begun.wait();
  EXPECT_TRUE(asked.busy_seconds());
  asked.rest();
  ended.wait();
  EXPECT_FALSE(asked.busy_seconds());
}

}  // namespace
}  // namespace warplens
