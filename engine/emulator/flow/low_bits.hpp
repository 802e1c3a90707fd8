// What ptxas knows of the low bits of a register: the alignment of an address. Which operations keep that
// knowledge was found with probes (ptxas 13.0, sm_90): min, max, abs, right and funnel shifts, lop3 and prmt
// lose it,
// and beside a constant added last it counts zeros only: 16 * x + 8, multiplied or joined with another, is a
// multiple of 8.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// Low `known` bits are those of `value`. known < 0: not computed yet.
struct LowBits {
  static constexpr int kMost = 6;  // alignments above 64 bytes do not matter
  int known = -1;
  std::uint64_t value = 0;
  bool operator==(const LowBits&) const = default;
};

LowBits low_bits(int known, std::uint64_t value);  // clamps and masks
LowBits add(LowBits a, LowBits b);

// The low bits of every register over the whole function: what all its definitions agree on.
class Alignment {
 public:
  Alignment(const ptx::Function& function, const SharedLayout& layout);
  LowBits of(const ptx::Operand& operand) const;

 private:
  bool visit(const ptx::Instruction& i);
  bool merge(ptx::RegisterId id, LowBits value);
  LowBits value(const ptx::Instruction& i) const;
  LowBits product(const ptx::Instruction& i, LowBits a, LowBits b) const;
  const SharedLayout& layout_;
  std::vector<LowBits> bits_;
  std::vector<std::uint32_t> definitions_;  // of each register; a guarded one counts twice
};

}  // namespace warplens::emulator
