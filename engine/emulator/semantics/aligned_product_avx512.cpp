#define WARPLENS_ISA isa_avx512
#include "engine/emulator/semantics/aligned_product.inc"
