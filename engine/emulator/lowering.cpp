#include "engine/emulator/lowering.hpp"

#include <algorithm>
#include <cstring>

#include "engine/ptx/print.hpp"

namespace warplens::emulator {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Special;
using ptx::Type;

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
  lower_all(false);
  lower_all(true);
  if (!unsupported_.empty()) {
    std::string all;
    for (const auto& one : unsupported_) all += (all.empty() ? "" : "; ") + one;
    return Error{"the emulator does not know " + all, "write it another way, or run the kernel on a GPU"};
  }
  for (auto [op, id] : vector_kept_by_)
    if (code_->registers[id].vector_kept) code_->fast[op].v = code_->registers[id].vector;
  for (auto [detail, element, id] : vector_kept_by_load_)
    if (code_->registers[id].vector_kept) detail->registers[element] = code_->registers[id].vector;
  finish_branches(code_->fast, code_->fast_start);
  finish_branches(code_->general, code_->general_start);
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
  const auto place = [&](SpecialPlaces::Place& p) {
    p.scalar = reserve(sizeof(ScalarForm), 16);
    p.vector = reserve(128, 64);
  };
  SpecialPlaces& s = code_->special;
  for (auto& p : s.tid) place(p);
  for (auto& p : s.ctaid) place(p);
  place(s.laneid);
  place(s.warpid);
  for (auto& p : s.lanemask) place(p);
}

void Lowering::lower_all(bool general) {
  general_ = general;
  ops_ = general ? &code_->general : &code_->fast;
  auto& starts = general ? code_->general_start : code_->fast_start;
  for (pc_ = 0; pc_ < code_->function.code.size(); ++pc_) {
    starts.push_back(static_cast<std::uint32_t>(ops_->size()));
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

// ---- operands
// ----------------------------------------------------------------------------------------------------

RegisterClass Lowering::class_of_operand(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::reg:
    case Operand::Kind::address:
      return code_->registers[operand.register_id].cls;
    case Operand::Kind::special:
      return class_of(operand.special, special_classes_);
    default:
      return RegisterClass::uniform;
  }
}

namespace {

std::optional<std::uint64_t> special_constant(Special special, const LaunchConstants& launch) {
  switch (special) {
    case Special::ntid_x:
      return launch.block[0];
    case Special::ntid_y:
      return launch.block[1];
    case Special::ntid_z:
      return launch.block[2];
    case Special::nctaid_x:
      return launch.grid[0];
    case Special::nctaid_y:
      return launch.grid[1];
    case Special::nctaid_z:
      return launch.grid[2];
    case Special::nwarpid:
      return (std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] + 31) / 32;
    case Special::warpsize:
      return 32;
    case Special::smid:
    case Special::gridid:
    case Special::pm:
    case Special::current_graph_exec:
      return 0;
    case Special::nsmid:
      return static_cast<std::uint64_t>(launch.sm_count);
    case Special::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case Special::total_smem_size:
      return launch.layout->static_bytes() + launch.dynamic_shared_bytes;
    default:
      return std::nullopt;
  }
}

std::uint64_t symbol_address(const ptx::Variable& variable, std::uint64_t in_space,
                             const std::vector<std::uint64_t>& module, std::size_t symbol) {
  const bool own_space = variable.space == ptx::Space::shared || variable.space == ptx::Space::local;
  return own_space ? in_space : module[symbol];
}

}  // namespace

std::optional<std::uint64_t> Lowering::constant_value(const Operand& operand) const {
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  switch (operand.kind) {
    case Operand::Kind::immediate:
      return operand.bits + (operand.is_memory ? offset : 0);
    case Operand::Kind::special:
      return special_constant(operand.special, launch_);
    case Operand::Kind::parameter_symbol:
      return launch_.parameter_address + flat_.parameters[operand.symbol].offset + offset;
    case Operand::Kind::global_symbol:
      return symbol_address(launch_.program->variables[operand.symbol],
                            launch_.layout->module_offset(operand.symbol), launch_.variable_address,
                            operand.symbol) +
             offset;
    case Operand::Kind::local_symbol:
      return launch_.layout->function_offset(operand.symbol) + offset;
    default:
      return std::nullopt;
  }
}

