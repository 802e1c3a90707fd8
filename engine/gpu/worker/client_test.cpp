#include "engine/gpu/worker/client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/toolkit_library.hpp"

namespace warplens::gpu {
namespace {

using problem::Pattern;

std::shared_ptr<const problem::Instance> transpose(std::int64_t rows, std::int64_t columns) {
  const auto kind = problem::find_problem("transpose");
  return *(*kind)->make({{"M", rows}, {"N", columns}}, Pattern::random, 1, 1 << 28);
}

Client fake(double timeout = 20) {
  return Client({.worker_command = {program_path("fake_gpu_worker"), "fake"},
                 .timeout_seconds = timeout,
                 .recovery_seconds = 0.2});
}

Run run_of(const std::string& kernel, std::shared_ptr<const problem::Instance> instance) {
  return {.device = 0,
          .cubin = {},
          .kernel_name = kernel,
          .launch = {},
          .instance = std::move(instance),
          .timing = {},
          .product = {}};
}

TEST(Client, ListsWhatTheWorkerSees) {
  Client client = fake();
  const auto system = client.system();
  ASSERT_TRUE(system) << system.error().message;
  ASSERT_EQ(system->devices.size(), 1u);
  EXPECT_EQ(system->devices[0].name, "Fake 1");
  EXPECT_EQ(system->cuda_version, 13000);
}

TEST(Client, BringsBuffersThereAndTheResultBack) {
  Client client = fake();
  const auto instance = transpose(30, 50);
  const std::vector<std::byte> code(777);
  gpu::Run request = run_of("copy", instance);
  request.cubin = code;
  request.timing = TimingOptions{};
  for (int turn = 0; turn < 2; ++turn) {
    const auto execution = client.run(request);
    ASSERT_TRUE(execution) << execution.error().message;
    EXPECT_FALSE(execution->fault);
    const auto input = instance->initial(0);
    ASSERT_EQ(execution->output.size(), input.size());
    EXPECT_EQ(std::memcmp(execution->output.data(), input.data(), input.size()), 0);
    EXPECT_EQ(execution->printed, "777 bytes of code\n");
    ASSERT_TRUE(execution->timing);
    EXPECT_EQ(execution->timing->kernel.median, 2);
  }
  // Another instance replaces the buffers of the first.
  const auto other = transpose(7, 9);
  const auto execution = client.run(run_of("copy", other));
  ASSERT_TRUE(execution);
  EXPECT_EQ(std::memcmp(execution->output.data(), other->initial(0).data(), other->initial(0).size()), 0);
  EXPECT_EQ(client.workers_started(), 1);
}

TEST(Client, BringsWhatTheHardwareCounted) {
  Client client = fake();
  gpu::Run request = run_of("copy", transpose(4, 4));
  request.metrics = {"five5", "two"};
  request.instruction_metrics = {"eleven"};
  const auto execution = client.run(request);
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->counted, (std::vector<double>{5, 3}));
  EXPECT_EQ(execution->instructions, (std::vector<double>{6}));
}

TEST(ToolkitLibrary, IsLookedForWhereToolkitsAndPipPutIt) {
  const TestFolder root;
  const std::filesystem::path inside[] = {"extras/CUPTI/lib64", "lib64",
                                          "lib/python3.11/site-packages/nvidia/cu13/lib",
                                          "lib/python3.11/site-packages/nvidia/cuda_cupti/lib"};
  for (const auto& folder : inside) root.write(folder / "libnone.so.2", "not a library");
  const char* const names[] = {"libnone.so.3", "libnone.so.2"};
  const auto found = toolkit_candidates({root.path()}, names);
  ASSERT_EQ(found.size(), std::size(inside));
  for (const auto& folder : inside)
    EXPECT_NE(std::ranges::find(found, root / folder / "libnone.so.2"), found.end()) << folder;
  EXPECT_EQ(open_toolkit_library({root.path()}, names), nullptr);
}

TEST(Client, BringsAnExtraBufferThereAndBack) {
  Client client = fake();
  const std::vector<std::byte> code(5, std::byte{1}), start(3, std::byte{2});
  gpu::Run request = run_of("records", transpose(4, 4));
  request.cubin = code;
  request.extra = ExtraBuffer{.bytes = 1000, .start_bytes = 0, .records = true};
  request.extra_start = start;
  const auto execution = client.run(request);
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->places, (std::vector<std::uint64_t>{1000, 3, 1}));
  const std::vector<std::byte> whole{std::byte{1}, std::byte{1}, std::byte{1}, std::byte{1},
                                     std::byte{1}, std::byte{2}, std::byte{2}, std::byte{2}};
  EXPECT_EQ(execution->extra, whole);
  // The next run has none of it.
  const auto plain = client.run(run_of("copy", transpose(4, 4)));
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_TRUE(plain->extra.empty());
  EXPECT_TRUE(plain->places.empty());
}

