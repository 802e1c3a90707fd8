// A few functions of cuBLAS as plain loops on the host, so that programs that compare their kernels with it run.
// Matrices are column-major. Sums of float are made in double, so that a comparison is with the exact result; those that are asked for
// in half are rounded as on tensor cores.
// Device memory is read and written where our runtime has it mapped once more.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "runtime/cublas/products.hpp"
#include "runtime/cudart/cuda_types.hpp"
#include "runtime/cudart/library.hpp"

namespace {

enum Status : int { kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kFailed = 13, kNotSupported = 15 };
enum Operation : int { kPlain = 0, kTransposed = 1, kConjugated = 2 };

struct Handle {
  int pointer_mode = 0, math_mode = 0;  // 0: scalars are the host's
  void* stream = nullptr;
};

class Noted {
 public:
  explicit Noted(const char* name) : name_(name) {}
  ~Noted() {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    cudaWarplensLibraryCall(name_, taken.count());
  }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

 private:
  const char* name_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// A vector or matrix, wherever it is.
template <class T>
class Brought {
 public:
  Brought(const T* from, std::size_t count)
      : values_(static_cast<T*>(cudaWarplensReachable(from, count * sizeof(T)))), is_right_(count == 0 || values_ != nullptr) {}
  explicit operator bool() const { return is_right_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  T* values_;
  bool is_right_ = true;
};

template <class T>
T scalar(const T* from) {
  const void* at = cudaWarplensReachable(from, sizeof(T));
  T value{};
  if (at != nullptr) std::memcpy(&value, at, sizeof value);
  return value;
}

std::size_t span_of(int count, int step) {
  return count <= 0 ? 0 : 1 + static_cast<std::size_t>(count - 1) * static_cast<std::size_t>(std::abs(step));
}
// Where the i-th element is; steps below 0 begin at the end.
std::size_t place(int i, int count, int step) {
  return static_cast<std::size_t>(step >= 0 ? i : count - 1 - i) * static_cast<std::size_t>(std::abs(step));
}
std::size_t extent(int rows, int columns, int leading) {
  return rows <= 0 || columns <= 0 ? 0 : static_cast<std::size_t>(leading) * static_cast<std::size_t>(columns - 1) + static_cast<std::size_t>(rows);
}

// Halves as cuBLAS's Ex forms take them, and the others.
enum DataType : int { kFloat = 0, kDouble = 1, kHalf = 2, kInt8 = 3, kInt32 = 10, kBfloat = 14 };

float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
  if (exponent == 0) return std::copysign(std::ldexp(static_cast<float>(fraction), -24), sign != 0 ? -1.f : 1.f);
  const std::uint32_t whole = exponent == 31 ? 0x7f800000u : (exponent + 112) << 23;
  const std::uint32_t all = sign | whole | (fraction << 13);
  float value = 0;
  std::memcpy(&value, &all, 4);
  return value;
}
std::uint16_t to_half(float value) {
  const _Float16 half = static_cast<_Float16>(value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, &half, 2);
  return bits;
}
float from_bfloat(std::uint16_t bits) {
  const std::uint32_t all = std::uint32_t{bits} << 16;
  float value = 0;
  std::memcpy(&value, &all, 4);
  return value;
}
std::uint16_t to_bfloat(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  bits += 0x7fffu + ((bits >> 16) & 1u);  // to the nearest, of two as near the even one
  return static_cast<std::uint16_t>(bits >> 16);
}

std::size_t bytes_of(int type) {
  switch (type) {
    case kDouble:
      return 8;
    case kHalf:
    case kBfloat:
      return 2;
    case kInt8:
      return 1;
    default:
      return 4;
  }
}
double value_at(const char* from, int type, std::size_t i) {
  const char* at = from + i * bytes_of(type);
  const auto as = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (type) {
    case kFloat:
      return static_cast<double>(as(float{}));
    case kDouble:
      return as(double{});
    case kHalf:
      return static_cast<double>(from_half(as(std::uint16_t{})));
    case kBfloat:
      return static_cast<double>(from_bfloat(as(std::uint16_t{})));
    case kInt8:
      return as(std::int8_t{});
    default:
      return as(std::int32_t{});
  }
}
void put_at(char* to, int type, std::size_t i, double value) {
  char* at = to + i * bytes_of(type);
  const auto put = [at](auto one) { std::memcpy(at, &one, sizeof one); };
  switch (type) {
    case kFloat:
      return put(static_cast<float>(value));
    case kDouble:
      return put(value);
    case kHalf:
      return put(to_half(static_cast<float>(value)));
    case kBfloat:
      return put(to_bfloat(static_cast<float>(value)));
    case kInt8:
      return put(static_cast<std::int8_t>(value));
    default:
      return put(static_cast<std::int32_t>(value));
  }
}
bool is_known(int type) {
  return type == kFloat || type == kDouble || type == kHalf || type == kBfloat || type == kInt8 || type == kInt32;
}

struct Matrix {
  const void* at = nullptr;
  int type = kFloat, leading = 0;
  bool transposed = false;
};
struct Sizes {
  int m = 0, n = 0, k = 0;
};

// A row of op(A) and a column of op(B) lie apart in memory: both are laid out for the inner loop first.
std::vector<double> laid_out(const Matrix& matrix, int outer, int inner, bool inner_first) {
  const bool columns_are_outer = inner_first;
  const int rows = matrix.transposed == columns_are_outer ? outer : inner;
  const int columns = matrix.transposed == columns_are_outer ? inner : outer;
  Brought<char> bytes(static_cast<const char*>(matrix.at), extent(rows, columns, matrix.leading) * bytes_of(matrix.type));
  std::vector<double> values(static_cast<std::size_t>(outer) * static_cast<std::size_t>(inner));
  if (!bytes) return values;
  for (int o = 0; o < outer; ++o)
    for (int i = 0; i < inner; ++i) {
      const int row = matrix.transposed == columns_are_outer ? o : i, column = matrix.transposed == columns_are_outer ? i : o;
      values[static_cast<std::size_t>(o) * static_cast<std::size_t>(inner) + static_cast<std::size_t>(i)] =
          value_at(&bytes[0], matrix.type, static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * static_cast<std::size_t>(matrix.leading));
    }
  return values;
}

// C = alpha op(A) op(B) + beta C
int multiply(const Sizes& size, double alpha, const Matrix& a, const Matrix& b, double beta, void* c, int type, int leading,
             bool in_half = false) {
  if (size.m < 0 || size.n < 0 || size.k < 0 || !is_known(a.type) || !is_known(b.type) || !is_known(type)) return kInvalidValue;
  if (size.m == 0 || size.n == 0) return kSuccess;
  const std::vector<double> rows = laid_out(a, size.m, size.k, false), columns = laid_out(b, size.n, size.k, true);
  Brought<char> to(static_cast<const char*>(c), extent(size.m, size.n, leading) * bytes_of(type));
  if (!to) return kFailed;
  const auto count = [](int of) { return static_cast<std::size_t>(of); };
  warplens::runtime::products({rows.data(), columns.data(), count(size.m), count(size.n), count(size.k), in_half},
                              [&](std::size_t i, std::size_t j, double sum) {
                                const std::size_t at = i + j * count(leading);
                                put_at(&to[0], type, at, alpha * sum + (beta == 0 ? 0 : beta * value_at(&to[0], type, at)));
                              });
  return kSuccess;
}

template <class T>
constexpr int type_of() {
  return sizeof(T) == 8 ? kDouble : kFloat;
}

template <class T>
int gemm(const char* name, int ta, int tb, const Sizes& size, const T* alpha, const T* a, int lda, const T* b, int ldb,
         const T* beta, T* c, int ldc) {
  const Noted noted(name);
  constexpr int type = type_of<T>();
  return multiply(size, static_cast<double>(scalar(alpha)), {a, type, lda, ta != kPlain}, {b, type, ldb, tb != kPlain},
                  static_cast<double>(scalar(beta)), c, type, ldc);
}

template <class T>
int gemv(const char* name, int transposed, int m, int n, const T* alpha, const T* a, int lda, const T* x, int step_x,
         const T* beta, T* y, int step_y) {
  const Noted noted(name);
  const int rows = transposed != kPlain ? n : m, columns = transposed != kPlain ? m : n;
  Brought<T> matrix(a, extent(m, n, lda)), from(x, span_of(columns, step_x)), to(y, span_of(rows, step_y));
  if (!matrix || !from || !to) return kFailed;
  const double scale = static_cast<double>(scalar(alpha)), keep = static_cast<double>(scalar(beta));
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) {
      const int row = transposed != kPlain ? j : i, column = transposed != kPlain ? i : j;
      sum += static_cast<double>(matrix[static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * static_cast<std::size_t>(lda)]) *
             static_cast<double>(from[place(j, columns, step_x)]);
    }
    T& out = to[place(i, rows, step_y)];
    out = static_cast<T>(scale * sum + (keep == 0 ? 0 : keep * static_cast<double>(out)));
  }
  return kSuccess;
}

