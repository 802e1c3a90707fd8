// Not a test of its own: CTest runs it to see that a skip which is not listed is a failure.
#include <gtest/gtest.h>

TEST(Skipping, ForNoGoodReason) { GTEST_SKIP() << "it rains"; }
