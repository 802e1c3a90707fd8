// Whether two operands have the same value, as far as a kernel's text shows: registers that one instruction alone writes are
// compared by how they are computed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

class SameValues {
 public:
  explicit SameValues(const ptx::Function& function);

  // Numbers, or the addresses of two memory operands; of accesses in one turn of a loop.
  bool are_same(const ptx::Operand& a, const ptx::Operand& b) const { return are_same(a, b, 0); }

 private:
  // A value less a number: through copies, conversions between kinds of addresses, and sums with numbers.
  struct Sum {
    ptx::Operand of;
    std::int64_t plus = 0;
  };
  Sum sum_of(ptx::Operand operand) const;
  // The one instruction that writes the register; null where there are several, or none.
  const ptx::Instruction* definition(const ptx::Operand& operand) const;
  bool are_same(const ptx::Operand& a, const ptx::Operand& b, int depth) const;
  bool are_computed_alike(const ptx::Instruction& a, const ptx::Instruction& b, int depth) const;

  const ptx::Function& function_;
  std::vector<std::uint32_t> written_at_;  // + 1, by registers; 0: nowhere, or at several places
};

}  // namespace warplens::emulator
