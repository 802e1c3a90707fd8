// Records the tensor work of one block, as a watcher of the emulator. Its inputs hold the numbers of their elements, a few bits of
// each in a run: as many runs of the same launch as it takes, and their records put together.
//
//   for (int run = 0; run < runs_for(bits, elements); ++run) {
//     write element_with_digit(number, run, bits) into each element; kernel.run() with a TensorRecorder as watcher;
//     put together: add_digits(work, recorder.finish(), run * bits.digit())
//   }
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "engine/emulator/memory.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/ptx/program.hpp"
#include "engine/trace/tensor_work.hpp"

namespace warplens::trace {

// Of an element of A or B. The tensor cores do not see the lowest `unseen` bits: the 13 of TF32, which kernels may round away.
struct FactorBits {
  int bits = 16, unseen = 0;
  // Bits of a number's digit, above these. The two highest bits stay 0: what is neither infinite nor no number is multiplied quickly,
  // whatever it means as a number.
  constexpr int digit() const { return bits - unseen - 2; }
};
constexpr std::uint32_t element_with_digit(ElementNumber number, int run, FactorBits of) {
  const int first = run * of.digit();
  return first >= 32 ? 0 : (number >> first & ((1u << of.digit()) - 1)) << of.unseen;
}
constexpr ElementNumber digit_in(std::uint32_t element, FactorBits of) { return element >> of.unseen; }
int runs_for(FactorBits of, std::uint64_t elements);

// The first product of a kernel that multiplies by tensor cores; null: it does not.
const ptx::Instruction* first_product(const ptx::Function& function);
FactorBits factor_bits(const ptx::Instruction& product);

class TensorRecorder : public emulator::Watcher {
 public:
  using RankOf = std::function<std::uint32_t(std::uint64_t block)>;  // in its cluster
  // memory: of the run, which has its tensor maps; it must outlive this. shared_bytes: of a block.
  TensorRecorder(std::uint64_t block, RankOf rank_of, FactorBits factor, std::uint32_t shared_bytes,
                 emulator::GlobalMemory& memory);
  ~TensorRecorder() override;
  emulator::BlockWatcher* begin_block(std::uint64_t block) override;
  // Set where all that is kept was seen.
  const std::atomic<bool>& is_done() const { return done_; }
  // With digits in the place of numbers. Empties it.
  TensorWork finish();

 private:
  std::uint64_t block_;
  RankOf rank_of_;
  TensorWork work_;
  std::atomic<bool> done_ = false;
  std::unique_ptr<emulator::BlockWatcher> follower_;
  std::vector<std::unique_ptr<emulator::BlockWatcher>> peers_;  // of the other blocks of its cluster
};

// Takes the digits of one more run, whose lowest bit is that of `first_bit`; false: it did something else.
bool add_digits(TensorWork& all, const TensorWork& of_run, int first_bit);

}  // namespace warplens::trace
