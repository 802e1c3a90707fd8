#include "engine/base/once_by_key.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "engine/base/cancel.hpp"

namespace warplens {
namespace {

using Once = OnceByKey<int>;

TEST(OnceByKey, TwoThatAskTogetherMakeItOnce) {
  Once once(8, Error{"cancelled", ""});
  std::atomic<int> made = 0;
  std::latch begun(1), may_end(1);
  const auto make = [&]() -> Result<int> {
    begun.count_down(), may_end.wait();
    return ++made;
  };
  std::jthread first([&] { EXPECT_EQ(*once.of("a", kNeverCancelled, make), 1); });
  begun.wait();
  std::jthread second([&] { EXPECT_EQ(*once.of("a", kNeverCancelled, make), 1); });
  may_end.count_down();
  first.join(), second.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(*once.of("b", kNeverCancelled, make), 2);
}

TEST(OnceByKey, WhoWaitsIsCancelledAlone) {
  Once once(8, Error{"cancelled", ""});
  std::latch begun(1), may_end(1);
  std::jthread maker([&] {
    EXPECT_EQ(*once.of("a", kNeverCancelled,
                       [&]() -> Result<int> {
                         begun.count_down(), may_end.wait();
                         return 7;
                       }),
              7);
  });
  begun.wait();
  const std::atomic<bool> cancel = true;
  const auto waited = once.of("a", cancel, []() -> Result<int> { return 8; });
  EXPECT_EQ(waited.error().message, "cancelled");
  may_end.count_down();
}

TEST(OnceByKey, AnErrorIsNotKeptAndOldOnesAreForgotten) {
  Once once(2, Error{"cancelled", ""});
  EXPECT_FALSE(once.of("a", kNeverCancelled, []() -> Result<int> { return Error{"no", ""}; }));
  const auto is = [&](const std::string& key, int value) {
    return *once.of(key, kNeverCancelled, [&]() -> Result<int> { return value; });
  };
  EXPECT_EQ(is("a", 1), 1);
  EXPECT_EQ(is("b", 2), 2);
  EXPECT_EQ(is("a", 3), 1);
  EXPECT_EQ(is("c", 4), 4);
  EXPECT_EQ(is("a", 5), 5) << "a third one, and the others are forgotten";
}

}  // namespace
}  // namespace warplens
