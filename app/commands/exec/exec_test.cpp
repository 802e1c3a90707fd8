// warplens exec as a user starts it: on a program that was made without nvcc, and on files where there is nvcc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/program/nvcc/nvcc.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {
namespace {

using testing::HasSubstr, testing::Not;

class ExecTest : public testing::Test {
 protected:
  ChildResult exec(std::vector<std::string> words) {
    words.insert(words.begin(), {program_path("warplens"), "exec"});
    if (!program::can_confine_programs()) words.insert(words.begin() + 2, "--unconfined");
    return run_child(words, {{"WARPLENS_HOME", source_path()}});
  }
  ChildResult probe(const std::string& scenario) { return exec({program_path("runtime_probe"), scenario}); }
  TestFolder folder_;
};

TEST_F(ExecTest, KernelsRunAndAreReported) {
  const ChildResult result = probe("sums");
  EXPECT_EQ(result.out, "sync: cudaSuccess\nfirst 7, count 512, predicted yes\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("add               -           2 x 128         2          128 (1.00)"));
  EXPECT_THAT(result.err, HasSubstr("none"));
}

TEST_F(ExecTest, ErrorsComeWhenAGpuGivesThem) {
  const ChildResult result = probe("errors");
  EXPECT_EQ(result.out,
            "too many threads: cudaErrorInvalidValue\nlast: cudaErrorInvalidValue\nlast again: cudaSuccess\n"
            "launch beside: cudaSuccess\nbefore waiting: cudaSuccess\nwaiting: cudaErrorIllegalAddress\n"
            "sticky: cudaErrorIllegalAddress\n");
  EXPECT_EQ(result.exit_code, 3) << "findings are errors";
  EXPECT_THAT(result.err, HasSubstr("out-of-bounds"));
  EXPECT_THAT(result.err, HasSubstr("2,048 threads"));
}

TEST_F(ExecTest, GraphsAreRecordedAndReplayed) {
  EXPECT_EQ(probe("graph").out, "end of capture: cudaSuccess\ncaptured, not run: 0\nthree times: 33\n");
}

TEST_F(ExecTest, TheDeviceIsTheOneThatWasAskedFor) {
  const ChildResult result = probe("queries");
  EXPECT_THAT(result.out,
              HasSubstr("NVIDIA H100 80GB HBM3, 132 SMs, 9.0\nanother device: cudaErrorInvalidDevice\n"));
  EXPECT_THAT(result.out, HasSubstr("occupancy: cudaSuccess\n8 blocks\narrays: cudaErrorNotSupported\n"));
  EXPECT_THAT(result.err, HasSubstr("not emulated: cudaMallocArray\n"));
  const ChildResult other = exec({"--device", "v100", program_path("runtime_probe"), "queries"});
  EXPECT_THAT(other.out, HasSubstr("80 SMs, 7.0")) << other.err;
}

TEST_F(ExecTest, ManagedMemoryIsTheHostsToo) { EXPECT_EQ(probe("managed").out, "managed 42\n"); }

TEST_F(ExecTest, DeviceMemoryIsNotTheHosts) {
  const ChildResult result = probe("host_access");
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.exit_code, 128 + 11);
  EXPECT_THAT(result.err, HasSubstr("the host's own code used a device pointer (allocation 1)"));
}

TEST_F(ExecTest, TheExitCodeIsTheProgramsAndItsWordsAreNotOurs) {
  EXPECT_EQ(probe("exit").exit_code, 7);
  EXPECT_EQ(exec({program_path("runtime_probe"), "exit", "--json", "--help"}).exit_code, 7);
}

TEST_F(ExecTest, TheReportCanBeAFile) {
  const std::string file = (folder_ / "report.json").string();
  const ChildResult result = exec({"--json", file, program_path("runtime_probe"), "sums"});
  EXPECT_EQ(result.err, "");
  const auto text = read_whole_file(file);
  ASSERT_TRUE(text);
  const Json json = Json::parse(*text);
  EXPECT_EQ(json["kernels"][0]["launches"], 2);
  EXPECT_EQ(json["kernels"][0]["counts"]["global_load"]["sectors"], 2 * 1024 / 32);
  EXPECT_EQ(json["launches"].size(), 2u);
  EXPECT_EQ(json["copies"]["to_host"]["copies"], 2);
  EXPECT_EQ(json["exit_code"], 0);
}

TEST_F(ExecTest, WhatIsNoProgramIsALine) {
  EXPECT_EQ(exec({}).exit_code, 2);
  EXPECT_THAT(exec({"nothing_here"}).err, HasSubstr("nothing_here"));
  EXPECT_THAT(exec({"missing.cu"}).err, HasSubstr("there is no file missing.cu"));
}

// What an H100 said to the same calls, a case each: "== 3", then its lines. Case 30, a write beside an array in a
// page of another, is left out: the hardware lets it pass, and here it is a fault.
std::map<std::string, std::string> recorded_calls() {
  std::istringstream lines(*read_whole_file(source_path("runtime/testdata/calls_h100.txt")));
  std::map<std::string, std::string> cases;
  std::string current;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("== "))
      current = line.substr(3);
    else
      cases[current] += line + "\n";
  return cases;
}

