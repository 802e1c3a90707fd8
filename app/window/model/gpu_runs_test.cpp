// Kernels on a GPU from the window, with a stand-in for the GPU that does what the kernel's name says.
#include "app/window/model/gpu_runs.hpp"

#include <gtest/gtest.h>

#include "app/window/testing/test_kernel.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::app {
namespace {

class GpuRunsTest : public OwnKernelsTest {
 protected:
  // Kernels whose functions the stand-in knows by name, in a folder of their own.
  void SetUp() override {
    make_home();
    const std::string right = "    out[x * M + y] = in[y * N + x];";
    add("01_right", "right", right);
    add("02_copy", "copy", right);
    add("03_fault", "fault", "    out[(long long)1e9 + x] = in[y * N + x];");
    add("04_hang", "hang", right);
    add("05_lost", "lost", right);  // its records do not come back
    add("06_counted", "counted", right);
    add("07_astray", "copy", "    out[x == 3 ? (long long)1e9 : x] = in[y * N + x];");
  }
  void open(const std::string& kernel, double timeout = 0.2, const View& view = {}) {
    State state;
    state.kernel = kernel;
    state.size = {{"M", 16}, {"N", 16}};
    state.view = view;
    ModelOptions options;
    options.gpu_worker = gpu::Client::Options{.worker_command = {program_path("fake_gpu_worker"), "fake"},
                                              .timeout_seconds = timeout,
                                              .recovery_seconds = 0.1};
    StageTest::open(state, {.home = home_.string(), .no_cache = true}, std::move(options));
  }
  // Moves the slider and lets the window come to rest; the GPU's error, if any.
  std::string error_after(std::int64_t tile) {
    model().set_parameter("TILE", tile);
    if (const Status settled = stage_->settle(); !settled) return "not settled";
    const GpuAnswer* answer = model().gpu_answer();
    if (answer == nullptr) return "no answer";
    return answer->report ? "" : to_line(answer->report.error());
  }
};

TEST_F(GpuRunsTest, ThePickerListsTheGpuAndAClickRunsOnIt) {
  OPEN_STAGE("test/02_copy");
  ASSERT_EQ(model().gpus().devices().size(), 1u);
  EXPECT_EQ(model().gpu_answer(), nullptr);
  ASSERT_TRUE(click("device"));
  ASSERT_TRUE(click("device/gpu0"));
  EXPECT_EQ(state().engine, Engine::gpu);
  EXPECT_EQ(model().device().compute_capability, 90);
  const GpuAnswer* answer = model().gpu_answer();
  ASSERT_NE(answer, nullptr);
  ASSERT_TRUE(answer->report) << to_line(answer->report.error());
  // The stand-in copies; a transpose is wanted.
  EXPECT_FALSE(answer->report->verified);
  ASSERT_TRUE(answer->report->gpu);
  EXPECT_EQ(answer->report->gpu->timing.kernel.median, 2);
  EXPECT_TRUE(stage_->find("gpu strip"));
  EXPECT_TRUE(model().run()->report.verified);  // the emulator's own
  // Rules of another device: the emulator alone.
  model().choose_device("8.0");
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().engine, Engine::emulator);
  EXPECT_EQ(model().gpu_answer(), nullptr);
}

TEST_F(GpuRunsTest, ARightResultIsVerified) {
  OPEN_STAGE("test/02_copy");
  model().set_size("M", 1);  // the transpose of one row is a copy
  model().choose_gpu(0);
  ASSERT_TRUE(stage_->settle());
  ASSERT_NE(model().gpu_answer(), nullptr);
  ASSERT_TRUE(model().gpu_answer()->report);
  EXPECT_TRUE(model().gpu_answer()->report->verified);
  EXPECT_TRUE(stage_->find("speed/live"));  // its speed, measured by this computer's own GPU
  model().set_size("N", 8);
  model().choose_device("h100");
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(stage_->find("speed/live"));  // that was another size
}