namespace {
const SpecialPlaces::Place* place_of(const SpecialPlaces& places, Special special) {
  switch (special) {
    case Special::tid_x:
      return &places.tid[0];
    case Special::tid_y:
      return &places.tid[1];
    case Special::tid_z:
      return &places.tid[2];
    case Special::ctaid_x:
      return &places.ctaid[0];
    case Special::ctaid_y:
      return &places.ctaid[1];
    case Special::ctaid_z:
      return &places.ctaid[2];
    case Special::laneid:
      return &places.laneid;
    case Special::warpid:
      return &places.warpid;
    case Special::lanemask_eq:
      return &places.lanemask[0];
    case Special::lanemask_le:
      return &places.lanemask[1];
    case Special::lanemask_lt:
      return &places.lanemask[2];
    case Special::lanemask_ge:
      return &places.lanemask[3];
    case Special::lanemask_gt:
      return &places.lanemask[4];
    default:
      return nullptr;
  }
}
}  // namespace

std::uint32_t Lowering::scalar(const Operand& operand) {
  if (const auto value = constant_value(operand)) return constant_scalar(*value);
  if (operand.kind == Operand::Kind::special) {
    const auto* place = place_of(code_->special, operand.special);
    return place != nullptr ? place->scalar : constant_scalar(0);
  }
  return code_->registers[operand.register_id].scalar;
}

std::uint32_t Lowering::vector(const Operand& operand, int bytes) {
  if (const auto value = constant_value(operand)) return constant_vector(*value, bytes);
  if (operand.kind == Operand::Kind::special) {
    const auto* place = place_of(code_->special, operand.special);
    return place != nullptr ? place->vector : constant_vector(0, bytes);
  }
  RegisterPlace& place = code_->registers[operand.register_id];
  if (!general_ && place.cls != RegisterClass::varying) place.vector_kept = true;
  return place.vector;
}

ColdOperand Lowering::cold(const Operand& operand, Type type) {
  ColdOperand result;
  result.negated = operand.negated;
  if (const auto value = constant_value(operand)) {
    result.kind = ColdOperand::Kind::constant;
    result.bits = *value;
    return result;
  }
  if (operand.kind != Operand::Kind::reg && operand.kind != Operand::Kind::address &&
      operand.kind != Operand::Kind::special)
    return result;
  int bytes = register_bytes(type);
  if (operand.kind != Operand::Kind::special) bytes = code_->registers[operand.register_id].bytes;
  if (operand.kind == Operand::Kind::special) bytes = 4;
  result.kind = bytes == 0   ? ColdOperand::Kind::predicate
                : bytes == 8 ? ColdOperand::Kind::lanes64
                             : ColdOperand::Kind::lanes32;
  result.offset = bytes == 0 ? code_->registers[operand.register_id].scalar : vector(operand, bytes);
  return result;
}

bool Lowering::result_is_scalar(const Instruction& i) const {
  if (general_ || i.destinations == 0 || i.opcode == Opcode::call) return false;  // a call may give nothing
  const Operand& d = i.operands[0].kind == Operand::Kind::vector ? i.operands[0].elements[0] : i.operands[0];
  if (d.kind != Operand::Kind::reg || code_->registers[d.register_id].bytes == 0) return false;
  return code_->registers[d.register_id].cls != RegisterClass::varying;
}

// ---- instructions
// ------------------------------------------------------------------------------------------------

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
  std::uint32_t how =
      0;  // 0: the plain operations obey the mask, 1: the masked ones follow, 2: only the general code can
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
  std::string text = "'" + ptx::print(i, code_->function, *launch_.program) + "' (PTX line " +
                     std::to_string(i.ptx_line) + ")";
  if (std::find(unsupported_.begin(), unsupported_.end(), text) == unsupported_.end())
    unsupported_.push_back(std::move(text));
}

