// The product of two square matrices on the processor, in the orders of its three loops: what a course
// measures first, before any GPU. Row-major, one thread, compiled as it is written: the compiler may
// vectorize the innermost loop, and not exchange loops.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace warplens::problem {

struct LoopOrder {
  std::string_view name;   // "ijk": the outermost loop first
  std::string_view walks;  // what the innermost loop does, in words
  // c += a b; each n by n. c is zero before.
  void (*multiply)(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t n);
};
std::span<const LoopOrder> loop_orders();

}  // namespace warplens::problem
