#include "engine/base/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include "engine/base/testing/test_folder.hpp"

namespace warplens {
namespace {
namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  long files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }
  TestFolder folder_;
};

TEST_F(WholeFile, IsMadeAndReplaced) {
  const fs::path path = folder_ / "a b ü.svg";
  ASSERT_TRUE(write_whole_file(path, std::string("one\0two", 7)));
  EXPECT_EQ(text_of(path), std::string("one\0two", 7));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_whole_file(path, ""));
  EXPECT_EQ(text_of(path), "");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, StaysBehindItsLink) {
  ASSERT_TRUE(write_whole_file(folder_ / "real", "old"));
  fs::create_symlink("real", folder_ / "link");
  ASSERT_TRUE(write_whole_file(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(text_of(folder_ / "real"), "new");
}

// Killed while it writes, again and again, to a name that is there and to one that is not.
TEST_F(WholeFile, AKilledProgramLeavesNothingBesideIt) {
  const int nameless = open(folder_.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
  close(nameless);
  ASSERT_TRUE(write_whole_file(folder_ / "kept", "old"));
  const std::string many(std::size_t{32} << 20, 'x');
  for (int turn = 0; turn < 6; ++turn) {
    const pid_t writer = fork();
    if (writer == 0) {
      static_cast<void>(write_whole_file(folder_ / (turn % 2 == 0 ? "kept" : "new"), many));
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(turn));
    kill(writer, turn < 3 ? SIGTERM : SIGINT);
    waitpid(writer, nullptr, 0);
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string text = text_of(entry.path());
      EXPECT_NE(entry.path().extension(), ".part");
      EXPECT_TRUE(text == "old" || text.size() == many.size()) << entry.path() << " " << text.size();
    }
  }
}

// A file may not grow beyond 1,000 bytes here, as on a full disk.
TEST_F(WholeFile, IsAsBeforeWhereTheNewOneDoesNotFit) {
  ASSERT_TRUE(write_whole_file(folder_ / "kept", "old"));
  rlimit own{};
  getrlimit(RLIMIT_FSIZE, &own);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{1000, own.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  const Status written = write_whole_file(folder_ / "kept", std::string(5000, 'x'));
  setrlimit(RLIMIT_FSIZE, &own);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(to_line(written.error()), (folder_ / "kept").string() +
                                          ": the file cannot be written: File too large; check the folder "
                                          "and the free space");
  EXPECT_EQ(text_of(folder_ / "kept"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, SaysWhyItCannotBe) {
  const Status nowhere = write_whole_file(folder_ / "none" / "x", "text");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("No such file"), std::string::npos);
  const Status folder = write_whole_file(folder_.path(), "text");
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("Is a directory"), std::string::npos);
  EXPECT_TRUE(write_whole_file("/dev/null", "text"));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(WholeFile, IsWrittenStraightInAFolderThatTakesNoNewFiles) {
  const fs::path path = folder_ / std::string(250, 'n');  // no room in the name for a temporary suffix
  ASSERT_TRUE(write_whole_file(path, "old"));
  ASSERT_TRUE(write_whole_file(path, "new"));
  EXPECT_EQ(text_of(path), "new");
}

}  // namespace
}  // namespace warplens
