// The reference of C[rows][columns] = A[rows][depth] * B[depth][columns], row-major, in double, computed tile
// by tile where it is asked for and kept. A column-major product is this one with its factors exchanged.
#pragma once

#include <cstdint>
#include <span>

#include "engine/problem/comparison.hpp"
#include "engine/problem/product_kernel.hpp"
#include "engine/problem/tiled_reference.hpp"

namespace warplens::problem {

class MatrixProduct {
 public:
  MatrixProduct(std::int64_t rows, std::int64_t columns, std::int64_t depth);

  // Compares the output (or the elements with a flag). A and B must be the same at every call.
  Comparison compare(std::span<const float> a, std::span<const float> b, std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked) const;

 private:
  struct Factors {
    std::span<const float> a, b;
  };
  void compute(const Factors& factors, const TileArea& area, ProductTile& tile) const;

  std::int64_t columns_, depth_;
  ProductKernel kernel_;
  TiledReference<ProductTile> reference_;
};

}  // namespace warplens::problem
