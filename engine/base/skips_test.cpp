#include "engine/base/testing/skips.hpp"

#include <gtest/gtest.h>

namespace warplens {
namespace {

constexpr const char* kList =
    "# a comment\n\nCuda.* no GPU*\n*/Files/* ffmpeg is not installed\nNoReason.*\n";

TEST(Skips, AreAllowedByNameAndReason) {
  EXPECT_TRUE(may_skip(kList, "Cuda.Runs", "no GPU can be used: no driver\nat all"));
  EXPECT_FALSE(may_skip(kList, "Cuda.Runs", "no NVRTC"));
  EXPECT_FALSE(may_skip(kList, "Window.Opens", "no GPU can be used"));
  EXPECT_TRUE(may_skip(kList, "All/Files/3", "ffmpeg is not installed"));
}

TEST(Skips, NeedAReason) {
  EXPECT_FALSE(may_skip(kList, "NoReason.Here", ""));
  EXPECT_FALSE(may_skip("", "Any.Test", "any reason"));
  EXPECT_FALSE(may_skip(kList, "# a comment", ""));
}

}  // namespace
}  // namespace warplens
