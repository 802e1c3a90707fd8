// Which opcodes multiply matrices: D = A B + C, by a warp or a warp group.
#pragma once

#include "engine/ptx/opcodes.hpp"

namespace warplens::ptx {

constexpr bool is_matrix_product(Opcode opcode) {
  return opcode == Opcode::mma || opcode == Opcode::mma_sp || opcode == Opcode::wmma_mma ||
         opcode == Opcode::wgmma_mma_async;
}

}  // namespace warplens::ptx
