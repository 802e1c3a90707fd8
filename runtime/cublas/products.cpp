#include "runtime/cublas/products.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace warplens::runtime {
namespace {

constexpr std::size_t kRows = 8, kColumns = 4;  // whose sums are in registers together
constexpr std::size_t kPanels = 8;              // of kRows rows, that stay in a cache while the columns go by

using Lanes = double __attribute__((vector_size(kRows * sizeof(double))));
using Sums = std::array<Lanes, kColumns>;

// panel: the values of kRows rows, side by side.
__attribute__((target_clones("avx512f", "avx2", "default"))) void tile(const double* panel,
                                                                      const std::array<const double*, kColumns>& columns,
                                                                      std::size_t inner, Sums& sums) {
  Lanes a{}, b{}, c{}, d{};
  for (std::size_t l = 0; l < inner; ++l) {
    Lanes row;
    std::memcpy(&row, panel + l * kRows, sizeof row);
    a += row * columns[0][l];
    b += row * columns[1][l];
    c += row * columns[2][l];
    d += row * columns[3][l];
  }
  sums = {a, b, c, d};
}

// In half, see the header.
void tile_in_half(const double* panel, std::array<const double*, kColumns> columns, std::size_t inner, Sums& sums) {
  constexpr std::size_t kStep = 16;
  Sums part;
  sums = {};
  for (std::size_t l = 0; l < inner; l += kStep) {
    tile(panel + l * kRows, columns, std::min(kStep, inner - l), part);
    for (std::size_t c = 0; c < kColumns; ++c) {
      columns[c] += std::min(kStep, inner - l);
      for (std::size_t r = 0; r < kRows; ++r)
        sums[c][r] = static_cast<double>(static_cast<_Float16>(static_cast<float>(sums[c][r] + part[c][r])));
    }
  }
}

// Of kRows rows from `first` on; beyond the last one stand zeros.
void lay_side_by_side(const RowsAndColumns& of, std::size_t first, double* panel) {
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t l = 0; l < of.inner; ++l)
      panel[l * kRows + r] = first + r < of.row_count ? of.rows[(first + r) * of.inner + l] : 0;
}

}  // namespace

void products(const RowsAndColumns& of, const std::function<void(std::size_t i, std::size_t j, double sum)>& take) {
  std::vector<double> panels(kPanels * kRows * of.inner);
  const auto panel = [&](std::size_t p) { return panels.data() + p * kRows * of.inner; };
  Sums sums;
  for (std::size_t block = 0; block < of.row_count; block += kPanels * kRows) {
    const std::size_t count = std::min(kPanels, (of.row_count - block + kRows - 1) / kRows);
    for (std::size_t p = 0; p < count; ++p) lay_side_by_side(of, block + p * kRows, panel(p));
    for (std::size_t j = 0; j < of.column_count; j += kColumns) {
      std::array<const double*, kColumns> columns;
      for (std::size_t c = 0; c < kColumns; ++c) columns[c] = of.columns + std::min(j + c, of.column_count - 1) * of.inner;
      for (std::size_t p = 0; p < count; ++p) {
        (of.in_half ? tile_in_half(panel(p), columns, of.inner, sums) : tile(panel(p), columns, of.inner, sums));
        const std::size_t first = block + p * kRows;
        for (std::size_t c = 0; c < std::min(kColumns, of.column_count - j); ++c)
          for (std::size_t r = 0; r < std::min(kRows, of.row_count - first); ++r) take(first + r, j + c, sums[c][r]);
      }
    }
  }
}

}  // namespace warplens::runtime
