// Files without a front matter: which faults no other guess would cure.
#include "engine/run/checked/certain.hpp"

#include <gtest/gtest.h>

#include "engine/catalog/catalog.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

Report report_of_file(const std::string& text, const device::Device& device = h100()) {
  const auto spec = catalog::parse_or_guess(text, "case", "case.cu", problem::guessed);
  const auto planned = plan(*spec, {}, {}, device);
  const auto instance = Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*planned);
  return (*run_checked({*planned, *instance, *compile(compiler(), *planned)}))->report;
}

// The first finding of a kind; one without a line: there is none.
Finding finding_of(const Report& report, Kind kind) {
  for (const Finding& finding : report.findings)
    if (finding.kind == kind) return finding;
  return {};
}

class Certain : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  }
};

std::string tree(const std::string& between) {
  return "__global__ void reduce(const float* in, float* out, int n) {\n"
         "  __shared__ float s[256];\n"
         "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
         "  s[t] = i < n ? in[i] : 0.0f;\n"
         "  __syncthreads();\n"
         "  for (int d = blockDim.x / 2; d > 32; d /= 2) {\n"
         "    if (t < d) s[t] += s[t + d];\n"
         "    __syncthreads();\n"
         "  }\n"
         "  if (t < 32) {\n"
         "    for (int d = 32; d > 0; d /= 2) {\n"
         "      float v = s[t + d];\n" +
         between + "      s[t] += v;\n" + between + "    }\n  }\n  if (t == 0) out[blockIdx.x] = s[0];\n}\n";
}

// Only the block is guessed, and no other one would help.
TEST_F(Certain, ARaceInAWarpIsAnErrorWithItsLine) {
  const Report wrong = report_of_file(tree(""));
  const Finding race = finding_of(wrong, Kind::race_warp);
  EXPECT_EQ(race.severity, Severity::error) << race.message;
  EXPECT_GE(race.line, 12);
  EXPECT_LE(race.line, 13);
  EXPECT_TRUE(wrong.is_wrong());
  const Finding result = finding_of(wrong, Kind::wrong_result);
  EXPECT_TRUE(result.line == 0 || result.line == race.line) << result.line;
  const Report right = report_of_file(tree("      __syncwarp();\n"));
  EXPECT_EQ(finding_of(right, Kind::race_warp).line, 0);
  EXPECT_FALSE(right.is_wrong());
}

// What is merged is sorted, which random numbers are not; and what the search finds is where a thread writes.
TEST_F(Certain, WhereASearchEndsIsTheDatas) {
  const std::string before =
                        "__device__ int place(float key, const float* list, int n) {\n"
                        "  int low = 0, high = n;\n"
                        "  while (low < high) {\n"
                        "    int middle = (low + high) / 2;\n"
                        "    if (list[middle] < key) low = middle + 1;\n"
                        "    else high = middle;\n"
                        "  }\n"
                        "  return low;\n}\n"
                        "__global__ void merge(const float* a, const float* b, float* c, int n) {\n"
                        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "  if (i >= n) return;\n",
                    main =
                        "int main() { int n = 512; float *a, *b, *c; cudaMalloc(&a, n * 4); cudaMalloc(&b, n "
                        "* 4); cudaMalloc(&c, n * "
                        "8); merge<<<n / 128, 128>>>(a, b, c, n); }\n";
  const Report right = report_of_file(before + "  c[i + place(a[i], b, n)] = a[i];\n}\n" + main);
  EXPECT_EQ(finding_of(right, Kind::race_global).severity, Severity::warning);
  EXPECT_FALSE(check::has_error(right.findings));
  const Report wrong = report_of_file(before + "  c[i / 2] = a[i] + place(a[i], b, n);\n}\n" + main);
  EXPECT_EQ(finding_of(wrong, Kind::race_global).severity, Severity::error);
}

