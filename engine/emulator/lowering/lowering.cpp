#include "engine/emulator/lowering/lowering.hpp"

#include <algorithm>
#include <cstring>

#include "engine/emulator/flow/endless.hpp"
#include "engine/emulator/flow/turns.hpp"
#include "engine/ptx/print.hpp"
#include "engine/ptx/source_place.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Type;

Lowering::Lowering(const ptx::Function& flat, const LaunchConstants& launch, const BitSet& forced,
                   const HandlerTable& handlers)
    : flat_(flat),
      launch_(launch),
      handlers_(handlers),
      special_classes_(special_classes(launch.block)),
      code_(std::make_shared<Code>()) {
  const auto classes = infer_classes(flat, special_classes_, forced);
  Renamed renamed = share_registers(flat, classes);
  code_->function = std::move(renamed.function);
  code_->members = std::move(renamed.members);
  code_->flow = std::make_unique<Flow>(code_->function);
  code_->endless = without_way_out(code_->function, *code_->flow);
  code_->turns = turns_of(*code_->flow);
  code_->registers.resize(code_->function.registers.size());
  for (std::size_t r = 0; r < code_->registers.size(); ++r) {
    code_->registers[r].cls = renamed.classes[r];
    code_->registers[r].bytes = register_bytes(code_->function.registers[r].type);
  }
  code_->site_count = static_cast<std::uint32_t>(flat.code.size());
}

Result<std::shared_ptr<const Code>> Lowering::run() {
  reserve(64, 64);  // offset 0 means "none"
  place_specials();
  place_registers();
  code_->constants_begin = reserve(0, 64);
  lower_all(false, code_->fast, code_->fast_start);
  lower_all(true, code_->general, code_->general_start);
  watched_ = launch_.watched;
  if (watched_) lower_all(true, code_->watched, code_->watched_start);
  if (!unsupported_.empty()) {
    std::string all;
    for (const auto& one : unsupported_) all += (all.empty() ? "" : "; ") + one;
    return Error{"the emulator does not know " + all, "write it another way, or run the kernel on a GPU",
                 first_unsupported_};
  }
  for (auto [op, id] : vector_kept_by_)
    if (code_->registers[id].vector_kept) code_->fast[op].v = code_->registers[id].vector;
  for (auto [detail, element, id] : vector_kept_by_load_)
    if (code_->registers[id].vector_kept) detail->registers[element] = code_->registers[id].vector;
  finish_branches(code_->fast, code_->fast_start);
  finish_branches(code_->general, code_->general_start);
  finish_branches(code_->watched, code_->watched_start);
  code_->register_bytes = reserve(0, 64);
  return std::shared_ptr<const Code>(code_);
}

std::uint32_t Lowering::reserve(std::uint32_t bytes, std::uint32_t alignment) {
  std::uint32_t& end = code_->register_bytes;
  end = (end + alignment - 1) / alignment * alignment;
  const std::uint32_t offset = end;
  end += bytes;
  return offset;
}

void Lowering::place_registers() {
  for (auto& place : code_->registers) place.scalar = place.bytes == 0 ? reserve(4, 4) : 0;
  for (auto& place : code_->registers)
    if (place.bytes != 0 && place.cls != RegisterClass::varying)
      place.scalar = reserve(sizeof(ScalarForm), 16);
  for (auto cls : {RegisterClass::varying, RegisterClass::uniform, RegisterClass::affine})
    for (auto& place : code_->registers)
      if (place.bytes != 0 && place.cls == cls)
        place.vector = reserve(static_cast<std::uint32_t>(place.bytes) * 32, 64);
}

void Lowering::place_specials() {
  using S = ptx::Special;
  const auto reserve_place = [&](S special) {
    SpecialPlaces::Place& place = code_->special[special];
    place.scalar = reserve(sizeof(ScalarForm), 16);
    place.vector = reserve(128, 64);
  };
  for (const S special :
       {S::tid_x, S::tid_y, S::tid_z, S::ctaid_x, S::ctaid_y, S::ctaid_z, S::laneid, S::warpid,
        S::lanemask_eq, S::lanemask_le, S::lanemask_lt, S::lanemask_ge, S::lanemask_gt})
    reserve_place(special);
  for (const S special : {S::cluster_ctaid_x, S::cluster_ctaid_y, S::cluster_ctaid_z, S::cluster_ctarank,
                          S::clusterid_x, S::clusterid_y, S::clusterid_z})
    if (reads_special(flat_, special)) reserve_place(special);
}

