#include "engine/compile/device_source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "engine/base/whole_file.hpp"
#include "engine/catalog/signature.hpp"

namespace warplens::compile {
namespace {

constexpr std::string_view kIntegers = R"(#pragma once
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef long long int64_t; typedef unsigned long long uint64_t;
typedef int8_t int_least8_t; typedef int8_t int_fast8_t;
typedef long intptr_t; typedef unsigned long uintptr_t; typedef long long intmax_t; typedef unsigned long long uintmax_t;
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
constexpr std::string_view kMath = R"(#pragma once
namespace std {
#define WARPLENS_OF_FLOAT(name) __device__ inline float name(float x) { return ::name##f(x); } __device__ inline double name(double x) { return ::name(x); }
WARPLENS_OF_FLOAT(sqrt) WARPLENS_OF_FLOAT(exp) WARPLENS_OF_FLOAT(log) WARPLENS_OF_FLOAT(sin) WARPLENS_OF_FLOAT(cos)
WARPLENS_OF_FLOAT(tanh) WARPLENS_OF_FLOAT(floor) WARPLENS_OF_FLOAT(ceil) WARPLENS_OF_FLOAT(round) WARPLENS_OF_FLOAT(fabs)
WARPLENS_OF_FLOAT(erf) WARPLENS_OF_FLOAT(tan) WARPLENS_OF_FLOAT(exp2) WARPLENS_OF_FLOAT(log2) WARPLENS_OF_FLOAT(log1p)
#undef WARPLENS_OF_FLOAT
__device__ inline float pow(float x, float y) { return ::powf(x, y); }
__device__ inline double pow(double x, double y) { return ::pow(x, y); }
__device__ inline float fmax(float x, float y) { return ::fmaxf(x, y); }
__device__ inline float fmin(float x, float y) { return ::fminf(x, y); }
__device__ inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
}
)";

// Headers of the host's libraries, by what devices have of them.
struct Header {
  std::string_view name;
  std::string_view text;
};
constexpr std::string_view
    kLimitsOf = "#include <warplens/limits>\n",
    kIntegersOf = "#include <warplens/integers>\n", kAlgorithmOf = "#include <warplens/algorithm>\n",
    kMathOf = "#include <warplens/limits>\n#include <warplens/algorithm>\n#include <warplens/math>\n",
    kNumbersOf = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n",  // as cuBLAS does
    kNothing = "";
constexpr Header kHeaders[] = {{"stdio.h", kNothing},
                               {"cstdio", kNothing},
                               {"stdlib.h", kNothing},
                               {"cstdlib", kNothing},
                               {"assert.h", kNothing},
                               {"cassert", kNothing},
                               {"string.h", kNothing},
                               {"cstring", kNothing},
                               {"time.h", kNothing},
                               {"ctime", kNothing},
                               {"iostream", kNothing},
                               {"iomanip", kNothing},
                               {"fstream", kNothing},
                               {"sstream", kNothing},
                               {"string", kNothing},
                               {"vector", kNothing},
                               {"map", kNothing},
                               {"unordered_map", kNothing},
                               {"chrono", kNothing},
                               {"random", kNothing},
                               {"memory", kNothing},
                               {"functional", kNothing},
                               {"numeric", kNothing},
                               {"thread", kNothing},
                               {"stdexcept", kNothing},
                               {"stdbool.h", kNothing},
                               {"stddef.h", kNothing},
                               {"cstddef", kNothing},
                               {"unistd.h", kNothing},
                               {"sys/time.h", kNothing},
                               {"getopt.h", kNothing},
                               {"omp.h", kNothing},
                               {"cuda.h", kNothing},
                               {"cublas_v2.h", kNumbersOf},
                               {"cublas.h", kNumbersOf},
                               {"cublasLt.h", kNumbersOf},
                               {"curand.h", kNothing},
                               {"cuda_profiler_api.h", kNothing},
                               {"nvToolsExt.h", kNothing},
                               {"cuda_runtime.h", kNothing},
                               {"cuda_runtime_api.h", kNothing},
                               {"device_launch_parameters.h", kNothing},
                               {"device_functions.h", kNothing},
                               {"helper_cuda.h", kNothing},
                               {"helper_functions.h", kNothing},
                               {"helper_math.h", kNothing},
                               {"helper_string.h", kNothing},
                               {"helper_timer.h", kNothing},
                               {"array", kNothing},
                               {"math.h", kMathOf},
                               {"cmath", kMathOf},
                               {"math_constants.h", kMathOf},
                               {"float.h", kLimitsOf},
                               {"cfloat", kLimitsOf},
                               {"limits.h", kLimitsOf},
                               {"climits", kLimitsOf},
                               {"stdint.h", kIntegersOf},
                               {"cstdint", kIntegersOf},
                               {"inttypes.h", kIntegersOf},
                               {"algorithm", kAlgorithmOf},
                               {"utility", kAlgorithmOf}};

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Include {
  std::string name;
  bool is_quoted = false;
};

std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> includes;
  for (std::size_t at = source.find('#'); at != std::string_view::npos; at = source.find('#', at + 1)) {
    std::string_view line = source.substr(at + 1, std::min(source.find('\n', at), source.size()) - at - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string_view::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close == std::string_view::npos) continue;
    includes.push_back({std::string(line.substr(open + 1, close - open - 1)), line[open] == '"'});
  }
  return includes;
}

