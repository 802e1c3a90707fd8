// With a real NVRTC; skipped where there is none. $WARPLENS_NVRTC may name the library or its folder.
#include "engine/compile/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stop_token>
#include <thread>

#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/cubin.hpp"
#include "engine/compile/diagnostics.hpp"
#include "engine/compile/nvrtc.hpp"
#include "engine/compile/testing/testing_elf.hpp"
#include "engine/compile/testing/warning_lines.hpp"

namespace warplens::compile {
namespace {

using testing::ElementsAre, testing::HasSubstr;

constexpr const char* kTile = R"(extern "C" __global__ void kernel(const float* A, float* C, int n) {
  __shared__ float tile[100];
  tile[threadIdx.x] = A[n];
  __syncthreads();
  C[threadIdx.x] = tile[n] * SCALE;
}
)";

// 64 values a thread stay alive while 1024 threads leave 64 registers each: they must spill.
constexpr const char* kSpilling =
    R"(extern "C" __global__ void __launch_bounds__(1024) kernel(float* A, int n) {
  float a[96];
#pragma unroll
  for (int i = 0; i < 96; i++) a[i] = A[i * n + threadIdx.x];
  for (int j = 0; j < n; j++) {
#pragma unroll
    for (int i = 0; i < 96; i++) a[i] = a[i] * a[(i + 7) % 96] + A[j];
  }
#pragma unroll
  for (int i = 0; i < 96; i++) A[i * n + threadIdx.x] = a[i];
}
)";

// Volatile assembly is neither merged nor dropped: what is written is what the machine code has, line by
// line.
constexpr const char* kProbe = R"(extern "C" __global__ void kernel(float* A, unsigned s) {
  float a, b, c, d; unsigned u; unsigned long long p = (unsigned long long)A;
  asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=r"(u) : "r"(s));
  asm volatile("st.volatile.shared.u8 [%1], %0;" :: "r"(u), "r"(s));
  asm volatile("ld.volatile.shared.s16 %0, [%1];" : "=r"(u) : "r"(s));
  asm volatile("st.volatile.shared.u16 [%1], %0;" :: "r"(u), "r"(s));
  asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(a) : "r"(s));
  asm volatile("st.volatile.shared.f32 [%1+4], %0;" :: "f"(a), "r"(s));
  asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2+8];" : "=f"(a), "=f"(b) : "r"(s));
  asm volatile("st.volatile.shared.v2.f32 [%2], {%0, %1};" :: "f"(a), "f"(b), "r"(s));
  asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(s));
  asm volatile("st.volatile.shared.v4.f32 [%4], {%0, %1, %2, %3};" :: "f"(a), "f"(b), "f"(c), "f"(d), "r"(s));
  asm volatile("ld.volatile.global.s8 %0, [%1];" : "=r"(u) : "l"(p));
  asm volatile("st.volatile.global.u8 [%1], %0;" :: "r"(u), "l"(p));
  asm volatile("ld.volatile.global.u16 %0, [%1];" : "=r"(u) : "l"(p));
  asm volatile("st.volatile.global.u16 [%1], %0;" :: "r"(u), "l"(p));
  asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(a) : "l"(p + threadIdx.x * 4));
  asm volatile("st.volatile.global.f32 [%1], %0;" :: "f"(a), "l"(p + threadIdx.x * 4));
  asm volatile("ld.volatile.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(p));
  asm volatile("st.volatile.global.v2.f32 [%2], {%0, %1};" :: "f"(a), "f"(b), "l"(p));
  asm volatile("ld.volatile.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(p));
  asm volatile("st.volatile.global.v4.f32 [%4], {%0, %1, %2, %3};" :: "f"(a), "f"(b), "f"(c), "f"(d), "l"(p));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(u) : "r"(s));
  asm volatile("red.shared.add.u32 [%1], %0;" :: "r"(u), "r"(s));
}
)";

Compiler::Options options() {
  Compiler::Options options;
  if (const char* library = std::getenv("WARPLENS_NVRTC"); library != nullptr) options.library = library;
  return options;
}

Request request_for(const std::string& source, int arch = 90) {
  Request request;
  request.source = source;
  request.file_name = "matmul/k.cu";
  request.arch = arch;
  return request;
}