void Lowering::emit_constant(const Operand& destination, std::uint64_t bits, bool masked) {
  if (destination.kind != Operand::Kind::reg) return;
  const RegisterPlace& place = code_->registers[destination.register_id];
  const Hot move = place.bytes == 8 ? Hot::mov64 : Hot::mov32;
  if (!general_ && place.cls != RegisterClass::varying) {
    MicroOp& op = push(handlers_.scalar[move]);
    op.d = place.scalar;
    op.a = constant_scalar(bits);
    keep_vector_of(destination);
    return;
  }
  MicroOp& op = push(masked ? handlers_.masked[move] : handlers_.vector[move]);
  op.d = place.vector;
  op.a = constant_vector(bits, place.bytes);
}

// cvta: generic addresses of global and constant memory are the addresses themselves; shared and local have a
// window.
void Lowering::emit_cvta(const Instruction& i, bool masked) {
  const std::uint64_t window = i.space == ptx::Space::shared  ? kSharedWindow
                               : i.space == ptx::Space::local ? kLocalWindow
                                                              : 0;
  const std::uint64_t add = i.to_space ? 0 - window : window;
  if (const auto value = constant_value(i.operands[1]))
    return emit_constant(i.operands[0], *value + add, masked);
  if (register_bytes(i.type) != 8) {
    unsupported_.push_back("'" + ptx::print(i, code_->function, *launch_.program) +
                           "' with 32-bit addresses");
    return;
  }
  const RegisterPlace& place = code_->registers[i.operands[0].register_id];
  if (result_is_scalar(i)) {
    MicroOp& op = push(handlers_.affine[Affine::add64]);
    op.d = place.scalar;
    op.a = scalar(i.operands[1]);
    op.b = constant_scalar(add);
    keep_vector_of(i.operands[0]);
    return;
  }
  MicroOp& op = push(masked ? handlers_.masked[Hot::add64] : handlers_.vector[Hot::add64]);
  op.d = place.vector;
  op.a = vector(i.operands[1], 8);
  op.b = constant_vector(add, 8);
}

bool Lowering::emit_special_move(const Instruction& i, bool) {
  if (i.opcode != Opcode::mov || i.operands.size() != 2) return false;
  if (i.operands[0].kind == Operand::Kind::vector) {  // unpack
    ColdDetail& detail = code_->cold_details.emplace_back();
    detail.instruction = &i;
    detail.sources[0] = cold(i.operands[1], i.type);
    PtxDetail& all = code_->ptx_details.emplace_back();
    all.instruction = &i;
    all.operands.resize(2);
    for (const Operand& e : i.operands[0].elements) all.operands[0].elements.push_back(cold(e, Type::b32));
    all.operands[1].place = detail.sources[0];
    push(unpack).detail = &all;
    return true;
  }
  const auto special = i.operands[1].special;
  const bool clock = i.operands[1].kind == Operand::Kind::special &&
                     (special == Special::clock || special == Special::clock64 ||
                      special == Special::clock_hi || special == Special::globaltimer ||
                      special == Special::globaltimer_lo || special == Special::globaltimer_hi);
  if (!clock) return false;
  MicroOp& op = push(read_clock);
  const RegisterPlace& place = code_->registers[i.operands[0].register_id];
  op.d = result_is_scalar(i) ? place.scalar : 0;
  op.v = place.vector;
  op.a = static_cast<std::uint32_t>(place.bytes);
  op.b = special == Special::clock_hi || special == Special::globaltimer_hi ? 32 : 0;
  return true;
}

bool Lowering::emit_predicate_logic(const Instruction& i) {
  if (i.type != Type::pred || i.destinations != 1 || i.operands[0].kind != Operand::Kind::reg) return false;
  Handler handler = nullptr;
  switch (i.opcode) {
    case Opcode::mov:
      handler = predicate_move;
      break;
    case Opcode::not_:
      handler = predicate_not;
      break;
    case Opcode::and_:
      handler = predicate_and;
      break;
    case Opcode::or_:
      handler = predicate_or;
      break;
    case Opcode::xor_:
      handler = predicate_xor;
      break;
    default:
      return false;
  }
  const auto mask = [&](const Operand& operand) {
    if (const auto value = constant_value(operand)) return constant_scalar(*value != 0 ? kAllLanes : 0);
    return code_->registers[operand.register_id].scalar;
  };
  MicroOp op;
  op.d = code_->registers[i.operands[0].register_id].scalar;
  op.a = mask(i.operands[1]);
  op.b = i.operands.size() > 2 ? mask(i.operands[2]) : op.a;
  op.immediate =
      (i.operands[1].negated ? 1u : 0u) | (i.operands.size() > 2 && i.operands[2].negated ? 2u : 0u);
  op.run = handler;
  op.pc = pc_;
  ops_->push_back(op);
  return true;
}

