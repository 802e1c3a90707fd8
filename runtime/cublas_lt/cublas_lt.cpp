// cuBLASLt's handles, so that programs which make one and then run kernels of their own go on. All else says that it is not there.
#include "runtime/cudart/library.hpp"

namespace {

enum Status : int { kSuccess = 0, kInvalidValue = 7, kNotSupported = 15 };
constexpr std::size_t kVersion = 130000;

}  // namespace

#define LT_API extern "C" __attribute__((visibility("default")))

extern "C" int warplens_unsupported(const char* name) {
  cudaWarplensUnsupported(name);
  return kNotSupported;
}

LT_API int cublasLtCreate(void** handle) {
  if (handle == nullptr) return kInvalidValue;
  *handle = new int(0);
  return kSuccess;
}
LT_API int cublasLtDestroy(void* handle) {
  delete static_cast<int*>(handle);
  return kSuccess;
}
LT_API std::size_t cublasLtGetVersion() { return kVersion; }
LT_API const char* cublasLtGetStatusName(int status) {
  return status == kSuccess ? "CUBLAS_STATUS_SUCCESS" : status == kNotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED" : "CUBLAS_STATUS_INVALID_VALUE";
}
LT_API const char* cublasLtGetStatusString(int status) { return cublasLtGetStatusName(status); }
