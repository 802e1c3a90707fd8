// A program of several threads compiles in another process, which has limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/base/compiler_options.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CompileWorker : public testing::Test {
 protected:
  void SetUp() override {
    Environment environment;
    environment.executable = fs::read_symlink("/proc/self/exe").parent_path() / "warplens";
    compile::Compiler::Options options;
    options.worker = compile_worker_words(environment, {.no_cache = true});
    compiler_.emplace(options);
    if (!compiler_->available()) GTEST_SKIP() << "no NVRTC";
  }

  Result<compile::Build> compiled(const std::string& body, const std::stop_token& stop = {}) {
    compile::Request request;
    request.source = "extern \"C\" __global__ void kernel(float* p) {\n" + body + "}\n";
    request.file_name = "k.cu";
    return compiler_->compile(request, stop);
  }

  std::optional<compile::Compiler> compiler_;
  std::jthread other_{[](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }};
};

TEST_F(CompileWorker, MakesTheSameMachineCode) {
  const auto build = compiled("  p[threadIdx.x] = 3;\n");
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_GT(build->registers, 0);
  EXPECT_FALSE(build->cubin.empty());
  EXPECT_EQ(build->kernel_name, "kernel");
  const auto wrong = compiled("  p[0] = nothing;\n");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(to_line(wrong.error()), HasSubstr("k.cu:2: identifier \"nothing\" is undefined"));
}

TEST_F(CompileWorker, EndsWhatTakesTooMuchMemoryAndGoesOn) {
  const std::string text = '"' + std::string(4000, 'x') + '"';
  const auto stopped =
      compiled("#define A(x) x x x x x x x x x x\n  p[0] = (A(A(A(A(A(A(" + text + ")))))))[7];\n");
  ASSERT_FALSE(stopped);
  EXPECT_THAT(to_line(stopped.error()), HasSubstr("the compilation was stopped: it took more than"));
  EXPECT_TRUE(compiled("  p[0] = 1;\n"));
}

TEST_F(CompileWorker, StopsWhenItIsTold) {
  ASSERT_TRUE(compiled("  p[0] = 1;\n"));
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.request_stop();
  });
  std::string slow = "#pragma unroll\n  for (int i = 0; i < 30000; ++i) p[i * 3 % 1001] += p[i] * i;\n";
  const auto begin = std::chrono::steady_clock::now();
  const auto stopped = compiled(slow, stop.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  if (!stopped) {
    EXPECT_EQ(stopped.error().message, "the compilation was stopped");
  }
  EXPECT_TRUE(compiled("  p[0] = 2;\n"));
}

}  // namespace
}  // namespace warplens::app