bool has_nvcc() { return program::find_nvcc({}, std::getenv("PATH"), "", "").has_value(); }

TEST_F(ExecTest, TheRuntimeAnswersAsAnH100Does) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  for (const auto& [number, expected] : recorded_calls()) {
    const ChildResult result = exec({source_path("runtime/testdata/calls.cu"), number});
    EXPECT_EQ(result.out, expected) << "case " << number << "\n" << result.err;
  }
}

// Of a generator for the device, and of one for the host; then what a pointer that the device does not reach gives.
constexpr const char* kRandom = R"(#include <cstdio>
#include <curand.h>
int main() {
  curandGenerator_t device, host;
  if (curandCreateGenerator(&device, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS) return 1;
  curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_DEFAULT);
  float *d, h[4], mine[4];
  cudaMalloc(&d, sizeof h);
  for (curandGenerator_t one : {device, host}) curandSetPseudoRandomGeneratorSeed(one, 42);
  std::printf("%d ", curandGenerateUniform(device, d, 4));
  std::printf("%d\n", curandGenerateUniform(host, mine, 4));
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; ++i) std::printf("%s%.9g", h[i] == mine[i] ? " " : " not ", h[i]);
  std::printf("\n%d\n", curandGenerateUniform(device, mine, 4));
  return curandDestroyGenerator(device);
})";

TEST_F(ExecTest, RandomNumbersAreThoseOfCurand) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("random.cu", kRandom);
  const ChildResult result = exec({"--nvcc", "-lcurand", (folder_ / "random.cu").string()});
  EXPECT_EQ(result.out, "0 0\n 0.0700209439 0.160145566 0.420496076 0.576370835\n201\n") << result.err;
  EXPECT_THAT(result.err, HasSubstr("curandGenerateUniform"));
}

// C = A^T B of sizes that are no multiples of anything, by cuBLAS, and by loops that add in the same order: declared here, since
// its headers are not everywhere that nvcc is.
constexpr const char* kProduct = R"(#include <cstdio>
#include <vector>
extern "C" int cublasCreate_v2(void**);
extern "C" int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
int main() {
  const int m = 77, n = 23, k = 41;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  unsigned seed = 1;
  for (auto* list : {&a, &b})
    for (float& value : *list) value = ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.f - 0.5f;
  float *x, *y, *z, one = 1, zero = 0;
  cudaMalloc(&x, a.size() * 4), cudaMalloc(&y, b.size() * 4), cudaMalloc(&z, c.size() * 4);
  cudaMemcpy(x, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
  void* handle;
  cublasCreate_v2(&handle);
  std::printf("%d ", cublasSgemm_v2(handle, 1, 0, m, n, k, &one, x, k, y, k, &zero, z, m));
  cudaMemcpy(c.data(), z, c.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += (double)a[i * k + l] * b[j * k + l];
      wrong += c[j * m + i] != (float)sum;
    }
  std::printf("%d\n", wrong);
})";

