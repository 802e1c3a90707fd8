// One instruction set for all: that which the program is compiled for.
#include "engine/emulator/lowering/handlers.hpp"

namespace warplens::emulator {

Isa best_isa() { return Isa::sse2; }

std::string_view name(Isa) { return "SIMD128"; }

const HandlerTable& handlers(Isa) { return handlers_sse2(); }

}  // namespace warplens::emulator
