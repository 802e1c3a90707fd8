#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "app/window/platform/offscreen.hpp"

namespace warplens::app {
namespace {

cpu_set_t processors_of(pid_t thread) {
  cpu_set_t found;
  CPU_ZERO(&found);
  EXPECT_EQ(sched_getaffinity(thread, sizeof found, &found), 0);
  return found;
}

TEST(RendererThreads, HaveAProcessorEach) {
  const auto offscreen = Offscreen::create(64, 64);
  if (!offscreen) GTEST_SKIP() << offscreen.error().message;
  const cpu_set_t allowed = processors_of(0);
  const auto count = static_cast<std::size_t>(CPU_COUNT(&allowed));
  if (count < 2) GTEST_SKIP() << "one processor";
  std::size_t threads = 0;
  std::set<std::size_t> used;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "comm");
    std::string name;
    std::getline(file, name);
    const cpu_set_t own = processors_of(std::stoi(thread.path().filename().string()));
    if (!name.starts_with("llvmpipe-")) {
      EXPECT_TRUE(CPU_EQUAL(&own, &allowed)) << name;
      continue;
    }
    ++threads;
    EXPECT_EQ(CPU_COUNT(&own), 1) << name;
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &own)) used.insert(cpu);
  }
  if (threads == 0) GTEST_SKIP() << "another renderer";
  EXPECT_EQ(used.size(), std::min(threads, count));
}

}  // namespace
}  // namespace warplens::app
