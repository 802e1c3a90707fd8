// What nvcc takes and a student pastes.
#include "engine/compile/source/device_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/build.hpp"
#include "engine/compile/source/host_headers.hpp"

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
  for (const char* name : {"mine.h", "cuda_fp16.h", "cooperative_groups.h", "mma.h", "curand_kernel.h"})
    EXPECT_EQ(stand_in(name), "") << name;
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
    {"constants",
     "const int kTile = 1 << 4, kTiles = 2 * kTile;\nstatic const float kScale = 2.5f;\n"
     "__global__ void k(float* x) { __shared__ float s[kTiles]; s[0] = *x; *x = s[0] * kScale; }\n"},
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
  if (GetParam().name != std::string("missing_file")) return;
  ASSERT_EQ(build->warnings.size(), 1u);
  EXPECT_EQ(build->warnings[0], "k.cu:1: my_helpers.hpp is not there and was left out");
}
INSTANTIATE_TEST_SUITE_P(All, PastedKernel, testing::ValuesIn(kPasted),
                         [](const auto& pasted) { return std::string(pasted.param.name); });

}  // namespace
}  // namespace warplens::compile