void Lowering::lower_all(bool general, std::vector<MicroOp>& ops, std::vector<std::uint32_t>& starts) {
  general_ = general;
  ops_ = &ops;
  for (pc_ = 0; pc_ < code_->function.code.size(); ++pc_) {
    starts.push_back(static_cast<std::uint32_t>(ops_->size()));
    if (watched_) emit_watch(pc_);
    lower_instruction(code_->function.code[pc_]);
  }
  starts.push_back(static_cast<std::uint32_t>(ops_->size()));
  push(leave).a = kNoRegister;  // falling off the end returns
}

void Lowering::finish_branches(std::vector<MicroOp>& ops, const std::vector<std::uint32_t>& starts) {
  for (std::size_t i = 0; i < ops.size(); ++i)
    if (ops[i].run == branch || ops[i].run == branch_if)
      ops[i].c = starts[ops[i].d] - static_cast<std::uint32_t>(i);
}

std::uint32_t Lowering::constant_scalar(std::uint64_t bits) {
  auto [at, fresh] = scalar_constants_.try_emplace(bits, 0);
  if (!fresh) return at->second;
  at->second = reserve(sizeof(ScalarForm), 16);
  code_->constants.resize(code_->register_bytes - code_->constants_begin);
  std::memcpy(code_->constants.data() + (at->second - code_->constants_begin), &bits, sizeof bits);
  return at->second;
}

std::uint32_t Lowering::constant_vector(std::uint64_t bits, int bytes) {
  auto [at, fresh] = vector_constants_.try_emplace({bits, bytes}, 0);
  if (!fresh) return at->second;
  at->second = reserve(static_cast<std::uint32_t>(bytes) * 32, 64);
  code_->constants.resize(code_->register_bytes - code_->constants_begin);
  for (std::size_t lane = 0; lane < 32; ++lane)
    std::memcpy(code_->constants.data() + (at->second - code_->constants_begin) +
                    lane * static_cast<std::size_t>(bytes),
                &bits, static_cast<std::size_t>(bytes));
  return at->second;
}

MicroOp& Lowering::push(Handler handler) {
  MicroOp& op = ops_->emplace_back();
  op.run = handler;
  op.pc = pc_;
  return op;
}

void Lowering::keep_vector_of(const Operand& destination) {
  if (!general_) vector_kept_by_.emplace_back(ops_->size() - 1, destination.register_id);
}

void Lowering::lower_instruction(const Instruction& instruction) {
  if (emit_control(instruction)) return;
  if (instruction.predicated)
    emit_guarded(instruction);
  else
    emit(instruction, general_);
}

// guard, then the operation for "all active lanes", then (where the two differ) the one for "some of them".
void Lowering::emit_guarded(const Instruction& instruction) {
  const std::size_t at = ops_->size();
  MicroOp& prefix = push(guard);
  prefix.a = code_->registers[instruction.guard].scalar;
  prefix.immediate = instruction.guard_negated ? kAllLanes : 0;
  emit(instruction, general_);
  const std::size_t plain = ops_->size() - at - 1;
  // 0: the plain operations obey the mask, 1: the masked ones follow, 2: only the general code can
  std::uint32_t how = 0;
  if (result_is_scalar(instruction)) {
    how = 2;
  } else if (!general_ && instruction.destinations > 0) {
    how = 1;
    emit(instruction, true);
  }
  MicroOp& first = (*ops_)[at];
  first.b = how;
  first.c = static_cast<std::uint32_t>(plain);              // plain operations
  first.d = static_cast<std::uint32_t>(ops_->size() - at);  // operations to skip, this one counted
}

void Lowering::emit(const Instruction& i, bool masked) {
  if (i.opcode == Opcode::pragma_) return void(push(no_operation));
  if (i.opcode == Opcode::cvta) return emit_cvta(i, masked);
  if (emit_special_move(i, masked) || emit_predicate_logic(i) || emit_select(i, masked) || emit_compare(i) ||
      emit_memory(i, masked))
    return;
  if (emit_affine(i) || emit_hot(i, masked) || emit_cold(i) || emit_by_ptx(i)) return;
  refuse(i, "(PTX line " + std::to_string(i.ptx_line) + ")");
}

// By the functions of CUDA's library for the device that <<<>>> becomes in a kernel.
bool Lowering::launches_kernel(const Instruction& i) const {
  return i.opcode == Opcode::call && i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::function &&
         launch_.program->functions[i.operands[1].symbol].name.starts_with("__cudaCDP2");
}

void Lowering::refuse(const Instruction& i, const std::string& what) {
  std::string text = launches_kernel(i)
                         ? "kernels that a kernel launches"
                         : "'" + ptx::print(i, code_->function, *launch_.program) + "' " + what;
  if (unsupported_.empty()) first_unsupported_ = ptx::place_of(*launch_.program, code_->function, pc_);
  if (std::find(unsupported_.begin(), unsupported_.end(), text) == unsupported_.end())
    unsupported_.push_back(std::move(text));
}