class WithNvrtc : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler.available()) GTEST_SKIP() << compiler.description();
  }

  // Every architecture from 7.5 that this NVRTC knows, read off the error for one that it does not.
  std::vector<int> architectures() {
    const Error error = compiler.compile(request_for(kTile, 42)).error();
    std::vector<int> found;
    for (int arch = 75; arch < 200; ++arch) {
      if ((error.next_step + ",").find(" " + std::to_string(arch) + ",") != std::string::npos)
        found.push_back(arch);
    }
    return found;
  }

  Error error_of(const std::string& source) {
    const Result<Build> build = compiler.compile(request_for(source));
    return build ? Error{"it compiled", "", {}} : build.error();
  }

  Compiler compiler{options()};
};

TEST_F(WithNvrtc, GivesPtxAndCubinOfOnePass) {
  Request request = request_for(kTile);
  request.defines = {{"SCALE", -3}};
  const Result<Build> both = compiler.compile(request);
  ASSERT_TRUE(both) << to_line(both.error());
  EXPECT_EQ(both->kernel_name, "kernel");
  EXPECT_THAT(both->ptx, HasSubstr("\t.file\t1 \"matmul/k.cu\""));
  EXPECT_THAT(both->ptx, HasSubstr(".loc\t1 5 "));
  EXPECT_THAT(both->ptx, HasSubstr(".target sm_90"));
  EXPECT_THAT(both->compiler, HasSubstr("NVRTC 1"));
  EXPECT_FALSE(both->from_cache);
  request.want_cubin = false;
  const Result<Build> ptx_only = compiler.compile(request);
  ASSERT_TRUE(ptx_only);
  EXPECT_EQ(ptx_only->ptx, both->ptx);
  EXPECT_TRUE(ptx_only->cubin.empty());
}

TEST_F(WithNvrtc, ReportsResourcesOnEveryArchitecture) {
  const std::vector<int> all = architectures();
  EXPECT_THAT(all, testing::IsSupersetOf({80, 90}));
  for (const int arch : all) {
    Request request = request_for(kTile, arch);
    request.defines = {{"SCALE", 2}};
    const Result<Build> build = compiler.compile(request);
    ASSERT_TRUE(build) << arch << ' ' << to_line(build.error());
    EXPECT_EQ(build->static_shared_bytes, 400) << arch;
    EXPECT_EQ(build->spill_store_bytes, 0) << arch;
    const Result<CubinResources> stated = read_resources(build->cubin, "kernel");
    ASSERT_TRUE(stated);
    EXPECT_EQ(stated->arch, arch);
    EXPECT_EQ(stated->registers, build->registers) << arch;
    EXPECT_EQ(stated->static_shared_bytes, 400) << arch;
  }
}

TEST_F(WithNvrtc, ReportsSpillsAndStack) {
  for (const int arch : {80, 90}) {
    const Result<Build> build = compiler.compile(request_for(kSpilling, arch));
    ASSERT_TRUE(build) << to_line(build.error());
    EXPECT_EQ(build->registers, 64);
    EXPECT_GT(build->spill_store_bytes, 0);
    EXPECT_GT(build->spill_load_bytes, 0);
    EXPECT_EQ(build->stack_bytes, read_resources(build->cubin, "kernel")->stack_bytes);
  }
}

TEST_F(WithNvrtc, ReportsConstants) {
  const Result<Build> build =
      compiler.compile(request_for("__constant__ float table[25];\nextern \"C\" __global__ void "
                                   "kernel(float* A, int n) { A[n] = table[n]; }\n"));
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_EQ(build->constant_bytes, 100);
}

