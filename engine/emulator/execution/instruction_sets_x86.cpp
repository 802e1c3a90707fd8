// The instruction sets of x86-64: the best is chosen when the program runs.
#include "engine/emulator/lowering/handlers.hpp"

namespace warplens::emulator {

Isa best_isa() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Isa::avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? Isa::avx2 : Isa::sse2;
}

std::string_view name(Isa isa) {
  switch (isa == Isa::automatic ? best_isa() : isa) {
    case Isa::avx512:
      return "AVX-512";
    case Isa::avx2:
      return "AVX2";
    default:
      return "SSE2";
  }
}

const HandlerTable& handlers(Isa isa) {
  switch (isa == Isa::automatic ? best_isa() : isa) {
    case Isa::avx512:
      return handlers_avx512();
    case Isa::avx2:
      return handlers_avx2();
    default:
      return handlers_sse2();
  }
}

}  // namespace warplens::emulator
