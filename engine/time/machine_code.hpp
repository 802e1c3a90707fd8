// The instructions of a cubin as the scheduler of a multiprocessor sees them: which unit each needs, and the
// schedule that the compiler wrote into its words.
//
// Encoding, compute capability 7.0 to 12.1: 16 bytes an instruction. Bits 0-8 are the operation (9-11 tell
// the form of its operands), 12-15 the guard. Bits 105-125: stall count 4, yield 1, write barrier 3, read
// barrier 3, wait mask 6, reuse 4. R. Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU
// Cores" (MICRO 2025) say how they are obeyed: a warp may issue its next instruction `stall` cycles later; a
// set bit of `waits` holds it until all that counts on that barrier is done. The yield bit is 0 where it
// yields (Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::time {

enum class Unit : std::uint8_t {
  none,       // issue alone: moves, barriers' own words, control
  fma,        // fp32 multiply, add, fused
  fma_heavy,  // integer multiply-add: half of the fp32 lanes
  alu,        // integer, logic, comparison, selection, minimum
  special,    // reciprocal, roots, conversions, the check of a division
  fp64,
  tensor,
  uniform,  // one result for the whole warp, and special registers
  memory,   // Instruction::access says which
  shuffle,
};
inline constexpr std::size_t kUnits = 10;

enum class Access : std::uint8_t {
  none,
  shared_load,
  shared_store,
  shared_atomic,
  global_load,
  global_store,
  global_atomic,  // with or without a result
  async_copy,     // global to shared
  local_load,
  local_store,
  constant_load,
  thread_index,  // threadIdx: it comes through the pipe of shared memory
  bulk_load,     // by the copy engine (TMA), from global to shared memory
  bulk_store,    // the other way
};
inline bool is_shared(Access access) {
  return access == Access::shared_load || access == Access::shared_store || access == Access::shared_atomic ||
         access == Access::thread_index;
}
// end_of_copies closes a group of asynchronous copies; wait_for_copies waits until at most `pending` are
// open.
// join: where lanes that took different ways meet.
enum class Control : std::uint8_t { none, branch, exit, barrier, call, end_of_copies, wait_for_copies, join };

// What runs beside the warps, or waits for what does: barriers in shared memory (mbarrier), bulk and tensor copies,
// products of warp groups, and meetings of a cluster.
enum class Async : std::uint8_t {
  none,
  arrive,
  wait,  // for a phase of a barrier to be over
  load,
  store,
  wait_for_stores,
  multiply,
  wait_for_products,
  cluster_arrive,
  cluster_wait,
};

// What ptxas keeps one for one, so that PTX and machine code are counted alike: see anchors.hpp.
enum class Anchor : std::uint8_t {
  none,
  fp32,
  minimum,   // fp32 minimum and maximum
  fp64,      // multiply, add, fused
  function,  // sine, cosine, powers and logarithms of 2
  shared_load,
  shared_store,
  global_load,
  global_store,
  atomic,
  async_copy,
  barrier,
  shuffle,
  constant_load,  // at addresses that lanes compute; of costs alone: ptxas makes other instructions of some
};

// Products of a warp, 16 x 8 with 32 bytes of each row of A, as 16 of f16, or with half of them; of doubles 8 x 8.
enum class Product : std::uint8_t { whole, half, doubles };

inline constexpr std::uint32_t kNoPc = ~std::uint32_t{0};

struct Instruction {
  std::uint32_t offset = 0;     // bytes from the kernel's first instruction
  std::uint16_t operation = 0;  // bits 0-8
  Unit unit = Unit::none;
  Access access = Access::none;
  Control control = Control::none;
  std::uint8_t width = 4;               // bytes a lane of an access
  Product product = Product::whole;     // of a tensor core's
  Anchor arithmetic = Anchor::none;     // fp32, minimum, fp64, function
  std::array<std::uint8_t, 2> reads{};  // registers that it reads from each of the two banks
  bool doubles = false;                 // converts them
  bool guarded = false;                 // by a predicate that may be false
  bool of_lanes = false;                // a load of constant memory: each lane may ask for another address
  std::uint8_t guard = 7;               // its number, 8 more where it must be false; 7: always, 15: never
  std::uint8_t stall = 1;
  bool yields = false;                               // the scheduler turns to another warp next
  std::uint8_t write_barrier = 7, read_barrier = 7;  // 7: none
  std::uint8_t waits = 0;
  std::uint8_t pending = 0;  // of wait_for_copies, and of Async::wait_for_products
  // Of code that is PTX, with its place there:
  Async async = Async::none;
  bool closes_group = false;  // a product of a warp group: the last of those that are committed together
  std::uint32_t pc = kNoPc;
  std::uint32_t target = 0;  // of a branch: index of an instruction
  int line = 0;              // of the source; 0: unknown
  int ptx_line = 0;          // of the PTX that it was made of, from 1; 0: unknown
};

// "FFMA", without what follows a point; empty if it is not known here.
std::string_view mnemonic(std::uint16_t operation);

// Without the instructions that never run and the padding. Errors: as compile::read_machine_code.
Result<std::vector<Instruction>> read_instructions(std::span<const std::byte> cubin, std::string_view kernel);

}  // namespace warplens::time