// Of one line: what data choose is an element of x.
TEST_F(Certain, ARaceBesideAnIndexedReadIsAnError) {
  const std::string
      before =
          "__global__ void scatter(const int* cols, const float* v, const float* x, float* y, int n) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  if (i < n && v[i] != 0.0f) ",
      main =
          "\n}\nint main() { int n = 1024; int* cols; float *v, *x, *y; cudaMalloc(&cols, n * 4); "
          "cudaMalloc(&v, n * 4); cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); "
          "cudaMemset(y, 0, n * 4); scatter<<<n / 128, 128>>>(cols, v, x, y, n); }\n";
  const Report wrong = report_of_file(before + "y[i % 100] += v[i] * x[cols[i]];" + main);
  EXPECT_EQ(finding_of(wrong, Kind::race_global).severity, Severity::error) << wrong.not_checked;
  const Report of_data = report_of_file(before + "y[cols[i]] += v[i] * x[i];" + main);
  EXPECT_EQ(finding_of(of_data, Kind::race_global).severity, Severity::warning) << of_data.explanation;
}

TEST_F(Certain, WhatDataSkipElsewhereIsNoExcuse) {
  const auto report = [](const std::string& guard) {
    return report_of_file(
        "__global__ void mark(const int* keys, int* hits, float* out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
        "  if (keys[i] > 3) hits[i] = 1;\n" +
        guard +
        "  out[i / 2] = i;\n}\nint main() { int n = 1024; int *keys, *hits; float* out; "
        "cudaMalloc(&keys, n * 4); cudaMalloc(&hits, n * 4); cudaMalloc(&out, n * 4); "
        "cudaMemset(hits, 0, n * 4); mark<<<n / 128, 128>>>(keys, hits, out, n); }\n");
  };
  EXPECT_EQ(finding_of(report(""), Kind::race_global).severity, Severity::error);
  EXPECT_EQ(finding_of(report("  if (keys[i] % 5 == 0)\n"), Kind::race_global).severity, Severity::warning);
}

TEST_F(Certain, ARaceOfAKernelWithoutASizeIsItsOwn) {
  const Report report = report_of_file(
      "__global__ void step(float* x) { int i = threadIdx.x; x[i] += x[(i + 1) % 3] * 0.5f; }\n"
      "int main() { float h[3]; float* x; cudaMalloc(&x, sizeof(h)); step<<<1, 3>>>(x); }\n");
  EXPECT_EQ(finding_of(report, Kind::race_global).severity, Severity::error) << report.not_checked;
}

TEST_F(Certain, PointersInAStructAreTheDatas) {
  const Report report = report_of_file(
      "struct Task { float* out; int n; };\n"
      "__global__ void work(Task* tasks, int count) {\n"
      "  for (int t = blockIdx.x; t < count; t += gridDim.x) {\n"
      "    Task task = tasks[t];\n"
      "    if (threadIdx.x < task.n) task.out[threadIdx.x] = 1;\n  }\n"
      "  if (threadIdx.x == 0 && blockIdx.x == 0) tasks[0].n = 0;\n}\n"
      "int main() { int count = 8; Task* d; cudaMalloc(&d, count * sizeof(Task)); cudaMemcpy(d, h, count * "
      "sizeof(Task), cudaMemcpyHostToDevice); work<<<4, 64>>>(d, count); }\n");
  EXPECT_FALSE(check::has_error(report.findings)) << report.explanation;
}

TEST_F(Certain, AnElementThatDataChooseMayBeWritten) {
  const Report report = report_of_file(
      "struct Node { int moves[4]; int count; };\n"
      "__global__ void play(const Node* nodes, int* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n"
      "  Node node = nodes[i];\n"
      "  int last = 0;\n"
      "  for (int t = 0; t < 3 && node.count > 0; ++t) {\n"
      "    last = node.moves[(i + t) % node.count];\n"
      "    node.count -= last & 1;\n  }\n"
      "  out[i] = last;\n}\n"
      "int main() { int n = 100; Node* d; int* out; cudaMalloc(&d, n * sizeof(Node)); cudaMalloc(&out, n * "
      "4); "
      "cudaMemcpy(d, h, n * sizeof(Node), cudaMemcpyHostToDevice); play<<<1, 128>>>(d, out, n); }\n");
  EXPECT_FALSE(check::has_error(report.findings)) << report.explanation;
}

