#include "engine/compile/source/host_headers.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

namespace warplens::compile {
namespace {

constexpr std::string_view kIntegers = R"(#pragma once
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef long long int64_t; typedef unsigned long long uint64_t;
typedef int8_t int_least8_t; typedef int8_t int_fast8_t;
typedef long long intptr_t; typedef unsigned long long uintptr_t; typedef long long intmax_t; typedef unsigned long long uintmax_t;
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647-1)
#define INT64_MIN (-INT64_MAX-1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX 18446744073709551615UL
namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t;
using ::int64_t; using ::uint64_t; using ::size_t; using ::ptrdiff_t; using ::intptr_t; using ::uintptr_t; }
)";
constexpr std::string_view kLimits = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
#ifndef INT_MAX
#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-2147483647-1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX-1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define SHRT_MAX 32767
#define CHAR_MAX 127
#define UCHAR_MAX 255
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#define M_E 2.71828182845904523536
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LN2 0.69314718055994530942
#define M_PI_2 1.57079632679489661923
#define M_2_SQRTPI 1.12837916709551257390
#endif
)";
constexpr std::string_view kNames = R"(#pragma once
typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned char uchar; typedef unsigned long ulong;
)";
constexpr std::string_view kAlgorithm = R"(#pragma once
namespace std {
template <class T> __host__ __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr void swap(T& a, T& b) { T c = a; a = b; b = c; }
template <class T> __host__ __device__ constexpr const T& clamp(const T& x, const T& a, const T& b) { return x < a ? a : b < x ? b : x; }
__device__ inline float abs(float x) { return ::fabsf(x); }
__device__ inline double abs(double x) { return ::fabs(x); }
__device__ inline int abs(int x) { return ::abs(x); }
}
)";
constexpr std::string_view kLimitsOfTypes = R"(#pragma once
#include <warplens/limits>
namespace std {
template <class T> struct numeric_limits;
#define WARPLENS_LIMITS(T, least, most, low, eps, whole) template <> struct numeric_limits<T> { \
  static constexpr bool is_specialized = true, is_integer = whole; \
  __host__ __device__ static constexpr T min() { return least; } __host__ __device__ static constexpr T max() { return most; } \
  __host__ __device__ static constexpr T lowest() { return low; } __host__ __device__ static constexpr T epsilon() { return eps; } \
  __device__ static T infinity() { return whole ? static_cast<T>(0) : static_cast<T>(__int_as_float(0x7f800000)); } \
  __device__ static T quiet_NaN() { return whole ? static_cast<T>(0) : static_cast<T>(__int_as_float(0x7fffffff)); } };