TEST_F(WithNvrtc, ReadsEveryWidthBackFromTheMachineCode) {
  std::vector<MemoryInstruction> expected;
  int line = 3;
  for (const auto& [load, store] : {std::pair{MemoryOpcode::shared_load, MemoryOpcode::shared_store},
                                    std::pair{MemoryOpcode::global_load, MemoryOpcode::global_store}}) {
    for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
      expected.push_back({0, load, width, line++, 0});
      expected.push_back({0, store, width, line++, 0});
    }
  }
  for (const int arch : architectures()) {
    const Result<Build> build = compiler.compile(request_for(kProbe, arch));
    ASSERT_TRUE(build) << to_line(build.error());
    Result<MachineCode> code = read_machine_code(build->cubin, build->kernel_name);
    ASSERT_TRUE(code) << to_line(code.error());
    EXPECT_THAT(code->files, ElementsAre("/k.cu"));
    for (MemoryInstruction& instruction : code->memory) instruction.offset = 0, instruction.ptx_line = 0;
    EXPECT_EQ(code->memory, expected) << arch;
    EXPECT_THAT(build->instructions.shared_load.by_width, ElementsAre(1, 1, 1, 1, 1, 0));
    EXPECT_THAT(build->instructions.global_store.by_width, ElementsAre(1, 1, 1, 1, 1, 0));
  }
}

// hardware notes: the 64 ld.shared.f32 of a 32x32 tile step become 32 LDS and 8 LDS.128.
TEST_F(WithNvrtc, SeesTheMergeOfSharedLoads) {
  const Result<Build> build = compiler.compile(request_for(R"(
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int n) {
  __shared__ float a[32][32], b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    a[y][x] = A[y * n + k + x];
    b[y][x] = B[(k + y) * n + x];
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  C[y * n + x] = sum;
}
)",
                                                           80));
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_THAT(build->instructions.shared_load.by_width, ElementsAre(0, 0, 32, 0, 8, 0));
  EXPECT_THAT(build->instructions.shared_store.by_width, ElementsAre(0, 0, 2, 0, 0, 0));
}

TEST_F(WithNvrtc, PlacesErrorsInTheKernelFile) {
  const Error error =
      error_of("extern \"C\" __global__ void kernel(float* A) {\n  A[0] = missing;\n  A[1] = other;\n}\n");
  EXPECT_EQ(error.place, (Place{"matmul/k.cu", 2, 0}));
  EXPECT_THAT(error.message, HasSubstr("missing"));
  EXPECT_THAT(error.message, HasSubstr("and 1 more"));
}

TEST_F(WithNvrtc, FindsTheLineThatLacksASemicolon) {
  const auto error_of = [&](const std::string& body, const std::string& file) {
    const auto built = compiler.compile({"extern \"C\" __global__ void kernel(float* A) {\n" + body + "}\n",
                                         file,
                                         {{"SCALE", 2}},
                                         90,
                                         false});
    return built ? std::string("none") : to_line(built.error());
  };
  // Beside this program's own folder too, whose name its headers have.
  for (const std::string file : {"k.cu", "/home/a/.local/share/warplens/kernels/k.cu"}) {
    EXPECT_THAT(error_of("  A[0] = SCALE;\n  A[1] = SCALE  // two\n\n  A[2] = 3;\n", file),
                testing::StartsWith(file + ":3: expected a \";\" at the end of this line; "));
    EXPECT_THAT(error_of("  for (int i = 0; i < SCALE; ++i)\n    A[i] = 2\n", file),
                testing::StartsWith(file + ":3: expected a \";\" at the end of this line; "));
    EXPECT_THAT(error_of("  A[0] = SCALE;\n  A[1] = SCALE A[2] = 3;\n", file),
                testing::StartsWith(file + ":3: expected a \";\"; "));
  }
}

TEST_F(WithNvrtc, PlacesErrorsOfInlineAssembly) {
  const Error error =
      error_of("extern \"C\" __global__ void kernel(float* A) {\n  A[0] = 0;\n  asm(\"foo;\");\n}\n");
  EXPECT_EQ(error.place, (Place{"matmul/k.cu", 3, 0}));
  EXPECT_THAT(error.message, HasSubstr("foo"));
}

TEST_F(WithNvrtc, SaysWhatToDoAboutHostCode) {
  const Error function =
      error_of("int twice(int x) { return 2 * n; }\nextern \"C\" __global__ void kernel() {}\n");
  EXPECT_EQ(function.place.line, 1);
  EXPECT_THAT(function.next_step, HasSubstr("__device__"));
}

TEST_F(WithNvrtc, LeavesOutHeadersThatAreNotThere) {
  const Result<Build> build =
      compiler.compile(request_for("\n#include <cstdio>\nextern \"C\" __global__ void kernel() {}\n"));
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_THAT(lines_of(build->warnings),
              testing::ElementsAre("matmul/k.cu:2: cstdio is not there and was left out"));
}

