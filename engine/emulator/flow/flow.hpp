// Control flow and liveness of a flat function (no calls).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) : words_((size + 63) / 64) {}
  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool merge(const BitSet& other);  // this |= other; true where it grew
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
        visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

// Registers that an instruction writes and reads (a guard is read). The lists are cleared first.
void registers_of(const ptx::Instruction& instruction, std::vector<ptx::RegisterId>& written,
                  std::vector<ptx::RegisterId>& read);

struct BasicBlock {
  std::uint32_t begin = 0, end = 0;  // [begin, end) of the function's code
  std::vector<std::uint32_t> successors;
  BitSet live_in, live_out;  // of registers
};

class Flow {
 public:
  explicit Flow(const ptx::Function& function);
  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  std::uint32_t block_of(std::uint32_t pc) const { return block_of_[pc]; }
  // Registers live before the instruction at pc; pc may be code.size() (then none are).
  BitSet live_before(std::uint32_t pc) const;
  std::size_t register_count() const { return function_.registers.size(); }

 private:
  void split();
  void connect();
  void find_live();
  const ptx::Function& function_;
  std::vector<BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;
};

}  // namespace warplens::emulator
