#include "app/gpu/stop_words.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warplens::app {
namespace {

using ptx::Space;

instrument::GuardFinding at(std::uint64_t address, Space space = Space::global) {
  instrument::GuardFinding found;
  found.address = address;
  found.site.space = space;
  return found;
}

TEST(StopWords, NameTheNearestBuffer) {
  const std::vector<BufferPlace> buffers{{"in", 0x1000, 384}, {"out", 0x2000, 1024}};
  const auto words = [&](std::uint64_t address) { return stop_words(at(address), false, buffers); };
  EXPECT_EQ(words(0x1000 + 384), "just past the end of in (384 bytes)");
  EXPECT_EQ(words(0x1000 + 396), "12 bytes past the end of in (384 bytes)");
  EXPECT_EQ(words(0x1000 - 8), "8 bytes before in (384 bytes)");
  EXPECT_EQ(words(0x2000 + 1020), "across the end of out (1,024 bytes)");
  EXPECT_EQ(stop_words(at(0x10), false, {}), "at 0x10");
}

// No buffer is near to an address of shared memory, and in a cluster it may be another block's.
TEST(StopWords, SayWhoseSharedMemoryItIsNot) {
  const std::vector<BufferPlace> buffers{{"in", 0x1000, 384}};
  const auto words = [&](Space space, bool in_clusters) {
    auto found = at(0x1000400, space);
    found.is_shared = true;
    return stop_words(found, in_clusters, buffers);
  };
  EXPECT_EQ(words(Space::shared, false), "beyond the shared memory of its block, at 0x1000400");
  EXPECT_EQ(words(Space::generic, false),
            "beyond the shared memory of its block, at generic address 0x1000400");
  EXPECT_EQ(words(Space::shared, true),
            "beyond the shared memory of every block of its cluster, at 0x1000400");
}

TEST(StopWords, SayThatItIsOfTheHeap) {
  auto found = at(0x5000);
  found.in_heap = true;
  const std::vector<BufferPlace> buffers{{"in", 0x1000, 384}};
  EXPECT_EQ(stop_words(found, false, buffers), "between what malloc() returned, at 0x5000");
}

}  // namespace
}  // namespace warplens::app
