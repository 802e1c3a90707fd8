// The model of vectorized loads against machine code: every kernel of the repository (at sampled or, in the
// long test, all valid parameter sets), kernels as users write them, and models that are deliberately wrong.
#include "engine/run/vectorized_check.hpp"

#include <gtest/gtest.h>

#include <set>

#include "engine/base/testing/places.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/compile/build.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

compile::Compiler& compiler() {
  static compile::Compiler one({.library = {}, .cache_folder = test_cache_path()});
  return one;
}

struct Prepared {
  compile::Build build;
  std::shared_ptr<const emulator::Kernel> kernel;
  compile::MachineCode code;
};

Result<Prepared> prepared(const compile::Request& request) {
  auto build = compiler().compile(request);
  if (!build) return build.error();
  auto kernel = prepare(*build, device::Device{});
  if (!kernel) return kernel.error();
  auto code = compile::read_machine_code(build->cubin, build->kernel_name);
  if (!code) return code.error();
  return Prepared{*std::move(build), *std::move(kernel), *std::move(code)};
}

bool matches(const Prepared& p) {
  return vectorized_as_expected(p.kernel->function(), p.kernel->shared_accesses(), p.code);
}

std::vector<emulator::VectorizedAccess> as_in_ptx(const Prepared& p) {
  auto accesses = p.kernel->shared_accesses();
  for (std::uint32_t pc = 0; pc < accesses.size(); ++pc) {
    const auto& i = p.kernel->function().code[pc];
    if (accesses[pc].width == 0) continue;
    accesses[pc].leader = pc;
    accesses[pc].width = static_cast<std::uint8_t>(ptx::size_in_bytes(i.type) * i.vector);
  }
  return accesses;
}

// ptxas copies the code behind each __syncwarp of these for warps that come apart (BRA.DIV), outside of any
// loop, where the check wants each access once. A run of them counts by the machine code's widths, says that
// the model did not match, and equals the hardware's counters.
const std::set<std::string> kCopiedAtSyncwarp{"harris/05_last_warp", "harris/06_unrolled",
                                              "harris/07_many_additions"};

TEST(VectorizedCheck, KernelsOfTheRepository) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
#ifdef WARPLENS_ALL_SETS
  constexpr std::size_t kEvery = 1;
#else
  constexpr std::size_t kEvery = 60;
#endif
  const auto catalog = catalog::Catalog::open(source_path("kernels"));
  ASSERT_TRUE(catalog);
  std::size_t checked = 0;
  for (const auto& spec : catalog->kernels()) {
    catalog::Values sizes;
    for (const auto& name : (*problem::find_problem(spec))->size_names()) sizes[std::string(name)] = 256;
    const auto sets = catalog::valid_parameter_sets(spec, sizes);
    for (std::size_t s = 0; s < sets.size(); s += kEvery, ++checked) {
      const auto one = prepared({spec.code, spec.path, sets[s], 90, true});
      ASSERT_TRUE(one) << to_line(one.error());
      std::string values;
      for (const auto& [name, value] : sets[s]) values += " " + name + "=" + std::to_string(value);
      EXPECT_EQ(matches(*one), !kCopiedAtSyncwarp.contains(spec.id)) << spec.id << values;
    }
  }
  EXPECT_GE(checked, 30u);
}

struct Written {
  const char* name;
  const char* code;
  bool vectorizes = true;  // so a model without vectorized loads must be found out
};