// Nobody sets it here, and the host does while the kernel runs.
TEST_F(Certain, AWaitForTheHostIsNoFaultOfTheKernel) {
  const std::string kernel =
      "__global__ void serve(volatile int* go, float* out) {\n  while (*go != 1) { }\n  out[0] = 1;\n}\n"
      "int main() {\n  int* go; float* out;\n  cudaMalloc(&out, 4);\n  cudaMallocManaged(&go, 4);\n  *go = "
      "0;\n"
      "  serve<<<1, 1>>>(go, out);\n";
  const Report waits = report_of_file(kernel + "  *go = 1;\n  cudaDeviceSynchronize();\n}\n");
  EXPECT_FALSE(check::has_error(waits.findings));
  EXPECT_NE(waits.not_checked.find("host code may change it while the kernel runs"), std::string::npos)
      << waits.not_checked;
  const Report endless = report_of_file(kernel + "  cudaDeviceSynchronize();\n}\n");
  EXPECT_EQ(endless.not_checked.find("host code may change it"), std::string::npos) << endless.not_checked;
}

TEST_F(Certain, AKernelBesideOneWithTexturesRuns) {
  const auto spec = catalog::parse_or_guess(
      "__global__ void copy(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i];\n}\n"
      "__global__ void fetch(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, "
      "threadIdx.x); }\n",
      "case", "case.cu", problem::guessed);
  const auto run = run_checked(*job_of(*spec, {}, {}));
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified);
}

// Blocks that a device refuses do not cure it there: 768 and 1,024 threads on the first ones.
TEST_F(Certain, ARaceIsOneOnEveryDevice) {
  const auto race = [](const std::string& between, const char* device) {
    return finding_of(
        report_of_file("__global__ void race(const float* in, float* out) {\n  __shared__ float s[256];\n"
                       "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  s[t] = in[i];\n" +
                           between + "  out[i] = s[t] + s[t ^ 64];\n}\n",
                       device_named(device)),
        Kind::race_shared);
  };
  for (const char* device : {"g80", "gtx280", "h100"}) {
    const Finding found = race("", device);
    EXPECT_EQ(found.line, 4) << device;
    EXPECT_EQ(found.severity, Severity::error) << device;
    EXPECT_EQ(race("  __syncthreads();\n", device).line, 0) << device;
  }
}

// Right in blocks of one warp, which nobody said it has.
TEST_F(Certain, ARaceThatASmallerBlockCuresMayBeTheGuess) {
  const Report report = report_of_file(
      "__global__ void turn(const float* in, float* out, int n) {\n"
      "  __shared__ float s[1024];\n"
      "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
      "  s[t] = i < n ? in[i] : 0.0f;\n"
      "  __syncwarp();\n"
      "  if (i < n) out[i] = s[blockDim.x - 1 - t];\n"
      "}\n");
  const Finding race = finding_of(report, Kind::race_shared);
  EXPECT_GT(race.line, 0);
  EXPECT_EQ(race.severity, Severity::warning);
  EXPECT_FALSE(report.not_checked.empty());
}

// The block is the file's; the pitch is a guess, and with another one the index is inside.
TEST_F(Certain, AnIndexByAGuessedSizeMayBeTheGuess) {
  const std::string start =
      "__global__ void load(float* out, int pitch) {\n  __shared__ float tile[2048];\n"
      "  for (int i = threadIdx.x; i < 2048; i += 256) tile[i] = i;\n  __syncthreads();\n"
      "  if (tile[";
  const std::string end =
      "] > 1e9f) out[0] = pitch;\n}\nvoid go(float* out, int p) { load<<<1, 256>>>(out, p); }\n";
  const Finding guessed =
      finding_of(report_of_file(start + "(threadIdx.x & 31) * pitch" + end), Kind::out_of_bounds);
  EXPECT_EQ(guessed.line, 5);
  EXPECT_EQ(guessed.severity, Severity::warning) << guessed.message;
  const Finding certain =
      finding_of(report_of_file(start + "threadIdx.x * 8 + 8 + 0 * pitch" + end), Kind::out_of_bounds);
  EXPECT_EQ(certain.line, 5);
  EXPECT_EQ(certain.severity, Severity::error) << certain.message;
}