WARPLENS_LIMITS(float, FLT_MIN, FLT_MAX, -FLT_MAX, FLT_EPSILON, false)
WARPLENS_LIMITS(double, DBL_MIN, DBL_MAX, -DBL_MAX, DBL_EPSILON, false)
WARPLENS_LIMITS(int, INT_MIN, INT_MAX, INT_MIN, 0, true)
WARPLENS_LIMITS(unsigned, 0, UINT_MAX, 0, 0, true)
WARPLENS_LIMITS(long, -LONG_MAX - 1, LONG_MAX, -LONG_MAX - 1, 0, true)
WARPLENS_LIMITS(unsigned long, 0, 18446744073709551615UL, 0, 0, true)
WARPLENS_LIMITS(long long, -LLONG_MAX - 1, LLONG_MAX, -LLONG_MAX - 1, 0, true)
WARPLENS_LIMITS(unsigned long long, 0, ULLONG_MAX, 0, 0, true)
WARPLENS_LIMITS(short, -32768, 32767, -32768, 0, true)
WARPLENS_LIMITS(unsigned short, 0, 65535, 0, 0, true)
WARPLENS_LIMITS(char, -128, 127, -128, 0, true)
WARPLENS_LIMITS(signed char, -128, 127, -128, 0, true)
WARPLENS_LIMITS(unsigned char, 0, 255, 0, 0, true)
#undef WARPLENS_LIMITS
}
)";
constexpr std::string_view kTraits = R"(#pragma once
namespace std {
template <class T, T v> struct integral_constant { static constexpr T value = v; using type = integral_constant; };
using true_type = integral_constant<bool, true>; using false_type = integral_constant<bool, false>;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool, class A, class B> struct conditional { using type = A; };
template <class A, class B> struct conditional<false, A, B> { using type = B; };
template <bool b, class A, class B> using conditional_t = typename conditional<b, A, B>::type;
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> inline constexpr bool is_floating_point_v = is_same_v<remove_const_t<T>, float> || is_same_v<remove_const_t<T>, double>;
}
)";
constexpr std::string_view kMath = R"(#pragma once
namespace std {
#define WARPLENS_OF_FLOAT(name) __device__ inline float name(float x) { return ::name##f(x); } __device__ inline double name(double x) { return ::name(x); }
WARPLENS_OF_FLOAT(sqrt) WARPLENS_OF_FLOAT(exp) WARPLENS_OF_FLOAT(log) WARPLENS_OF_FLOAT(sin) WARPLENS_OF_FLOAT(cos)
WARPLENS_OF_FLOAT(tanh) WARPLENS_OF_FLOAT(floor) WARPLENS_OF_FLOAT(ceil) WARPLENS_OF_FLOAT(round) WARPLENS_OF_FLOAT(fabs)
WARPLENS_OF_FLOAT(erf) WARPLENS_OF_FLOAT(tan) WARPLENS_OF_FLOAT(exp2) WARPLENS_OF_FLOAT(log2) WARPLENS_OF_FLOAT(log1p)
WARPLENS_OF_FLOAT(nearbyint) WARPLENS_OF_FLOAT(rint) WARPLENS_OF_FLOAT(trunc) WARPLENS_OF_FLOAT(cbrt) WARPLENS_OF_FLOAT(log10)
WARPLENS_OF_FLOAT(expm1) WARPLENS_OF_FLOAT(sinh) WARPLENS_OF_FLOAT(cosh) WARPLENS_OF_FLOAT(asin) WARPLENS_OF_FLOAT(acos)
WARPLENS_OF_FLOAT(atan) WARPLENS_OF_FLOAT(erfc) WARPLENS_OF_FLOAT(tgamma) WARPLENS_OF_FLOAT(lgamma)
#undef WARPLENS_OF_FLOAT
__device__ inline float pow(float x, float y) { return ::powf(x, y); }
__device__ inline double pow(double x, double y) { return ::pow(x, y); }
#define WARPLENS_OF_TWO(name) __device__ inline float name(float x, float y) { return ::name##f(x, y); } __device__ inline double name(double x, double y) { return ::name(x, y); }
WARPLENS_OF_TWO(fmod) WARPLENS_OF_TWO(hypot) WARPLENS_OF_TWO(atan2) WARPLENS_OF_TWO(copysign)
#undef WARPLENS_OF_TWO
template <class T> __device__ inline bool isnan(T x) { return x != x; }
template <class T> __device__ inline bool isinf(T x) { return x == x && x - x != x - x; }
template <class T> __device__ inline bool isfinite(T x) { return x - x == x - x; }
__device__ inline float fmax(float x, float y) { return ::fmaxf(x, y); }
__device__ inline float fmin(float x, float y) { return ::fminf(x, y); }
__device__ inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
}
)";

