// Runs for the window: previews, blocks recorded later, compiling ahead.
#include "engine/run/runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>

#include "engine/run/placing.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using namespace std::chrono_literals;

class RunnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::Compiler(compile::Compiler::Options{}).available())
      GTEST_SKIP() << "no NVRTC to compile kernels";
    runner_ = std::make_unique<Runner>(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  }
  Request request(const std::string& kernel, std::int64_t size, std::uint64_t block = 0) {
    Request made{
        .spec = *kernels().find(kernel), .parameters = {}, .sizes = {}, .device = h100(), .block = block};
    for (const char* name : {"M", "N", "K"}) made.sizes[name] = size;
    return made;
  }

  const std::atomic<bool> go_on_ = false;
  std::unique_ptr<Runner> runner_;
};

// Of a ladder's step the defaults are asked for by some callers, and by others the values that they are.
TEST_F(RunnerTest, ARequestIsKnownByTheValuesThatItRunsWith) {
  Request open = request("matmul/03_shared_tile", 96), full = open;
  full.parameters = catalog::default_values(full.spec);
  EXPECT_NE(count_key(open), count_key(full));
  EXPECT_EQ(count_key(as_launched(open)), count_key(as_launched(full)));
  full.parameters["TILE"] = 16;
  EXPECT_NE(count_key(as_launched(open)), count_key(as_launched(full)));
}

TEST_F(RunnerTest, APreviewShowsWhatTheWholeRunShowsAndNoCounts) {
  for (const char* kernel :
       {"matmul/01_naive", "matmul/05_register_2d", "transpose/02_tiled", "reduction/06_shuffle"}) {
    SharedRun preview;
    const auto whole = runner_->run(request(kernel, 96, 2), go_on_, [&](Result<SharedRun> answer) {
      ASSERT_FALSE(preview) << "one preview is enough";
      ASSERT_TRUE(answer);
      preview = *answer;
    });
    ASSERT_TRUE(whole) << to_line(whole.error());
    ASSERT_TRUE(preview) << kernel;
    EXPECT_TRUE((*whole)->complete);
    EXPECT_TRUE((*whole)->report.verified);
    EXPECT_EQ((*whole)->report.vectorized_as_in_cubin, true);
    EXPECT_FALSE(preview->complete);
    EXPECT_FALSE(preview->report.verified);
    EXPECT_EQ(preview->report.registers, 0);
    EXPECT_EQ(preview->lines.total.executed, 0u);
    EXPECT_EQ(preview->emulation.outcome.counters.blocks_run, 0u);

    EXPECT_EQ(preview->job->build.ptx, (*whole)->job->build.ptx);
    EXPECT_GT(preview->trace->events(), 0u);
    EXPECT_TRUE(*preview->trace == *(*whole)->trace);
    EXPECT_EQ(preview->stories.size(), (*whole)->stories.size());
  }
}

// Machine code says in which atomics one lane brings the values of its warp; it is there only when the kernel has run.
TEST_F(RunnerTest, AtomicsAreCombinedAsInTheMachineCode) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4096 }\nbuffers = [{ name = \"out\", type = \"int\", "
      "count = "
      "\"1\", output = true }]\nnone = \"only looked at\"\n[launch]\nblock = [256]\ngrid = [\"N / "
      "256\"]\n---*/\n"
      R"(extern "C" __global__ void kernel(int* out, int N) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
)",
      "own/own", "own.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = runner_->run({.spec = *spec, .parameters = {}, .sizes = {}, .device = h100()}, go_on_);
  ASSERT_TRUE(run) << to_line(run.error());
  const auto& atomics = (*run)->emulation.outcome.counters.shared_atomic;
  EXPECT_EQ(atomics.requests, 128u);
  EXPECT_EQ(atomics.wavefronts, 128u) << "16 lanes, one of which updates the word";
}

// A kernel of the problem "reduce", whose blocks of 256 threads add up as many elements by `body`.
catalog::KernelSpec sum_kernel(const std::string& body) {
  const std::string text =
      "/*---\ntitle = \"Test\"\nproblem = \"reduce\"\nidea = \"A test\"\nwatch = \"Nothing\"\n"
      "source = \"none\"\n[launch]\nblock = [\"256\"]\ngrid = [\"ceil_div(N, 256)\"]\n---*/\n"
      "__device__ unsigned arrived;\n"
      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
      "  const int i = blockIdx.x * 256 + threadIdx.x;\n  const float value = i < N ? in[i] : 0.0f;\n" +
      body + "\n}\n";
  const auto spec = catalog::parse_kernel(text, "test/sum", "sum.cu");
  EXPECT_TRUE(spec) << to_line(spec.error());
  return *spec;
}
// ptxas loads the four halves one by one, where the model of vectorized loads expects one LDS.64.
const std::string loads_halves =
    "  __shared__ unsigned short s[1024];\n  const int t = threadIdx.x, u = t ^ 1;\n"
    "  for (int k = 0; k < 4; ++k) s[4 * t + k] = static_cast<unsigned short>(t + k);\n  __syncthreads();\n"
    "  const unsigned short mixed = (s[4 * u] | s[4 * u + 1]) & (s[4 * u + 2] ^ s[4 * u + 3]);\n"
    "  atomicAdd(out, mixed == 40000 ? 0.0f : value);";
