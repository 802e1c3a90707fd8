#include "engine/compile/guarded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace warplens::compile {
namespace {

using testing::HasSubstr;

TEST(Guarded, BringsBackWhatWasMade) {
  const auto result = compile_guarded(
      [] {
        Nvrtc::Outcome outcome;
        outcome.ok = true;
        outcome.output.ptx = std::string("p\0x", 3);
        outcome.output.cubin = {std::byte{1}, std::byte{0}};
        outcome.output.log = "log";
        outcome.output.compiler = "C";
        return Result<Nvrtc::Outcome>(outcome);
      },
      {"k.cu"});
  ASSERT_TRUE(result && *result);
  EXPECT_TRUE((*result)->ok);
  EXPECT_EQ((*result)->output.ptx, std::string("p\0x", 3));
  EXPECT_EQ((*result)->output.cubin.size(), 2u);
  EXPECT_EQ((*result)->output.log, "log");
  const auto error = compile_guarded(
      [] {
        return Result<Nvrtc::Outcome>(Error{"a", "b", {"c", 3, 0}, ErrorCode::kernel_text});
      },
      {"k.cu"});
  ASSERT_TRUE(error && !*error);
  EXPECT_EQ(to_line(error->error()), "c:3: a; b");
  EXPECT_EQ(error->error().code, ErrorCode::kernel_text);
}

TEST(Guarded, EndsWhatTakesTooMuchMemory) {
  const auto result = compile_guarded(
      []() -> Result<Nvrtc::Outcome> {
        std::vector<std::unique_ptr<char[]>> all;
        for (;;) all.push_back(std::make_unique_for_overwrite<char[]>(std::size_t{64} << 20));
      },
      {"k.cu"});
  ASSERT_TRUE(result && !*result);
  EXPECT_THAT(to_line(result->error()),
              HasSubstr("k.cu: the compilation was stopped: it took more than 2 GiB of memory"));
}

TEST(Guarded, LeavesProgramsOfSeveralThreadsAlone) {
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
  EXPECT_FALSE(compile_guarded([] { return Result<Nvrtc::Outcome>(Error{"", ""}); }, {}));
}

}  // namespace
}  // namespace warplens::compile