template <class T>
int axpy(const char* name, int n, const T* alpha, const T* x, int step_x, T* y, int step_y) {
  const Noted noted(name);
  Brought<T> from(x, span_of(n, step_x)), to(y, span_of(n, step_y));
  if (!from || !to) return kFailed;
  const T scale = scalar(alpha);
  for (int i = 0; i < n; ++i) {
    T& out = to[place(i, n, step_y)];
    out = static_cast<T>(std::fma(scale, from[place(i, n, step_x)], out));
  }
  return kSuccess;
}

template <class T>
int put_result(T* result, double value) {
  Brought<T> to(result, 1);
  if (!to) return kFailed;
  to[0] = static_cast<T>(value);
  return kSuccess;
}

template <class T, class Term>
int reduce(const char* name, int n, const T* x, int step_x, T* result, Term term, bool root = false) {
  const Noted noted(name);
  Brought<T> from(x, span_of(n, step_x));
  if (!from) return kFailed;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += term(i, static_cast<double>(from[place(i, n, step_x)]));
  return put_result(result, root ? std::sqrt(sum) : sum);
}

template <class T>
int dot(const char* name, int n, const T* x, int step_x, const T* y, int step_y, T* result) {
  Brought<T> other(y, span_of(n, step_y));
  if (!other) return kFailed;
  return reduce(name, n, x, step_x, result,
                [&](int i, double value) { return value * static_cast<double>(other[place(i, n, step_y)]); });
}