bool uses_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_of_name(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end >= text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

// A definition or declaration at the outermost level.
struct Piece {
  std::size_t begin = 0, end = 0;
  std::string name;  // of a function that has a body; empty: anything else
  bool is_device = false;
};

// The name before the first bracket of a function's head; empty where it is none.
std::string function_name(std::string_view head) {
  const std::size_t open = head.find('(');
  if (open == std::string_view::npos) return "";
  std::size_t end = open;
  while (end > 0 && std::isspace(static_cast<unsigned char>(head[end - 1])) != 0) --end;
  std::size_t begin = end;
  while (begin > 0 && is_of_name(head[begin - 1])) --begin;
  return std::string(head.substr(begin, end - begin));
}

bool begins_with_any(std::string_view head, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return head.starts_with(word) && (head.size() == word.size() || !is_of_name(head[word.size()]));
  });
}

// plain: without comments, texts and preprocessor lines. Namespaces and extern "C" { are looked into.
std::vector<Piece> pieces_of(std::string_view plain) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  int depth = 0, brackets = 0;
  std::string name;
  const auto finish = [&](std::size_t end) {
    const std::string_view text = plain.substr(begin, end - begin);
    Piece piece{begin, end, name, uses_word(text, "__global__") || uses_word(text, "__device__")};
    if (text.find_first_not_of(" \t\r\n;}") != std::string_view::npos) pieces.push_back(std::move(piece));
    begin = end, name.clear();
  };
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const char c = plain[at];
    if (c == '(') ++brackets;
    if (c == ')') --brackets;
    if (c == '{' && depth == 0) {
      std::string_view head = plain.substr(begin, at - begin);
      head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
      if (begins_with_any(head, {"namespace", "inline namespace"}) || head.starts_with("extern \"")) {
        if (head.find('(') == std::string_view::npos) {
          begin = at + 1;
          continue;
        }
      }
      const bool is_type = begins_with_any(head, {"struct", "class", "union", "enum", "typedef"});
      const std::size_t equals = head.find('=');
      if (!is_type && (equals == std::string_view::npos || equals > head.find('(')))
        name = function_name(head);
    }
    if (c == '{') ++depth;
    if (c == '}' && depth > 0 && --depth == 0 && !name.empty() && brackets == 0) finish(at + 1);
    if (c == ';' && depth == 0 && brackets == 0) finish(at + 1);
  }
  return pieces;
}

// A variable that may change and that no kernel sees: neither a type, nor a constant, nor a template.
std::string host_variable(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n;}"), text.size()));
  if (begins_with_any(
          text, {"typedef", "using", "struct", "class", "union", "enum", "template", "const", "constexpr",
                 "static_assert", "namespace", "extern", "static const", "static constexpr"}))
    return "";
  if (uses_word(text, "const") || uses_word(text, "constexpr")) return "";
  std::size_t end = std::min(text.find_first_of("=[;({"), text.size());
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  std::size_t begin = end;
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