TEST_F(WithNvrtc, SaysThatSharedMemoryIsTooLarge) {
  const Error error = error_of(
      "extern \"C\" __global__ void kernel(float* A, int n) {\n  __shared__ float t[20000];\n"
      "  t[n] = A[n];\n  __syncthreads();\n  A[0] = t[n + 1];\n}\n");
  EXPECT_THAT(error.message, HasSubstr("too much shared data"));
  EXPECT_EQ(error.place.file, "matmul/k.cu");
}

TEST_F(WithNvrtc, WantsOneKernel) {
  EXPECT_THAT(error_of("__device__ int x;\n").message, HasSubstr("no kernel"));
  EXPECT_THAT(error_of("extern \"C\" __global__ void a() {}\nextern \"C\" __global__ void b() {}\n").message,
              HasSubstr("2 kernels"));
}

TEST_F(WithNvrtc, ListsTheArchitecturesItKnows) {
  const Result<Build> build = compiler.compile(request_for(kTile, 42));
  ASSERT_FALSE(build);
  EXPECT_THAT(build.error().message, HasSubstr("compute capability 4.2"));
  EXPECT_THAT(build.error().next_step, HasSubstr("80"));
}

TEST_F(WithNvrtc, KeepsWarnings) {
  const Result<Build> build = compiler.compile(
      request_for("extern \"C\" __global__ void kernel(float* A) {\n  float unused;\n  A[0] = 1;\n}\n"));
  ASSERT_TRUE(build);
  ASSERT_EQ(build->warnings.size(), 1u);
  EXPECT_THAT(to_line(build->warnings[0]), testing::StartsWith("matmul/k.cu:2: "));
}

// Left out of the quick way of compiling.
TEST_F(WithNvrtc, CompilesKernelsThatNameTextures) {
  const Result<Build> build =
      compiler.compile(request_for("extern \"C\" __global__ void kernel(float* A, cudaTextureObject_t t) {\n"
                                   "  A[0] = tex1Dfetch<float>(t, 3);\n}\n"));
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_THAT(build->ptx, HasSubstr("tex.1d"));
}

// Of a whole toolkit; NVIDIA's pip package of NVRTC has no headers.
TEST_F(WithNvrtc, FindsTheHeadersThatTheToolkitsOwnInclude) {
  if (find_nvrtc({}).include.empty()) GTEST_SKIP() << "no CUDA headers beside NVRTC";
  const Result<Build> groups = compiler.compile(
      request_for("#include <cooperative_groups.h>\nextern \"C\" __global__ void kernel(unsigned* p) {\n"
                  "  p[0] = cooperative_groups::this_thread_block().thread_rank();\n}\n"));
  EXPECT_TRUE(groups) << to_line(groups.error());
  const Result<Build> matrix = compiler.compile(
      request_for("#include <mma.h>\nextern \"C\" __global__ void kernel(float* p) {\n  using namespace "
                  "nvcuda::wmma;\n  fragment<accumulator, 16, 16, 16, float> f;\n  fill_fragment(f, 1.0f);\n"
                  "  store_matrix_sync(p, f, 16, mem_row_major);\n}\n"));
  ASSERT_TRUE(matrix) << to_line(matrix.error());
  EXPECT_THAT(matrix->ptx, HasSubstr("wmma.store"));
}

TEST_F(WithNvrtc, TakesHeadersFromTheRequest) {
  Request request =
      request_for("#include \"scale.cuh\"\nextern \"C\" __global__ void kernel(int* p) { *p = kScale; }\n");
  request.headers["scale.cuh"] = "constexpr int kScale = 77;\n";
  const Result<Build> build = compiler.compile(request);
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_THAT(build->ptx, HasSubstr("77"));
}

