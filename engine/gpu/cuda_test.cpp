// What needs a GPU. Where there is none every case is skipped and says so.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/testing/places.hpp"
#include "engine/compile/build.hpp"
#include "engine/gpu/worker/client.hpp"

namespace warplens::gpu {
namespace {

using problem::Pattern;

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    const auto system = client_.system();
    ASSERT_TRUE(system) << system.error().message;
    if (system->devices.empty()) GTEST_SKIP() << system->reason;
    arch_ = system->devices[0].compute_capability;
  }

  compile::Build build(const std::string& body) {
    const std::string source =
        "extern \"C\" __global__ void kernel(const float* in, float* out, int rows, int columns) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
        body + "}\n";
    compile::Compiler compiler({});
    auto built = compiler.compile({.source = source, .file_name = "k.cu", .defines = {}, .arch = arch_});
    EXPECT_TRUE(built) << built.error().message;
    return built ? *built : compile::Build{};
  }

  gpu::Run run_of(const compile::Build& code, std::uint32_t shared = 0) const {
    return {.device = 0,
            .cubin = code.cubin,
            .kernel_name = code.kernel_name,
            .launch = {{16, 1, 1}, {256, 1, 1}, shared},
            .instance = instance_,
            .timing = {},
            .product = {}};
  }

  Result<Execution> run(const compile::Build& code, std::optional<TimingOptions> timing = {},
                        std::uint32_t shared = 0) {
    gpu::Run run = run_of(code, shared);
    run.timing = timing;
    return client_.run(run);
  }

  static constexpr const char* right =
      "  if (i < rows * columns) out[i % columns * rows + i / columns] = in[i];\n";
  Client client_{{.worker_command = {program_path("fake_gpu_worker"), "cuda"},
                  .timeout_seconds = 2,
                  .recovery_seconds = 1}};
  std::shared_ptr<const problem::Instance> instance_ =
      *(*problem::find_problem("transpose"))->make({{"M", 64}, {"N", 64}}, Pattern::random, 1, 1 << 20);
  int arch_ = 0;
};

TEST_F(Cuda, RunsVerifiesAndTimes) {
  const auto execution = run(build(right), TimingOptions{.seconds = 0.1});
  ASSERT_TRUE(execution) << execution.error().message;
  ASSERT_FALSE(execution->fault) << execution->fault->error.message;
  EXPECT_TRUE(verify_output(*instance_, execution->output).verified);
  ASSERT_TRUE(execution->timing);
  const Statistics& s = execution->timing->kernel;
  EXPECT_GE(s.samples, 12);
  EXPECT_GT(s.least, 0);
  EXPECT_LE(s.least, s.p10);
  EXPECT_LE(s.p10, s.median);
  EXPECT_LE(s.median, s.p90);
  EXPECT_LT(s.median, 1e-3);
  EXPECT_GT(execution->timing->overall_seconds, s.least);
  EXPECT_TRUE(execution->timing->repeatable);
}

// Every run starts from fresh buffers: what an earlier one wrote is gone.
TEST_F(Cuda, PoisonsTheOutputBeforeEachRun) {
  ASSERT_TRUE(run(build(right)));
  const auto execution = run(build("  if (i == 0) out[0] = in[0];\n"));
  ASSERT_TRUE(execution) << execution.error().message;
  const auto verification = verify_output(*instance_, execution->output);
  EXPECT_FALSE(verification.verified);
  EXPECT_EQ(verification.first_wrong, 1);
}

TEST_F(Cuda, GivesMoreThan48KbOfSharedMemoryAndRefusesTooMuch) {
  const std::string body =
      "  extern __shared__ float big[];\n  big[threadIdx.x + 15000] = 1;\n  __syncthreads();\n";
  const auto code = build(body + right);
  const auto execution = run(code, {}, 64 << 10);
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_FALSE(execution->fault);
  EXPECT_TRUE(verify_output(*instance_, execution->output).verified);
  const auto refused = run(code, {}, 1 << 20);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("1048576 bytes"), std::string::npos) << refused.error().message;
}

TEST_F(Cuda, SurvivesTwentyIllegalAddressesAndTwentyEndlessLoops) {
  const auto good = build(right), astray = build("  out[(1ll << 33) + i * 1000003ll] = in[0];\n"),
             endless = build("  volatile float* again = out;\n  while (again[0] != 12345.0f) {}\n");
  for (int turn = 0; turn < 20; ++turn) {
    const auto fault = run(astray);
    ASSERT_TRUE(fault) << fault.error().message;
    ASSERT_TRUE(fault->fault);
    EXPECT_EQ(fault->fault->kind, Fault::Kind::fault);
    EXPECT_EQ(fault->fault->name, "CUDA_ERROR_ILLEGAL_ADDRESS");
    const auto hang = run(endless);
    ASSERT_TRUE(hang) << hang.error().message;
    ASSERT_TRUE(hang->fault);
    EXPECT_EQ(hang->fault->kind, Fault::Kind::hang);
    const auto after = run(good);
    ASSERT_TRUE(after) << after.error().message;
    ASSERT_FALSE(after->fault) << after->fault->error.message;
    EXPECT_TRUE(verify_output(*instance_, after->output).verified);
  }
}

// 128 warps read 32 consecutive floats, and write each into another row of 256 bytes.
TEST_F(Cuda, CountsWhatTheHardwareDid) {
  const auto code = build(right);
  gpu::Run request = run_of(code);
  request.instruction_metrics = {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                                 "smsp__sass_thread_inst_executed_op_fp64_pred_on"};
  request.metrics = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"};
  const auto execution = client_.run(request);
  if (!execution && (execution.error().message.find("not installed") != std::string::npos ||
                     execution.error().message.find("may not read") != std::string::npos))
    GTEST_SKIP() << execution.error().message;
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->counted, (std::vector<double>{128, 128 * 4, 128 * 32}));
  if (!execution->instructions.empty()) {  // older libraries have none
    EXPECT_EQ(execution->instructions, (std::vector<double>{0, 0})) << "no shared memory, no doubles";
  }
  EXPECT_TRUE(verify_output(*instance_, execution->output).verified);
  request.metrics = {"no__such_metric.sum"};
  EXPECT_FALSE(client_.run(request));
}

TEST_F(Cuda, BringsWhatAKernelPrints) {
  const auto execution = run(build(std::string("  if (i == 5) printf(\"thread %d\\n\", i);\n") + right));
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->printed, "thread 5\n");
}

}  // namespace
}  // namespace warplens::gpu
