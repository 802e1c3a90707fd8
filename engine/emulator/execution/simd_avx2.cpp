#define WARPLENS_ISA isa_avx2
#include "engine/emulator/execution/simd.inc"

namespace warplens::emulator {

const HandlerTable& handlers_avx2() {
  static const HandlerTable table = WARPLENS_ISA::make_table(Isa::avx2);
  return table;
}

}  // namespace warplens::emulator