TEST_F(ExecTest, ProductsOfCublasAreSumsInTheirOrder) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("product.cu", kProduct);
  const ChildResult result = exec(
      {"--nvcc", "-lcublas", "--nvcc", "-Xcompiler=-ffp-contract=off", (folder_ / "product.cu").string()});
  EXPECT_EQ(result.out, "0 0\n") << result.err;
  EXPECT_THAT(result.err, HasSubstr("cublasSgemm: 1 calls"));
}

// 2,048 and 3 ones, 16 products apart: half has no 2,049, and none between 2,048 and 2,050. In bits of half.
constexpr const char* kHalves = R"(#include <cstdio>
extern "C" int cublasCreate_v2(void**);
extern "C" int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*, void*, int, int, int, int);
int main() {
  unsigned short *x, *y, *z, one = 0x3c00, zero = 0;
  float one32 = 1, zero32 = 0;
  cudaMallocManaged(&x, 128), cudaMallocManaged(&y, 128), cudaMallocManaged(&z, 2);
  for (int i = 0; i < 64; ++i) x[i] = i == 0 ? 0x6800 : i % 16 == 0 ? one : 0, y[i] = one;
  void* handle;
  cublasCreate_v2(&handle);
  cublasGemmEx(handle, 1, 0, 1, 1, 64, &one, x, 2, 64, y, 2, 64, &zero, z, 2, 1, 64, -1);
  std::printf("%x ", *z);
  cublasGemmEx(handle, 1, 0, 1, 1, 64, &one32, x, 2, 64, y, 2, 64, &zero32, z, 2, 1, 68, -1);
  std::printf("%x\n", *z);
})";

TEST_F(ExecTest, SumsOfCublasInHalfAreRoundedAsTensorCoresDo) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("halves.cu", kHalves);
  EXPECT_EQ(exec({"--nvcc", "-lcublas", (folder_ / "halves.cu").string()}).out, "6800 6802\n");
}

TEST_F(ExecTest, HostCodeIsOptimizedWhereNothingElseIsAskedFor) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write(
      "quick.cu",
      "#include <cstdio>\nint main() {\n#ifdef __OPTIMIZE__\n  std::puts(\"optimized\");\n#endif\n}\n");
  const std::string file = (folder_ / "quick.cu").string();
  EXPECT_EQ(exec({file}).out, "optimized\n");
  const ChildResult slow = exec({"--nvcc", "-O0", file});
  EXPECT_EQ(slow.out, "") << slow.err;
  EXPECT_EQ(slow.exit_code, 0) << slow.err;
}

TEST_F(ExecTest, WhatAFileLacksToBeAProgramIsALine) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("kernel.cu", "__global__ void k(int* p) { *p = 1; }\n");
  const ChildResult result = exec({(folder_ / "kernel.cu").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("kernel.cu has no main(), so it is not a program; run its kernel with"));
  EXPECT_THAT(result.err, Not(HasSubstr("undefined reference")));
}

// As deep as the first word says; the second one: bytes of stack that it asks for.
constexpr const char* kDeep = R"(#include <cstdio>
#include <cstdlib>
__device__ int sum(int n) { return n == 0 ? 0 : n + sum(n - 1) % 1000003; }
__global__ void k(int* p, int n) { *p = sum(n); }
int main(int, char** words) {
  int *d, h = 0;
  size_t stack = 0;
  cudaMalloc(&d, 4);
  if (atoi(words[2]) > 0) cudaDeviceSetLimit(cudaLimitStackSize, atoi(words[2]));
  cudaDeviceGetLimit(&stack, cudaLimitStackSize);
  k<<<1, 1>>>(d, atoi(words[1]));
  const cudaError_t error = cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", (int)stack, h, cudaGetErrorName(error));
})";