constexpr std::string_view kEmpty[] = {"any",
                                       "array",
                                       "assert.h",
                                       "atomic",
                                       "bitset",
                                       "cassert",
                                       "cctype",
                                       "cerrno",
                                       "chrono",
                                       "channel_descriptor.h",
                                       "complex",
                                       "condition_variable",
                                       "csignal",
                                       "cublasXt.h",
                                       "cstdarg",
                                       "cstddef",
                                       "cstdio",
                                       "cstdlib",
                                       "cstring",
                                       "ctime",
                                       "ctype.h",
                                       "cuda.h",
                                       "cudaTypedefs.h",
                                       "cudaProfiler.h",
                                       "cuda_profiler_api.h",
                                       "cuda_gl_interop.h",
                                       "cuda_runtime.h",
                                       "cuda_runtime_api.h",
                                       "cudnn.h",
                                       "cufft.h",
                                       "cufftXt.h",
                                       "cusolverDn.h",
                                       "cusolverSp.h",
                                       "cusparse.h",
                                       "cusparse_v2.h",
                                       "cwchar",
                                       "deque",
                                       "device_functions.h",
                                       "device_launch_parameters.h",
                                       "driver_functions.h",
                                       "driver_types.h",
                                       "errno.h",
                                       "exception",
                                       "execution",
                                       "fcntl.h",
                                       "filesystem",
                                       "fstream",
                                       "functional",
                                       "future",
                                       "getopt.h",
                                       "helper_cuda.h",
                                       "helper_functions.h",
                                       "helper_string.h",
                                       "helper_timer.h",
                                       "initializer_list",
                                       "iomanip",
                                       "iosfwd",
                                       "iostream",
                                       "istream",
                                       "iterator",
                                       "list",
                                       "locale",
                                       "malloc.h",
                                       "map",
                                       "memory",
                                       "mpi.h",
                                       "mutex",
                                       "nccl.h",
                                       "new",
                                       "numbers",
                                       "numeric",
                                       "npp.h",
                                       "nvToolsExt.h",
                                       "nvToolsExtCuda.h",
                                       "nvtx3/nvToolsExt.h",
                                       "nvml.h",
                                       "nvrtc.h",
                                       "omp.h",
                                       "optional",
                                       "ostream",
                                       "pthread.h",
                                       "queue",
                                       "random",
                                       "ratio",
                                       "regex",
                                       "set",
                                       "shared_mutex",
                                       "signal.h",
                                       "sm_60_atomic_functions.h",
                                       "span",
                                       "sstream",
                                       "stack",
                                       "stdarg.h",
                                       "stdbool.h",
                                       "stddef.h",
                                       "stdexcept",
                                       "stdio.h",
                                       "stdlib.h",
                                       "string",
                                       "string.h",
                                       "string_view",
                                       "strings.h",
                                       "sys/stat.h",
                                       "sys/time.h",
                                       "sys/types.h",
                                       "system_error",
                                       "thread",
                                       "time.h",
                                       "tuple",
                                       "typeinfo",
                                       "unistd.h",
                                       "unordered_map",
                                       "unordered_set",
                                       "valarray",
                                       "variant",
                                       "vector",
                                       "windows.h"};
constexpr std::string_view kWithMath[] = {"math.h", "cmath", "cfenv", "fenv.h", "math_constants.h"};
constexpr std::string_view kWithLimits[] = {"float.h", "cfloat", "limits.h", "climits"};
constexpr std::string_view kWithIntegers[] = {"stdint.h", "cstdint", "inttypes.h", "stdlib.h", "cstdlib"};
constexpr std::string_view kWithAlgorithm[] = {"algorithm", "utility"};
constexpr std::string_view kWithNumbers[] = {"cublas_v2.h", "cublas.h", "cublasLt.h"};  // as cuBLAS does
// Of whole libraries for hosts.
constexpr std::string_view kFolders[] = {"torch/",   "ATen/",  "c10/",      "pybind11/",
                                         "opencv2/", "gtest/", "benchmark/"};

constexpr std::string_view kAll =
    "#include <warplens/integers>\n#include <warplens/algorithm>\n#include <warplens/math>\n"
    "#include <warplens/numeric_limits>\n#include <warplens/traits>\n";

struct OfHeader {
  std::string_view name, header;
  bool is_namespace = false;
};
constexpr OfHeader kOfHeaders[] = {
    {"half", "cuda_fp16.h"},          {"half2", "cuda_fp16.h"},
    {"__half", "cuda_fp16.h"},        {"__half2", "cuda_fp16.h"},
    {"nv_bfloat16", "cuda_bf16.h"},   {"nv_bfloat162", "cuda_bf16.h"},
    {"__nv_bfloat16", "cuda_bf16.h"}, {"__nv_bfloat162", "cuda_bf16.h"},
    {"__nv_fp8_e4m3", "cuda_fp8.h"},  {"__nv_fp8_e5m2", "cuda_fp8.h"},
    {"nvcuda", "mma.h", true},        {"cooperative_groups", "cooperative_groups.h", true}};
// Parts of what macros of a few lines are called that stop where a call of the host fails.
constexpr std::string_view kOfChecks[] = {"check", "error", "gpuerr", "cuda_call", "safe_call", "cuda_safe"};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// CUDA's own, whose last names are those of C++: <cuda/std/array>, <cuda/atomic>.
constexpr std::string_view kOfCuda[] = {"cuda/", "nv/", "cub/", "thrust/", "cooperative_groups/"};

