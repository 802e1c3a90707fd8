// What devices of before an instruction say of kernels that have it, and registers that only the file knows.
#include "engine/run/device_needs.hpp"

#include <gtest/gtest.h>

#include "engine/device/occupancy.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using Asked = std::string (*)(const ptx::Function&, const device::Device&);
std::string missing(const std::string& kernel, const char* device, Asked asked = missing_instruction) {
  const auto spec = kernels().find(kernel);
  const auto planned = plan(*spec, {}, {}, device_named("h100"));
  EXPECT_TRUE(planned) << to_line(planned.error());
  const auto build = compile(compiler(), *planned);
  EXPECT_TRUE(build) << to_line(build.error());
  const auto prepared = prepare(*build, device_named(device));
  EXPECT_TRUE(prepared) << to_line(prepared.error());
  return asked((*prepared)->function(), device_named(device));
}

TEST(DeviceNeeds, NameTheInstructionThatIsMissing) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  EXPECT_EQ(missing("matmul/10_async_pipeline", "v100"), "cp.async needs 8.0");
  EXPECT_EQ(missing("matmul/10_async_pipeline", "a100"), "");
  EXPECT_EQ(missing("reduction/06_shuffle", "gtx480"), "shfl needs 3.0");
  EXPECT_EQ(missing("reduction/06_shuffle", "k40"), "");
  EXPECT_EQ(missing("matmul/01_naive", "g80"), "");
  EXPECT_EQ(missing("arithmetic/07_double", "g80"), "a number in double needs 1.3");
  EXPECT_EQ(missing("arithmetic/07_double", "gtx280"), "");
  EXPECT_EQ(missing("tensor/02_shared_tiles", "v100"), "mma of bf16 or tf32 needs 8.0");
  EXPECT_EQ(missing("tensor/02_shared_tiles", "a100"), "");
  EXPECT_EQ(missing("tensor_int8/02_dp4a", "k40"), "dp4a needs 6.1");
  EXPECT_EQ(missing("tensor_int8/02_dp4a", "v100"), "");
  EXPECT_EQ(missing("tensor_int8/04_mma_ldmatrix", "v100"), "ldmatrix needs 7.5");
  EXPECT_EQ(missing("tensor_int8/04_mma_ldmatrix", "rtx2080ti"), "mma.m16n8k32 needs 8.0");
  EXPECT_EQ(missing("tensor_tf32/01_mma", "rtx2080ti"), "mma of bf16 or tf32 needs 8.0");
  EXPECT_EQ(missing("tensor_tf32/01_mma", "a100"), "");
  EXPECT_EQ(missing("matmul_peak/01_split_k_cluster", "a100"), "barrier.cluster.arrive needs 9.0");
  EXPECT_EQ(missing("matmul_peak/02_copying_warps", "a100"), "setmaxnreg needs 9.0");
  EXPECT_EQ(missing("matmul_peak/02_copying_warps", "h200"), "");
}

TEST(DeviceNeeds, NameAtomicsTooOfWhatRuns) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  EXPECT_EQ(missing("harris/02_strided_index", "g80"), "");  // its time is told
  EXPECT_EQ(missing("harris/02_strided_index", "g80", instruction_lacked), "atomicAdd of a float needs 2.0");
  EXPECT_EQ(missing("harris/02_strided_index", "gtx480", instruction_lacked), "");
  EXPECT_EQ(missing("matmul/01_naive", "g80", instruction_lacked), "");
}

// The machine code is for 7.5 there.
TEST(DeviceRegisters, OfAnOldDeviceAreThoseOfTheFileOrNotKnown) {
  catalog::KernelSpec spec = *kernels().find("transpose/02_tiled");
  const catalog::Values own = catalog::default_values(spec);
  const device::Device gtx280 = device_named("gtx280");
  EXPECT_EQ(registers_on(gtx280, spec, own, 45), 0);
  spec.registers[13] = 21;
  EXPECT_EQ(registers_on(gtx280, spec, own, 45), 21);
  EXPECT_EQ(registers_on(device_named("g80"), spec, own, 45), 0);
  EXPECT_EQ(registers_on(device_named("h100"), spec, own, 45), 45);
  catalog::Values others = own;
  others["PAD"] = 0;
  EXPECT_EQ(registers_on(gtx280, spec, others, 45), 0);
}

// Two tiles of 4 KiB fill half of a GTX 280's shared memory to the byte; the arguments, three pointers and
// three numbers behind 16 bytes, are in it too, so that no second block fits.
TEST(SharedBytes, HaveTheArgumentsOfAnOldDevice) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find("filipovic/04_several_results");
  ASSERT_TRUE(spec);
  const auto new_plan = plan(*spec, {}, {}, device_named("h100"));
  ASSERT_TRUE(new_plan) << to_line(new_plan.error());
  const auto build = compile(compiler(), *new_plan);
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_EQ(shared_bytes(*new_plan, *build), 8192);
  const auto old_plan = plan(*spec, {}, {}, device_named("gtx280"));
  ASSERT_TRUE(old_plan) << to_line(old_plan.error());
  const std::int64_t shared = shared_bytes(*old_plan, *build);
  EXPECT_EQ(shared, 8192 + 16 + 3 * 8 + 3 * 4);
  EXPECT_EQ(device::occupancy(old_plan->device, {512, 16, 8192})->blocks_per_sm, 2);
  EXPECT_EQ(device::occupancy(old_plan->device, {512, 16, shared})->blocks_per_sm, 1);
}

// Filipovič's kernel of 235 GFLOPS: 512 threads of 45 registers, by the machine code for 7.5, are more than
// there are, and it ran.
TEST(DeviceRegisters, ThatAreNotKnownStopNoLaunch) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find("matmul/04_register_1d");
  ASSERT_TRUE(spec);
  const auto planned = plan(*spec, {{"BM", 32}, {"BN", 32}, {"TM", 2}, {"BK", 16}},
                            {{"M", 64}, {"N", 64}, {"K", 64}}, device_named("gtx280"));
  ASSERT_TRUE(planned) << to_line(planned.error());
  auto build = compile(compiler(), *planned);
  ASSERT_TRUE(build) << to_line(build.error());
  auto instance = Instances({.most_bytes = 1 << 20}).instantiate(*planned);
  ASSERT_TRUE(instance);
  const auto report = report_before({*planned, *std::move(instance), *std::move(build)});
  ASSERT_TRUE(report) << to_line(report.error());
  EXPECT_GT(report->registers, 0);
  EXPECT_EQ(report->device_registers, 0);
  EXPECT_GT(report->occupancy, 0);
}

}  // namespace
}  // namespace warplens::run