const std::string adds_its_own = "  atomicAdd(out, value);";
const std::string asks_who_is_last =
    "  atomicAdd(out, value);\n  __threadfence();\n  __syncthreads();\n"
    "  if (threadIdx.x == 0 && atomicAdd(&arrived, 1u) + 1 == gridDim.x) arrived = 0;";

TEST_F(RunnerTest, BlocksThatMayTalkToEachOtherHaveNoPreview) {
  Request wanted = request("matmul/01_naive", 4096);
  for (const bool communicates : {true, false}) {
    wanted.spec = sum_kernel(communicates ? asks_who_is_last : adds_its_own);
    bool previewed = false;
    const auto run = runner_->run(wanted, go_on_, [&](const auto&) { previewed = true; });
    ASSERT_TRUE(run) << to_line(run.error());
    EXPECT_TRUE((*run)->report.verified);
    EXPECT_EQ(previewed, !communicates);
  }
}

TEST_F(RunnerTest, CountsTheSharedAccessesOfTheMachineCode) {
  Request wanted = request("reduction/02_strided", 1 << 12);
  wanted.spec = sum_kernel(loads_halves);
  const auto run = runner_->run(wanted, go_on_);
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified);
  EXPECT_EQ((*run)->report.vectorized_as_in_cubin, true);
  const auto& build = (*run)->job->build;
  const std::uint64_t warps = (1 << 12) / 32;
  EXPECT_EQ((*run)->report.counts.shared_load.requests, warps * build.instructions.shared_load.total());
  compile::Build without = build;
  without.cubin.clear();
  EXPECT_NE((*prepare(without, h100()))->shared_accesses(), (*run)->kernel->shared_accesses());
}

TEST_F(RunnerTest, ASumIsCountedFromSomeBlocksAndVerifiedAtTheUsualSize) {
  for (const char* kernel : {"reduction/02_strided", "reduction/07_grid_stride"}) {
    Request wanted = request(kernel, 1 << 23);
    const auto count = runner_->count(wanted, go_on_);
    ASSERT_TRUE(count) << to_line(count.error());
    const auto whole = runner_->run(wanted, go_on_);
    ASSERT_TRUE(whole) << to_line(whole.error());
    const StepCount all = step_count(**whole);
    EXPECT_EQ(count->work, all.work) << kernel;
    EXPECT_EQ(count->bytes, all.bytes) << kernel;
    EXPECT_NE(count->words.find(" blocks ran, the others repeat them; verified with N = 1048576"),
              std::string::npos)
        << count->words;
    wanted.sizes["N"] = 1 << 20;
    const auto usual = runner_->count(wanted, go_on_);
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->words.find("blocks ran"), std::string::npos) << usual->words;
  }
}

// Nothing can be counted any more where it is cancelled: what is answered then was kept.
TEST_F(RunnerTest, ACountIsKept) {
  const std::atomic<bool> cancelled = true;
  Request wanted = request("matmul/03_shared_tile", 128);
  EXPECT_FALSE(runner_->count(wanted, cancelled));
  const auto first = runner_->count(wanted, go_on_);
  ASSERT_TRUE(first) << to_line(first.error());
  wanted.threads = 1;  // is counted alike
  const auto again = runner_->count(wanted, cancelled);
  ASSERT_TRUE(again) << to_line(again.error());
  EXPECT_EQ(again->bytes, first->bytes);
  wanted.sizes["K"] = 64;
  EXPECT_FALSE(runner_->count(wanted, cancelled));
  wanted.sizes["K"] = 128, wanted.spec.grid[0] += " + 1";
  EXPECT_FALSE(runner_->count(wanted, cancelled)) << "of another grid";
  wanted.spec.grid = request("matmul/03_shared_tile", 128).spec.grid, wanted.spec.code += "// changed\n";
  EXPECT_FALSE(runner_->count(wanted, cancelled));
}

