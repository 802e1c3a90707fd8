// The model of vectorized loads against machine code: every kernel of the repository (at sampled or, in the
// long test, all valid parameter sets), kernels as users write them, and models that are deliberately wrong.
// And kernels of which the model expects something else than was issued, which is then counted.
#include "engine/run/issued.hpp"

#include <gtest/gtest.h>

#include "engine/problem/problem.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

// kernel: by the model alone.
struct Prepared {
  compile::Build build;
  std::shared_ptr<const emulator::Kernel> kernel;
  emulator::MachineAccesses issued;
};

Result<Prepared> prepared(const compile::Request& request) {
  auto build = compiler().compile(request);
  if (!build) return build.error();
  auto issued = issued_accesses(*build);
  if (!issued) return Error{"no machine code", ""};
  compile::Build without = *build;
  without.cubin.clear();
  auto kernel = prepare(without, h100());
  if (!kernel) return kernel.error();
  return Prepared{*std::move(build), *std::move(kernel), *std::move(issued)};
}

bool matches(const Prepared& p, const std::vector<emulator::VectorizedAccess>& accesses) {
  return emulator::are_issued(p.kernel->function(), accesses, p.issued.accesses);
}
bool matches(const Prepared& p) { return matches(p, p.kernel->shared_accesses()); }

std::vector<emulator::VectorizedAccess> as_in_ptx(const Prepared& p) {
  auto accesses = p.kernel->shared_accesses();
  for (std::uint32_t pc = 0; pc < accesses.size(); ++pc) {
    const auto& i = p.kernel->function().code[pc];
    if (accesses[pc].width == 0) continue;
    accesses[pc].leader = accesses[pc].named = pc;
    accesses[pc].width = static_cast<std::uint8_t>(ptx::size_in_bytes(i.type) * i.vector);
  }
  return accesses;
}

TEST(VectorizedCheck, KernelsOfTheRepository) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
#ifdef WARPLENS_ALL_SETS
  constexpr std::size_t kEvery = 1;
#else
  constexpr std::size_t kEvery = 60;
#endif
  std::size_t checked = 0;
  for (const auto& spec : kernels().kernels()) {
    catalog::Values sizes;
    for (const auto& name : (*problem::find_problem(spec))->size_names()) sizes[std::string(name)] = 256;
    const auto sets = catalog::valid_parameter_sets(spec, sizes);
    for (std::size_t s = 0; s < sets.size(); s += kEvery, ++checked) {
      const auto planned = choose_values(spec, sets[s], sizes, h100());
      ASSERT_TRUE(planned) << to_line(planned.error());
      const auto one = prepared(build_request(*planned));
      std::string values;
      for (const auto& [name, value] : sets[s]) values += " " + name + "=" + std::to_string(value);
      EXPECT_TRUE(one && matches(*one)) << spec.id << values << (one ? "" : ": " + to_line(one.error()));
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
    {"FirstAndThirdOfFour",
     R"(extern "C" __global__ void k(float* o, const float* a, const int* ix) {
  __shared__ float s[512]; int t = threadIdx.x;
  for (int i = 0; i < 4; i++) s[t + 128 * i] = a[t + 128 * i];
  __syncthreads();
  int j = ix[t]; o[t] = s[4 * j] * a[t] + s[4 * j + 2];
})"},
    {"TreeOfOneWarp",
     R"(extern "C" __global__ void k(float* o, const float* a) {
  __shared__ float s[96]; int t = threadIdx.x; s[t] = a[t];
  __syncthreads();
  if (t < 32) for (int d = 32; d > 0; d >>= 1) { float v = s[t + d]; __syncwarp(); s[t] += v; __syncwarp(); }
  if (t == 0) o[0] = s[0];
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
  EXPECT_FALSE(matches(*one, as_in_ptx(*one)));
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
    EXPECT_FALSE(matches(*one, wrong)) << "pc " << pc;
  }
}

// Without loops and branches, so that each warp issues each LDS and STS of the machine code once. Loads and
// stores by width: 1, 2, 4, 8, 16 bytes.
struct Misjudged {
  const char* name;
  const char* code;
  std::array<int, 5> loads, stores;
  std::uint64_t load_wavefronts, store_wavefronts;  // of a warp
};