const Written kWritten[] = {
    {"Quad", R"(extern "C" __global__ void k(float* o, const float* a, const int* ix) {
  __shared__ float s[512]; int t = threadIdx.x;
  for (int i = 0; i < 4; i++) s[t + 128 * i] = a[t + 128 * i];
  __syncthreads();
  int j = ix[t]; o[t] = s[4 * j] + s[4 * j + 1] * s[4 * j + 2] + s[4 * j + 3];
})"},
    {"NbodyWithoutMass", R"(extern "C" __global__ void k(float* o, const float4* a, int n) {
  __shared__ float4 s[128]; int t = threadIdx.x; float4 me = a[t]; float acc = 0;
  for (int j = 0; j < n; j += 128) {
    s[t] = a[j + t];
    __syncthreads();
    for (int k = 0; k < 128; k++) { float4 q = s[k]; float dx = q.x - me.x, dy = q.y - me.y; acc += rsqrtf(dx * dx + dy * dy + 1e-3f); }
    __syncthreads();
  }
  o[t] = acc;
})"},
    {"StencilFourAThread", R"(extern "C" __global__ void k(float* o, const float* a) {
  __shared__ float s[18][68]; int x = threadIdx.x * 4, y = threadIdx.y;
  for (int i = 0; i < 4; i++) s[y + 1][x + 1 + i] = a[y * 64 + x + i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; i++) o[y * 64 + x + i] = s[y][x + 1 + i] + s[y + 2][x + 1 + i] + s[y + 1][x + i] + s[y + 1][x + 2 + i];
})"},
    {"DoublesUnrolledByPtxas",
     R"(extern "C" __global__ void k(double* o, const double* A, const double* B, int n) {
  __shared__ double As[16][16], Bs[16][16]; int x = threadIdx.x, y = threadIdx.y; double c = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[y][x] = A[y * n + k0 + x]; Bs[y][x] = B[(k0 + y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++) c += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  o[y * n + x] = c;
})"},
    {"RuntimeDepthUnrolledTwice",
     R"(extern "C" __global__ void k(float* o, const float* A, const float* B, int n, int m) {
  __shared__ float As[16][16], Bs[16][16]; int x = threadIdx.x, y = threadIdx.y; float c = 0;
  As[y][x] = A[y * n + x]; Bs[y][x] = B[y * n + x];
  __syncthreads();
  for (int k = 0; k < m; k++) c += As[y][k] * Bs[k][x];
  o[y * n + x] = c;
})"},
    {"SerialTail", R"(extern "C" __global__ void k(float* o, const float* a, int n) {
  __shared__ float s[256]; int t = threadIdx.x; s[t] = a[t];
  __syncthreads();
  if (t == 0) { float v = 0; for (int i = 0; i < n; i++) v += s[i]; o[blockIdx.x] = v; }
})"},
    {"ZeroedByRows", R"(extern "C" __global__ void k(float* o, const float* a) {
  __shared__ float s[1024]; int t = threadIdx.x;
  for (int i = 0; i < 8; i++) s[t * 8 + i] = 0;
  __syncthreads();
  s[a[t] > 0 ? 5 : 7] = 1;
  __syncthreads();
  o[t] = s[t];
})",
     false},
    {"DivisionInALoop", R"(extern "C" __global__ void k(float* o, float* a) {
  __shared__ float s[16][16]; int t = threadIdx.x;
  for (int i = 0; i < 16; i++) s[i][t] = a[i * 16 + t];
  __syncthreads();
  for (int k = 0; k < 15; k++) {
    if (t > k) { float l = s[t][k] / s[k][k]; for (int j = k; j < 16; j++) s[t][j] -= l * s[k][j]; }
    __syncthreads();
  }
  for (int i = 0; i < 16; i++) o[i * 16 + t] = s[i][t];
})",
     false},
};

class WrittenKernel : public testing::TestWithParam<Written> {};

TEST_P(WrittenKernel, MatchesAndNotWithoutMerging) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto one = prepared({GetParam().code, "written.cu", {}, 90, true});
  ASSERT_TRUE(one) << to_line(one.error());
  EXPECT_TRUE(matches(*one));
  if (!GetParam().vectorizes) return;
  EXPECT_FALSE(vectorized_as_expected(one->kernel->function(), as_in_ptx(*one), one->code));
}

INSTANTIATE_TEST_SUITE_P(Users, WrittenKernel, testing::ValuesIn(kWritten),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(VectorizedCheck, OneWrongWidthIsFoundOut) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto one = prepared({kWritten[4].code, "written.cu", {}, 90, true});
  ASSERT_TRUE(one) << to_line(one.error());
  ASSERT_TRUE(matches(*one));
  for (std::uint32_t pc = 0; pc < one->kernel->shared_accesses().size(); ++pc) {
    auto wrong = one->kernel->shared_accesses();
    if (wrong[pc].width == 0 || wrong[pc].leader != pc) continue;
    wrong[pc].width = static_cast<std::uint8_t>(wrong[pc].width == 16 ? 8 : wrong[pc].width * 4);
    EXPECT_FALSE(vectorized_as_expected(one->kernel->function(), wrong, one->code)) << "pc " << pc;
  }
}

}  // namespace
}  // namespace warplens::run