// One row of 16 is read and written by two warps of four rows of 8 threads, each of one sector.
TEST_F(GpuRunsTest, CountersOfTheHardwareStandBesideTheEmulators) {
  OPEN_STAGE("test/06_counted");
  state().view.details = true;
  model().set_size("M", 1);
  model().choose_gpu(0);
  ASSERT_TRUE(stage_->settle());
  const GpuAnswer* answer = model().gpu_answer();
  ASSERT_TRUE(answer != nullptr && answer->counters);
  ASSERT_TRUE(*answer->counters) << to_line(answer->counters->error());
  const std::vector<CounterPair> pairs{{"global_load.requests", 2, 2},   {"global_load.sectors", 2, 2},
                                       {"global_store.requests", 2, 2},  {"global_store.sectors", 2, 2},
                                       {"shared_load.wavefronts", 0, 0}, {"shared_store.wavefronts", 0, 0},
                                       {"shared.wavefronts", 0, 0}};
  EXPECT_EQ(**answer->counters, pairs);
  EXPECT_TRUE(stage_->find("card/All sectors counted"));
  // The same, and what was counted stays: only the accesses are new.
  state().accesses = Accesses::recorded;
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(model().gpu_answer()->counters);
  // A stand-in that counts the letters of names.
  model().choose_kernel("test/02_copy");
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(model().gpu_answer() != nullptr && model().gpu_answer()->counters);
  EXPECT_NE((**model().gpu_answer()->counters)[0].counted, 2u);
  EXPECT_FALSE(stage_->find("card/All sectors counted"));
}

View small_view() {
  View view;
  view.width = 1280, view.height = 720;
  return view;
}

// The strip says less in little room, but that whole.
TEST_F(GpuRunsTest, ASmallWindowSaysWholeWhatTheGpuDid) {
  OPEN_STAGE("test/06_counted", 0.2, small_view());
  model().set_size("M", 1);
  model().choose_gpu(0);
  for (const char* kernel :
       {"test/06_counted", "test/02_copy", "test/03_fault", "test/04_hang", "test/07_astray"}) {
    model().choose_kernel(kernel);
    for (const Accesses accesses : {Accesses::emulated, Accesses::recorded}) {
      state().accesses = accesses;
      ASSERT_TRUE(stage_->settle());
      EXPECT_TRUE(stage_->find("gpu strip/whole")) << kernel;
    }
  }
}

TEST_F(GpuRunsTest, AFaultLeavesTheFigureItsRoom) {
  OPEN_STAGE("test/03_fault", 0.2, small_view());
  const auto error = stage_->find("notice"), figure = stage_->find("figure");
  ASSERT_TRUE(error && figure);
  EXPECT_LT(2 * error->height, figure->height);
}

TEST_F(GpuRunsTest, PicturesShowTheAccessesThatTheGpuRecorded) {
  OPEN_STAGE("test/02_copy");
  model().choose_gpu(0);
  ASSERT_TRUE(stage_->settle());
  const run::SharedRun emulated = model().shared_run();  // kept, though another is shown
  EXPECT_EQ(emulated->recorded_on, "");
  ASSERT_TRUE(click("accesses/Recorded"));
  EXPECT_EQ(state().accesses, Accesses::recorded);
  const GpuAnswer* answer = model().gpu_answer();
  ASSERT_TRUE(answer != nullptr && answer->accesses);
  ASSERT_TRUE(*answer->accesses) << to_line(answer->accesses->error());
  const instrument::TraceComparison& compared = (*answer->accesses)->compared;
  EXPECT_EQ(compared.warps, 2u);     // one block of 8 x 8
  EXPECT_EQ(compared.accesses, 4u);  // a load and a store each
  EXPECT_EQ(compared.different, 0u) << compared.first;
  const run::Run* recorded = model().run();
  EXPECT_NE(recorded, emulated.get());
  EXPECT_EQ(recorded->recorded_on, "Fake 1");
  EXPECT_EQ(recorded->recorded_on, "Fake 1");
  EXPECT_EQ(model().events().size(), 2u);
  EXPECT_EQ(recorded->report.counts.global_load.sectors, emulated->report.counts.global_load.sectors);
  // Another block is recorded when it is chosen, and the emulator's own accesses are a click away.
  state().selection.block = 3;
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().run()->recorded_on, "Fake 1");
  EXPECT_EQ(model().run()->trace->blocks().size(), 2u);
  EXPECT_EQ(state().selection.block, 3u);
  ASSERT_TRUE(stage_->press(compat::Key::r));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().run()->recorded_on, "");
}

// What cannot be recorded leaves the emulator's pictures and says why.
TEST_F(GpuRunsTest, ARecordingThatFailsIsSaidAndChangesNothing) {
  OPEN_STAGE("test/05_lost");
  model().choose_gpu(0);
  state().accesses = Accesses::recorded;
  ASSERT_TRUE(stage_->settle());
  const GpuAnswer* answer = model().gpu_answer();
  ASSERT_TRUE(answer != nullptr && answer->accesses);
  EXPECT_FALSE(*answer->accesses);
  ASSERT_NE(model().run(), nullptr);
  EXPECT_EQ(model().run()->recorded_on, "");
  EXPECT_TRUE(model().is_current());
}

