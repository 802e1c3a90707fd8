// The work of lower(): one object per launch. Internal to the emulator.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/emulator/lowering/code.hpp"

namespace warplens::emulator {

class Lowering {
 public:
  Lowering(const ptx::Function& flat, const LaunchConstants& launch, const BitSet& forced,
           const HandlerTable& handlers);
  Result<std::shared_ptr<const Code>> run();

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;

  // layout (lowering.cpp)
  void place_registers();
  void place_specials();
  void lower_all(bool general, std::vector<MicroOp>& ops, std::vector<std::uint32_t>& starts);
  void emit_watch(std::uint32_t pc);
  void finish_branches(std::vector<MicroOp>& ops, const std::vector<std::uint32_t>& starts);
  std::uint32_t reserve(std::uint32_t bytes, std::uint32_t alignment);
  std::uint32_t constant_scalar(std::uint64_t bits);
  std::uint32_t constant_vector(std::uint64_t bits, int bytes);

  // operands (lowering_operands.cpp)
  RegisterClass class_of_operand(const Operand& operand) const;
  std::optional<std::uint64_t> constant_value(
      const Operand& operand) const;                        // immediates, symbols, launch constants
  std::uint32_t scalar(const Operand& operand);             // offset of the scalar form
  std::uint32_t vector(const Operand& operand, int bytes);  // offset of the vector form
  ColdOperand cold(const Operand& operand, ptx::Type type);
  bool result_is_scalar(const Instruction& instruction) const;

  // instructions (lowering.cpp; moves, predicates and arithmetic in lowering_alu.cpp)
  void lower_instruction(const Instruction& instruction);
  void emit_guarded(const Instruction& instruction);
  void emit(const Instruction& instruction, bool masked);
  bool emit_special_move(const Instruction& instruction, bool masked);
  bool emit_predicate_logic(const Instruction& instruction);
  bool emit_select(const Instruction& instruction, bool masked);
  bool emit_compare(const Instruction& instruction);
  bool emit_hot(const Instruction& instruction, bool masked);
  bool emit_affine(const Instruction& instruction);
  bool emit_cold(const Instruction& instruction);
  bool emit_memory(const Instruction& instruction, bool masked);
  bool emit_parameter_load(const Instruction& instruction, bool masked);
  bool emit_control(const Instruction& instruction);
  bool emit_by_ptx(const Instruction& instruction);  // warp, atomic, copy, matrix: handlers that read the PTX
  void emit_cvta(const Instruction& instruction, bool masked);
  bool launches_kernel(const Instruction& i) const;
  void refuse(const Instruction& i, const std::string& what);
  MicroOp& push(Handler handler);
  void keep_vector_of(const Operand& destination);  // the op just pushed writes this register's scalar form
  void emit_constant(const Operand& destination, std::uint64_t bits, bool masked);

  // memory (lowering_memory.cpp)
  void fill_memory_detail(MemoryDetail& detail, const Instruction& instruction, bool masked);
  void set_address(MemoryDetail& detail, const Operand& address);
  void set_registers(MemoryDetail& detail, const Instruction& instruction, const Operand& data);
  Handler memory_handler(const MemoryDetail& detail, const Instruction& instruction) const;

  const ptx::Function& flat_;
  const LaunchConstants& launch_;
  const HandlerTable& handlers_;
  SpecialClasses special_classes_;
  std::shared_ptr<Code> code_;
  bool general_ = false, watched_ = false;
  std::uint32_t pc_ = 0;
  std::vector<MicroOp>* ops_ = nullptr;
  // ops of the fast code that must keep a vector form
  std::vector<std::pair<std::size_t, ptx::RegisterId>> vector_kept_by_;
  struct KeptByLoad {
    MemoryDetail* detail;
    std::size_t element;
    ptx::RegisterId id;
  };
  std::vector<KeptByLoad> vector_kept_by_load_;
  std::map<std::uint64_t, std::uint32_t> scalar_constants_;
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> vector_constants_;
  std::vector<std::string> unsupported_;
  Place first_unsupported_;
};

inline constexpr std::uint64_t kSelect64 = std::uint64_t{1}
                                           << 32;  // in the immediate of select_scalar: 8-byte lanes

// In the immediate of compare_with_predicate, beside the ptx::BoolOp: it combines with !q.
inline constexpr std::uint64_t kNegatedPredicate = std::uint64_t{1} << 32;

// Handlers compiled once (cold_ops.cpp, control_ops.cpp, warp_ops.cpp, atomic_ops.cpp, copy_ops.cpp,
// matrix_ops.cpp).
const MicroOp* guard(Warp& warp, const MicroOp* op);
const MicroOp* cold_scalar(Warp& warp, const MicroOp* op);
const MicroOp* cold_lanes(Warp& warp, const MicroOp* op);
// setp.lt.and p, a, b, q: detail is the Handler of the comparison, c is q, see kNegatedPredicate.
const MicroOp* compare_with_predicate(Warp& warp, const MicroOp* op);
const MicroOp* predicate_move(Warp& warp, const MicroOp* op);
const MicroOp* predicate_not(Warp& warp, const MicroOp* op);
const MicroOp* predicate_and(Warp& warp, const MicroOp* op);
const MicroOp* predicate_or(Warp& warp, const MicroOp* op);
const MicroOp* predicate_xor(Warp& warp, const MicroOp* op);
const MicroOp* select_scalar(Warp& warp, const MicroOp* op);
const MicroOp* unpack(Warp& warp, const MicroOp* op);
const MicroOp* read_clock(Warp& warp, const MicroOp* op);
const MicroOp* watch(Warp& warp, const MicroOp* op);
const MicroOp* no_operation(Warp& warp, const MicroOp* op);
const MicroOp* branch(Warp& warp, const MicroOp* op);
const MicroOp* branch_if(Warp& warp, const MicroOp* op);
const MicroOp* branch_indexed(Warp& warp, const MicroOp* op);
const MicroOp* leave(Warp& warp, const MicroOp* op);  // ret, exit
const MicroOp* block_barrier(Warp& warp, const MicroOp* op);
const MicroOp* trap(Warp& warp, const MicroOp* op);
// The handler of a warp, atomic, copy or matrix instruction; nullptr for any other, or a form that is not
// known.
Handler ptx_handler(const ptx::Instruction& instruction);
Handler atomic_handler(const ptx::Instruction& instruction);
Handler copy_handler(const ptx::Instruction& instruction);
Handler matrix_handler(const ptx::Instruction& instruction);
Handler bulk_handler(const ptx::Instruction& instruction);        // cp.async.bulk, by tensor maps too
Handler warp_group_handler(const ptx::Instruction& instruction);  // wgmma, setmaxnreg
Handler cluster_handler(const ptx::Instruction& instruction);
// Of a call to a function that the device runtime has.
Handler external_call_handler(const std::string& name, const ptx::Instruction& instruction);
bool uses_heap(const std::string& name);  // malloc, free

}  // namespace warplens::emulator