const Misjudged kMisjudged[] = {
    // Four signed halves, added as numbers of 32 bits, are loaded one by one: LDS.S16, or LDS.U16. Lanes are
    // 8
    // bytes apart, so that 16 lanes read all banks.
    {"SignedHalves",
     R"(extern "C" __global__ void k(short* o, const short* a) {
  __shared__ short s[128]; int t = threadIdx.x;
  for (int k = 0; k < 4; k++) s[4 * t + k] = a[4 * t + k];
  __syncthreads();
  int u = t ^ 1; o[t] = s[4 * u] + s[4 * u + 1] - s[4 * u + 2] * s[4 * u + 3];
})",
     {0, 4, 0, 0, 0},
     {0, 0, 0, 1, 0},
     4 * 2,
     2},
    // Bytes are loaded in fours by the PTX, and the fours as one LDS.128: phases of 8 lanes.
    {"FoursOfBytes",
     R"(extern "C" __global__ void k(int* o, const char4* a) {
  __shared__ char4 s[128]; int t = threadIdx.x;
  for (int k = 0; k < 4; k++) s[4 * t + k] = a[4 * t + k];
  __syncthreads();
  int v = 0;
  for (int k = 0; k < 4; k++) { char4 c = s[4 * (t ^ 1) + k]; v += c.x * c.y - c.z * c.w; }
  o[t] = v;
})",
     {0, 0, 0, 0, 1},
     {0, 0, 0, 0, 1},
     4,
     4},
    // Fields of different types.
    {"FieldsOfAStruct",
     R"(struct Body { float f; unsigned char c[4]; int i; short h[2]; };
extern "C" __global__ void k(float* o, const float* a) {
  __shared__ Body s[32]; int t = threadIdx.x;
  s[t].f = a[t]; s[t].i = 3 * t;
  for (int k = 0; k < 4; k++) s[t].c[k] = t + k;
  s[t].h[0] = t; s[t].h[1] = 2 * t;
  __syncthreads();
  Body b = s[t ^ 1]; o[t] = b.f + b.c[0] + b.i + b.h[0] + b.c[3] + b.h[1];
})",
     {0, 0, 0, 0, 1},
     {0, 0, 0, 0, 1},
     4,
     4},
};

class MisjudgedKernel : public testing::TestWithParam<Misjudged> {};

std::array<int, 5> by_width(const compile::OpcodeWidths& widths) {
  std::array<int, 5> counts{};
  for (std::size_t w = 0; w < counts.size(); ++w) counts[w] = static_cast<int>(widths.by_width[w]);
  return counts;
}

// By default of one warp.
Result<emulator::Counts> counted(const emulator::Kernel& kernel,
                                 emulator::Launch launch = {
                                     .block = {32, 1, 1}, .arguments = {}, .blocks = {}}) {
  auto memory = emulator::GlobalMemory::create(std::uint64_t{1} << 24);
  if (!memory) return memory.error();
  for (const char* name : {"o", "a"}) {
    const auto buffer = memory->allocate(name, 4096);
    if (!buffer) return buffer.error();
    const auto* bytes = reinterpret_cast<const std::byte*>(&buffer->address);
    launch.arguments.insert(launch.arguments.end(), bytes, bytes + 8);
  }
  const auto outcome = kernel.run(launch, *memory);
  if (!outcome) return outcome.error();
  if (outcome->fault) return outcome->fault->error;
  return static_cast<const emulator::Counts&>(outcome->counters);
}

