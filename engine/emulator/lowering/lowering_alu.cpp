// Moves, predicates, comparisons and arithmetic: the quickest handler that fits the classes of the operands.
#include <algorithm>
#include <array>

#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Special, ptx::Type;

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
  if (register_bytes(i.type) != 8) return refuse(i, "with 32-bit addresses");
  const RegisterPlace& place = code_->registers[i.operands[0].register_id];
  if (result_is_scalar(i)) {
    MicroOp& op = push(handlers_.affine[Hot::add64]);
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
  const bool clock = i.operands[1].kind == Operand::Kind::special && special >= Special::clock &&
                     special <= Special::globaltimer_hi;
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
  static constexpr std::pair<Opcode, Handler> kHandlers[] = {{Opcode::mov, predicate_move},
                                                             {Opcode::not_, predicate_not},
                                                             {Opcode::and_, predicate_and},
                                                             {Opcode::or_, predicate_or},
                                                             {Opcode::xor_, predicate_xor}};
  const auto known = std::ranges::find(kHandlers, i.opcode, &std::pair<Opcode, Handler>::first);
  if (known == std::end(kHandlers)) return false;
  const auto mask = [&](const Operand& operand) {
    if (const auto value = constant_value(operand)) return constant_scalar(*value != 0 ? kAllLanes : 0);
    return code_->registers[operand.register_id].scalar;
  };
  MicroOp& op = push(known->second);
  op.d = code_->registers[i.operands[0].register_id].scalar;
  op.a = mask(i.operands[1]);
  op.b = i.operands.size() > 2 ? mask(i.operands[2]) : op.a;
  op.immediate =
      (i.operands[1].negated ? 1u : 0u) | (i.operands.size() > 2 && i.operands[2].negated ? 2u : 0u);
  return true;
}

bool Lowering::emit_select(const Instruction& i, bool) {
  if (i.opcode != Opcode::selp || i.operands[3].kind != Operand::Kind::reg) return false;
  const RegisterPlace& place = code_->registers[i.operands[0].register_id];
  const bool is_scalar = result_is_scalar(i), wide = place.bytes == 8;
  MicroOp& op = push(is_scalar ? select_scalar : wide ? handlers_.select64 : handlers_.select32);
  op.c = code_->registers[i.operands[3].register_id].scalar;
  op.immediate = (i.operands[3].negated ? kAllLanes : 0) | (is_scalar && wide ? kSelect64 : 0);
  op.d = is_scalar ? place.scalar : place.vector;
  op.a = is_scalar ? scalar(i.operands[1]) : vector(i.operands[1], place.bytes);
  op.b = is_scalar ? scalar(i.operands[2]) : vector(i.operands[2], place.bytes);
  if (is_scalar) keep_vector_of(i.operands[0]);
  return true;
}

bool Lowering::emit_compare(const Instruction& i) {
  const auto compare = hot_compare_of(i);
  if (!compare || i.operands[0].kind != Operand::Kind::reg) return false;
  const bool combines = i.bool_op != ptx::BoolOp::none;
  if (combines && (i.operands.size() != 4 || i.operands[3].kind != Operand::Kind::reg)) return false;
  const bool uniform = !general_ && class_of_operand(i.operands[1]) == RegisterClass::uniform &&
                       class_of_operand(i.operands[2]) == RegisterClass::uniform;
  const int bytes = register_bytes(i.type);
  const Handler& handler = (uniform ? handlers_.compare_scalar : handlers_.compare_vector)[*compare];
  MicroOp& op = push(combines ? compare_with_predicate : handler);
  op.d = code_->registers[i.operands[0].register_id].scalar;
  op.a = uniform ? scalar(i.operands[1]) : vector(i.operands[1], bytes);
  op.b = uniform ? scalar(i.operands[2]) : vector(i.operands[2], bytes);
  if (!combines) return true;
  op.detail = &handler;
  op.c = code_->registers[i.operands[3].register_id].scalar;
  op.immediate = static_cast<std::uint64_t>(i.bool_op) | (i.operands[3].negated ? kNegatedPredicate : 0);
  return true;
}

bool Lowering::emit_affine(const Instruction& i) {
  if (!result_is_scalar(i)) return false;
  RegisterClass worst = RegisterClass::uniform;
  for (std::size_t s = 1; s < i.operands.size(); ++s)
    worst = std::max(worst, class_of_operand(i.operands[s]));
  const auto affine = affine_of(i);
  if (worst != RegisterClass::affine || !affine) return false;
  std::array<std::uint32_t, 3> sources{};
  for (std::size_t s = 1; s < i.operands.size() && s <= 3; ++s) sources[s - 1] = scalar(i.operands[s]);
  if (multiplies(*affine) && class_of_operand(i.operands[2]) == RegisterClass::affine)
    std::swap(sources[0], sources[1]);
  MicroOp& op = push(handlers_.affine[*affine]);
  op.d = code_->registers[i.operands[0].register_id].scalar;
  op.a = sources[0];
  op.b = sources[1];
  op.c = sources[2];
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
    sources[s - 1] = is_scalar ? scalar(i.operands[s]) : vector(i.operands[s], hot_bytes(*hot)[s]);
  MicroOp& op = push((is_scalar ? handlers_.scalar : masked ? handlers_.masked : handlers_.vector)[*hot]);
  op.d = is_scalar ? place.scalar : place.vector;
  op.a = sources[0];
  op.b = sources[1];
  op.c = sources[2];
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

}  // namespace warplens::emulator
