// What is made once of a run, by two threads that want it.
#include "app/window/model/runs/of_run.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace warplens::app {
namespace {

using Made = std::shared_ptr<const int>;

TEST(MadeOnce, WhoWaitsIsCancelledWhileAnotherOneGoesOn) {
  const auto run = std::make_shared<const run::Run>();
  std::latch begun(1), may_end(1);
  MadeOnce<Made> once([&](const run::Run&, const std::atomic<bool>&) -> Made {
    begun.count_down(), may_end.wait();
    return std::make_shared<const int>(7);
  });
  std::jthread maker([&] { EXPECT_EQ(*once.of(run), 7); });
  begun.wait();
  std::atomic<bool> cancel = false;
  std::jthread waiter([&] { EXPECT_EQ(once.of(run, cancel), nullptr); });
  cancel = true;
  waiter.join();  // while the maker is at work
  may_end.count_down();
  maker.join();
  EXPECT_EQ(*once.of(run), 7);
}

TEST(MadeOnce, WhatWasCancelledIsMadeByTheNextOne) {
  const auto run = std::make_shared<const run::Run>();
  int times = 0;
  MadeOnce<Made> once([&](const run::Run&, const std::atomic<bool>&) -> Made {
    return std::make_shared<const int>(++times);
  });
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(once.of(run, cancelled), nullptr);
  EXPECT_EQ(*once.of(run), 1);
  EXPECT_EQ(*once.of(run), 1);
}

}  // namespace
}  // namespace warplens::app