template <class T>
int scal(const char* name, int n, const T* alpha, T* x, int step_x) {
  const Noted noted(name);
  Brought<T> to(x, span_of(n, step_x));
  if (!to) return kFailed;
  const T scale = scalar(alpha);
  for (int i = 0; i < n; ++i) to[place(i, n, step_x)] *= scale;
  return kSuccess;
}

template <class T>
int copy_vector(const char* name, int n, const T* x, int step_x, T* y, int step_y) {
  const Noted noted(name);
  Brought<T> from(x, span_of(n, step_x)), to(y, span_of(n, step_y));
  if (!from || !to) return kFailed;
  for (int i = 0; i < n; ++i) to[place(i, n, step_y)] = from[place(i, n, step_x)];
  return kSuccess;
}

// The place of the largest in size, from 1.
template <class T>
int largest(const char* name, int n, const T* x, int step_x, int* result) {
  const Noted noted(name);
  Brought<T> from(x, span_of(n, step_x));
  if (!from) return kFailed;
  int best = 0;
  for (int i = 1; i < n; ++i)
    if (std::abs(from[place(i, n, step_x)]) > std::abs(from[place(best, n, step_x)])) best = i;
  Brought<int> to(result, 1);
  if (!to) return kFailed;
  to[0] = n > 0 ? best + 1 : 0;
  return kSuccess;
}

