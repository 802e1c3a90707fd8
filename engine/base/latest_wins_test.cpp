#include "engine/base/latest_wins.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>
#include <stdexcept>
#include <thread>
#include <vector>

namespace warplens {
namespace {

using namespace std::chrono_literals;
using Worker = LatestWins<int, int>;

// Polls until there is an answer; nothing after ten seconds.
std::optional<int> wait_for(Worker& worker) {
  for (int i = 0; i < 10'000; ++i) {
    if (const auto answer = worker.poll()) return answer;
    std::this_thread::sleep_for(1ms);
  }
  return std::nullopt;
}

void wait_until_idle(Worker& worker) {
  while (worker.busy_seconds()) std::this_thread::sleep_for(1ms);
}

// Runs until cancelled, as long as it gets odd numbers; says when it has started.
struct Stubborn {
  std::counting_semaphore<8> started{0};
  std::atomic<int> cancelled{0};
  int operator()(int request, const std::atomic<bool>& cancel) {
    started.release();
    while (request % 2 == 1 && !cancel) std::this_thread::sleep_for(1ms);
    if (cancel) ++cancelled;
    return request * 10;
  }
};

TEST(LatestWins, AnswersOnceAndWakes) {
  std::atomic<int> woken{0};
  Worker worker([](int r, const auto&, const auto&) { return r + 1; }, [&] { ++woken; });
  EXPECT_FALSE(worker.busy_seconds());
  EXPECT_FALSE(worker.poll());
  worker.submit(4);
  EXPECT_EQ(wait_for(worker), 5);
  EXPECT_FALSE(worker.poll());
  wait_until_idle(worker);
  while (woken == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(woken, 1);
}

TEST(LatestWins, WhatTheWorkThrowsThePollThrowsOnceAndTheNextRequestIsServed) {
  Worker worker([](int request, const std::atomic<bool>&,
                   const auto&) { return request < 0 ? throw std::runtime_error("below 0") : 10 * request; },
                nullptr);
  worker.submit(-1);
  wait_until_idle(worker);
  EXPECT_THROW(static_cast<void>(worker.poll()), std::runtime_error);
  EXPECT_FALSE(worker.poll());
  worker.submit(4);
  EXPECT_EQ(wait_for(worker), 40);
}

TEST(LatestWins, WhatWasThrownByAWorkThatNobodyWantsAnyMoreIsDropped) {
  Worker worker(
      [](int request, const std::atomic<bool>&, const auto&) -> int {
        return request < 0 ? throw std::runtime_error("below 0") : request;
      },
      nullptr);
  worker.submit(-1);
  wait_until_idle(worker);
  worker.cancel();
  EXPECT_FALSE(worker.poll());
}

TEST(LatestWins, CancelsTheRunningOneAndDropsItsAnswer) {
  Stubborn work;
  Worker worker([&](int r, const auto& cancel, const auto&) { return work(r, cancel); }, {});
  worker.submit(1);
  work.started.acquire();
  EXPECT_TRUE(worker.busy_seconds());
  worker.submit(2);
  EXPECT_EQ(wait_for(worker), 20);
  EXPECT_EQ(work.cancelled, 1);
  wait_until_idle(worker);
  EXPECT_FALSE(worker.poll());
}

TEST(LatestWins, SkipsRequestsThatWereReplacedWhileTheyWaited) {
  Stubborn work;
  std::vector<int> seen;
  Worker worker(
      [&](int r, const auto& cancel, const auto&) {
        seen.push_back(r);
        return work(r, cancel);
      },
      {});
  worker.submit(1);
  work.started.acquire();
  for (int r = 3; r <= 99; r += 2) worker.submit(r);  // would never end by themselves
  worker.submit(100);
  EXPECT_EQ(wait_for(worker), 1000);
  EXPECT_LT(seen.size(), 51u);
  EXPECT_EQ(seen.back(), 100);
}

TEST(LatestWins, AnAnswerThatNobodyPolledDoesNotOutliveTheNextRequest) {
  Stubborn work;
  Worker worker([&](int r, const auto& cancel, const auto&) { return work(r, cancel); }, {});
  worker.submit(2);
  wait_until_idle(worker);
  worker.submit(1);
  EXPECT_FALSE(worker.poll());
  worker.cancel();
  wait_until_idle(worker);
  EXPECT_FALSE(worker.poll());
  worker.submit(6);
  EXPECT_EQ(wait_for(worker), 60);
}

TEST(LatestWins, GivesPartsBeforeTheWhole) {
  std::binary_semaphore go{0};
  Worker worker(
      [&](int r, const auto&, const auto& partial) {
        partial(r);
        go.acquire();
        return r + 1;
      },
      {});
  worker.submit(7);
  EXPECT_EQ(wait_for(worker), 7);
  EXPECT_TRUE(worker.busy_seconds());
  go.release();
  EXPECT_EQ(wait_for(worker), 8);
}

TEST(LatestWins, EndsWhileAJobRuns) {
  Stubborn work;
  {
    Worker worker([&](int r, const auto& cancel, const auto&) { return work(r, cancel); }, {});
    worker.submit(1);
    work.started.acquire();
  }
  EXPECT_EQ(work.cancelled, 1);
}

// A worker that gives 1 as a part, then says that it goes on, then answers 2.
struct InTwoParts {
  std::atomic<bool> went_on{false};
  int operator()(const Worker::Partial& partial) {
    partial(1);
    went_on = true;
    return 2;
  }
};

TEST(LatestWins, GoesOnBehindAPartOnceThatIsShown) {
  InTwoParts work;
  Worker worker([&](int, const auto&, const auto& partial) { return work(partial); }, {}, 10min);
  worker.submit(0);
  worker.shown();  // of nothing: the part is not taken yet
  EXPECT_EQ(wait_for(worker), 1);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(work.went_on);
  worker.shown();
  EXPECT_EQ(wait_for(worker), 2);
  EXPECT_TRUE(work.went_on);
}

TEST(LatestWins, GoesOnBehindAPartWhereNobodyShowsIt) {
  InTwoParts work;
  Worker worker([&](int, const auto&, const auto& partial) { return work(partial); }, {}, 5ms);
  worker.submit(0);
  wait_until_idle(worker);
  EXPECT_EQ(worker.poll(), 2);
}

TEST(LatestWins, APartThatWaitsToBeShownGivesWayToANewerRequest) {
  InTwoParts work;
  Worker worker([&](int r, const auto&, const auto& partial) { return r == 0 ? work(partial) : r; }, {},
                10min);
  worker.submit(0);
  EXPECT_EQ(wait_for(worker), 1);
  worker.submit(7);
  EXPECT_EQ(wait_for(worker), 7);
}

}  // namespace
}  // namespace warplens
