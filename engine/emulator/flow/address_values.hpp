// Which addresses are equal but for a constant, and which memory accesses have no change of shared memory
// between them: the two things that ptxas knows before it vectorizes accesses.
//
// Values are numbered as ptxas was seen to do (probes, ptxas 13.0, sm_90): constants float out of sums,
// shifts and products of 32 bits; sums commute but are not reassociated or distributed; or and xor are no
// sums; nothing is moved through a widening (mul.wide, cvt). Registers that are written more than once are
// renamed by their reaching definition, and so is shared memory itself: two places have the same version of
// it where no path from one to the other changes it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/emulator/flow/dominators.hpp"
#include "engine/emulator/flow/low_bits.hpp"

namespace warplens::emulator {

// Whether other threads or later instructions may see other shared memory after it: stores, barriers, fences,
// and what becomes a call in machine code.
bool changes_shared(const ptx::Instruction& i);

// An ld that ptxas may leave out or move.
bool is_global_load(const ptx::Instruction& i);

// Of an ld or st: bytes a lane, and what the PTX adds to the address register.
int width_of(const ptx::Instruction& i);
std::int64_t added_offset(const ptx::Instruction& i);

// A value is the value of its node plus a constant. Node 0 is nothing: the value is a constant.
struct NumberedValue {
  std::uint32_t node = 0;
  std::int64_t offset = 0;
};

// Of one ld or st of shared memory.
struct NumberedAccess {
  std::uint32_t pc = 0, block = 0;
  std::uint32_t memory = 0;  // version of shared memory before it
  std::uint32_t memory_after = 0;
  NumberedValue address;
  LowBits base;  // of the node: the address is base + address.offset
};

class AddressValues {
 public:
  AddressValues(const ptx::Function& flat, const SharedLayout& layout, const Flow& flow,
                const Dominators& dominators);
  // Every ld and st of shared memory that can be reached, each block's in order, dominating blocks first.
  const std::vector<NumberedAccess>& accesses() const { return accesses_; }

 private:
  using Key = std::tuple<std::uint32_t, std::array<NumberedValue, 3>>;
  struct Less {
    bool operator()(const Key& a, const Key& b) const;
  };

  void place_phis(const std::vector<std::vector<std::uint32_t>>& written_in);
  std::vector<std::vector<std::uint32_t>> definitions();
  void walk_block(std::uint32_t block);
  void undo_to(std::size_t depth);
  void set(std::uint32_t name, NumberedValue value);
  NumberedValue of(const ptx::Operand& operand);
  NumberedValue fresh() { return {++nodes_, 0}; }
  NumberedValue hashed(std::uint32_t operation, NumberedValue a, NumberedValue b = {}, NumberedValue c = {});
  NumberedValue sum(NumberedValue a, NumberedValue b);
  NumberedValue difference(NumberedValue a, NumberedValue b);
  NumberedValue product(NumberedValue a, NumberedValue b);
  NumberedValue result(const ptx::Instruction& i);
  NumberedValue widened(const ptx::Instruction& i, NumberedValue a);
  void record(const ptx::Instruction& i, std::uint32_t pc, std::uint32_t block);

  const ptx::Function& flat_;
  const SharedLayout& layout_;
  const Flow& flow_;
  const Dominators& dominators_;
  Alignment alignment_;
  std::uint32_t nodes_ = 1;  // node 1 is where shared memory starts
  std::map<Key, std::uint32_t, Less> known_;
  // a node that is another times a constant
  std::map<std::uint32_t, std::pair<std::uint32_t, std::int64_t>> scaled_;
  // Current values of registers; the last entry is the version of shared memory, as a node.
  std::vector<std::optional<NumberedValue>> current_;
  std::vector<std::pair<std::uint32_t, std::optional<NumberedValue>>> undo_;
  std::vector<std::vector<std::uint32_t>> phis_;  // of each block: names with a new value on entry
  std::vector<NumberedAccess> accesses_;
};

}  // namespace warplens::emulator
