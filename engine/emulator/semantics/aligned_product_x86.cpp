// The instruction sets of x86-64: the best is chosen when the program runs.
#include "engine/emulator/semantics/aligned_product.hpp"

namespace warplens::emulator {

namespace isa_sse2 {
bool aligned_product_of(const AlignedProduct& product);
}
namespace isa_avx2 {
bool aligned_product_of(const AlignedProduct& product);
}
namespace isa_avx512 {
bool aligned_product_of(const AlignedProduct& product);
}

bool aligned_product(const AlignedProduct& product) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return isa_avx512::aligned_product_of(product);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return isa_avx2::aligned_product_of(product);
  return isa_sse2::aligned_product_of(product);
}

}  // namespace warplens::emulator
