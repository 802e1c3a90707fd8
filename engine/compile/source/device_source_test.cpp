// What nvcc takes and a student pastes.
#include "engine/compile/source/device_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/build.hpp"
#include "engine/compile/source/host_headers.hpp"
#include "engine/compile/testing/warning_lines.hpp"

namespace warplens::compile {
namespace {

using testing::HasSubstr;

TEST(DeviceSource, LeavesOutNamesOfHosts) {
  EXPECT_EQ(device_source("using std::cout;\nusing std::max;\n__global__ void k() {}\n", "").text,
            "                \nusing std::max;\n__global__ void k() {}\n");
  EXPECT_EQ(device_source("extern \"C\"__global__ void k() {}\n", "").text,
            "extern\"C\" __global__ void k() {}\n");
}

TEST(HostHeaders, StandForWhatDevicesHaveOfThem) {
  for (const char* name : {"tuple", "bits/stdc++.h", "torch/types.h", "cstdlib", "../common/helper_cuda.h"})
    EXPECT_NE(stand_in(name), "") << name;
  for (const char* name : {"cuda/atomic", "cuda/std/array", "cuda/functional", "helper_math.h", "curand.h",
                           "mine.h", "cuda_fp16.h", "cooperative_groups.h", "mma.h", "curand_kernel.h"})
    EXPECT_EQ(stand_in(name), "") << name;
}

// Its headers for whole devices launch kernels, which NVRTC refuses.
TEST(HostHeaders, HaveOfCubWhatBlocksUse) {
  const DeviceSource device = device_source(
      "#include <cub/cub.cuh>\nusing namespace cub;\ntemplate <BlockScanAlgorithm A> __global__ void k(int* "
      "x) {\n"
      "  typedef BlockScan<int, 32, A> Scan; __shared__ typename Scan::TempStorage t; "
      "Scan(t).InclusiveSum(*x, *x); "
      "}\n",
      "");
  EXPECT_THAT(device.text, HasSubstr("using namespace cub;"));
  EXPECT_EQ(device.headers.at("cub/cub.cuh"), "#pragma once\n#include <cub/block/block_scan.cuh>\n");
  EXPECT_EQ(device_source("#include <cub/cub.cuh>\n__global__ void k(int* x) { *x = 1; }\n", "")
                .headers.at("cub/cub.cuh"),
            "#pragma once\n");
  EXPECT_EQ(device_part_of_cub("cub/device/device_reduce.cuh", {"cub", "DeviceReduce"}), "");
  EXPECT_EQ(device_part_of_cub("cub/block/block_scan.cuh", {"cub", "BlockScan"}), "");
}

TEST(DeviceSource, KeepsWhatDeviceCodeUses) {
  const auto rest = [](const std::string& source) {
    std::string lines;
    for (std::size_t at = 0; at < source.size(); at = source.find('\n', at) + 1) {
      const std::string line = source.substr(at, source.find('\n', at) - at);
      if (line.find_first_not_of(' ') != std::string::npos) lines += line + "\n";
    }
    return lines;
  };
  const DeviceSource device = device_source(
      "float half_of(float x);\n"         // the host's, although it is declared first
      "int count = 4, *list;\n"           // a variable that kernels cannot see, whatever they call theirs
      "const int kTile = 8;\n"            // a constant that they can
      "struct Options { FILE* out; };\n"  // a type of the host
      "struct Pair { float x, y; };\n"
      "template <class T> T twice(T x) { return x + x; }\n"
      "template <> float twice<float>(float x) { return 2 * x; }\n"
      "#define TWICE(x) twice(x)\n"
      "namespace own {\n"
      "__global__ void k(Pair* p, int count) { p[kTile].x = TWICE(p[count].y); }\n"
      "}\n"
      "void launch(Pair* p) { own::k<<<1, 1>>>(p, half_of(count)); }\n"
      "float half_of(float x) { launch(nullptr); return x / 2; }\n"
      "int main() { launch(nullptr); }\n",
      "");
  EXPECT_EQ(rest(device.text),
            "const int kTile = 8;\nstruct Pair { float x, y; };\n"
            "template <class T> T twice(T x) { return x + x; }\n"
            "template <> float twice<float>(float x) { return 2 * x; }\n#define TWICE(x) twice(x)\n"
            "namespace own {\n"
            "__global__ void k(Pair* p, int count) { p[kTile].x = TWICE(p[count].y); }\n}\n");
  EXPECT_THAT(device.left_out, testing::ElementsAre("launch", "half_of", "main"));
}

TEST(DeviceSource, LeavesOutFilesOfOtherFolders) {
  const DeviceSource device = device_source("#include \"../common/book.h\"\n#include <cuda/atomic>\n", "");
  ASSERT_TRUE(device.headers.contains("../common/book.h"));
  EXPECT_THAT(device.headers.at("../common/book.h"), HasSubstr("was left out"));
  EXPECT_FALSE(device.headers.contains("cuda/atomic"));
}

struct Pasted {
  const char* name;
  const char* code;
};
constexpr Pasted kPasted[] = {
    {"bits",
     "#include <bits/stdc++.h>\nusing namespace std;\n__global__ void k(float* x) { *x = std::min(*x, 1.f); "
     "}\n"},
    {"using_cout",
     "#include <iostream>\nusing std::cout;\nusing std::vector;\n__global__ void k(float* x) { *x = 1; }\n"
     "int main() { cout << 1; }\n"},
    {"tuple", "#include <tuple>\n#include <optional>\n__global__ void k(float* x) { *x = 1; }\n"},
    {"int32_by_stdlib",
     "#include <stdlib.h>\n__device__ int32_t one() { return 1; }\n"
     "__global__ void k(float* x) { *x = one(); }\n"},
    {"no_include",
     "__global__ void k(float* x, uint32_t n, uint m) { *x = n + m < INT_MAX ? INFINITY : M_PI; }\n"},
    {"std_max_without", "__global__ void k(float* x) { *x = std::max(*x, 0.f); }\n"},
    {"size_t", "__global__ void k(float* x, size_t n) { if (threadIdx.x < n) *x = sizeof(std::size_t); }\n"},
    {"limits",
     "#include <limits>\n#include <type_traits>\ntemplate <class T> __global__ void k(T* x) {\n"
     "  if constexpr (std::is_same<T, float>::value) *x = std::numeric_limits<T>::max(); }\n"
     "template __global__ void k<float>(float*);\n"},
    {"infinity",
     "#include <limits>\n__global__ void k(float* x) { *x = -std::numeric_limits<float>::infinity(); }\n"},
    {"glued", "extern \"C\"__global__\nvoid k(float* x) { *x = 1; }\n"},
    {"missing_file",
     "#include \"my_helpers.hpp\"\n#include \"cuda_fp16.h\"\n__global__ void k(half* x) { *x = 1; }\n"},
    {"torch",
     "#include <torch/extension.h>\n#include <torch/types.h>\n__global__ void k(float* x) { *x = 1; }\n"
     "torch::Tensor run(torch::Tensor x) { k<<<1, 1>>>(x.data_ptr<float>()); return x; }\n"
     "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"run\", &run); }\n"},
    {"prototype_of_the_host",
     "__global__ void k(float *x, float *y) { y[threadIdx.x] = x[threadIdx.x]; }\nvoid timing(float *d);\n"
     "void doit(float *d) { k<<<1, 128>>>(d, d); }\nvoid timing(float *d) { doit(d); }\n"},
    {"left_out_headers",
     "#include \"../common/book.h\"\n#include <common/common.h>\n__global__ void k(float* x) { *x = 1; }\n"},
    {"half_without_its_header",
     "using namespace nvcuda;\n__global__ void k(half* x, __half2* y) { *x = y->x; }\n"},
    {"macro_of_the_author",
     "__host__ __device__ void f() { CHECK(cudaGetLastError()); }\n"
     "__global__ void k(float* x) { f(); *x = 1; }\n"},
    {"standard_library_of_devices",
     "#include <atomic>\n#include <array>\n#include <cuda/std/array>\n"
     "__global__ void k(float* x) { cuda::std::array<float, 2> a{1, 2}; *x = a[0]; }\n"},
    {"macro_of_lines_as_windows_ends_them",
     "#include <iostream>\r\n#define CHECK_ALL(call) \\\r\n  do { \\\r\n    if ((call) != 0) std::cerr << 1; "
     "\\\r\n"
     "  } while (0)\r\n\r\nvoid clamp(int& a) { CHECK_ALL(cudaGetDevice(&a)); std::cerr << a; }\r\n"
     "__global__ void k(float* x) { *x = 1; }\r\n"},
    {"nearbyint", "#include <cfenv>\n__global__ void k(float* x) { *x = std::nearbyint(*x); }\n"},
    {"constants",
     "const int kTile = 1 << 4, kTiles = 2 * kTile;\nstatic const float kScale = 2.5f;\n"
     "__global__ void k(float* x) { __shared__ float s[kTiles]; s[0] = *x; *x = s[0] * kScale; }\n"},
    {"launches_in_a_row",
     "__global__ void k(float* x) { cudaGridDependencySynchronize(); *x = 1; "
     "cudaTriggerProgrammaticLaunchCompletion(); }\n"},
    {"register_variables", "__global__ void k(int* x) { register int i = 16; while (i--) x[i] = i; }\n"},
};

class PastedKernel : public testing::TestWithParam<Pasted> {};

TEST_P(PastedKernel, CompilesAsUnderNvcc) {
  static Compiler compiler({});
  if (!compiler.available()) GTEST_SKIP() << "no NVRTC";
  DeviceSource device = device_source(GetParam().code, "");
  Request request;
  request.source = std::move(device.text);
  request.file_name = "k.cu";
  request.want_cubin = false;
  request.headers = std::move(device.headers);
  const auto build = compiler.compile(request);
  ASSERT_TRUE(build) << to_line(build.error());
  const std::string name = GetParam().name;
  if (name == "missing_file") {
    EXPECT_THAT(lines_of(build->warnings),
                testing::ElementsAre("k.cu:1: my_helpers.hpp is not there and was left out"));
  }
  if (name == "left_out_headers") {
    EXPECT_THAT(lines_of(build->warnings),
                testing::UnorderedElementsAre("k.cu:1: ../common/book.h is not there and was left out",
                                              "k.cu:2: common/common.h is not there and was left out"));
  }
  if (name == "half_without_its_header") {
    EXPECT_THAT(lines_of(build->warnings),
                testing::Contains("k.cu: half is of cuda_fp16.h, which the file does not include"));
  }
}

TEST(PastedKernels, MayDeclareAnotherOfTheirName) {
  static Compiler compiler({});
  if (!compiler.available()) GTEST_SKIP() << "no NVRTC";
  Request request;
  request.source = "__global__ void k();\n__global__ void k(float* x) { *x = 1; }\n";
  request.file_name = "k.cu";
  request.kernel = "k";
  request.want_cubin = false;
  const auto build = compiler.compile(request);
  ASSERT_TRUE(build) << to_line(build.error());
  EXPECT_EQ(build->kernel_name, "_Z1kPf");
}

TEST(PastedKernels, SayWhichNameIsUnknown) {
  static Compiler compiler({});
  if (!compiler.available()) GTEST_SKIP() << "no NVRTC";
  const auto error = [&](const std::string& source) {
    DeviceSource device = device_source(source, "");
    Request request;
    request.source = std::move(device.text);
    request.file_name = "k.cu";
    request.want_cubin = false;
    request.headers = std::move(device.headers);
    request.host_variables = std::move(device.host_variables);
    const auto build = compiler.compile(request);
    return build ? std::string() : to_line(build.error());
  };
  EXPECT_THAT(error("#include <vector>\nint width = 5;\n__global__ void k(float* x) { *x = width; }\n"),
              testing::StartsWith("k.cu:3: width is a variable of the host (line 2), and device code cannot "
                                  "read it; give it to the kernel"));
  EXPECT_THAT(error("__global__ void k(Node* nodes, int n) {}\n"),
              testing::StartsWith("k.cu:1: identifier \"Node\" is undefined (and "));
  EXPECT_THAT(error("#include \"../common/book.h\"\n__global__ void k(float* x) { *x = BLOCK_SIZE; }\n"),
              testing::StartsWith("k.cu:2: identifier \"BLOCK_SIZE\" is undefined; it may be of "
                                  "../common/book.h, which is not there and was left out; copy what"));
  EXPECT_THAT(error("using namespace mine;\n__global__ void k(float* x) { *x = 1; }\n"),
              testing::StartsWith("k.cu:1: namespace \"mine\" is undefined"));
}
INSTANTIATE_TEST_SUITE_P(All, PastedKernel, testing::ValuesIn(kPasted),
                         [](const auto& pasted) { return std::string(pasted.param.name); });

}  // namespace
}  // namespace warplens::compile
