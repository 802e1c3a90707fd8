// What a program may do that `warplens exec` starts: tried with the system's own programs.
#include "engine/program/start.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "engine/base/testing/test_folder.hpp"

namespace warplens::program {
namespace {

class StartTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_confine_programs()) GTEST_SKIP() << "this Linux has no Landlock";
  }
  // The exit code of a line of the shell, which reads no files but those of its own folder.
  int run(const std::string& line) {
    StartOptions options = options_;
    options.words = {"/bin/bash", "-c", line};
    auto started = start(options, memory_file());
    if (!started) {
      ADD_FAILURE() << to_line(started.error());
      return -1;
    }
    return started->wait();
  }
  StartOptions options_;
  TestFolder folder_;
};

TEST_F(StartTest, ItRunsAndItsExitCodeIsTold) {
  EXPECT_EQ(run("exit 0"), 0);
  EXPECT_EQ(run("exit 7"), 7);
  EXPECT_EQ(run("kill -SEGV $$"), 1) << "signals to processes are refused, even to itself";
}

TEST_F(StartTest, ItReadsNoFileOfTheUser) {
  EXPECT_NE(run("read line < /etc/passwd"), 0);
  EXPECT_NE(run("read line < " + (folder_.path() / "secret").string()), 0);
}

TEST_F(StartTest, ItReadsAndWritesWhatItIsLetTo) {
  std::ofstream(folder_.path() / "data") << "text\n";
  const std::string file = (folder_.path() / "data").string();
  EXPECT_NE(run("read line < " + file), 0);
  options_.confinement.readable = {folder_.path()};
  EXPECT_EQ(run("read line < " + file), 0);
  EXPECT_NE(run("echo more >> " + file), 0);
  options_.confinement.writable = {folder_.path()};
  EXPECT_EQ(run("echo more >> " + file), 0);
  EXPECT_EQ(run("echo new > " + file + ".new"), 0);
}

TEST_F(StartTest, ItChangesNoRights) {
  const auto file = folder_.write("own", "text\n");
  StartOptions options = options_;
  options.confinement.writable = {folder_.path()};
  options.words = {"/bin/chmod", "000", file.string()};
  auto started = start(options, memory_file());
  ASSERT_TRUE(started);
  EXPECT_NE(started->wait(), 0);
  EXPECT_NE(std::filesystem::status(file).permissions(), std::filesystem::perms::none);
}

TEST_F(StartTest, ItStartsNoProcessAndReachesNoNetwork) {
  EXPECT_NE(run("(exit 0); exit $?"), 0) << "a child";
  EXPECT_NE(run("exec 3<>/dev/tcp/127.0.0.1/9"), 0);
  EXPECT_NE(run("kill -0 1"), 0);
}

TEST_F(StartTest, ItHasLimits) {
  options_.limits.processor_seconds = 1;
  EXPECT_GT(run("while true; do :; done"), 128) << "ended by a signal";
  options_.limits.processor_seconds = 60;
  options_.limits.file = 1000;
  options_.confinement.writable = {folder_.path()};
  EXPECT_NE(run("for i in 1 2 3; do printf '%0900d' 1; done > " + (folder_.path() / "large").string()), 0);
  EXPECT_LE(std::filesystem::file_size(folder_.path() / "large"), 1000u);
}

TEST_F(StartTest, UnconfinedItMayDoWhatTheUserMay) {
  options_.confinement.is_on = false;
  EXPECT_EQ(run("read line < /etc/passwd"), 0);
}

TEST_F(StartTest, WhatIsNoProgramIsAnErrorWithItsReason) {
  StartOptions options;
  options.words = {(folder_.path() / "nothing").string()};
  const auto started = start(options, memory_file());
  ASSERT_FALSE(started);
  EXPECT_NE(to_line(started.error()).find("No such file"), std::string::npos);
}

TEST(RuntimeOfProgram, IsSharedOrNotThere) {
  TestFolder folder;
  const auto check = [&](const std::string& strings) {
    return check_runtime(folder.write("program",
                                      "\x7f"
                                      "ELF" +
                                          strings));
  };
  const std::string zero(1, '\0');
  EXPECT_TRUE(check(".nv_fatbin" + zero + "libcudart.so.13" + zero + "cudaErrorCudartUnloading"));
  EXPECT_TRUE(check(".nv_fatbin")) << "of the driver's interface alone";
  const auto inside = check(".nv_fatbin" + zero + "cudaErrorCudartUnloading");
  ASSERT_FALSE(inside);
  EXPECT_NE(to_line(inside.error()).find("-cudart shared"), std::string::npos);
  EXPECT_FALSE(check("libcudart.so.12" + zero)) << "another CUDA's";
}

}  // namespace
}  // namespace warplens::program