template <class T>
int rank_one(const char* name, int m, int n, const T* alpha, const T* x, int step_x, const T* y, int step_y, T* a, int lda) {
  const Noted noted(name);
  Brought<T> left(x, span_of(m, step_x)), right(y, span_of(n, step_y)), to(a, extent(m, n, lda));
  if (!left || !right || !to) return kFailed;
  const T scale = scalar(alpha);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      to[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(lda)] +=
          scale * left[place(i, m, step_x)] * right[place(j, n, step_y)];
  return kSuccess;
}

int copy_steps(int count, int size, const void* from, int from_step, void* to, int to_step) {
  const auto element = static_cast<std::size_t>(size);
  const auto* here = static_cast<const char*>(cudaWarplensReachable(from, span_of(count, from_step) * element));
  auto* there = static_cast<char*>(cudaWarplensReachable(to, span_of(count, to_step) * element));
  if (count > 0 && (here == nullptr || there == nullptr)) return kFailed;
  for (int i = 0; i < count; ++i)
    std::memcpy(there + place(i, count, to_step) * element, here + place(i, count, from_step) * element, element);
  return kSuccess;
}
int copy_columns(int rows, int columns, int size, const void* from, int from_leading, void* to, int to_leading) {
  for (int j = 0; j < columns; ++j) {
    const auto step = static_cast<std::size_t>(j) * static_cast<std::size_t>(size);
    if (copy_steps(rows, size, static_cast<const char*>(from) + step * static_cast<std::size_t>(from_leading), 1,
                   static_cast<char*>(to) + step * static_cast<std::size_t>(to_leading), 1) != kSuccess)
      return kFailed;
  }
  return kSuccess;
}

}  // namespace

extern "C" int warplens_unsupported(const char* name) {
  cudaWarplensUnsupported(name);
  return kNotSupported;
}

WARPLENS_API int cublasCreate_v2(void** handle) {
  if (handle == nullptr) return kInvalidValue;
  *handle = new Handle;
  return kSuccess;
}
WARPLENS_API int cublasDestroy_v2(void* handle) {
  if (handle == nullptr) return kNotInitialized;
  delete static_cast<Handle*>(handle);
  return kSuccess;
}
WARPLENS_API int cublasSetStream_v2(void* handle, void* stream) {
  static_cast<Handle*>(handle)->stream = stream;
  return kSuccess;
}
WARPLENS_API int cublasGetStream_v2(void* handle, void** stream) {
  *stream = static_cast<Handle*>(handle)->stream;
  return kSuccess;
}
WARPLENS_API int cublasSetPointerMode_v2(void* handle, int mode) {
  static_cast<Handle*>(handle)->pointer_mode = mode;
  return kSuccess;
}
WARPLENS_API int cublasGetPointerMode_v2(void* handle, int* mode) {
  *mode = static_cast<Handle*>(handle)->pointer_mode;
  return kSuccess;
}
WARPLENS_API int cublasSetMathMode(void* handle, int mode) {
  static_cast<Handle*>(handle)->math_mode = mode;
  return kSuccess;
}
WARPLENS_API int cublasGetMathMode(void* handle, int* mode) {
  *mode = static_cast<Handle*>(handle)->math_mode;
  return kSuccess;
}
WARPLENS_API int cublasSetWorkspace_v2(void*, void*, std::size_t) { return kSuccess; }
WARPLENS_API int cublasGetVersion_v2(void*, int* version) {
  *version = 130000;
  return kSuccess;
}
WARPLENS_API const char* cublasGetStatusString(int status) {
  return status == kSuccess ? "the operation was successful" : "the operation failed";
}
WARPLENS_API const char* cublasGetStatusName(int status) {
  switch (status) {
    case kSuccess:
      return "CUBLAS_STATUS_SUCCESS";
    case kNotInitialized:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case kInvalidValue:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case kNotSupported:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
  }
}
WARPLENS_API int cublasSetVector(int n, int size, const void* x, int step_x, void* y, int step_y) {
  return copy_steps(n, size, x, step_x, y, step_y);
}
WARPLENS_API int cublasGetVector(int n, int size, const void* x, int step_x, void* y, int step_y) {
  return copy_steps(n, size, x, step_x, y, step_y);
}
WARPLENS_API int cublasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb) {
  return copy_columns(rows, columns, size, a, lda, b, ldb);
}
WARPLENS_API int cublasGetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb) {
  return copy_columns(rows, columns, size, a, lda, b, ldb);
}