// Of the host alone: what no device type could be.
bool is_host_declaration(std::string_view text) {
  static constexpr std::array<std::string_view, 18> kHostOnly{"vector",         "string",
                                                              "cublasHandle_t", "cudaEvent_t",
                                                              "cudaStream_t",   "FILE",
                                                              "mt19937",        "ostream",
                                                              "cudaError_t",    "cublasStatus_t",
                                                              "clock_t",        "curandGenerator_t",
                                                              "cudaDeviceProp", "high_resolution_clock",
                                                              "unordered_map",  "ofstream",
                                                              "ifstream",       "using namespace std"};
  return std::any_of(kHostOnly.begin(), kHostOnly.end(),
                     [&](std::string_view word) { return uses_word(text, word); });
}

// Lines of the preprocessor stay: what one opens another closes.
void blank(std::string& text, std::string_view plain, const Piece& piece) {
  std::size_t at = std::min(plain.find_first_not_of(" \t\r\n", piece.begin), piece.end);
  while (at < piece.end) {
    const std::size_t end = std::min(std::min(text.find('\n', at), text.size()), piece.end);
    const std::size_t first = text.find_first_not_of(" \t", at);
    const bool is_directive = first < end && text[first] == '#' && plain[first] == ' ';
    if (!is_directive)
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end + 1;
  }
}

DeviceSource device_part(std::string_view source, const std::string& folder, std::string used, int depth);

// used: the code that includes them.
void add_headers(DeviceSource& device, const std::string& folder, const std::string& used, int depth) {
  namespace fs = std::filesystem;
  const auto add = [&](std::string_view name, std::string_view text) { device.headers.emplace(name, text); };
  for (const Include& include : includes_of(device.text)) {
    if (include.is_quoted && !folder.empty()) {
      const fs::path path = fs::path(folder) / include.name;
      if (std::error_code failed; fs::is_regular_file(path, failed)) {
        const auto text = read_whole_file(path);
        if (!text || depth > 8) continue;
        DeviceSource header = device_part(*text, path.parent_path().string(), used, depth + 1);
        device.headers.emplace(include.name, std::move(header.text));
        device.headers.merge(header.headers);
        continue;
      }
    }
    const std::string base = fs::path(include.name).filename().string();
    for (const Header& header : kHeaders)
      if (header.name == include.name || header.name == base)
        add(include.name,
            std::string("#pragma once\n#include <warplens/names>\n#include <warplens/limits>\n") +
                std::string(header.text));
  }
  if (device.headers.empty()) return;
  add("warplens/names", kNames);
  add("warplens/limits", kLimits);
  add("warplens/integers", kIntegers);
  add("warplens/algorithm", kAlgorithm);
  add("warplens/math", kMath);
}

DeviceSource device_part(std::string_view source, const std::string& folder, std::string used, int depth) {
  DeviceSource device{std::string(source), {}, false, {}};
  const std::string plain = catalog::blanked(source);
  std::vector<Piece> pieces = pieces_of(plain);
  const auto text_of = [&](const Piece& piece) {
    return std::string_view(plain).substr(piece.begin, piece.end - piece.begin);
  };
  std::vector<bool> kept(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    kept[p] = pieces[p].is_device || (pieces[p].name.empty() && !is_host_declaration(text_of(pieces[p])));
    if (kept[p]) used += text_of(pieces[p]);
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (!kept[p] || pieces[p].is_device || !pieces[p].name.empty()) continue;
    const std::string variable = host_variable(text_of(pieces[p]));
    if (variable.empty()) continue;
    kept[p] = false;
    for (std::size_t other = 0; other < pieces.size() && !kept[p]; ++other)
      kept[p] = pieces[other].is_device && uses_word(text_of(pieces[other]), variable);
  }
  // Macros are of both; what they call is kept where device code calls it.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      if (kept[p] || pieces[p].name.empty() || pieces[p].name == "main" || !uses_word(used, pieces[p].name))
        continue;
      if (text_of(pieces[p]).find("<<<") != std::string_view::npos) continue;
      kept[p] = more = true;
      device.has_plain_functions = true;
      used += text_of(pieces[p]);
    }
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (kept[p]) continue;
    if (!pieces[p].name.empty()) device.left_out.push_back(pieces[p].name);
    blank(device.text, plain, pieces[p]);
  }
  add_headers(device, folder, used, depth);
  return device;
}

}  // namespace

DeviceSource device_source(std::string_view source, const std::string& folder) {
  return device_part(source, folder, "", 0);
}

}  // namespace warplens::compile
