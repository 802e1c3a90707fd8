// What the command line says of kernel files with problems of their own, and of plain .cu files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OwnProblemCommand : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_whole_file(folder_ / name, text));
    return (folder_ / name).string();
  }
  static ChildResult warplens(std::vector<std::string> words) {
    words.insert(words.begin(), program_path("warplens"));
    return run_child(words, {{"WARPLENS_HOME", ""}, {"XDG_CACHE_HOME", ""}});
  }

  const fs::path folder_ = fs::temp_directory_path() / "warplens_own_problem_command_test";
  const std::string kernel_ =
      "__global__ void k(const float* in, float* out, int n) {\n  int i = blockIdx.x * 128 + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n}\n";
};

TEST_F(OwnProblemCommand, SaysNotCheckedInsteadOfVerified) {
  const std::string path = write("x.cu",
                                 "/*---\ntitle = \"x\"\n[problem]\nsizes = { N = 1000 }\nbuffers = [{ name = "
                                 "\"in\", count = \"N\" }, { name = \"out\", "
                                 "count = \"N\" }]\nnone = \"a sketch\"\n[launch]\nblock = [128]\ngrid = "
                                 "[\"ceil_div(N, 128)\"]\n---*/\n" +
                                     kernel_);
  const ChildResult text = warplens({"run", path});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("not checked: a sketch"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("verified")));
  const Json json = Json::parse(warplens({"run", path, "--json"}).out);
  EXPECT_TRUE(json.at("verified").is_null());
  EXPECT_EQ(json.at("not_checked"), "a sketch");
}

TEST_F(OwnProblemCommand, NewFilesRunAsTheyAre) {
  const std::string path = (folder_ / "mine").string();
  const ChildResult made = warplens({"new", path, "--like", "dot"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, "wrote " + path + ".cu; run it with: warplens run " + path + ".cu\n");
  const ChildResult ran = warplens({"run", path + ".cu"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("verified"));
  EXPECT_EQ(warplens({"new", path}).err,
            "warplens: " + path + ".cu is there already; choose another name, or remove it first\n");
  EXPECT_THAT(warplens({"new", path + "2", "--like", "sofmax"}).err,
              HasSubstr("there is no kind of problem sofmax; did you mean softmax? "));
}

TEST_F(OwnProblemCommand, PlainFilesRunWithAGuess) {
  const std::string path = write("copy.cu", "// mine\n" + std::string(kernel_).replace(16, 1, "copy"));
  const ChildResult ran = warplens({"run", path});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("verified"));
  EXPECT_THAT(ran.err, HasSubstr("one was guessed: the head"));
  EXPECT_THAT(ran.err, HasSubstr("problem = \"copy\""));
}

// What a guess may have caused is no error of the kernel, and the guess is named.
TEST_F(OwnProblemCommand, GuessesTakeTheBlame) {
  const std::string path = write("scan_add.cu",
                                 "__global__ void vector_add(float* a, float* b, float* c, int n) {\n"
                                 "  int i = blockIdx.x * 256 + threadIdx.x;\n"
                                 "  if (i < n) c[i] = a[i + n] + b[i];\n}\n");
  const ChildResult ran = warplens({"run", path});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("not checked: line 3: thread 0 of block 0 reads a["));
  EXPECT_THAT(
      ran.out,
      HasSubstr("that may be the guess and not the kernel: put the guessed head at the top of the file and "
                "correct problem = \"vector_add\", grid = [\"ceil_div(N, 256)\"]"));
  EXPECT_THAT(ran.out, HasSubstr("warning: out-of-"));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("\nerror: ")));
  const Json json = Json::parse(warplens({"run", path, "--json"}).out);
  EXPECT_TRUE(json.at("verified").is_null());
}

// A launch as the file makes it shows what is wrong within a block.
TEST_F(OwnProblemCommand, WhatNoGuessCausesStaysAnError) {
  const std::string path = write("sums.cu",
                                 "__global__ void sums(const float* in, float* out) {\n"
                                 "  __shared__ float s[64];\n"
                                 "  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];\n"
                                 "  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];\n}\n"
                                 "int main() { sums<<<4, 64>>>(a, b); }\n");
  const ChildResult ran = warplens({"run", path});
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("error: race-shared, line 3 and line 4"));
}

