#include "engine/compile/cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/testing/testing_elf.hpp"
#include "engine/compile/testing/warning_lines.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::uint64_t kMegabyte = 1 << 20;

CompilerOutput output_of(const std::string& ptx) {
  return {ptx, {std::byte{1}, std::byte{2}}, "log", "NVRTC 13.0"};
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

TEST(DiskCache, GivesBackWhatWasStored) {
  const TestFolder folder;
  DiskCache cache(folder / "made" / "here", kMegabyte);
  EXPECT_FALSE(cache.find({"request", "nvrtc"}));
  cache.store({"request", "nvrtc"}, output_of(std::string("ptx\0with a NUL", 14)));
  const auto found = cache.find({"request", "nvrtc"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ptx, std::string("ptx\0with a NUL", 14));
  EXPECT_EQ(found->cubin, output_of("").cubin);
  EXPECT_EQ(found->log, "log");
  EXPECT_EQ(found->compiler, "NVRTC 13.0");
  EXPECT_EQ(cache.warning(), "");
}

TEST(DiskCache, TellsRequestsAndCompilersApart) {
  const TestFolder folder;
  DiskCache cache(folder.path(), kMegabyte);
  cache.store({"request", "nvrtc 13.0"}, output_of("a"));
  EXPECT_FALSE(cache.find({"request", "nvrtc 13.1"}));
  EXPECT_FALSE(cache.find({"Request", "nvrtc 13.0"}));
  ASSERT_TRUE(cache.find({"request", ""}));  // no NVRTC here: any will do
  EXPECT_FALSE(cache.find({"Request", ""}));
}

// As pages fetch them.
TEST(DiskCache, AnEntryMayHaveTheNameOfItsRequestAlone) {
  const TestFolder folder;
  DiskCache cache(folder.path(), kMegabyte);
  cache.store({"request", "nvrtc"}, output_of("a"));
  const fs::path stored = files_in(folder.path()).at(0);
  const std::string name = stored.stem().string();
  fs::rename(stored, folder.path() / (name.substr(0, name.find('-')) + ".build"));
  EXPECT_FALSE(cache.find({"request", "nvrtc"}));
  ASSERT_TRUE(cache.find({"request", ""}));
  EXPECT_FALSE(cache.find({"another", ""}));
}

TEST(DiskCache, AnEntryUnderAnotherNameIsNotUsed) {
  const TestFolder folder;
  DiskCache cache(folder.path(), kMegabyte);
  cache.store({"one", "nvrtc"}, output_of("1"));
  const fs::path first = files_in(folder.path()).at(0);
  const std::string content = content_of(first);
  cache.store({"two", "nvrtc"}, output_of("2"));
  for (const fs::path& file : files_in(folder.path())) write(file, content);  // as if the names had collided
  EXPECT_FALSE(cache.find({"two", "nvrtc"}));
  EXPECT_TRUE(cache.find({"one", "nvrtc"}));
}

TEST(DiskCache, ATornEntryIsAMissAndIsReplaced) {
  const TestFolder folder;
  DiskCache cache(folder.path(), kMegabyte);
  const CacheKey key{"request", "nvrtc"};
  cache.store(key, output_of("ptx"));
  const fs::path file = files_in(folder.path()).at(0);
  const std::string whole = content_of(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write(file, whole.substr(0, length));
    ASSERT_FALSE(cache.find(key)) << length;
    ASSERT_FALSE(cache.find({"request", ""})) << length;
  }
  write(file, whole + "x");
  EXPECT_FALSE(cache.find(key));
  cache.store(key, output_of("ptx"));
  EXPECT_TRUE(cache.find(key));
}

// A pipe that nobody reads; a link to a file that is no business of the cache.
TEST(DiskCache, WhatIsNoFileIsAMissAndIsReplaced) {
  const TestFolder folder, elsewhere;
  DiskCache cache(folder.path(), kMegabyte);
  const CacheKey key{"request", "nvrtc"};
  cache.store(key, output_of("ptx"));
  const fs::path file = files_in(folder.path()).at(0);
  write(elsewhere / "other", "other");
  for (const bool is_pipe : {true, false}) {
    fs::remove(file);
    if (is_pipe)
      ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    else
      fs::create_symlink(elsewhere / "other", file);
    EXPECT_FALSE(cache.find(key));
    cache.store(key, output_of("ptx"));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));
    EXPECT_TRUE(cache.find(key));
  }
  EXPECT_EQ(content_of(elsewhere / "other"), "other");
  EXPECT_EQ(cache.warning(), "");
}

