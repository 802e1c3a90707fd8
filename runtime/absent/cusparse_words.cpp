// What cuSPARSE says of its errors: programs print it.
#define SPARSE_API extern "C" __attribute__((visibility("default")))

namespace {
const char* words_of(int status, const char* not_supported) {
  return status == WARPLENS_NOT_SUPPORTED ? not_supported : "unrecognized error code";
}
}  // namespace

SPARSE_API const char* cusparseGetErrorName(int status) { return words_of(status, "CUSPARSE_STATUS_NOT_SUPPORTED"); }
SPARSE_API const char* cusparseGetErrorString(int status) { return words_of(status, "operation not supported"); }