TEST_F(RunnerTest, ASumIsCountedInFullWhereItsBlocksMayTalk) {
  Request wanted = request("matmul/01_naive", 1 << 23);
  wanted.spec = sum_kernel(asks_who_is_last);
  const auto count = runner_->count(wanted, go_on_);
  ASSERT_TRUE(count) << to_line(count.error());
  EXPECT_EQ(count->unit, "GB/s");
  EXPECT_EQ(count->work, 4.0 * ((1 << 23) + 1));  // every element is read, the sum written
}

TEST_F(RunnerTest, AWrongSumIsNotCounted) {
  Request wanted = request("matmul/01_naive", 1 << 23);
  wanted.spec = sum_kernel("  atomicAdd(out, value + 1);");
  const auto count = runner_->count(wanted, go_on_);
  ASSERT_FALSE(count) << count->words;
  EXPECT_NE(to_line(count.error()).find("wrong"), std::string::npos) << to_line(count.error());
}

TEST_F(RunnerTest, AnotherBlockOfAKeptRunIsTheSameAsInARunOfItsOwn) {
  const auto first = runner_->run(request("matmul/03_shared_tile", 96), go_on_);
  ASSERT_TRUE(first);
  const auto later = runner_->run(request("matmul/03_shared_tile", 96, 5), go_on_);
  ASSERT_TRUE(later);
  Runner other(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  const auto alone = other.run(request("matmul/03_shared_tile", 96, 5), go_on_);
  ASSERT_TRUE(alone);
  EXPECT_TRUE((*later)->complete);
  EXPECT_TRUE(*(*later)->trace == *(*alone)->trace);
  EXPECT_EQ((*later)->trace->blocks().size(), 2u);
  EXPECT_EQ((*later)->lines.total.executed, (*alone)->lines.total.executed);
  EXPECT_EQ((*later)->report.registers, (*alone)->report.registers);
  // Its times are those of the run that had the counts: the grid did not run again.
  EXPECT_EQ((*later)->report.seconds, (*first)->report.seconds);
}

TEST_F(RunnerTest, KeepsWhatItRan) {
  const Request wanted = request("matmul/01_naive", 32);
  EXPECT_EQ(runner_->kept(wanted), nullptr);
  const auto run = runner_->run(wanted, go_on_);
  ASSERT_TRUE(run);
  EXPECT_EQ(runner_->kept(wanted), *run);
  Request other = wanted;
  other.parameters["BLOCK_X"] = 8;
  EXPECT_EQ(runner_->kept(other), nullptr);
}

// To compile costs most of the time: what one set of values shows is taken to hold for its like.
TEST_F(RunnerTest, FewBuildsFindWhatAnOldChipTakes) {
  for (const char* kernel : {"matmul/05_register_2d", "matmul/08_double_buffer"}) {
    Request wanted = request(kernel, 512);
    wanted.device = device_named("1.0");
    wanted.nearest = true;
    const std::uint64_t before = runner_->known().version();
    const auto run = runner_->run(wanted, go_on_);
    ASSERT_TRUE(run) << to_line(run.error());
    EXPECT_LE(runner_->known().version() - before, 5u) << kernel;
    EXPECT_GT((*run)->report.occupancy, 0) << kernel;  // its registers are there
  }
}

compile::Request small_kernel(int value, bool want_cubin = false) {
  return {.source = "extern \"C\" __global__ void kernel(int* out) { out[threadIdx.x] = VALUE; }",
          .file_name = "small.cu",
          .defines = {{"VALUE", value}},
          .want_cubin = want_cubin};
}

class BuildQueueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    compile::Compiler compiler{compile::Compiler::Options{}};
    if (!compiler.available()) GTEST_SKIP() << "no NVRTC to compile kernels";
    queue_ = std::make_unique<BuildQueue>(std::move(compiler), true);
  }
  const std::atomic<bool> go_on_ = false, cancelled_ = true;
  std::unique_ptr<BuildQueue> queue_;
};

TEST_F(BuildQueueTest, CompilesOnceAndAWholeBuildStandsForItsPtx) {
  const auto ptx = queue_->get(small_kernel(1), go_on_);
  ASSERT_TRUE(ptx) << to_line(ptx.error());
  EXPECT_TRUE((*ptx)->cubin.empty());
  EXPECT_EQ(*queue_->get(small_kernel(1), go_on_), *ptx);
  const auto whole = queue_->get(small_kernel(1, true), go_on_);
  ASSERT_TRUE(whole);
  EXPECT_FALSE((*whole)->cubin.empty());
  EXPECT_EQ(*queue_->get(small_kernel(1), go_on_), *whole);
  EXPECT_EQ(*queue_->compile_here(small_kernel(1, true)), *whole);
}

