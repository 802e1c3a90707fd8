#define WARPLENS_ISA isa_avx2
#include "engine/emulator/semantics/aligned_product.inc"
