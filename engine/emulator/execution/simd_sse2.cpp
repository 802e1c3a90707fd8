#define WARPLENS_ISA isa_sse2
#include "engine/emulator/execution/simd.inc"

namespace warplens::emulator {

const HandlerTable& handlers_sse2() {
  static const HandlerTable table = WARPLENS_ISA::make_table(Isa::sse2);
  return table;
}

}  // namespace warplens::emulator
