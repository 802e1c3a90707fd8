#include "engine/problem/own/guess_words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace warplens::problem {
namespace {

constexpr Hint kHints[] = {{"softmax", "softmax"},
                           {"layernorm", "layer_norm"},
                           {"layer_norm", "layer_norm"},
                           {"exclusive", "scan_exclusive"},
                           {"scan", "scan"},
                           {"prefix", "scan"},
                           {"hist", "histogram"},
                           {"spmv", "spmv"},
                           {"csr", "spmv"},
                           {"conv2", "conv2d"},
                           {"conv_2d", "conv2d"},
                           {"convolution_2d", "conv2d"},
                           {"convolution2", "conv2d"},
                           {"conv", "conv1d"},
                           {"stencil", "stencil"},
                           {"jacobi", "stencil"},
                           {"transpose", "transpose"},
                           {"saxpy", "saxpy"},
                           {"axpy", "saxpy"},
                           {"dot", "dot"},
                           {"gemv", "gemv"},
                           {"matvec", "gemv"},
                           {"mat_vec", "gemv"},
                           {"matmul_forward", "linear"},
                           {"linear", "linear"},
                           {"gemm", "sgemm"},
                           {"matmul", "sgemm"},
                           {"matrixmul", "sgemm"},
                           {"matrix_mul", "sgemm"},
                           {"mmul", "sgemm"},
                           {"matmult", "sgemm"},
                           {"mm", "sgemm"},
                           {"reduc", "reduce"},
                           {"sum", "reduce"},
                           {"relu", "map", "out[i] == max(in[i], 0)"},
                           {"copy", "copy"},
                           {"add", "vector_add"},
                           {"residual", "vector_add"},
                           {"gelu", "map"},
                           {"sigmoid", "map"},
                           {"square", "map"}};

// What templates mostly call their numbers, where no launch says them.
struct Usual {
  std::string_view name;
  int value;
};
constexpr Usual kUsual[] = {{"bm", 64},
                            {"bn", 64},
                            {"bk", 8},
                            {"tm", 8},
                            {"tn", 8},
                            {"wm", 32},
                            {"wn", 32},
                            {"blocksize", 32},
                            {"bs", 16},
                            {"tile", 16},
                            {"tilesize", 16},
                            {"tiledim", 32},
                            {"tilewidth", 16},
                            {"block", 256},
                            {"blocksizem", 64},
                            {"blocksizen", 64},
                            {"blocksizek", 16},
                            {"threadsizex", 4},
                            {"threadsizey", 4},
                            {"warpsize", 32},
                            {"threadperblock", 256},
                            {"threadsperblock", 256},
                            {"threads", 256},
                            {"numthreads", 256},
                            {"nthreads", 256},
                            {"blockthreads", 256},
                            {"tpb", 256}};
// Of another number of a template: elements a thread, turns of a loop.
constexpr int kUsualCount = 4;
}  // namespace

std::span<const Hint> hints() { return kHints; }

std::string lower(std::string_view text) {
  std::string small;
  for (const char c : text) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}
bool is_of_another_function(std::string_view name) {
  const std::string small = lower(name);
  constexpr std::string_view kWords[] = {"leaky",   "prelu",      "rrelu", "drelu", "grad",
                                         "back",    "bwd",        "bias",  "relu6", "square",
                                         "dropout", "derivative", "prime", "clip"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : lower(name))
    if (c != '_') plain += c;
  return plain;
}
bool is_name_of_block(std::string_view name) {
  constexpr std::string_view kNames[] = {"block",      "blocksize", "blockdim",        "blockdimx",
                                         "blockwidth", "threads",   "threadsperblock", "threadperblock",
                                         "numthreads", "nthreads",  "blockthreads",    "tpb"};
  const std::string plain = plain_name(name);
  return std::find(std::begin(kNames), std::end(kNames), plain) != std::end(kNames);
}
int usual_number(std::string_view name) {
  const std::string plain = plain_name(name);
  for (const Usual& usual : kUsual)
    if (usual.name == plain) return usual.value;
  return kUsualCount;
}

}  // namespace warplens::problem