namespace {
// Whether the loop of [first, branch] does nothing but look for what others do.
bool only_waits(const ptx::Function& function, std::uint32_t first, std::uint32_t branch) {
  constexpr std::uint32_t kMostInstructions = 24;
  if (first > branch || branch - first > kMostInstructions) return false;
  bool looks = false;
  for (std::uint32_t pc = first; pc < branch; ++pc) {
    const Instruction& i = function.code[pc];
    const bool lock = i.atomic == ptx::AtomicOp::cas || i.atomic == ptx::AtomicOp::exch;
    if (i.opcode == Opcode::st || i.opcode == Opcode::red || i.opcode == Opcode::bar_sync ||
        i.opcode == Opcode::cp_async || i.opcode == Opcode::call || (i.opcode == Opcode::atom && !lock))
      return false;
    looks |= i.opcode == Opcode::atom || (i.opcode == Opcode::ld && i.is_volatile);
  }
  return looks;
}
}  // namespace

bool Lowering::emit_control(const Instruction& i) {
  const auto with_guard = [&](MicroOp& op) {
    op.a = i.predicated ? code_->registers[i.guard].scalar : kNoRegister;
    op.immediate = i.guard_negated ? kAllLanes : 0;
  };
  switch (i.opcode) {
    case Opcode::bra: {
      MicroOp& op = push(i.predicated ? branch_if : branch);
      with_guard(op);
      op.d = i.operands[0].target;
      op.v = only_waits(code_->function, op.d, pc_) ? 1 : 0;
      return true;
    }
    case Opcode::ret:
    case Opcode::exit:
      with_guard(push(leave));
      return true;
    case Opcode::trap:
      with_guard(push(trap));
      return true;
    case Opcode::brx_idx:
    case Opcode::bar_sync:
    case Opcode::bar_arrive:
    case Opcode::bar_red: {
      const Handler handler = i.opcode == Opcode::brx_idx ? branch_indexed : block_barrier;
      PtxDetail& detail = code_->ptx_details.emplace_back();
      detail.instruction = &i;
      for (const Operand& operand : i.operands)
        detail.operands.push_back(
            {cold(operand, operand.kind == Operand::Kind::special ? Type::b32 : Type::u32), {}, 0});
      if (i.opcode == Opcode::brx_idx) {
        const auto& table = code_->function.branch_tables[i.operands.back().target];
        detail.targets = table.targets;
        detail.of_functions = table.of_functions;
      }
      MicroOp& op = push(handler);
      with_guard(op);
      op.detail = &detail;
      return true;
    }
    default:
      return false;
  }
}

// The operands are read through the shared registers; the instruction that a watcher sees has the function's
// own.
void Lowering::emit_watch(std::uint32_t pc) {
  const Instruction& i = code_->function.code[pc];
  PtxDetail& detail = code_->ptx_details.emplace_back();
  detail.instruction = &flat_.code[pc];
  for (const Operand& operand : i.operands) {
    OperandPlace place;
    place.place = cold(operand, i.type);
    place.offset = operand.kind == Operand::Kind::address ? operand.offset : 0;
    for (const Operand& e : operand.elements) place.elements.push_back(cold(e, i.type));
    detail.operands.push_back(std::move(place));
  }
  MicroOp& op = push(watch);
  op.detail = &detail;
  op.a = i.predicated ? code_->registers[i.guard].scalar : kNoRegister;
  op.immediate = i.guard_negated ? kAllLanes : 0;
}

bool Lowering::emit_by_ptx(const Instruction& i) {
  const bool call =
      i.opcode == Opcode::call && i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::function;
  const Handler handler =
      call ? external_call_handler(launch_.program->functions[i.operands[1].symbol].name, i) : ptx_handler(i);
  if (handler == nullptr) return false;
  PtxDetail& detail = code_->ptx_details.emplace_back();
  detail.instruction = &i;
  detail.site = pc_;
  for (const Operand& operand : i.operands) {
    OperandPlace place;
    place.place = cold(operand, i.type);
    place.offset = operand.kind == Operand::Kind::address ? operand.offset : 0;
    for (const Operand& e : operand.elements) place.elements.push_back(cold(e, i.type));
    detail.operands.push_back(std::move(place));
  }
  push(handler).detail = &detail;
  code_->maps_shared |= i.opcode == Opcode::mapa;
  return true;
}

Result<std::shared_ptr<const Code>> lower(const ptx::Function& flat, const LaunchConstants& launch,
                                          const BitSet& forced, const HandlerTable& handlers) {
  return Lowering(flat, launch, forced, handlers).run();
}

}  // namespace warplens::emulator
