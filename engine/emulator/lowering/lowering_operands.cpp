// Operands as offsets into a warp's registers: scalar or vector forms, constants, special registers.

#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Special, ptx::Type;

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
  const auto dimension = [&](Special first) {
    return static_cast<std::size_t>(special) - static_cast<std::size_t>(first);
  };
  if (special >= Special::ntid_x && special <= Special::ntid_z)
    return launch.block[dimension(Special::ntid_x)];
  if (special >= Special::nctaid_x && special <= Special::nctaid_z)
    return launch.grid[dimension(Special::nctaid_x)];
  if (special >= Special::cluster_nctaid_x && special <= Special::cluster_nctaid_z)
    return launch.cluster[dimension(Special::cluster_nctaid_x)];
  if (special >= Special::nclusterid_x && special <= Special::nclusterid_z)
    return launch.grid[dimension(Special::nclusterid_x)] / launch.cluster[dimension(Special::nclusterid_x)];
  switch (special) {
    case Special::nwarpid:  // of the multiprocessor, not of the block: 64 on an H100
      return static_cast<std::uint64_t>(launch.warps_per_sm);
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
    case Special::aggr_smem_size:
      return launch.layout->static_bytes() + launch.dynamic_shared_bytes;
    case Special::envreg1:
      return launch.grid_workspace >> 32;
    case Special::envreg2:
      return launch.grid_workspace & 0xffffffffu;
    case Special::cluster_nctarank:
      return launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
    case Special::is_explicit_cluster:
      return launch.is_explicit_cluster;
    case Special::reserved_smem_begin:
    case Special::reserved_smem_0:
      return reserved_shared(launch.layout->static_bytes(), launch.dynamic_shared_bytes);
    case Special::reserved_smem_1:
      return reserved_shared(launch.layout->static_bytes(), launch.dynamic_shared_bytes) +
             kReservedShared / 2;
    case Special::reserved_smem_end:
      return reserved_shared(launch.layout->static_bytes(), launch.dynamic_shared_bytes) + kReservedShared;
    case Special::reserved_smem_cap:
      return kReservedShared;
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
    case Operand::Kind::function:
      return address_of_function(operand.symbol);
    case Operand::Kind::local_symbol:
      return launch_.layout->function_offset(operand.symbol) + offset;
    default:
      return std::nullopt;
  }
}

std::uint32_t Lowering::scalar(const Operand& operand) {
  if (const auto value = constant_value(operand)) return constant_scalar(*value);
  if (operand.kind == Operand::Kind::special) {
    const std::uint32_t place = code_->special[operand.special].scalar;
    return place != 0 ? place : constant_scalar(0);
  }
  return code_->registers[operand.register_id].scalar;
}

std::uint32_t Lowering::vector(const Operand& operand, int bytes) {
  if (const auto value = constant_value(operand)) return constant_vector(*value, bytes);
  if (operand.kind == Operand::Kind::special) {
    const std::uint32_t place = code_->special[operand.special].vector;
    return place != 0 ? place : constant_vector(0, bytes);
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

}  // namespace warplens::emulator
