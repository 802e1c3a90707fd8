#include "engine/base/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace warplens {
namespace {

Result<Process> shell(const std::string& script, std::vector<std::pair<int, int>> descriptors = {}) {
  return Process::start({{"/bin/sh", "-c", script}, std::move(descriptors)});
}

TEST(Process, GetsTheDescriptorsThatItIsGiven) {
  const Descriptor out = memory_file(), third = memory_file();
  auto child =
      shell("cat; echo out; echo third >&3", {{0, Process::kNull}, {1, out.number()}, {3, third.number()}});
  ASSERT_TRUE(child);
  EXPECT_TRUE(child->wait());
  EXPECT_EQ(child->exit_code(), 0);
  EXPECT_EQ(out.text(), "out\n");
  EXPECT_EQ(out.text(1, 2), "ut");
  EXPECT_EQ(out.text(9), "");
  EXPECT_EQ(third.text(), "third\n");
}

TEST(Process, GetsTheEnvironmentThatItIsGiven) {
  const Descriptor out = memory_file();
  auto child = Process::start({{"/bin/sh", "-c", "echo $HERE"}, {{1, out.number()}}, false, {"HERE=there"}});
  ASSERT_TRUE(child);
  child->wait();
  EXPECT_EQ(out.text(), "there\n");
}

TEST(Process, SaysHowItEnded) {
  auto child = shell("exit 7");
  ASSERT_TRUE(child);
  EXPECT_TRUE(child->wait(20));
  EXPECT_EQ(child->exit_code(), 7);
  EXPECT_EQ(child->signal(), std::nullopt);
}

TEST(Process, IsWaitedForNoLongerThanAsked) {
  auto child = shell("exec sleep 100");
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->wait(0.01));
  child->send_signal(SIGTERM);
  EXPECT_TRUE(child->wait());
  EXPECT_EQ(child->signal(), SIGTERM);
  EXPECT_EQ(child->exit_code(), 128 + SIGTERM);
}

TEST(Process, SaysWhyItDoesNotStart) {
  const auto missing = Process::start({{"/no/such/program"}, {}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "No such file or directory");
  EXPECT_EQ(shell("exit 0", {{1, -1}}).error().message, "Bad file descriptor");
  EXPECT_EQ(Process::start({}).error().message, "Invalid argument");
}

}  // namespace
}  // namespace warplens