TEST_F(ExecTest, TheStackIsAsLargeAsTheProgramAsksFor) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("deep.cu", kDeep);
  const auto deep = [&](const char* depth, const char* stack) {
    return exec({"--nvcc", "-O0", (folder_ / "deep.cu").string(), depth, stack}).out;
  };
  EXPECT_EQ(deep("20", "0"), "1024 210 cudaSuccess\n");
  EXPECT_EQ(deep("1000", "0"), "1024 0 cudaErrorIllegalAddress\n");
  EXPECT_EQ(deep("1000", "65536"), "65536 500500 cudaSuccess\n");
}

// Which no device of the emulator's has, and the program does not ask for an error.
TEST_F(ExecTest, ALaunchThatWasNotExecutedIsAnError) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("odd.cu",
                "__global__ void odd() { asm volatile(\"pmevent 1;\"); }\n"
                "int main() {\n  odd<<<2, 32>>>();\n  cudaDeviceSynchronize();\n}\n");
  const ChildResult result = exec({(folder_ / "odd.cu").string()});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("error: not executed, so what the program says is not its result: launch 1, of odd"));
  EXPECT_THAT(result.err, HasSubstr("odd.cu:3"));
}

// A kernel that waits for a flag, which the host sets behind the launch: on a GPU they run at the same time.
constexpr const char* kWait = R"(#include <cstdio>
__global__ void wait_for(volatile int* flag, int* out) {
  while (*flag == 0) {}
  *out = *flag + 1;
}
int main(int count, char**) {
  int *flag, *out;
  if (count > 1) {
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
  } else {
    cudaHostAlloc(&flag, 4, cudaHostAllocMapped);
    *flag = 0;
  }
  cudaHostAlloc(&out, 4, cudaHostAllocMapped);
  *out = 0;
  wait_for<<<1, 32>>>(flag, out);
  std::printf("%s ", cudaGetErrorName(cudaGetLastError()));
  if (count == 1) *(volatile int*)flag = 41;
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
})";

TEST_F(ExecTest, AKernelThatWaitsForTheHostIsNotExecutedAndOneThatWaitsForNobodyIsStopped) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("wait.cu", kWait);
  const std::string file = (folder_ / "wait.cu").string();
  const ChildResult for_host = exec({"--time", "100", file});
  EXPECT_EQ(for_host.out, "cudaErrorNotSupported cudaSuccess\n");
  EXPECT_EQ(for_host.exit_code, 3);
  EXPECT_THAT(for_host.err,
              HasSubstr("warplens: wait_for is not executed: it waits for what the program "
                        "writes while it runs, and a launch ends here before the program goes on"));
  EXPECT_THAT(for_host.err, Not(HasSubstr("deadlock")));
  const ChildResult for_nobody = exec({"--time", "100", file, "nobody"});
  EXPECT_EQ(for_nobody.out, "cudaSuccess cudaErrorLaunchTimeout\n");
  EXPECT_EQ(for_nobody.exit_code, 3);
  EXPECT_THAT(for_nobody.err,
              HasSubstr("error: deadlock, in wait_for: thread 0 of block 0 waits for ever for flag[0]"));
  EXPECT_THAT(for_nobody.err, Not(HasSubstr("endless-loop")));
}