bool Lowering::emit_select(const Instruction& i, bool) {
  if (i.opcode != Opcode::selp || i.operands[3].kind != Operand::Kind::reg) return false;
  const RegisterPlace& place = code_->registers[i.operands[0].register_id];
  const std::uint32_t predicate = code_->registers[i.operands[3].register_id].scalar;
  MicroOp op;
  op.pc = pc_;
  op.c = predicate;
  op.immediate = i.operands[3].negated ? kAllLanes : 0;
  if (result_is_scalar(i)) {
    op.run = select_scalar;
    op.d = place.scalar;
    op.a = scalar(i.operands[1]);
    op.b = scalar(i.operands[2]);
    op.immediate |= place.bytes == 8 ? kSelect64 : 0;
    ops_->push_back(op);
    keep_vector_of(i.operands[0]);
    return true;
  }
  op.run = place.bytes == 8 ? handlers_.select64 : handlers_.select32;
  op.d = place.vector;
  op.a = vector(i.operands[1], place.bytes);
  op.b = vector(i.operands[2], place.bytes);
  ops_->push_back(op);
  return true;
}

bool Lowering::emit_compare(const Instruction& i) {
  const auto compare = hot_compare_of(i);
  if (!compare || i.operands[0].kind != Operand::Kind::reg) return false;
  const bool uniform = !general_ && class_of_operand(i.operands[1]) == RegisterClass::uniform &&
                       class_of_operand(i.operands[2]) == RegisterClass::uniform;
  const int bytes = register_bytes(i.type);
  MicroOp op;
  op.run = uniform ? handlers_.compare_scalar[*compare] : handlers_.compare_vector[*compare];
  op.pc = pc_;
  op.d = code_->registers[i.operands[0].register_id].scalar;
  op.a = uniform ? scalar(i.operands[1]) : vector(i.operands[1], bytes);
  op.b = uniform ? scalar(i.operands[2]) : vector(i.operands[2], bytes);
  ops_->push_back(op);
  return true;
}

namespace {
// Bytes of a lane of each source of a hot operation, by its row in the table.
[[maybe_unused]] constexpr int u32 = 4, s32 = 4, f32 = 4, u64 = 8, s64 = 8;
constexpr std::array<int, 3> kHotSourceBytes[] = {
#define ROW(name, d, a, b, c, value) {a, b, c},
    WARPLENS_HOT_OPS(ROW)
#undef ROW
};
}  // namespace

bool Lowering::emit_affine(const Instruction& i) {
  if (!result_is_scalar(i)) return false;
  RegisterClass worst = RegisterClass::uniform;
  for (std::size_t s = 1; s < i.operands.size(); ++s)
    worst = std::max(worst, class_of_operand(i.operands[s]));
  const auto affine = affine_of(i);
  if (worst != RegisterClass::affine || !affine) return false;
  std::array<std::uint32_t, 3> sources{};
  for (std::size_t s = 1; s < i.operands.size() && s <= 3; ++s) sources[s - 1] = scalar(i.operands[s]);
  const bool multiplies = *affine == Affine::mul32 || *affine == Affine::mul64 || *affine == Affine::mad32 ||
                          *affine == Affine::mad64 || *affine == Affine::mul_wide_s32 ||
                          *affine == Affine::mul_wide_u32 || *affine == Affine::mad_wide_s32 ||
                          *affine == Affine::mad_wide_u32;
  if (multiplies && class_of_operand(i.operands[2]) == RegisterClass::affine)
    std::swap(sources[0], sources[1]);
  MicroOp op;
  op.run = handlers_.affine[*affine];
  op.pc = pc_;
  op.d = code_->registers[i.operands[0].register_id].scalar;
  op.a = sources[0];
  op.b = sources[1];
  op.c = sources[2];
  ops_->push_back(op);
  keep_vector_of(i.operands[0]);
  return true;
}

