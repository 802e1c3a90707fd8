#include "engine/gpu/driver/cublas.hpp"

#include <fmt/format.h>

#include <array>

#include "engine/base/shared_library.hpp"
#include "engine/base/toolkit_library.hpp"

namespace warplens::gpu {

#define CUBLAS_FUNCTIONS(F)                                                                                 \
  F(int, cublasCreate_v2, (void** handle))                                                                  \
  F(int, cublasDestroy_v2, (void* handle))                                                                  \
  F(int, cublasGetVersion_v2, (void* handle, int* version))                                                 \
  F(int, cublasSetStream_v2, (void* handle, Handle stream))                                                 \
  F(int, cublasSetMathMode, (void* handle, int mode))                                                       \
  F(int, cublasSgemm_v2,                                                                                    \
    (void* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,               \
     const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc))               \
  F(int, cublasGemmEx,                                                                                      \
    (void* handle, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha, const void* a, \
     int type_a, int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int type_c,        \
     int ldc, int compute_type, int algorithm))

struct Cublas::Functions {
  WARPLENS_FUNCTION_TABLE(CUBLAS_FUNCTIONS)
};

namespace {

constexpr int kPedanticMath = 2;  // CUBLAS_PEDANTIC_MATH
constexpr int kDefaultMath = 0;   // CUBLAS_DEFAULT_MATH
constexpr int kAsIs = 0;          // CUBLAS_OP_N
constexpr int kTurned = 1;        // CUBLAS_OP_T
// cudaDataType_t and cublasComputeType_t
constexpr int kFp32 = 0, kS8 = 3, kS32 = 10, kBf16 = 14;
constexpr int kSumsInFp32 = 68, kSumsInS32 = 72, kByTf32 = 77;
constexpr int kAnyAlgorithm = -1;  // CUBLAS_GEMM_DEFAULT
constexpr std::array<const char*, 3> kFileNames{"libcublas.so.13", "libcublas.so.12", "libcublas.so"};

Status check(int code, std::string_view call) {
  if (code == 0) return Done{};
  return Error{fmt::format("{} failed with cublasStatus_t {}", call, code), ""};
}

struct Types {
  int factors, result, compute;
};
Types types_of(Product::Numbers numbers) {
  switch (numbers) {
    case Product::Numbers::s8:
      return {kS8, kS32, kSumsInS32};
    case Product::Numbers::bf16:
      return {kBf16, kBf16, kSumsInFp32};
    case Product::Numbers::tf32:
      return {kFp32, kFp32, kByTf32};
    case Product::Numbers::fp32:
      break;
  }
  return {kFp32, kFp32, kSumsInFp32};
}

// 130002 -> "cuBLAS 13.0.2"
std::string version_name(int version) {
  return fmt::format("cuBLAS {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

Result<std::unique_ptr<Cublas>> Cublas::open(const std::vector<std::filesystem::path>& folders,
                                             Handle stream) {
  void* library = open_toolkit_library(folders, kFileNames);
  if (library == nullptr)
    return Error{"cuBLAS is not installed", "install the CUDA toolkit, or leave it away"};
  std::unique_ptr<Cublas> cublas(new Cublas);
  cublas->functions_ = std::make_unique<Functions>();
  Functions& f = *cublas->functions_;
  if (f.bind_to(library) != nullptr) return Error{"cuBLAS lacks functions of version 11 and later", ""};
  if (const auto made = check(f.cublasCreate_v2(&cublas->handle_), "cublasCreate"); !made)
    return made.error();
  int version = 0;
  if (const auto got = check(f.cublasGetVersion_v2(cublas->handle_, &version), "cublasGetVersion"); !got)
    return got.error();
  cublas->name_ = version_name(version);
  if (const auto set = check(f.cublasSetStream_v2(cublas->handle_, stream), "cublasSetStream"); !set)
    return set.error();
  return cublas;
}

Cublas::~Cublas() {
  if (handle_ != nullptr) functions_->cublasDestroy_v2(handle_);
}

Status Cublas::multiply(const Product& p, DevicePointer left, DevicePointer right,
                        DevicePointer result) const {
  const bool is_fp32 = p.numbers == Product::Numbers::fp32;
  const int mode = is_fp32 ? kPedanticMath : kDefaultMath;
  if (const auto set = check(functions_->cublasSetMathMode(handle_, mode), "cublasSetMathMode"); !set)
    return set;
  if (!is_fp32) return multiply_on_tensor_cores(p, left, right, result);
  const float one = 1, zero = 0;
  const auto matrix = [](DevicePointer pointer) { return reinterpret_cast<float*>(pointer); };
  return check(functions_->cublasSgemm_v2(handle_, kAsIs, kAsIs, p.m, p.n, p.k, &one, matrix(left), p.m,
                                          matrix(right), p.k, &zero, matrix(result), p.m),
               "cublasSgemm");
}

Status Cublas::multiply_on_tensor_cores(const Product& p, DevicePointer left, DevicePointer right,
                                        DevicePointer result) const {
  const float one = 1, zero = 0;
  const int whole_one = 1, whole_zero = 0;
  const Types types = types_of(p.numbers);
  const bool is_whole = p.numbers == Product::Numbers::s8;
  const auto matrix = [](DevicePointer pointer) { return reinterpret_cast<void*>(pointer); };
  const auto factor = [&](const float& real, const int& whole) {
    return is_whole ? static_cast<const void*>(&whole) : static_cast<const void*>(&real);
  };
  return check(functions_->cublasGemmEx(handle_, p.left_is_turned ? kTurned : kAsIs, kAsIs, p.m, p.n, p.k,
                                        factor(one, whole_one), matrix(left), types.factors,
                                        p.left_is_turned ? p.k : p.m, matrix(right), types.factors, p.k,
                                        factor(zero, whole_zero), matrix(result), types.result, p.m,
                                        types.compute, kAnyAlgorithm),
               "cublasGemmEx");
}

}  // namespace warplens::gpu
