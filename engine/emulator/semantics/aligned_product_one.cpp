// One instruction set for all: that which the program is compiled for.
#include "engine/emulator/semantics/aligned_product.hpp"

namespace warplens::emulator {

namespace isa_sse2 {
bool aligned_product_of(const AlignedProduct& product);
}

bool aligned_product(const AlignedProduct& product) { return isa_sse2::aligned_product_of(product); }

}  // namespace warplens::emulator
