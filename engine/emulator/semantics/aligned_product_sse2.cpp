#define WARPLENS_ISA isa_sse2
#include "engine/emulator/semantics/aligned_product.inc"
