#include "engine/run/declared/declared_shared.hpp"

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

TEST(DeclaredShared, AddsUpWhatTheSourceDeclares) {
  EXPECT_EQ(declared_shared_bytes("__global__ void kernel(float* a) { a[0] = 1; }", {}), 0);
  EXPECT_EQ(declared_shared_bytes("  __shared__ float tile[TILE][TILE + 1];", {{"TILE", 8}}), 8 * 9 * 4);
  EXPECT_EQ(declared_shared_bytes("  __shared__ float a[3], b[N];\n  __shared__ __align__(16) float4 c[2];",
                                  {{"N", 2}}),
            32 + 32);
  EXPECT_EQ(declared_shared_bytes("  extern __shared__ float all[];", {}), 0);
}

TEST(DeclaredShared, IsSilentWhereItDoesNotUnderstand) {
  EXPECT_EQ(declared_shared_bytes("  __shared__ Own tile[4];", {}), std::nullopt);
  EXPECT_EQ(declared_shared_bytes("  __shared__ float tile[place(4)];", {}), std::nullopt);
  EXPECT_EQ(declared_shared_bytes("\n#if A\n  __shared__ float tile[4];\n#endif", {}), std::nullopt);
}

// Where it says something of a kernel of the repository, the compiler says the same.
TEST(DeclaredShared, AgreesWithTheCompiler) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  std::size_t known = 0;
  for (const catalog::KernelSpec& spec : kernels().kernels()) {
    const catalog::Values values = catalog::default_values(spec);
    const auto declared = declared_shared_bytes(spec.code, values);
    if (!declared) continue;
    const auto planned = choose_values(spec, values, {}, h100());
    ASSERT_TRUE(planned) << to_line(planned.error());
    const auto build = compiler().compile(build_request(*planned, false));
    ASSERT_TRUE(build) << to_line(build.error());
    const auto kernel = prepare(*build, h100());
    ASSERT_TRUE(kernel) << to_line(kernel.error());
    EXPECT_EQ(*declared, (*kernel)->static_shared_bytes()) << spec.id;
    known += *declared > 0 ? 1 : 0;
  }
  EXPECT_GT(known, 20u);
}

}  // namespace
}  // namespace warplens::run
