#include "app/window/platform/taps.hpp"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

TEST(Taps, ATapBetweenTwoFramesIsDownForOneFrame) {
  Taps taps;
  taps.press(65);
  EXPECT_TRUE(taps.keeps({65, 38, 0}));
  const auto late = taps.take_late();
  ASSERT_EQ(late.size(), 1u);
  EXPECT_EQ(late[0].key, 65);
  EXPECT_EQ(late[0].scancode, 38);
  EXPECT_TRUE(taps.take_late().empty());
}

TEST(Taps, AKeyThatWasDownInAFrameIsLetGoAtOnce) {
  Taps taps;
  taps.press(65);
  EXPECT_TRUE(taps.take_late().empty());
  EXPECT_FALSE(taps.keeps({65, 38, 0}));
}

TEST(Taps, OneKeyDoesNotHoldAnother) {
  Taps taps;
  taps.press(65);
  EXPECT_FALSE(taps.keeps({66, 56, 0}));
}

}  // namespace
}  // namespace warplens::app