struct PlainCase {
  const char* name;
  int exit_code;
  const char* says;
  const char* code;
};
const PlainCase kPlainCases[] = {
    {"tail_that_no_block_computes", 1, "with more blocks the result is right",
     "__global__ void vecAdd(const float* a, const float* b, float* c, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n"
     "int main() { int n = 1000; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));\n"
     "  cudaMalloc(&c, n * sizeof(float)); vecAdd<<<n / 256, 256>>>(a, b, c, n); }\n"},
    {"endless_loop", 1, "error: endless-loop",
     "__global__ void sum_array(float* in, float* out, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float s = 0;\n"
     "  for (int j = i; j < n; j += 0) { s += in[j]; in[j] = s; }\n  atomicAdd(out, s);\n}\n"
     "int main() { int n = 1000; sum_array<<<4, 256>>>(a, b, n); }\n"},
    {"beyond_a_shared_array", 1, "error: out-of-",
     "#define TILE 16\n__global__ void matmul(float* A, float* B, float* C, int N) {\n"
     "  __shared__ float As[TILE][TILE], Bs[TILE][TILE];\n  int tx = threadIdx.x, ty = threadIdx.y;\n"
     "  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;\n  float sum = 0;\n"
     "  for (int t = 0; t < (N + TILE - 1) / TILE; t++) {\n    int c = t * TILE + tx, r = t * TILE + ty;\n"
     "    As[ty][tx] = row < N && c < N ? A[row * N + c] : 0;\n"
     "    Bs[ty][tx] = r < N && col < N ? B[r * N + col] : 0;\n    __syncthreads();\n"
     "    for (int k = 0; k <= TILE; k++) sum += As[ty][k] * Bs[k][tx];\n    __syncthreads();\n  }\n"
     "  if (row < N && col < N) C[row * N + col] = sum;\n}\n"},
    {"race_in_shared_memory", 1, "error: race-shared",
     "#define N 256\n__global__ void dot(float* a, float* b, float* result, int n) {\n"
     "  __shared__ float cache[N];\n  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;\n"
     "  cache[tid] = i < n ? a[i] * b[i] : 0;\n  for (int s = blockDim.x / 2; s > 0; s /= 2) {\n"
     "    if (tid < s) cache[tid] += cache[tid + s];\n    __syncthreads();\n  }\n"
     "  if (tid == 0) atomicAdd(result, cache[0]);\n}\n"},
    {"beyond_an_array_of_main", 1, "error: out-of-",
     "__global__ void add(float* a, float* b, float* c, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  c[i] = a[i] + b[i];\n}\n"
     "int main() { int n = 1000; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));\n"
     "  cudaMalloc(&c, n * sizeof(float)); add<<<(n + 255) / 256, 256>>>(a, b, c, n); }\n"},
    {"forgotten_memset", 1, "error: uninitialized-global, line 3",
     "__global__ void histogram(const int* data, int* bins, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) atomicAdd(&bins[data[i] % 64], 1);\n}\n"
     "int main() { int n = 10000; int *data, *bins, *h; cudaMalloc(&data, n * sizeof(int));\n"
     "  cudaMalloc((void**)&bins, 64 * sizeof(int)); cudaMemcpy(data, h, n * 4, cudaMemcpyHostToDevice);\n"
     "  histogram<<<(n + 255) / 256, 256>>>(data, bins, n); }\n"},
    {"memset_by_another_function", 0, "result         verified",
     "__global__ void histogram(const int* data, int* bins, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) atomicAdd(&bins[data[i] % 64], 1);\n}\n"
     "int main() { int n = 10000; int *data, *bins, *h; cudaMalloc(&data, n * sizeof(int));\n"
     "  cudaMalloc((void**)&bins, 64 * sizeof(int)); cudaMemcpy(data, h, n * 4, cudaMemcpyHostToDevice);\n"
     "  clear(bins, 64); histogram<<<(n + 255) / 256, 256>>>(data, bins, n); }\n"},
    {"member_that_nobody_sets", 0, "warning: unwritten-output",
     "struct Particle { float x, y, vx, vy; };\n__global__ void init(Particle* p, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) { p[i].x = i; p[i].y = 0; p[i].vx = 1; "
     "}\n}\n"
     "int main() { int n = 1000; Particle *p, *h; cudaMalloc(&p, n * sizeof(Particle));\n"
     "  init<<<(n + 255) / 256, 256>>>(p, n); cudaMemcpy(h, p, n * 16, cudaMemcpyDeviceToHost); }\n"},
    {"member_of_a_local_struct_that_nobody_sets", 0,
     "warning: uninitialized-local, line 5\n  a.count is read",
     "struct Sum { float sum; int count; };\n__global__ void mean(const float* in, float* out, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  Sum a; a.sum = 0;\n"
     "  if (i < n) { a.sum += in[i]; a.count++; out[i] = a.sum / a.count; }\n}\n"},
    {"members_that_a_function_sets", 0, "checks         nothing found",
     "struct Sum { float sum; int count; };\n__device__ void clear(Sum& s) { s.sum = 0; s.count = 0; }\n"
     "__global__ void mean(const float* in, float* out, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  Sum a; clear(a);\n"
     "  if (i < n) { a.sum += in[i]; a.count++; out[i] = a.sum / a.count; }\n}\n"},
    {"pointer_into_an_array", 0, "checks         nothing found",
     "#define R 2\n__global__ void mean(const float* in, float* out, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "  if (i < n) { float s = 0; for (int k = -R; k <= R; ++k) s += in[i + k]; out[i] = s; }\n}\n"
     "int main() { int n = 1000; float *in, *out; cudaMalloc(&in, (n + 2 * R) * sizeof(float));\n"
     "  cudaMalloc(&out, n * sizeof(float)); mean<<<(n + 255) / 256, 256>>>(in + R, out, n); }\n"},
    {"beside_an_array_that_is_passed_from_an_element_on", 1, "in goes from in[-1] to in[1000]",
     "#define R 2\n__global__ void mean(const float* in, float* out, int n) {\n"
     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "  if (i < n) { float s = 0; for (int k = -R; k <= R; ++k) s += in[i + k]; out[i] = s; }\n}\n"
     "int main() { int n = 1000; float *in, *out; cudaMalloc(&in, (n + 2) * sizeof(float));\n"
     "  cudaMalloc(&out, n * sizeof(float)); mean<<<(n + 255) / 256, 256>>>(in + 1, out, n); }\n"},
    {"factors_that_are_forgotten", 0, "not checked: line 5: C at row 0",
     "__global__ void sgemm(int M, int N, int K, float alpha, const float* A, const float* B, float beta, "
     "float* "
     "C) {\n  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "  if (r >= M || c >= N) return;\n  float s = 0;\n"
     "  for (int k = 0; k < K; k++) s += A[r * K + k] * B[k * N + c];\n  C[r * N + c] = s;\n}\n"},
};

