// The reference of C[rows][columns] = A[rows][depth] * B[depth][columns], row-major, in double, computed tile
// by tile where it is asked for and kept. A column-major product is this one with its factors exchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "engine/problem/comparison.hpp"
#include "engine/problem/product_kernel.hpp"

namespace warplens::problem {

class MatrixProduct {
 public:
  MatrixProduct(std::int64_t rows, std::int64_t columns, std::int64_t depth);

  // Compares the output (or the elements with a flag). A and B must be the same at every call.
  Comparison compare(std::span<const float> a, std::span<const float> b, std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked) const;

 private:
  struct Slot {
    std::once_flag made;
    std::unique_ptr<ProductTile> tile;
  };
  struct Area {
    std::int64_t row, column, row_end, column_end;
  };
  struct Factors {
    std::span<const float> a, b;
  };
  Area area_of(std::size_t tile) const;
  bool any_checked(const Area& area, std::span<const std::uint8_t> checked) const;
  void compute(const Factors& factors, const Area& area, ProductTile& tile) const;
  void compare_tile(const ProductTile& tile, const Area& area, std::span<const std::byte> output,
                    std::span<const std::uint8_t> checked, Comparison& comparison) const;

  std::int64_t rows_, columns_, depth_;
  std::size_t tiles_across_, tiles_;
  ProductKernel kernel_;
  std::unique_ptr<Slot[]> slots_;  // null where the whole reference would be too large to keep
};

}  // namespace warplens::problem