bool Lowering::emit_hot(const Instruction& i, bool masked) {
  const auto hot = hot_of(i);
  if (!hot || i.operands[0].kind != Operand::Kind::reg || !fits_handler(i, *hot, code_->function))
    return false;
  const RegisterPlace& place = code_->registers[i.operands[0].register_id];
  const bool is_scalar = result_is_scalar(i);
  std::array<std::uint32_t, 3> sources{};
  for (std::size_t s = 1; s < i.operands.size() && s <= 3; ++s)
    sources[s - 1] = is_scalar
                         ? scalar(i.operands[s])
                         : vector(i.operands[s], kHotSourceBytes[static_cast<std::size_t>(*hot)][s - 1]);
  MicroOp op;
  op.run = is_scalar ? handlers_.scalar[*hot] : masked ? handlers_.masked[*hot] : handlers_.vector[*hot];
  op.pc = pc_;
  op.d = is_scalar ? place.scalar : place.vector;
  op.a = sources[0];
  op.b = sources[1];
  op.c = sources[2];
  ops_->push_back(op);
  if (is_scalar) keep_vector_of(i.operands[0]);
  return true;
}

bool Lowering::emit_cold(const Instruction& i) {
  const LaneFunction function = lane_function(i);
  if (function == nullptr || i.destinations == 0) return false;
  ColdDetail& detail = code_->cold_details.emplace_back();
  detail.instruction = &i;
  detail.function = function;
  const bool is_scalar = result_is_scalar(i);
  std::vector<Operand> sources(i.operands.begin() + i.destinations, i.operands.end());
  if (sources.size() == 1 && sources[0].kind == Operand::Kind::vector)
    sources = std::vector<Operand>(sources[0].elements);  // a pack
  if (sources.size() > detail.sources.size()) return false;
  if (i.opcode == Opcode::cvt && ptx::is_signed(i.type))
    detail.signed_bits = static_cast<std::uint8_t>(ptx::size_in_bytes(i.type) * 8);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (!is_scalar) {
      detail.sources[s] = cold(sources[s], i.type);
      continue;
    }
    const bool predicate =
        sources[s].kind == Operand::Kind::reg && code_->registers[sources[s].register_id].bytes == 0;
    detail.sources[s].kind = predicate ? ColdOperand::Kind::predicate : ColdOperand::Kind::lanes64;
    detail.sources[s].negated = sources[s].negated;
    detail.scalar_sources[s] = scalar(sources[s]);
  }
  for (std::size_t d = 0; d < i.destinations && d < 2; ++d)
    if (i.operands[d].kind == Operand::Kind::reg)
      detail.destinations[d] = is_scalar && d == 0 ? ColdOperand{} : cold(i.operands[d], i.type);
  MicroOp& op = push(is_scalar ? cold_scalar : cold_lanes);
  op.detail = &detail;
  if (is_scalar) {
    op.d = code_->registers[i.operands[0].register_id].scalar;
    op.b = static_cast<std::uint32_t>(code_->registers[i.operands[0].register_id].bytes);
    keep_vector_of(i.operands[0]);
  }
  return true;
}

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
      if (i.opcode == Opcode::brx_idx)
        detail.targets = code_->function.branch_tables[i.operands.back().target].targets;
      MicroOp& op = push(handler);
      with_guard(op);
      op.detail = &detail;
      return true;
    }
    default:
      return false;
  }
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
  return true;
}

Result<std::shared_ptr<const Code>> lower(const ptx::Function& flat, const LaunchConstants& launch,
                                          const BitSet& forced, const HandlerTable& handlers) {
  return Lowering(flat, launch, forced, handlers).run();
}

}  // namespace warplens::emulator