TEST_F(GpuRunsTest, TwentyFaultsInARowLeaveTheWindowAlive) {
  OPEN_STAGE("test/03_fault");
  model().choose_gpu(0);
  for (int i = 0; i < 20; ++i) {
    const std::string error = error_after(i % 2 == 0 ? 4 : 16);
    EXPECT_NE(error.find("went astray"), std::string::npos) << error;
    EXPECT_NE(error.find("the emulator finds"), std::string::npos) << error;
    ASSERT_TRUE(model().error());  // the emulator's finding, with its line
    EXPECT_GT(model().error()->place.line, 0);
  }
  EXPECT_GE(model().gpus().workers_started(), 20);
  model().choose_kernel("test/02_copy");
  ASSERT_TRUE(stage_->settle());
  ASSERT_NE(model().gpu_answer(), nullptr);
  EXPECT_TRUE(model().gpu_answer()->report);
  EXPECT_FALSE(model().error());
  EXPECT_TRUE(is_drawn());
}

// The stand-in runs the form that looks at its own addresses, so nothing faults and the process stays.
TEST_F(GpuRunsTest, AKernelThatGoesAstrayIsStoppedBeforeItFaults) {
  OPEN_STAGE("test/07_astray", 20);
  model().choose_gpu(0);
  EXPECT_EQ(error_after(8).rfind(home_.string(), 0), 0u) << error_after(8);
  const int started = model().gpus().workers_started();
  for (const std::int64_t tile : {4, 16}) {
    const std::string error = error_after(tile);
    EXPECT_NE(error.find("stopped on the GPU: thread (3, 0, 0) of block (0, 0, 0) writes 4 bytes out of "
                         "bounds, 3,999,998,976 "
                         "bytes past the end of out (1,024 bytes) (CUDA_ERROR_ILLEGAL_ADDRESS)"),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("the emulator finds"), std::string::npos) << error;
    ASSERT_TRUE(model().error());
    EXPECT_GT(model().error()->place.line, 0);
  }
  EXPECT_EQ(model().gpus().workers_started(), started);
}

TEST_F(GpuRunsTest, TwentyHangsInARowLeaveTheWindowAlive) {
  OPEN_STAGE("test/04_hang", 0.1);
  model().choose_gpu(0);
  for (int i = 0; i < 20; ++i) {
    const std::string error = error_after(i % 2 == 0 ? 4 : 16);
    EXPECT_NE(error.find("did not end"), std::string::npos) << error;
    EXPECT_FALSE(model().error());  // the emulator ran it, and its picture is there
    EXPECT_TRUE(model().is_current());
  }
  EXPECT_GE(model().gpus().workers_started(), 20);
  model().choose_kernel("test/02_copy");
  ASSERT_TRUE(stage_->settle());
  ASSERT_NE(model().gpu_answer(), nullptr);
  EXPECT_TRUE(model().gpu_answer()->report);
}

// A kernel that hangs does not keep the window from going on, nor from being closed.
TEST_F(GpuRunsTest, AnotherKernelTakesTheGpuFromOneThatHangs) {
  OPEN_STAGE("test/04_hang", 600);
  model().choose_gpu(0);
  while (model().gpu_answer() == nullptr && !model().gpus().busy_seconds()) ASSERT_TRUE(stage_->frame());
  model().choose_kernel("test/02_copy");
  ASSERT_TRUE(stage_->settle());
  ASSERT_NE(model().gpu_answer(), nullptr);
  EXPECT_EQ(model().gpu_answer()->run->plan().spec.id, "test/02_copy");
  EXPECT_TRUE(model().gpu_answer()->report);
  model().choose_kernel("test/04_hang");
  model().update();
}

TEST_F(GpuRunsTest, WithoutAGpuTheEmulatorIsNamed) {
  GpuRuns none(gpu::Client::Options{.worker_command = {"/nowhere/warplens"}}, {}, nullptr);
  while (none.is_looking()) none.poll();
  EXPECT_TRUE(none.devices().empty());
  EXPECT_EQ(none.note().find("no GPU: using the emulator ("), 0u) << none.note();
}

}  // namespace
}  // namespace warplens::app
