// Records the tensor work of one block, as a watcher of the emulator. Its inputs hold the numbers of their elements, a few bits of
// each in a run: as many runs of the same launch as it takes, and their records put together.
//
//   for (int run = 0; run < runs_for(16, elements); ++run) {
//     write digit_of(number, run, 16) into each element; kernel.run() with a TensorRecorder as watcher;
//     put together: add_digits(work, recorder.finish(), run)
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

// A number's digit in an element of so many bits. The two highest bits stay 0: what is neither infinite nor no number is
// multiplied quickly, whatever it means as a number.
constexpr std::uint32_t digit_of(ElementNumber number, int run, int bits) {
  const int each = bits - 2;
  return run * each >= 32 ? 0 : number >> (run * each) & ((1u << each) - 1);
}
int runs_for(int bits, std::uint64_t elements);

// The first product of a kernel that multiplies by tensor cores; null: it does not.
const ptx::Instruction* first_product(const ptx::Function& function);
// Bits of an element of A.
int factor_bits(const ptx::Instruction& product);

class TensorRecorder : public emulator::Watcher {
 public:
  using RankOf = std::function<std::uint32_t(std::uint64_t block)>;  // in its cluster
  // memory: of the run, which has its tensor maps; it must outlive this. shared_bytes: of a block.
  TensorRecorder(std::uint64_t block, RankOf rank_of, int factor_bits, std::uint32_t shared_bytes,
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

// Takes the digits of one more run; false: it did something else.
bool add_digits(TensorWork& all, const TensorWork& of_run, int run);

}  // namespace warplens::trace
