// ld and st: parameters become constants, everything else a MemoryDetail and the quickest handler that fits.
#include <cstring>

#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Space;

bool Lowering::emit_memory(const Instruction& i, bool masked) {
  if (i.opcode != Opcode::ld && i.opcode != Opcode::ldu && i.opcode != Opcode::st) return false;
  if (emit_parameter_load(i, masked)) return true;
  MemoryDetail& detail = code_->memory_details.emplace_back();
  fill_memory_detail(detail, i, masked);
  if (detail.space == Space::shared && detail.element < 4) code_->sub_word_shared = true;
  MicroOp& op = push(memory_handler(detail, i));
  op.detail = &detail;
  return true;
}

// ld.param [name + offset]: the launch knows the value.
bool Lowering::emit_parameter_load(const Instruction& i, bool masked) {
  if (i.opcode != Opcode::ld || i.space != Space::param ||
      i.operands[1].kind != Operand::Kind::parameter_symbol)
    return false;
  const int element = ptx::size_in_bytes(i.type);
  const auto begin =
      static_cast<std::int64_t>(flat_.parameters[i.operands[1].symbol].offset) + i.operands[1].offset;
  const auto value_at = [&](std::int64_t at) {
    std::uint64_t bits = 0;
    if (at < 0 || at + element > static_cast<std::int64_t>(launch_.arguments.size())) return bits;
    std::memcpy(&bits, launch_.arguments.data() + at, static_cast<std::size_t>(element));
    if (ptx::is_signed(i.type) && element < 8 && ((bits >> (element * 8 - 1)) & 1) != 0)
      bits |= ~std::uint64_t{0} << (element * 8);
    return bits;
  };
  const auto narrow = [&](const Operand& d, std::uint64_t bits) {
    return d.kind == Operand::Kind::reg && code_->registers[d.register_id].bytes == 4 ? bits & 0xffffffffu
                                                                                      : bits;
  };
  if (i.operands[0].kind == Operand::Kind::vector) {
    for (std::size_t e = 0; e < i.operands[0].elements.size(); ++e) {
      const Operand& d = i.operands[0].elements[e];
      emit_constant(d, narrow(d, value_at(begin + static_cast<std::int64_t>(e) * element)), masked);
    }
  } else {
    emit_constant(i.operands[0], narrow(i.operands[0], value_at(begin)), masked);
  }
  return true;
}

void Lowering::fill_memory_detail(MemoryDetail& detail, const Instruction& i, bool masked) {
  detail.store = i.opcode == Opcode::st;
  detail.space = i.space == Space::param ? Space::constant : i.space;
  detail.element = static_cast<std::uint8_t>(ptx::size_in_bytes(i.type));
  detail.count = i.vector;
  detail.width = static_cast<std::uint8_t>(detail.element * detail.count);
  detail.sign_extend = ptx::is_signed(i.type);
  detail.masked = masked;
  detail.site = pc_;
  detail.pc = pc_;
  set_address(detail, i.operands[detail.store ? 0 : 1]);
  set_registers(detail, i, i.operands[detail.store ? 1 : 0]);
  detail.counted_width = detail.width;
  detail.counted_offset = detail.offset;
  if (launch_.vectorized != nullptr) {
    const VectorizedAccess& access = (*launch_.vectorized)[pc_];
    detail.counted = access.leader == pc_;
    if (access.width != 0) {
      detail.counted_width = access.width;
      detail.counted_offset = access.offset;
    }
  }
  if (launch_.apart == nullptr || detail.store) return;
  const ApartLoads::Words words = launch_.apart->words_of(pc_, (*launch_.vectorized)[pc_]);
  if (words.first == words.second) return;
  detail.counted_width = detail.element;
  detail.counted_offset = detail.offset + words.first;
  detail.counted_step = static_cast<std::uint8_t>(words.second - words.first);
}

void Lowering::set_address(MemoryDetail& detail, const Operand& address) {
  if (const auto value = constant_value(address)) {
    detail.address = constant_scalar(*value);
    return;
  }
  const RegisterPlace& place = code_->registers[address.register_id];
  detail.offset = address.offset;
  detail.address_is_32_bit = place.bytes == 4;
  if (!general_ && place.cls != RegisterClass::varying) {
    detail.address = place.scalar;
    return;
  }
  detail.form = place.bytes == 4 ? AddressForm::vector32 : AddressForm::vector64;
  detail.address = vector(address, place.bytes);
}

void Lowering::set_registers(MemoryDetail& detail, const Instruction& i, const Operand& data) {
  detail.registers.fill(kNoRegister);
  detail.scalars.fill(kNoRegister);
  detail.uniform_result = !detail.store && result_is_scalar(i);
  const std::size_t count = data.kind == Operand::Kind::vector ? data.elements.size() : 1;
  for (std::size_t e = 0; e < count && e < detail.registers.size(); ++e) {
    const Operand& operand = data.kind == Operand::Kind::vector ? data.elements[e] : data;
    detail.register_bytes[e] = detail.element == 8 ? 8 : 4;
    if (operand.kind == Operand::Kind::sink || operand.kind == Operand::Kind::none) continue;
    if (operand.kind == Operand::Kind::reg) {
      RegisterPlace& place = code_->registers[operand.register_id];
      detail.register_bytes[e] = static_cast<std::uint8_t>(place.bytes);
      if (detail.uniform_result) {
        detail.scalars[e] = place.scalar;
        vector_kept_by_load_.push_back({&detail, e, operand.register_id});
        continue;
      }
    }
    detail.registers[e] = vector(operand, detail.register_bytes[e]);
  }
}

namespace {
std::optional<Shape> shape_of(const MemoryDetail& m) {
  if (m.element == 4)
    return m.count == 1   ? Shape::e4x1
           : m.count == 2 ? Shape::e4x2
           : m.count == 4 ? std::optional(Shape::e4x4)
                          : std::nullopt;
  if (m.element == 8)
    return m.count == 1 ? Shape::e8x1 : m.count == 2 ? std::optional(Shape::e8x2) : std::nullopt;
  return std::nullopt;
}
}  // namespace

Handler Lowering::memory_handler(const MemoryDetail& m, const Instruction&) const {
  if (m.counted_step != 0) return slow_access;
  const auto shape = shape_of(m);
  const bool shared = m.space == Space::shared;
  if (!shape || !(shared || m.space == Space::global || m.space == Space::constant)) return slow_access;
  if (m.store && m.space == Space::constant) return slow_access;
  for (std::size_t e = 0; e < m.count; ++e)
    if (m.register_bytes[e] != m.element || (m.registers[e] == kNoRegister && m.scalars[e] == kNoRegister))
      return slow_access;
  // A shared load that meets the poison starts again, so it must not have overwritten its address.
  if (shared && !m.store && m.form != AddressForm::scalar)
    for (std::size_t e = 0; e < m.count; ++e)
      if (m.registers[e] == m.address) return slow_access;
  if (m.uniform_result) return handlers_.uniform_load[shared][*shape];
  if (m.masked && !m.store && m.form == AddressForm::scalar) return slow_access;
  if (!shared && m.form == AddressForm::vector32) return slow_access;
  const auto form = static_cast<std::size_t>(m.form);
  return m.store ? handlers_.store[shared][form][*shape] : handlers_.load[shared][form][*shape];
}

}  // namespace warplens::emulator
