#include "engine/problem/loop_orders.hpp"

#include <algorithm>

namespace warplens::problem {
namespace {

using In = std::span<const float>;
using Out = std::span<float>;

void multiply_ijk(In a, In b, Out c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] += sum;
    }
}

void multiply_jki(In a, In b, Out c, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void multiply_ikj(In a, In b, Out c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// Tiles of all three loops, each tile in the order ikj: what it touches stays in the first-level cache.
void multiply_blocked(In a, In b, Out c, std::size_t n) {
  constexpr std::size_t kTile = 64;
  for (std::size_t k0 = 0; k0 < n; k0 += kTile)
    for (std::size_t j0 = 0; j0 < n; j0 += kTile)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = k0; k < std::min(n, k0 + kTile); ++k)
          for (std::size_t j = j0; j < std::min(n, j0 + kTile); ++j)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

constexpr std::array kOrders = {
    LoopOrder{"ijk", "along a row of A and down a column of B", multiply_ijk},
    LoopOrder{"jki", "down a column of A and of C", multiply_jki},
    LoopOrder{"ikj", "along a row of B and of C", multiply_ikj},
    LoopOrder{"blocked", "as ikj, within tiles of 64 x 64 that stay in the cache", multiply_blocked}};

}  // namespace

std::span<const LoopOrder> loop_orders() { return kOrders; }

}  // namespace warplens::problem
