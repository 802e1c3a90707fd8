#include <limits>

#include "engine/gpu/types.hpp"

namespace warplens::gpu {
namespace {

std::optional<int> as_int(const catalog::Values& sizes, std::string_view name) {
  const auto found = sizes.find(name);
  if (found == sizes.end() || found->second < 1 || found->second > std::numeric_limits<int>::max())
    return std::nullopt;
  return static_cast<int>(found->second);
}

}  // namespace

std::optional<Product> product_of(std::string_view problem, const catalog::Values& sizes) {
  const auto m = as_int(sizes, "M"), n = as_int(sizes, "N"), k = as_int(sizes, "K");
  if (!m || !n || !k) return std::nullopt;
  // Row-major C[M][N] is column-major C^T[N][M] in the same memory. Buffers A, B, C.
  if (problem == "sgemm") return Product{.m = *n, .n = *m, .k = *k, .left = 1, .right = 0, .result = 2};
  // The same, and B is column-major there.
  if (problem == "gemm_bf16")
    return Product{
        .m = *n, .n = *m, .k = *k, .left = 1, .right = 0, .result = 2, .bf16 = true, .left_is_turned = true};
  // Buffers a (the result), b, c.
  if (problem == "sgemm_column")
    return Product{.m = *m, .n = *n, .k = *k, .left = 1, .right = 2, .result = 0};
  return std::nullopt;
}

}  // namespace warplens::gpu
