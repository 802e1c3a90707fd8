#define WARPLENS_ISA isa_avx512
#include "engine/emulator/execution/simd.inc"

namespace warplens::emulator {

const HandlerTable& handlers_avx512() {
  static const HandlerTable table = WARPLENS_ISA::make_table(Isa::avx512);
  return table;
}

}  // namespace warplens::emulator