TEST(DiskCache, AFlippedByteIsAMiss) {
  const TestFolder folder;
  DiskCache cache(folder.path(), kMegabyte);
  cache.store({"request", "nvrtc"}, output_of("ptx"));
  const fs::path file = files_in(folder.path()).at(0);
  const std::string whole = content_of(file);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    write(file, changed);
    ASSERT_FALSE(cache.find({"request", "nvrtc"})) << at;
  }
}

TEST(DiskCache, TwoProgramsAtOnceNeverSeeHalfAnEntry) {
  const TestFolder folder;
  const std::string ptx(50'000, 'p');
  const auto work = [&] {
    DiskCache cache(folder.path(), kMegabyte / 4);  // small enough to evict on the way
    for (int i = 0; i < 300; ++i) {
      const CacheKey key{"request " + std::to_string(i % 7), "nvrtc"};
      cache.store(key, output_of(ptx));
      const auto found = cache.find(key);
      if (found && found->ptx != ptx) return 1;
    }
    return cache.warning().empty() ? 0 : 2;
  };
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(work());
  EXPECT_EQ(work(), 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  for (const fs::path& file : files_in(folder.path())) EXPECT_EQ(file.extension(), ".build") << file;
}

TEST(DiskCache, AFolderThatCannotBeMadeGivesOneWarning) {
  const TestFolder folder;
  write(folder / "file", "");
  DiskCache cache(folder / "file" / "cache", kMegabyte);
  EXPECT_THAT(cache.warning(), HasSubstr("cannot be written"));
  EXPECT_EQ(cache.warning().find('\n'), std::string::npos);
  cache.store({"request", "nvrtc"}, output_of("ptx"));
  EXPECT_FALSE(cache.find({"request", "nvrtc"}));
}

TEST(DiskCache, AFolderThatGoesAwayGivesAWarning) {
  const TestFolder folder;
  DiskCache cache(folder / "cache", kMegabyte);
  fs::remove_all(folder / "cache");
  write(folder / "cache", "a file now");
  cache.store({"request", "nvrtc"}, output_of("ptx"));
  EXPECT_THAT(cache.warning(), HasSubstr("cannot be written"));
}

TEST(DiskCache, NoFolderIsNoCacheAndNoWarning) {
  DiskCache cache({}, kMegabyte);
  cache.store({"request", "nvrtc"}, output_of("ptx"));
  EXPECT_FALSE(cache.find({"request", "nvrtc"}));
  EXPECT_EQ(cache.warning(), "");
}

TEST(DiskCache, TheOldestGoBeyondTheBound) {
  const TestFolder folder;
  DiskCache cache(folder.path(), 100'000);
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 6; ++i) {
    const std::string before = "request " + std::to_string(i);
    const auto earlier = files_in(folder.path());
    cache.store({before, "nvrtc"}, output_of(std::string(30'000, 'x')));
    for (const fs::path& file : files_in(folder.path())) {
      if (std::find(earlier.begin(), earlier.end(), file) == earlier.end()) {
        fs::last_write_time(file, now - std::chrono::hours(10 - i));
      }
    }
  }
  ASSERT_TRUE(cache.find({"request 3", "nvrtc"}));  // being used makes it the youngest
  cache.evict();
  EXPECT_EQ(files_in(folder.path()).size(), 3u);
  EXPECT_TRUE(cache.find({"request 3", "nvrtc"}));
  EXPECT_FALSE(cache.find({"request 0", "nvrtc"}));
}

TEST(DiskCache, WhatACrashLeftGoesAfterAnHour) {
  const TestFolder folder;
  DiskCache cache(folder.path(), kMegabyte);
  write(folder / "old.part", "half");
  write(folder / "new.part", "half");
  fs::last_write_time(folder / "old.part", fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.evict();
  EXPECT_FALSE(fs::exists(folder / "old.part"));
  EXPECT_TRUE(fs::exists(folder / "new.part"));
}

TEST(RequestKey, ShowsEveryField) {
  const Request base{"source", "k.cu", {{"TILE", 8}}, 90, true, {{"h", "text"}}};
  std::vector<Request> others(6, base);
  others[0].source = "other";
  others[1].file_name = "j.cu";
  others[2].defines["TILE"] = 16;
  others[3].arch = 80;
  others[4].want_cubin = false;
  others[5].headers["h"] = "changed";
  for (const Request& other : others) EXPECT_NE(request_key(other), request_key(base));
  EXPECT_EQ(request_key(base), request_key(Request(base)));
}

TEST(RequestKey, IsThatOfTheFileInAnyFolder) {
  Request here, there;
  here.file_name = "/home/a/kernels/k.cu";
  there.file_name = "matmul/k.cu";
  EXPECT_EQ(request_key(here), request_key(there));
}

// A library file that cannot be loaded: a result then did not need it.
class UnloadableNvrtc : public testing::Test {
 protected:
  UnloadableNvrtc() {
    options.library = folder / "libnvrtc.so.13";
    options.cache_folder = folder / "cache";
    write(options.library, "not a library");
    DiskCache cache(options.cache_folder, kMegabyte);
    cache.store({request_key(request), find_nvrtc(options).identity},
                {".visible .entry kernel(\n)\n", {}, "/k.cu(3): warning #177-D: unused\n", "NVRTC 13.0"});
  }
  TestFolder folder;
  Compiler::Options options;
  Request request{"source", "k.cu", {}, 90, false, {}};
};

TEST_F(UnloadableNvrtc, IsNotLoadedForACachedKernel) {
  Compiler compiler(options);
  const Result<Build> build = compiler.compile(request);
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_TRUE(build->from_cache);
  EXPECT_EQ(build->kernel_name, "kernel");
  EXPECT_EQ(build->compiler, "NVRTC 13.0");
  EXPECT_THAT(lines_of(build->warnings), testing::ElementsAre("k.cu:3: unused"));
  EXPECT_FALSE(compiler.available());
}

TEST_F(UnloadableNvrtc, IsAnErrorThatSaysWhatToInstall) {
  Compiler compiler(options);
  request.source = "changed";
  const Result<Build> build = compiler.compile(request);
  ASSERT_FALSE(build);
  EXPECT_THAT(build.error().message, HasSubstr("libnvrtc.so.13"));
  EXPECT_THAT(build.error().next_step, HasSubstr("pip install nvidia-cuda-nvrtc"));
}

TEST_F(UnloadableNvrtc, AChangedLibraryFileMissesTheCache) {
  write(options.library, "another version");
  EXPECT_FALSE(Compiler(options).compile(request));
}

TEST_F(UnloadableNvrtc, NoLibraryAtAllTakesAnEntryOfAny) {
  fs::remove(options.library);
  const Result<Build> build = Compiler(options).compile(request);
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_TRUE(build->from_cache);
}

TEST(FindNvrtc, LooksIntoPythonEnvironmentsAndTargets) {
  const TestFolder folder;
  const std::vector<std::string> places{"lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13",
                                        "nvidia/cu13/lib/libnvrtc.so.13",
                                        "nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
                                        "targets/x86_64-linux/lib/libnvrtc.so.13", "lib64/libnvrtc.so.12"};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const fs::path root = folder / std::to_string(i);
    fs::create_directories((root / places[i]).parent_path());
    write(root / places[i], "library");
    Compiler::Options options;
    options.search_folders = {root};
    EXPECT_EQ(find_nvrtc(options).library, root / places[i]);
  }
}

}  // namespace
}  // namespace warplens::compile