TEST(Client, ARefusedLaunchIsAnErrorAndTheWorkerStays) {
  Client client = fake();
  const auto refused = client.run(run_of("refused", transpose(4, 4)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_line(refused.error()), "too large; make it smaller");
  EXPECT_TRUE(client.run(run_of("copy", transpose(4, 4))));
  EXPECT_EQ(client.workers_started(), 1);
}

// A fault, an endless loop and a crash, again and again; the next run is right each time.
TEST(Client, GoesOnAfterFaultsHangsAndCrashes) {
  Client client = fake(0.1);
  const auto instance = transpose(8, 8);
  const std::pair<const char*, Fault::Kind> cases[] = {
      {"fault", Fault::Kind::fault}, {"hang", Fault::Kind::hang}, {"crash", Fault::Kind::crashed}};
  for (int turn = 0; turn < 5; ++turn) {
    for (const auto& [kernel, kind] : cases) {
      const auto begin = std::chrono::steady_clock::now();
      const auto execution = client.run(run_of(kernel, instance));
      ASSERT_TRUE(execution) << execution.error().message;
      ASSERT_TRUE(execution->fault) << kernel;
      EXPECT_EQ(execution->fault->kind, kind) << execution->fault->error.message;
      EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
      const auto after = client.run(run_of("copy", instance));
      ASSERT_TRUE(after) << after.error().message;
      EXPECT_FALSE(after->fault);
    }
  }
  EXPECT_EQ(client.workers_started(), 16);
}

TEST(Client, ACancelledRunEndsAWorkerThatDoesNotAnswer) {
  Client client = fake(600);
  const auto instance = transpose(4, 4);
  std::atomic<bool> cancel = false;
  gpu::Run request = run_of("hang", instance);
  request.cancel = &cancel;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancel = true;
  });
  const auto execution = client.run(request);
  other.join();
  ASSERT_FALSE(execution);
  EXPECT_NE(execution.error().message.find("cancelled"), std::string::npos);
  const auto after = client.run(run_of("copy", instance));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(client.workers_started(), 2);
}

TEST(Client, TimeoutIsForEachStageNotForTheWholeRun) {
  Client client = fake(0.4);
  const auto execution = client.run(run_of("slow", transpose(4, 4)));
  ASSERT_TRUE(execution);
  EXPECT_FALSE(execution->fault) << execution->fault->error.message;
}

// A slow start of the driver is not the kernel's doing, and one without end is not called so.
TEST(Client, ADriverThatIsNotReadyIsNoFaultOfTheKernel) {
  Client client({.worker_command = {program_path("fake_gpu_worker"), "fake"},
                 .timeout_seconds = 0.05,
                 .start_seconds = 0.3});
  const auto instance = transpose(4, 4);
  const auto execution = client.run(run_of("stuck", instance));
  ASSERT_FALSE(execution);
  EXPECT_NE(execution.error().message.find("not ready"), std::string::npos) << execution.error().message;
  const auto after = client.run(run_of("copy", instance));
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_FALSE(after->fault);
}