TEST_F(WithNvrtc, CompilesInParallel) {
  std::vector<std::string> ptx(6);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ptx.size(); ++i) {
    threads.emplace_back([&, i] {
      Request request = request_for(kTile, i % 2 == 0 ? 80 : 90);
      request.defines = {{"SCALE", 7}};
      const Result<Build> build = compiler.compile(request);
      ptx[i] = build ? build->ptx : to_line(build.error());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(ptx[0], HasSubstr(".target sm_80"));
  EXPECT_THAT(ptx[1], HasSubstr(".target sm_90"));
  for (std::size_t i = 2; i < ptx.size(); ++i) EXPECT_EQ(ptx[i], ptx[i % 2]);
}

class WithCache : public WithNvrtc {
 protected:
  Compiler::Options cached_options() {
    Compiler::Options with = options();
    with.cache_folder = folder / "cache";
    return with;
  }
  TestFolder folder;
};

TEST_F(WithCache, ACachedBuildIsTheSame) {
  const Request request = request_for(kSpilling);
  const Result<Build> fresh = Compiler(cached_options()).compile(request);
  const Result<Build> cached = Compiler(cached_options()).compile(request);
  ASSERT_TRUE(fresh && cached);
  EXPECT_FALSE(fresh->from_cache);
  EXPECT_TRUE(cached->from_cache);
  EXPECT_EQ(cached->ptx, fresh->ptx);
  EXPECT_EQ(cached->cubin, fresh->cubin);
  EXPECT_EQ(cached->registers, fresh->registers);
  EXPECT_EQ(cached->spill_load_bytes, fresh->spill_load_bytes);
  EXPECT_EQ(cached->instructions.all, fresh->instructions.all);
  EXPECT_EQ(cached->compiler, fresh->compiler);
}

TEST_F(WithCache, AFileThatWasMovedIsNotCompiledAgainAndItsBuildNamesTheNewPlace) {
  Compiler cached(cached_options());
  Request request =
      request_for("extern \"C\" __global__ void kernel(float* a) {\n  int q;\n  a[0] = 1;\n}\n");
  ASSERT_TRUE(cached.compile(request));
  request.file_name = "/elsewhere/k.cu";
  const Result<Build> moved = cached.compile(request);
  ASSERT_TRUE(moved);
  EXPECT_TRUE(moved->from_cache);
  EXPECT_THAT(moved->ptx, HasSubstr("\t.file\t1 \"/elsewhere/k.cu\""));
  EXPECT_THAT(lines_of(moved->warnings), ElementsAre(testing::StartsWith("/elsewhere/k.cu:2: ")));
}

TEST_F(WithCache, WhatWasStoppedSaysSoAndIsNotKept) {
  Compiler cached(cached_options());
  std::stop_source stop;
  stop.request_stop();
  const Result<Build> stopped = cached.compile(request_for(kSpilling), stop.get_token());
  if (stopped) GTEST_SKIP() << stopped->compiler << " cannot be stopped";
  EXPECT_THAT(stopped.error().message, HasSubstr("stopped"));
  const Result<Build> build = cached.compile(request_for(kSpilling));
  ASSERT_TRUE(build);
  EXPECT_FALSE(build->from_cache);
  // What is kept is returned all the same.
  EXPECT_TRUE(cached.compile(request_for(kSpilling), stop.get_token()));
}

TEST_F(WithCache, AnEntryWithMachineCodeAnswersForPtxAlone) {
  Compiler cached(cached_options());
  Request request = request_for(kSpilling);
  ASSERT_TRUE(cached.compile(request));
  request.want_cubin = false;
  const Result<Build> build = cached.compile(request);
  ASSERT_TRUE(build);
  EXPECT_TRUE(build->from_cache);
  EXPECT_TRUE(build->cubin.empty());
}

TEST_F(WithCache, ADamagedEntryIsCompiledAnewAndReplaced) {
  Compiler cached(cached_options());
  const Request request = request_for(kSpilling);
  ASSERT_TRUE(cached.compile(request));
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cache")) {
    std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
  }
  const Result<Build> again = cached.compile(request);
  ASSERT_TRUE(again) << to_line(again.error());
  EXPECT_FALSE(again->from_cache);
  EXPECT_TRUE(cached.compile(request)->from_cache);
}

TEST_F(WithCache, AnUnusableFolderOnlyWarns) {
  folder.write("cache", "a file");
  Compiler cached(cached_options());
  const Request request = request_for(kSpilling);
  ASSERT_TRUE(cached.compile(request));
  EXPECT_FALSE(cached.compile(request)->from_cache);
  EXPECT_THAT(cached.cache_warning(), HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace warplens::compile