TEST_F(BuildQueueTest, ErrorsAreToldAndNotKept) {
  auto wrong = small_kernel(1);
  wrong.source = "this is no kernel";
  for (int turn = 0; turn < 2; ++turn) {
    const auto build = queue_->get(wrong, go_on_);
    ASSERT_FALSE(build);
    EXPECT_EQ(build.error().place.file, "small.cu");
  }
}

TEST_F(BuildQueueTest, WhoeverIsCancelledDoesNotWait) {
  const auto build = queue_->get(small_kernel(2), cancelled_);
  ASSERT_FALSE(build);
  EXPECT_NE(build.error().message.find("cancelled"), std::string::npos);
}

TEST_F(BuildQueueTest, WhatWasCompiledAheadIsThereAtOnce) {
  queue_->compile_ahead({small_kernel(3), small_kernel(4)}, {});
  while (queue_->is_ahead_busy()) std::this_thread::sleep_for(1ms);
  // One who does not wait gets it all the same.
  EXPECT_TRUE(queue_->get(small_kernel(3), cancelled_));
  EXPECT_TRUE(queue_->get(small_kernel(4), cancelled_));
  EXPECT_FALSE(queue_->get(small_kernel(5), cancelled_));
}

// Stands still at its first builds until each is let go.
class HeldBuildsTest : public ::testing::Test {
 protected:
  static constexpr int most_held = 2;
  void SetUp() override {
    compile::Compiler compiler{compile::Compiler::Options{}};
    if (!compiler.available()) GTEST_SKIP() << "no NVRTC to compile kernels";
    queue_ = std::make_unique<BuildQueue>(std::move(compiler), true,
                                          [this](const compile::Request& request, const compile::Build&) {
                                            const std::size_t number = note(request.defines.at("VALUE"));
                                            if (number < held_) gates_[number].acquire();
                                          });
  }
  void TearDown() override {
    for (auto& gate : gates_) gate.release();
    queue_.reset();
  }
  std::size_t note(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    built_.push_back(value);
    return built_.size() - 1;
  }
  std::vector<std::int64_t> built() const {
    const std::lock_guard lock(mutex_);
    return built_;
  }
  void wait_for_builds(std::size_t count) const {
    while (built().size() < count) std::this_thread::sleep_for(1ms);
  }
  void wait_for_ahead() const {
    while (queue_->is_ahead_busy()) std::this_thread::sleep_for(1ms);
  }

  std::size_t held_ = 1;
  mutable std::mutex mutex_;
  std::vector<std::int64_t> built_;  // in order
  std::array<std::counting_semaphore<8>, most_held> gates_{std::counting_semaphore<8>(0),
                                                           std::counting_semaphore<8>(0)};
  const std::atomic<bool> go_on_ = false;
  std::unique_ptr<BuildQueue> queue_;
};

TEST_F(HeldBuildsTest, WhatIsLikelyIsCompiledAheadInTurnWithWhatIsLeft) {
  queue_->compile_ahead({small_kernel(1)}, {});
  wait_for_builds(1);
  queue_->compile_ahead({small_kernel(2)}, {small_kernel(3), small_kernel(4)});
  queue_->compile_ahead({small_kernel(5)}, {small_kernel(6), small_kernel(3), small_kernel(7)});
  gates_[0].release();
  wait_for_ahead();
  EXPECT_EQ(built(), (std::vector<std::int64_t>{1, 5, 6, 2, 3, 7, 4}));
}

// Takes NVRTC some tenths of a second.
compile::Request long_kernel(std::int64_t value) {
  compile::Request request = small_kernel(value);
  request.source =
      "extern \"C\" __global__ void kernel(float* out) {\n  float a[64];\n"
      "#pragma unroll\n  for (int i = 0; i < 64; i++) a[i] = out[i + VALUE];\n"
      "#pragma unroll\n  for (int j = 0; j < 8; j++)\n"
      "#pragma unroll\n    for (int i = 0; i < 64; i++) a[i] = a[i] * a[(i + 7) % 64] + out[i * 64 + j];\n"
      "#pragma unroll\n  for (int i = 0; i < 64; i++) out[i] = a[i];\n}\n";
  return request;
}

// Not every NVRTC can: then it compiles to the end.
bool nvrtc_can_be_stopped() {
  std::stop_source stop;
  stop.request_stop();
  return !compile::Compiler(compile::Compiler::Options{}).compile(small_kernel(0), stop.get_token());
}

