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
  Product product{.m = *n, .n = *m, .k = *k, .left = 1, .right = 0, .result = 2};
  if (problem == "sgemm") return product;
  product.numbers = Product::Numbers::tf32;
  if (problem == "sgemm_tf32") return product;
  // The same, and B is column-major there.
  product.left_is_turned = true;
  product.numbers = Product::Numbers::bf16;
  if (problem == "gemm_bf16") return product;
  product.numbers = Product::Numbers::s8;
  if (problem == "gemm_s8") return product;
  // Buffers a (the result), b, c.
  if (problem == "sgemm_column")
    return Product{.m = *m, .n = *n, .k = *k, .left = 1, .right = 2, .result = 0};
  return std::nullopt;
}

}  // namespace warplens::gpu