#define REAL(T, S)                                                                                                        \
  WARPLENS_API int cublas##S##gemm_v2(void*, int ta, int tb, int m, int n, int k, const T* alpha, const T* a, int lda,   \
                                      const T* b, int ldb, const T* beta, T* c, int ldc) {                               \
    return gemm("cublas" #S "gemm", ta, tb, {m, n, k}, alpha, a, lda, b, ldb, beta, c, ldc);                              \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##gemmStridedBatched(void*, int ta, int tb, int m, int n, int k, const T* alpha, const T* a, \
                                                 int lda, long long sa, const T* b, int ldb, long long sb,               \
                                                 const T* beta, T* c, int ldc, long long sc, int count) {                \
    for (int i = 0; i < count; ++i)                                                                                      \
      if (const int failed = gemm("cublas" #S "gemmStridedBatched", ta, tb, {m, n, k}, alpha, a + i * sa, lda,           \
                                  b + i * sb, ldb, beta, c + i * sc, ldc))                                               \
        return failed;                                                                                                   \
    return kSuccess;                                                                                                     \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##gemmBatched(void*, int ta, int tb, int m, int n, int k, const T* alpha,                    \
                                          const T* const* as, int lda, const T* const* bs, int ldb, const T* beta,       \
                                          T* const* cs, int ldc, int count) {                                            \
    Brought<const T*> a(as, static_cast<std::size_t>(count)), b(bs, static_cast<std::size_t>(count));                    \
    Brought<T*> c(cs, static_cast<std::size_t>(count));                                                                  \
    if (!a || !b || !c) return kFailed;                                                                                  \
    for (int i = 0; i < count; ++i) {                                                                                    \
      const auto at = static_cast<std::size_t>(i);                                                                       \
      if (const int failed = gemm("cublas" #S "gemmBatched", ta, tb, {m, n, k}, alpha, a[at], lda, b[at], ldb, beta,     \
                                  c[at], ldc))                                                                           \
        return failed;                                                                                                   \
    }                                                                                                                    \
    return kSuccess;                                                                                                     \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##gemv_v2(void*, int t, int m, int n, const T* alpha, const T* a, int lda, const T* x,       \
                                      int sx, const T* beta, T* y, int sy) {                                             \
    return gemv("cublas" #S "gemv", t, m, n, alpha, a, lda, x, sx, beta, y, sy);                                         \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##axpy_v2(void*, int n, const T* alpha, const T* x, int sx, T* y, int sy) {                  \
    return axpy("cublas" #S "axpy", n, alpha, x, sx, y, sy);                                                             \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##dot_v2(void*, int n, const T* x, int sx, const T* y, int sy, T* result) {                  \
    return dot("cublas" #S "dot", n, x, sx, y, sy, result);                                                              \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##nrm2_v2(void*, int n, const T* x, int sx, T* result) {                                     \
    return reduce("cublas" #S "nrm2", n, x, sx, result, [](int, double v) { return v * v; }, true);                      \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##asum_v2(void*, int n, const T* x, int sx, T* result) {                                     \
    return reduce("cublas" #S "asum", n, x, sx, result, [](int, double v) { return std::abs(v); });                      \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##scal_v2(void*, int n, const T* alpha, T* x, int sx) {                                      \
    return scal("cublas" #S "scal", n, alpha, x, sx);                                                                    \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##copy_v2(void*, int n, const T* x, int sx, T* y, int sy) {                                  \
    return copy_vector("cublas" #S "copy", n, x, sx, y, sy);                                                             \
  }                                                                                                                      \
  WARPLENS_API int cublas##S##ger_v2(void*, int m, int n, const T* alpha, const T* x, int sx, const T* y, int sy, T* a,  \
                                     int lda) {                                                                          \
    return rank_one("cublas" #S "ger", m, n, alpha, x, sx, y, sy, a, lda);                                               \
  }
REAL(float, S)
REAL(double, D)
#undef REAL
// Named by a small letter.
WARPLENS_API int cublasIsamax_v2(void*, int n, const float* x, int sx, int* result) {
  return largest("cublasIsamax", n, x, sx, result);
}
WARPLENS_API int cublasIdamax_v2(void*, int n, const double* x, int sx, int* result) {
  return largest("cublasIdamax", n, x, sx, result);
}

namespace {

// Of cublasComputeType_t.
bool is_in_half(int compute) {
  constexpr int k16 = 64, k16Pedantic = 65;
  return compute == k16 || compute == k16Pedantic;
}

// Scalars of the Ex forms have the type that is computed in.
double scalar_of(const void* at, int compute) {
  constexpr int k64 = 70, k64Pedantic = 71, k32Int = 72, k32IntPedantic = 73;
  const int type = compute == k64 || compute == k64Pedantic ? kDouble
                   : is_in_half(compute)                    ? kHalf
                   : compute == k32Int || compute == k32IntPedantic ? kInt32
                                                                    : kFloat;
  char bytes[8];
  const void* from = cudaWarplensReachable(at, bytes_of(type));
  if (from == nullptr) return 0;
  std::memcpy(bytes, from, bytes_of(type));
  return value_at(bytes, type, 0);
}

}  // namespace

WARPLENS_API int cublasGemmEx(void*, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int type_a,
                              int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int type_c, int ldc,
                              int compute, int) {
  const Noted noted("cublasGemmEx");
  return multiply({m, n, k}, scalar_of(alpha, compute), {a, type_a, lda, ta != kPlain}, {b, type_b, ldb, tb != kPlain},
                  scalar_of(beta, compute), c, type_c, ldc, is_in_half(compute));
}
WARPLENS_API int cublasGemmStridedBatchedEx(void* h, int ta, int tb, int m, int n, int k, const void* alpha, const void* a,
                                            int type_a, int lda, long long sa, const void* b, int type_b, int ldb,
                                            long long sb, const void* beta, void* c, int type_c, int ldc, long long sc,
                                            int count, int compute, int how) {
  const auto at = [](auto* base, int type, long long elements) {
    using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(base)>>, const char, char>;
    return static_cast<Byte*>(base) + elements * static_cast<long long>(bytes_of(type));
  };
  for (int i = 0; i < count; ++i)
    if (const int failed = cublasGemmEx(h, ta, tb, m, n, k, alpha, at(a, type_a, i * sa), type_a, lda, at(b, type_b, i * sb),
                                        type_b, ldb, beta, at(c, type_c, i * sc), type_c, ldc, compute, how))
      return failed;
  return kSuccess;
}
WARPLENS_API int cublasSgemmEx(void* h, int ta, int tb, int m, int n, int k, const float* alpha, const void* a, int type_a,
                               int lda, const void* b, int type_b, int ldb, const float* beta, void* c, int type_c, int ldc) {
  constexpr int kIn32 = 68;
  return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc, kIn32, 0);
}
WARPLENS_API int cublasHgemm(void* h, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int lda,
                             const void* b, int ldb, const void* beta, void* c, int ldc) {
  constexpr int kIn16 = 64;
  return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, kHalf, lda, b, kHalf, ldb, beta, c, kHalf, ldc, kIn16, 0);
}