TEST_F(HeldBuildsTest, WhatIsCompiledAheadGivesWayAndIsBegunAnew) {
  if (!nvrtc_can_be_stopped()) GTEST_SKIP() << "this NVRTC cannot be stopped";
  held_ = 0;
  queue_->compile_ahead({long_kernel(1)}, {});
  std::this_thread::sleep_for(20ms);  // begun, most likely; the order is the same where it is not
  EXPECT_TRUE(queue_->get(small_kernel(2), go_on_));
  wait_for_ahead();
  EXPECT_EQ(built(), (std::vector<std::int64_t>{2, 1}));
}

TEST_F(HeldBuildsTest, WhatNobodyWaitsForIsStoppedForAPicture) {
  if (!nvrtc_can_be_stopped()) GTEST_SKIP() << "this NVRTC cannot be stopped";
  held_ = 0;
  std::atomic<bool> cancel = false;
  auto left = std::async(std::launch::async, [&] { return queue_->get(long_kernel(1), cancel); });
  std::this_thread::sleep_for(20ms);
  cancel = true;
  EXPECT_FALSE(left.get());
  EXPECT_TRUE(queue_->get(small_kernel(2), go_on_));
  // Asked for again it is compiled again: a stopped build gives no result.
  EXPECT_TRUE(queue_->get(long_kernel(1), go_on_));
  EXPECT_EQ(built(), (std::vector<std::int64_t>{2, 1}));
}

TEST_F(HeldBuildsTest, WhatIsForgottenIsNotCompiledAhead) {
  queue_->compile_ahead({small_kernel(1), small_kernel(2)}, {small_kernel(3)});
  wait_for_builds(1);
  queue_->forget_ahead();
  gates_[0].release();
  wait_for_ahead();
  EXPECT_EQ(built(), (std::vector<std::int64_t>{1}));
}

TEST_F(HeldBuildsTest, NothingIsCompiledAheadBesideWhatSomebodyWaitsFor) {
  auto answer = std::async(std::launch::async, [this] { return queue_->get(small_kernel(1), go_on_); });
  wait_for_builds(1);
  queue_->compile_ahead({small_kernel(1), small_kernel(2)}, {});
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(built(), (std::vector<std::int64_t>{1}));
  gates_[0].release();
  EXPECT_TRUE(answer.get());
  wait_for_ahead();
  EXPECT_EQ(built(), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(HeldBuildsTest, WhoWaitsForWhatIsCompiledAheadGetsIt) {
  queue_->compile_ahead({small_kernel(1)}, {});
  wait_for_builds(1);
  auto answer = std::async(std::launch::async, [this] { return queue_->get(small_kernel(1), go_on_); });
  gates_[0].release();
  EXPECT_TRUE(answer.get());
  EXPECT_EQ(built().front(), 1);
}

TEST_F(HeldBuildsTest, TheFirstOfTwoBuildsIsTheAnswer) {
  held_ = 2;
  queue_->compile_ahead({small_kernel(1)}, {});
  wait_for_builds(1);
  auto answer = std::async(std::launch::async, [this] { return queue_->get(small_kernel(1), go_on_); });
  wait_for_builds(2);  // the asker's own, as the other does not get on; it stands still too
  gates_[0].release();
  ASSERT_EQ(answer.wait_for(60s), std::future_status::ready);
  EXPECT_TRUE(answer.get());
}

TEST_F(BuildQueueTest, ManyAskAtOnce) {
  std::vector<std::jthread> askers;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([&, i] {
      const auto build = queue_->get(small_kernel(10 + i % 3, i % 2 == 0), go_on_);
      if (build && !(*build)->ptx.empty()) ++right;
    });
  }
  askers.clear();
  EXPECT_EQ(right, 8);
}

// A buffer may be of gigabytes, and a window that closes waits for nobody's.
TEST(Placing, FillsNothingMoreOnceCancelled) {
  const auto instance = (*problem::find_problem("transpose"))
                            ->make({{"M", 64}, {"N", 64}}, problem::Pattern::random, 1, 1 << 20);
  ASSERT_TRUE(instance) << to_line(instance.error());
  auto memory = emulator::GlobalMemory::create(memory_for(**instance));
  const std::atomic<bool> cancel = true;
  const auto places = place_buffers(**instance, *memory, &cancel);
  ASSERT_TRUE(places);
  EXPECT_TRUE(
      std::ranges::all_of(memory->bytes(places->front()), [](std::byte b) { return b == std::byte{0}; }));
  fill_buffers(**instance, *places, *memory);
  EXPECT_TRUE(std::ranges::equal(memory->bytes(places->front()), (*instance)->initial(0)));
}

}  // namespace
}  // namespace warplens::run
