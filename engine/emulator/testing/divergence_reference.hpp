// Test support: a PTX interpreter that runs one thread after the other, each until it waits at a barrier or
// for the other lanes of a vote. Slow and plain; it knows only what random_program writes. Not part of the
// product.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/emulator/launch.hpp"

namespace warplens::emulator {

class Reference {
 public:
  // memory: the words of the buffer at `address`.
  Reference(const Kernel& kernel, const Launch& launch, std::vector<std::uint32_t> memory,
            std::uint64_t address);
  bool run();  // all blocks; false where something is not as it should be
  const std::string& error() const { return error_; }
  const std::vector<std::uint32_t>& memory() const { return memory_; }
  const std::vector<std::uint64_t>& executed() const { return executed_; }  // threads, by pc

 private:
  struct Thread {
    std::uint32_t index = 0;  // in the block
    std::uint32_t pc = 0;
    bool done = false, waiting = false;  // at a barrier, or for the lanes of its warp
    bool carry = false;
    std::vector<std::uint64_t> registers;
  };
  void run_block(std::uint32_t block);
  void run_thread(Thread& thread);  // until it waits or ends
  bool step(Thread& thread);        // false: it waits
  bool meet(std::size_t warp);      // lets the lanes of a warp pass where all have come
  void exchange(const ptx::Instruction& i, const std::vector<Thread*>& lanes);
  bool release_barrier();
  std::uint64_t read(const Thread& thread, const ptx::Operand& operand) const;
  void write(Thread& thread, const ptx::Operand& operand, std::uint64_t value, bool is_signed, int bits);
  std::uint64_t special(const Thread& thread, ptx::Special special) const;
  std::byte* at(const Thread& thread, const ptx::Instruction& i, const ptx::Operand& operand, int bytes);
  void memory_step(Thread& thread, const ptx::Instruction& i);
  void fail(const std::string& what);

  const Kernel& kernel_;
  const ptx::Function& function_;
  Launch launch_;
  std::vector<std::uint32_t> memory_;
  std::uint64_t address_;
  std::vector<std::byte> shared_;
  std::vector<Thread> threads_;
  std::vector<std::uint64_t> executed_;
  std::uint32_t block_ = 0;
  std::string error_;
};

}  // namespace warplens::emulator