// Of vectors that are read in part, in both memories: what an H100 counted (ncu 2025.3, CUDA 13.0) of 4
// blocks of 8 warps.
TEST(VectorizedCheck, WordsFarApartAreLoadedOneByOne) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const char* code = R"(extern "C" __global__ void k(float* o, const float4* a) {
  __shared__ float4 s[256]; int t = threadIdx.x; s[t] = a[t]; __syncthreads();
  float4 m = a[t]; float x = 0, y = 0;
  for (int j = 0; j < 256; j++) {
    float4 p = s[j]; float dx = p.x - m.x, dy = p.z - m.z;
    float r = rsqrtf(dx * dx + dy * dy + 1e-9f); x += dx * r; y += dy * r;
  }
  o[2 * t] = x; o[2 * t + 1] = y;
})";
  const auto one = prepared({code, "written.cu", {}, 90, true});
  ASSERT_TRUE(one) << to_line(one.error());
  EXPECT_TRUE(matches(*one));
  const auto counts =
      counted(*one->kernel, {.grid = {4, 1, 1}, .block = {256, 1, 1}, .arguments = {}, .blocks = {}});
  ASSERT_TRUE(counts) << to_line(counts.error());
  EXPECT_EQ(counts->global_load.requests, 96);
  EXPECT_EQ(counts->global_load.sectors, 1536);
  EXPECT_EQ(counts->shared_load.requests, 16384);
  EXPECT_EQ(counts->shared_load.wavefronts, 16384);
  EXPECT_EQ(counts->shared_store.wavefronts, 128);
}

// What only lanes that pass the first guard need is loaded behind it: seven of eight warps make no request.
TEST(VectorizedCheck, LoadsBehindTheGuardAreThoseOfWhoPasses) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const char* code = R"(extern "C" __global__ void k(unsigned* o, const unsigned* a) {
  unsigned sum = a[blockIdx.x], n = blockDim.x / 8, i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    o[i] = a[i] + sum;
    if (i + blockDim.x < n) o[i + blockDim.x] = a[i + blockDim.x] + sum;
  }
})";
  const auto one = prepared({code, "written.cu", {}, 90, true});
  ASSERT_TRUE(one) << to_line(one.error());
  const emulator::Launch launch{.block = {256, 1, 1}, .arguments = {}, .blocks = {}};
  const auto as_in_ptx = counted(*one->kernel, launch);
  ASSERT_TRUE(as_in_ptx) << to_line(as_in_ptx.error());
  EXPECT_EQ(as_in_ptx->global_load.requests, 9);
  const auto kernel = prepare(one->build, h100());
  ASSERT_TRUE(kernel) << to_line(kernel.error());
  const auto counts = counted(**kernel, launch);
  ASSERT_TRUE(counts) << to_line(counts.error());
  EXPECT_EQ(counts->global_load.requests, 2);
  EXPECT_EQ(counts->global_load.sectors, 5);
}

TEST_P(MisjudgedKernel, IsCountedByItsMachineCode) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const Misjudged& wanted = GetParam();
  const auto one = prepared({wanted.code, "written.cu", {}, 90, true});
  ASSERT_TRUE(one) << to_line(one.error());
  EXPECT_FALSE(matches(*one));
  const auto kernel = prepare(one->build, h100());
  ASSERT_TRUE(kernel) << to_line(kernel.error());
  EXPECT_TRUE(matches(*one, (*kernel)->shared_accesses()));

  EXPECT_EQ(by_width(one->build.instructions.shared_load), wanted.loads);
  EXPECT_EQ(by_width(one->build.instructions.shared_store), wanted.stores);
  const auto counts = counted(**kernel);
  ASSERT_TRUE(counts) << to_line(counts.error());
  EXPECT_EQ(counts->shared_load.requests, one->build.instructions.shared_load.total());
  EXPECT_EQ(counts->shared_store.requests, one->build.instructions.shared_store.total());
  EXPECT_EQ(counts->shared_load.wavefronts, wanted.load_wavefronts);
  EXPECT_EQ(counts->shared_store.wavefronts, wanted.store_wavefronts);
}

INSTANTIATE_TEST_SUITE_P(Users, MisjudgedKernel, testing::ValuesIn(kMisjudged),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Other architectures name the lines of the PTX in the same way.
TEST(VectorizedCheck, MachineCodeOfOtherArchitectures) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  for (const int arch : {75, 80, 89, 100, 120})
    for (const Misjudged& one : kMisjudged) {
      const auto code = prepared({one.code, "written.cu", {}, arch, true});
      ASSERT_TRUE(code) << to_line(code.error());
      const auto kernel = prepare(code->build, h100());
      ASSERT_TRUE(kernel) << to_line(kernel.error());
      EXPECT_TRUE(matches(*code, (*kernel)->shared_accesses())) << arch << " " << one.name;
    }
}

}  // namespace
}  // namespace warplens::run