// Declared here: its headers are not everywhere that nvcc is.
TEST_F(ExecTest, ALibraryThatIsNotThereIsSaidByName) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write(
      "sparse.cu",
      "#include <cstdio>\nextern \"C\" int cusparseCreate(void**);\n"
      "extern \"C\" const char* cusparseGetErrorString(int);\n"
      "extern \"C\" int cufftPlan1d(int*, int, int, int);\nextern \"C\" int cusolverDnCreate(void**);\n"
      "int main() { void* h; int plan; std::printf(\"%s %d %d\\n\", "
      "cusparseGetErrorString(cusparseCreate(&h)), cufftPlan1d(&plan, 8, 41, 1), cusolverDnCreate(&h)); }\n");
  const ChildResult result = exec({"--nvcc", "-lcusparse", "--nvcc", "-lcufft", "--nvcc", "-lcusolver",
                                   (folder_ / "sparse.cu").string()});
  EXPECT_EQ(result.out, "operation not supported 16 9\n") << result.err;
  for (const char* name : {"cusparseCreate", "cufftPlan1d", "cusolverDnCreate"})
    EXPECT_THAT(result.err, HasSubstr(std::string("not emulated: ") + name + "\n"));
}

TEST_F(ExecTest, AnAllocationThatIsTooLargeForTheEmulatorIsSaid) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("large.cu",
                "int main() { void* p; return cudaMalloc(&p, 5000000000) == cudaSuccess ? 0 : 1; }\n");
  const ChildResult result = exec({(folder_ / "large.cu").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("not emulated: an allocation of 5,000,000,000 bytes, since each is below 4 GiB"));
}

TEST_F(ExecTest, AKernelThatLaunchesAnotherIsSaidToDoSo) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("parent.cu",
                "#include <cstdio>\n__global__ void child() {}\n"
                "__global__ void parent() { child<<<1, 1>>>(); }\n"
                "int main() { parent<<<1, 1>>>(); std::puts(cudaGetErrorName(cudaGetLastError())); }\n");
  const ChildResult result = exec({"--nvcc", "-rdc=true", (folder_ / "parent.cu").string()});
  EXPECT_EQ(result.out, "cudaErrorNotSupported\n") << result.err;
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("the emulator does not know kernels that a kernel launches; "));
  EXPECT_THAT(result.err, Not(HasSubstr("call.uni")));
}

TEST_F(ExecTest, ALimitThatEndedItIsALine) {
  if (!program::can_confine_programs()) GTEST_SKIP() << "this Linux has no Landlock";
  folder_.write(
      "big.cu",
      "#include <vector>\nint main() { cudaFree(0); std::vector<char> all(1 << 30); return all[5]; }\n");
  folder_.write(
      "malloc.cu",
      "#include <cstdlib>\nint main() { cudaFree(0); return malloc(1 << 30) == nullptr ? 1 : 0; }\n");
  folder_.write("device.cu",
                "int main() { void* p; return cudaMalloc(&p, 64 << 20) == cudaSuccess ? 0 : 1; }\n");
  folder_.write("spin.cu", "int main() { for (volatile int i = 0;; i = i + 1) {} }\n");
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  const auto says = [&](std::vector<std::string> words, const char* file) {
    words.push_back((folder_ / file).string());
    return exec(words).err;
  };
  EXPECT_THAT(
      says({"--host-memory", "0.5"}, "big.cu"),
      HasSubstr("ended by Aborted: its host code asked for more than its 0.5 GiB of memory; allow more with "
                "--host-memory\n"));
  EXPECT_THAT(
      says({"--host-memory", "0.5"}, "malloc.cu"),
      HasSubstr("exit code 1: its host code asked for more than its 0.5 GiB of memory; allow more with "
                "--host-memory\n"));
  EXPECT_THAT(
      says({"--memory", "0.03"}, "device.cu"),
      HasSubstr(
          "exit code 1: it asked for more than its 0.03 GiB of device memory; allow more with --memory\n"));
  EXPECT_THAT(
      says({"--host-time", "1"}, "spin.cu"),
      HasSubstr("stopped: its host code took a second of the processor; allow more with --host-time\n"));
}