template <class List>
bool begins_as(const List& list, const std::string& name) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view folder) { return name.starts_with(folder); });
}

template <class List>
bool is_among(const List& list, const std::string& name) {
  const std::string base = std::filesystem::path(name).filename().string();
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view one) { return one == name || one == base; });
}

// Nothing: no header of the list.
const char* content_of(const std::string& name) {
  if (begins_as(kOfCuda, name)) return nullptr;
  if (name == "bits/stdc++.h") return kAll.data();
  if (name == "limits") return "#include <warplens/numeric_limits>\n";
  if (name == "type_traits") return "#include <warplens/traits>\n";
  if (is_among(kWithMath, name)) return "#include <warplens/algorithm>\n#include <warplens/math>\n";
  if (is_among(kWithIntegers, name)) return "#include <warplens/integers>\n";
  if (is_among(kWithAlgorithm, name)) return "#include <warplens/algorithm>\n";
  if (is_among(kWithNumbers, name)) return "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  if (is_among(kEmpty, name) || is_among(kWithLimits, name)) return "";
  return begins_as(kFolders, name) ? "" : nullptr;
}

}  // namespace

std::string stand_in(const std::string& name) {
  const char* content = content_of(name);
  if (content == nullptr) return "";
  return std::string("#pragma once\n#include <warplens/names>\n#include <warplens/limits>\n") + content;
}

bool is_of_host_library(const std::string& name, const Names& used) {
  return (name.starts_with("thrust/") && !used.contains("thrust")) ||
         (name.starts_with("cub/") && !used.contains("cub"));
}

bool is_absolute(const std::string& name) {
  return name.starts_with("/") || name.starts_with("\\") || name.find(':') != std::string::npos;
}

bool leads_up(const std::string& name) {
  if (is_absolute(name)) return false;
  for (std::size_t at = name.find(".."); at != std::string::npos; at = name.find("..", at + 1)) {
    const bool begins = at == 0 || name[at - 1] == '/' || name[at - 1] == '\\';
    const bool ends = at + 2 == name.size() || name[at + 2] == '/' || name[at + 2] == '\\';
    if (begins && ends) return true;
  }
  return false;
}

std::string left_out_header(const std::string& name) {
  return "#pragma once\n#warning " + name + std::string(kIsLeftOut) + "\n";
}

void add_parts(Headers& headers) {
  headers.emplace("warplens/names", kNames);
  headers.emplace("warplens/limits", kLimits);
  headers.emplace("warplens/integers", kIntegers);
  headers.emplace("warplens/algorithm", kAlgorithm);
  headers.emplace("warplens/math", kMath);
  headers.emplace("warplens/numeric_limits", kLimitsOfTypes);
  headers.emplace("warplens/traits", kTraits);
}

Missing what_is_missing(const std::string& log, const std::string& source) {
  Missing missing;
  const Names words = source::words_of(source).all;
  for (const OfHeader& one : kOfHeaders) {
    const bool is_said = log.find("\"" + std::string(one.name) + "\" is undefined") != std::string::npos ||
                         (one.is_namespace && words.contains(one.name) &&
                          log.find("must be a namespace name") != std::string::npos);
    if (is_said) missing.headers.emplace(one.header, one.name);
  }
  for (const std::string& word : words) {
    const bool is_check = std::any_of(std::begin(kOfChecks), std::end(kOfChecks), [&](std::string_view part) {
      return lower_case(word).find(part) != std::string::npos;
    });
    if (is_check && log.find("\"" + word + "\" is undefined") != std::string::npos)
      missing.checks.insert(word);
  }
  return missing;
}

void add_prelude(Headers& headers, const Missing& missing) {
  add_parts(headers);
  std::string text = stand_in("bits/stdc++.h");
  for (const auto& [header, name] : missing.headers)
    text += "#include <" + header + ">\n#warning " + name + " is of " + header +
            ", which the file does not include\n";
  for (const std::string& check : missing.checks) text += "#define " + check + "(...)\n";
  headers.emplace(kPreludeName, text);
}

}  // namespace warplens::compile