class PlainCommand : public OwnProblemCommand, public testing::WithParamInterface<PlainCase> {};

TEST_P(PlainCommand, SaysWhatIsCertain) {
  const ChildResult ran = warplens({"run", write("plain.cu", GetParam().code)});
  EXPECT_EQ(ran.exit_code, GetParam().exit_code) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(GetParam().says));
}
INSTANTIATE_TEST_SUITE_P(All, PlainCommand, testing::ValuesIn(kPlainCases),
                         [](const auto& one) { return std::string(one.param.name); });

// The line of the kernel file calls it.
TEST_F(OwnProblemCommand, AHeaderIsNamedWithItsLine) {
  write("reads.h",
        "#pragma once\n__device__ inline float read(const float* x, int i) {\n  return x[i + 1000000];\n}\n");
  const std::string path =
      write("calls.cu",
            "#include \"reads.h\"\n__global__ void add(const float* a, const float* b, float* c, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = read(a, i) + b[i];\n}\n");
  const ChildResult text = warplens({"run", path, "--size", "1000"});
  EXPECT_THAT(text.out, HasSubstr("out-of-bounds, line 4\n"));
  EXPECT_THAT(text.out, HasSubstr(", in line 3 of reads.h\n"));
  const Json finding =
      Json::parse(warplens({"run", path, "--size", "1000", "--json"}).out).at("findings").at(0);
  EXPECT_EQ(finding.at("line"), 4);
  EXPECT_EQ(finding.at("header").at("file"), "reads.h");
  EXPECT_EQ(finding.at("header").at("line"), 3);
}

// Numbers that the file defines are not varied.
TEST_F(OwnProblemCommand, ConstantsOfTheFileStay) {
  const ChildResult ran = warplens(
      {"run",
       write("hist.cu",
             "#define BINS 64\n__global__ void histogram(int* data, int* bins, int n) {\n"
             "  __shared__ int local[BINS];\n"
             "  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;\n  __syncthreads();\n"
             "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
             "    atomicAdd(&local[data[i]], 1);\n  __syncthreads();\n"
             "  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], local[b]);\n}\n"
             "int main() { int n = 10000; cudaMalloc(&d, n * sizeof(int)); cudaMalloc(&b, BINS * "
             "sizeof(int));\n"
             "  histogram<<<8, 256>>>(d, b, n); }\n")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("verified"));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("wrong")));
  EXPECT_THAT(ran.err, HasSubstr("N = 10000, B = 64"));
}

}  // namespace
}  // namespace warplens::app
