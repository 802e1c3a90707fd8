// What a compilation cannot read, whatever leads there. The rules of includes (include_rules.hpp) are left
// out here on purpose.
#include "engine/compile/confine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/guarded.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr, testing::Not;

class Confined : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_confine())
      GTEST_SKIP() << "this kernel has no Landlock (Linux 5.13 and later, where it is not turned off)";
    folder_.write("secret.h", "__device__ int the_secret = 4711;\n");
    folder_.write("headers/mine.h", "__device__ int mine = 1;\n");
    fs::create_symlink(folder_ / "secret.h", folder_ / "headers/link.h");
    fs::create_directory_symlink(folder_.path(), folder_ / "headers/all");
  }

  static bool opens(const fs::path& path) { return std::ifstream(path).good(); }

  const TestFolder folder_;
};

TEST_F(Confined, AThreadReadsItsFoldersAndLeavesTheOthersAlone) {
  std::jthread([&] {
    ASSERT_TRUE(opens(folder_ / "headers/all/secret.h"));
    ASSERT_TRUE(confine_this_thread({folder_ / "headers"}));
    EXPECT_TRUE(opens(folder_ / "headers/mine.h"));
    for (const char* file : {"secret.h", "headers/../secret.h", "headers/link.h", "headers/all/secret.h"})
      EXPECT_FALSE(opens(folder_ / file)) << file;
    EXPECT_FALSE(opens("/etc/passwd"));
    EXPECT_FALSE(opens("/proc/self/environ"));
    EXPECT_FALSE(std::ofstream(folder_ / "headers/new.h").good());
    EXPECT_FALSE(std::ofstream(folder_ / "headers/mine.h").good());
    std::error_code failed;
    EXPECT_FALSE(fs::remove(folder_ / "headers/mine.h", failed));
    EXPECT_FALSE(opens("/proc/self/mem"));
  }).join();
  EXPECT_TRUE(opens(folder_ / "secret.h"));
}

TEST_F(Confined, TheCompilerIncludesNoFileFromOutside) {
  NvrtcLocation location = find_nvrtc({});
  const std::vector<fs::path> readable = location.readable();
  location.include.push_back(folder_ / "headers");  // where it looks, and may not read but for what follows
  const auto nvrtc = Nvrtc::load(location);
  if (!nvrtc) GTEST_SKIP() << "no NVRTC";
  const auto compiled = [&](const std::string& include, bool in_a_copy) {
    Request request;
    request.source = "#include " + include + "\nextern \"C\" __global__ void kernel(int* p) { *p = 1; }\n";
    request.file_name = "k.cu";
    request.want_cubin = false;
    const auto compile = [&] { return nvrtc->compile(request, file_name_for_nvrtc(request.file_name)); };
    Limits limits{"k.cu", readable};
    limits.readable.push_back(folder_ / "headers");
    if (!in_a_copy) return compile_confined(compile, limits);
    auto guarded = compile_guarded(compile, limits);
    return guarded ? *std::move(guarded) : Result<Nvrtc::Outcome>(Error{"several threads", ""});
  };
  for (const bool in_a_copy : {true, false}) {
    const auto fine = compiled("<mine.h>", in_a_copy);
    ASSERT_TRUE(fine) << to_line(fine.error());
    EXPECT_TRUE(fine->ok) << fine->output.log;
    for (const std::string& include :
         {"\"" + (folder_ / "secret.h").string() + "\"", std::string("<link.h>"),
          std::string("<all/secret.h>"), std::string("<../secret.h>"), std::string("\"/etc/passwd\"")}) {
      const auto refused = compiled(include, in_a_copy);
      ASSERT_TRUE(refused) << to_line(refused.error());
      // What cannot be opened is not there: it is left out, or an error where it is named by its whole path.
      EXPECT_EQ(refused->ok, include.front() == '<') << include;
      EXPECT_THAT(refused->output.log,
                  testing::AnyOf(HasSubstr("open source file"), HasSubstr("was left out")))
          << include;
      EXPECT_THAT(refused->output.log + refused->output.ptx, Not(HasSubstr("4711"))) << include;
    }
  }
}

}  // namespace
}  // namespace warplens::compile