// While the driver takes the GPU back from a process that was ended, another one's launches wait.
TEST(Client, TheFirstRunAfterALossMayTakeLonger) {
  Client client({.worker_command = {program_path("fake_gpu_worker"), "fake"},
                 .timeout_seconds = 0.05,
                 .recovery_seconds = 5});
  const auto instance = transpose(4, 4);
  ASSERT_TRUE(client.run(run_of("hang", instance))->fault);
  const auto first = client.run(run_of("slow", instance));  // silent for longer than the timeout
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(first->fault);
  ASSERT_TRUE(client.run(run_of("slow", instance))->fault);  // nothing was lost before this one
}

TEST(Client, OneRunMayBeGivenALongerTimeout) {
  Client client({.worker_command = {program_path("fake_gpu_worker"), "fake"}, .timeout_seconds = 0.05});
  gpu::Run run = run_of("slow", transpose(4, 4));
  run.timeout_factor = 100;
  const auto patient = client.run(run);
  ASSERT_TRUE(patient) << patient.error().message;
  EXPECT_FALSE(patient->fault);
  run.timeout_factor = 1;
  ASSERT_TRUE(client.run(run)->fault);
}

TEST(Client, SaysThatAWorkerCannotBeStarted) {
  Client client({.worker_command = {"/nowhere/warplens", "gpu-worker"}});
  const auto system = client.system();
  ASSERT_FALSE(system);
  EXPECT_NE(to_line(system.error()).find("cannot be started"), std::string::npos);
}

TEST(Client, AWorkerThatSaysNothingOfUseIsACrash) {
  Client client({.worker_command = {"/bin/true"}, .timeout_seconds = 5});
  const auto system = client.system();
  ASSERT_FALSE(system);
  EXPECT_NE(system.error().message.find("ended with code 0"), std::string::npos) << system.error().message;
}

TEST(Client, WithoutADriverSaysSoAndNamesNoDevice) {
  Client client({.worker_command = {program_path("fake_gpu_worker"), "cuda"}});
  const auto system = client.system();
  ASSERT_TRUE(system) << system.error().message;
  if (!system->devices.empty()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_NE(system->reason.find("no GPU can be used"), std::string::npos) << system->reason;
}

std::shared_ptr<const problem::Instance> sgemm(std::int64_t n) {
  const auto kind = problem::find_problem("sgemm");
  return *(*kind)->make({{"M", n}, {"N", n}, {"K", n}}, Pattern::identity, 1, 1 << 28);
}

// With the identity as A the product is B, so a right output is known without a kernel.
TEST(Verify, SampledTilesFindAWrongCornerAndAHole) {
  const auto instance = sgemm(160);
  const auto right = instance->initial(1);
  std::vector<std::byte> output(right.begin(), right.end());
  const auto sampled = verify_output(*instance, output, 1e6);
  EXPECT_TRUE(sampled.verified) << sampled.explanation;
  EXPECT_LT(sampled.checked_elements, 160 * 160);
  EXPECT_GE(sampled.checked_elements, 4 * 32 * 32);
  EXPECT_EQ(verify_output(*instance, output).checked_elements, 160 * 160);

  const float wrong = 1e9f;
  auto corner = output;
  std::memcpy(corner.data() + corner.size() - 4, &wrong, 4);
  EXPECT_FALSE(verify_output(*instance, corner, 1e6).verified);
  auto hole = output;
  const std::size_t anywhere = (70 * 160 + 45) * 4;
  std::memcpy(hole.data() + anywhere, instance->initial(2).data() + anywhere, 4);
  const auto found = verify_output(*instance, hole, 1e6);
  EXPECT_FALSE(found.verified);
  EXPECT_EQ(found.first_wrong, 70 * 160 + 45);
}

}  // namespace
}  // namespace warplens::gpu
