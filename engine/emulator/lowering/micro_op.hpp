// What the run loop executes: PTX lowered to operations on a warp's register file.
//
// A register of a warp has one of three classes, decided before the run (register_plan.hpp):
//   uniform  one value for the whole warp            scalar form {value, 0}
//   affine   base + stride * lane                    scalar form {base, stride}
//   varying  32 lanes, contiguous                    vector form, 4 or 8 bytes a lane
// A uniform or affine register that varying operations read has its vector form kept up to date beside it.
// A predicate is a 32-bit lane mask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/emulator/semantics/semantics.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

struct Warp;
struct MicroOp;
// Executes one operation and returns the next one; nullptr where the run loop has to look at Warp::event.
using Handler = const MicroOp* (*)(Warp&, const MicroOp*);

struct alignas(64) MicroOp {
  Handler run = nullptr;
  std::uint32_t d = 0, a = 0, b = 0,
                c = 0;   // byte offsets in the register file, of the form that the handler reads
  std::uint32_t v = 0;   // vector form of d to keep up to date; 0: none
  std::uint32_t pc = 0;  // the PTX instruction, index into the flat function's code
  std::uint64_t immediate = 0;
  const void* detail = nullptr;  // MemoryDetail, ColdDetail, BranchDetail, ...: by handler
};

struct ScalarForm {
  std::uint64_t base = 0;
  std::uint64_t stride = 0;  // modulo 2^width, added once a lane
};

inline constexpr std::uint32_t kNoRegister = 0xffffffffu;
inline constexpr std::uint32_t kAllLanes = 0xffffffffu;
// Shared memory starts as this word (a NaN); a load that sees it looks whether the word was ever stored.
inline constexpr std::uint32_t kSharedPoison = 0xfff1bad5u;

enum class AddressForm : std::uint8_t { scalar, vector32, vector64 };

// A memory instruction. Immutable; its counters and caches are the worker's Site of the same index.
struct MemoryDetail {
  ptx::Space space = ptx::Space::global;
  bool store = false;
  AddressForm form = AddressForm::scalar;
  bool address_is_32_bit = false;
  std::uint8_t width = 4;    // bytes a lane: element * count
  std::uint8_t element = 4;  // bytes
  std::uint8_t count = 1;    // elements
  bool sign_extend = false;
  bool uniform_result = false;
  bool masked = false;                           // other lanes' values in the destinations are live
  std::array<std::uint8_t, 8> register_bytes{};  // 4 or 8: lane size of each destination or source
  std::array<std::uint32_t, 8> registers{};      // vector forms (kNoRegister: `_`)
  std::array<std::uint32_t, 8> scalars{};        // scalar forms of a uniform result
  std::int64_t offset = 0;                       // added to the address
  std::uint32_t address = 0;                     // offset of the address register's form
  std::uint32_t site = 0;
  std::uint32_t pc = 0;
  // The access as ptxas issues it: a vectorized group is counted at its first load, `counted_width` bytes
  // wide at `counted_offset` from the address register; the others count nothing.
  bool counted = true;
  std::uint8_t counted_width = 4;
  std::int64_t counted_offset = 0;
  std::uint8_t counted_step = 0;  // not 0: a second access, so many bytes further
};

// Any operand of an instruction that has no handler of its own.
struct ColdOperand {
  enum class Kind : std::uint8_t { none, lanes32, lanes64, predicate, constant };
  Kind kind = Kind::none;
  bool negated = false;
  std::uint32_t offset = 0;
  std::uint64_t bits = 0;
};
struct ColdDetail {
  const ptx::Instruction* instruction = nullptr;
  LaneFunction function = nullptr;
  std::array<ColdOperand, 2> destinations;  // of a uniform result only the second, a predicate
  std::array<ColdOperand, 5> sources;
  std::array<std::uint32_t, 5> scalar_sources{};  // of a uniform result: scalar forms, or predicates' masks
  std::uint8_t signed_bits = 0;  // cvt to a signed type: its width, to be extended to that of the register
  std::uint32_t carry = kNoRegister;  // the carry flag's lane mask
};

// What stopped the run loop.
enum class Event : std::uint8_t {
  none,
  diverged,
  indexed,
  barrier,
  left,
  slice_end,
  general,
  converge,
  memory_barrier,   // waits for a phase of one
  warp_group,       // waits for the other warps of its warp group
  cluster_barrier,  // waits for the other blocks of its cluster
  yield,            // goes on behind the instruction when others have had their turn
  spin,             // the same after a backward branch
  fault
};

}  // namespace warplens::emulator
