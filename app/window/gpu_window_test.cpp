// The window on a real GPU: kernels that fault, kernels that never end, and accesses that the GPU recorded.
// Skipped where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/window/testing/test_kernel.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

class GpuWindowTest : public OwnKernelsTest {
 protected:
  void SetUp() override {
    const auto system = gpu::Client({.worker_command = worker_}).system();
    ASSERT_TRUE(system) << to_line(system.error());
    if (system->devices.empty()) GTEST_SKIP() << system->reason;
    make_home();
    fs::copy(fs::path(source_path()) / "kernels", home_ / "kernels",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    add("01_right", "test_kernel", "    out[x * M + y] = in[y * N + x];");
    add("02_fault", "test_kernel", "    out[(long long)1e10 + x] = in[y * N + x];");
    // Ends only when a float is unlike itself, which none of the inputs is.
    add("03_endless", "test_kernel",
        "    volatile const float* p = in;\n    while (p[0] == p[0]) {}\n    out[0] = 1;");
  }
  // With the GPU chosen, whose process is the program's own.
  void open(const std::string& kernel, int size, double timeout = 3) {
    State state;
    state.kernel = kernel;
    for (const char* name : {"M", "N", "K"}) state.size[name] = size;
    ModelOptions options;
    options.gpu_worker = gpu::Client::Options{.worker_command = {program_path("warplens"), "gpu-worker"},
                                              .timeout_seconds = timeout,
                                              .recovery_seconds = 7};
    StageTest::open(state, {.home = home_.string(), .no_cache = true}, std::move(options));
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_FALSE(model().gpus().devices().empty());
    model().choose_gpu(0);
    ASSERT_TRUE(stage_->settle());
  }
  // The GPU's error of the kernel on screen; empty where there is none.
  std::string error() {
    const GpuAnswer* answer = model().gpu_answer();
    if (answer == nullptr) return "no answer";
    return answer->report ? "" : to_line(answer->report.error());
  }
  // Comes to rest with this kernel, whose answer is a new one.
  std::string error_of(const std::string& kernel, std::int64_t tile) {
    model().choose_kernel(kernel);
    model().set_parameter("TILE", tile);
    const Status settled = stage_->settle();
    return settled ? error() : to_line(settled.error());
  }
  void expect_right(const std::string& kernel) {
    EXPECT_EQ(error_of(kernel, 8), "");
    const GpuAnswer* answer = model().gpu_answer();
    ASSERT_TRUE(answer != nullptr && answer->report);
    EXPECT_TRUE(answer->report->verified) << answer->report->explanation;
    EXPECT_GT(answer->report->gpu->timing.kernel.median, 0);
    EXPECT_FALSE(model().error());
    EXPECT_TRUE(is_drawn());
  }

  const std::vector<std::string> worker_ = {program_path("warplens"), "gpu-worker"};
};

TEST_F(GpuWindowTest, TwentyFaultsInARowLeaveItGoing) {
  OPEN_STAGE("test/01_right", 64);
  const int before = model().gpus().workers_started();
  for (int i = 0; i < 20; ++i) {
    const std::string error = error_of("test/02_fault", i % 2 == 0 ? 4 : 16);
    EXPECT_THAT(error, testing::HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_THAT(error, testing::HasSubstr("the emulator finds"));
    ASSERT_TRUE(model().error());  // the emulator's finding, with its line
    EXPECT_GT(model().error()->place.line, 0);
    EXPECT_TRUE(is_drawn());
  }
  EXPECT_EQ(model().gpus().workers_started(), before);  // no fault reached the driver
  expect_right("test/01_right");
}

TEST_F(GpuWindowTest, TwentyEndlessLoopsInARowLeaveItGoing) {
  OPEN_STAGE("test/01_right", 64);
  const int before = model().gpus().workers_started();
  for (int i = 0; i < 20; ++i)
    EXPECT_THAT(error_of("test/03_endless", i % 2 == 0 ? 4 : 16), testing::HasSubstr("did not end within"));
  EXPECT_EQ(model().gpus().workers_started(), before);
  expect_right("test/01_right");
}

TEST_F(GpuWindowTest, EachBadKernelIsFollowedByARightOne) {
  OPEN_STAGE("test/01_right", 64);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(error_of("test/02_fault", 16), "");
    expect_right("test/01_right");
    EXPECT_NE(error_of("test/03_endless", 16), "");
    expect_right("test/01_right");
  }
}

TEST_F(GpuWindowTest, PicturesShowWhatTheGpuRecorded) {
  OPEN_STAGE("matmul/01_naive", 96, 10);
  state().accesses = Accesses::recorded;
  for (const auto* step : model().steps()) {
    model().choose_kernel(step->id);
    state().selection.block = 0;
    ASSERT_TRUE(stage_->settle());
    ASSERT_EQ(error(), "") << step->id;
    const GpuAnswer* answer = model().gpu_answer();
    ASSERT_TRUE(answer->accesses) << step->id;
    ASSERT_TRUE(*answer->accesses) << step->id << ": " << to_line(answer->accesses->error());
    EXPECT_GT((*answer->accesses)->compared.accesses, 0u) << step->id;
    EXPECT_EQ((*answer->accesses)->compared.different, 0u)
        << step->id << ": " << (*answer->accesses)->compared.first;
    EXPECT_EQ((*answer->accesses)->dropped, 0u) << step->id;
    EXPECT_EQ(model().run()->recorded_on, answer->report->gpu->device) << step->id;
    EXPECT_TRUE(answer->report->verified) << step->id;
    if (!answer->counters || !*answer->counters) continue;  // not every user may count
    for (const CounterPair& pair : **answer->counters)
      EXPECT_EQ(pair.counted, pair.emulated) << step->id << " " << pair.name;
  }
}

TEST_F(GpuWindowTest, WhatWasMeasuredHereHasItsSamples) {
  OPEN_STAGE("matmul/01_naive", 96, 10);
  const PerformanceData::LiveSpeed* measured = stage_->interface().performance().live_now();
  ASSERT_NE(measured, nullptr);
  ASSERT_NE(measured->timing, nullptr);
  EXPECT_EQ(measured->timing->device, model().gpu_answer()->report->gpu->device);
  EXPECT_EQ(static_cast<int>(measured->timing->seconds.size()), measured->timing->samples);
}

}  // namespace
}  // namespace warplens::app