// How many bits a loop of the host counts nobody knows here: with too few all threads meet at one element.
TEST_F(Certain, ARaceByAGuessedNumberMayBeTheGuess) {
  const std::string start =
      "__global__ void turn(const float* in, float* out, int n, int bits) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[";
  const std::string end =
      "] = in[i] + bits;\n}\nvoid go(const float* in, float* out, int n) {\n  int bits = 0;\n"
      "  for (int t = n; t > 1; t >>= 1) bits++;\n  turn<<<(n + 255) / 256, 256>>>(in, out, n, bits);\n}\n";
  const Finding guessed =
      finding_of(report_of_file(start + "__brev(i) >> (32 - bits)" + end), Kind::race_global);
  EXPECT_EQ(guessed.line, 3);
  EXPECT_EQ(guessed.severity, Severity::warning) << guessed.message;
  const Finding certain = finding_of(report_of_file(start + "i / 2" + end), Kind::race_global);
  EXPECT_EQ(certain.line, 3);
  EXPECT_EQ(certain.severity, Severity::error) << certain.message;
}

// Whole numbers may be indices; where they are none, the shared memory of the file's launch is too small.
TEST_F(Certain, TooLittleSharedMemoryIsAnErrorWhateverTheDataAre) {
  const std::string start =
      "__global__ void turn(const int* in, int* out, int n) {\n  extern __shared__ int s[];\n"
      "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  if (i < n) s[";
  const std::string end =
      "] = in[i];\n  __syncthreads();\n  if (i < n) out[i] = s[t / 8];\n}\n"
      "int main() {\n  int n = 4096; int *in, *out; cudaMalloc(&in, n * 4); cudaMalloc(&out, n * 4);\n"
      "  turn<<<n / 256, 256, 256>>>(in, out, n);\n}\n";
  const Finding certain = finding_of(report_of_file(start + "t" + end), Kind::out_of_bounds);
  EXPECT_EQ(certain.line, 4);
  EXPECT_EQ(certain.severity, Severity::error) << certain.message;
  const Finding guessed = finding_of(report_of_file(start + "in[i] & 127" + end), Kind::out_of_bounds);
  EXPECT_EQ(guessed.severity, Severity::warning) << guessed.message;
}

// A tree of halves leaves out a third of a block of 192; where the sum is large that is less than rounding may be.
TEST_F(Certain, WhatIsWrongAtAllOtherSizesIsNotVerified) {
  const Report report = report_of_file(
      "__global__ void sum(const float* in, float* out, int n) {\n  __shared__ float s[192];\n"
      "  int i = blockIdx.x * 192 + threadIdx.x;\n  s[threadIdx.x] = i < n ? in[i] : 0;\n"
      "  for (int d = 96; d > 0; d /= 2) {\n    __syncthreads();\n"
      "    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];\n  }\n"
      "  if (threadIdx.x == 0) atomicAdd(out, s[0]);\n}\n"
      "int main() {\n  int n = 1 << 20; float *in, *out; cudaMalloc(&in, n * 4); cudaMalloc(&out, 4);\n"
      "  cudaMemset(out, 0, 4); sum<<<(n + 191) / 192, 192>>>(in, out, n);\n}\n");
  EXPECT_FALSE(report.verified);
  EXPECT_TRUE(report.is_wrong() || !report.not_checked.empty());
}

}  // namespace
}  // namespace warplens::run