// A kernel that copies 1,000 floats, of which the host has set as many bytes as the program's argument says. From 4,000 on they
// are set in one of the ways that there are.
constexpr const char* kForgotten = R"(#include <cstdlib>
#include <vector>
extern "C" int cublasSetVector(int, int, const void*, int, void*, int);
__device__ float* kept;
__global__ void copy(const float* from, float* to) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void keep(float* to) { kept = to; }
__global__ void fill_kept() { kept[threadIdx.x] = 1; }
int main(int, char** words) {
  const int bytes = std::atoi(words[1]), way = bytes - 4000;
  std::vector<float> h(1000, 1.0f);
  float *from, *to;
  size_t pitch = 0;
  if (way == 3) cudaMallocPitch(&from, &pitch, 2000, 2);
  else if (way == 4) cudaMallocManaged(&from, 4000);
  else if (way == 6) cudaMallocAsync(&from, 4000, 0);
  else if (way != 5) cudaMalloc(&from, 4000);
  cudaMalloc(&to, 4000);
  if (way <= 0 && bytes > 0) cudaMemcpy(from, h.data(), bytes, cudaMemcpyHostToDevice);
  if (way == 1 || way == 6) cudaMemset(from, 0, 4000);
  if (way == 2) keep<<<1, 1>>>(from), fill_kept<<<1, 1000>>>();
  if (way == 3) cudaMemcpy2D(from, pitch, h.data(), 2000, 2000, 2, cudaMemcpyHostToDevice);
  if (way == 4) for (int i = 0; i < 1000; ++i) from[i] = 1;
  if (way == 5) cudaHostRegister(h.data(), 4000, 0), cudaHostGetDevicePointer(&from, h.data(), 0);
  if (way == 7) cublasSetVector(1000, 4, h.data(), 1, from, 1);
  copy<<<1, way == 3 ? 500 : 1000>>>(from, to);
  cudaDeviceSynchronize();
})";

TEST_F(ExecTest, DataThatWasNotCopiedToTheDeviceIsFoundWhereItIsRead) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write("forgotten.cu", kForgotten);
  const auto copied = [&](int bytes) {
    return exec({"--nvcc", "-lcublas", (folder_ / "forgotten.cu").string(), std::to_string(bytes)});
  };
  const ChildResult none = copied(0), part = copied(1000);
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(
      none.err,
      HasSubstr("forgotten.cu:6: error: uninitialized-global, in copy: thread 0 of block 0 reads from[0]"));
  EXPECT_THAT(none.err, HasSubstr("the program wrote none of the array's 4,000 bytes"));
  EXPECT_THAT(
      part.err,
      HasSubstr(
          "forgotten.cu:6: warning: uninitialized-global, in copy: thread 250 of block 0 reads from[250]"));
  EXPECT_THAT(part.err, HasSubstr("the program wrote 1,000 of the array's 4,000 bytes"));
  for (int bytes = 4000; bytes <= 4007; ++bytes) {
    const ChildResult all = copied(bytes);
    EXPECT_EQ(all.exit_code, 0) << bytes << all.err;
    EXPECT_THAT(all.err, testing::AllOf(HasSubstr("none"), Not(HasSubstr("uninitialized")))) << bytes;
  }
}

TEST_F(ExecTest, FilesOfOneProgramAreLinked) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc here";
  folder_.write(
      "a.cu",
      "#include <cstdio>\nextern __device__ int twice(int);\n__global__ void k(int* p) { *p = twice(21); }\n"
      "int main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, "
      "cudaMemcpyDeviceToHost);"
      " std::printf(\"%d\\n\", h); }\n");
  folder_.write("b.cu", "__device__ int twice(int a) { return 2 * a; }\n");
  const std::string program = (folder_ / "linked").string();
  const ChildResult built = run_child({program_path("warplens"), "nvcc", "-rdc=true", "-o", program,
                                       (folder_ / "a.cu").string(), (folder_ / "b.cu").string()},
                                      {{"WARPLENS_HOME", source_path()}});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const ChildResult result = exec({program});
  EXPECT_EQ(result.out, "42\n") << result.err;
}

}  // namespace
}  // namespace warplens::app
