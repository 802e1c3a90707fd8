#include "engine/emulator/flow/apart_loads.hpp"

#include <bit>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Space;

namespace {
constexpr std::uint8_t kWord = 4;
}

bool are_apart(std::uint32_t words) {
  constexpr std::uint32_t kLowerPair = 3, kUpperPair = 12;
  return std::popcount(words) == 2 && words != kLowerPair && words != kUpperPair;
}

ApartLoads::ApartLoads(const ptx::Function& flat) : flat_(flat), used_(flat.registers.size(), false) {
  for (const Instruction& i : flat.code) {
    std::vector<ptx::RegisterId> written, read;
    registers_of(i, written, read);
    for (const auto r : read) used_[r] = true;
  }
}

std::uint32_t ApartLoads::wanted(const Instruction& load) const {
  const Operand& to = load.operands[0];
  if (to.kind == Operand::Kind::reg) return used_[to.register_id] ? 1 : 0;
  std::uint32_t bits = 0;
  for (std::size_t e = 0; e < to.elements.size(); ++e)
    if (to.elements[e].kind == Operand::Kind::reg && used_[to.elements[e].register_id]) bits |= 1u << e;
  return bits;
}

ApartLoads::Words ApartLoads::words_of(std::uint32_t pc, const VectorizedAccess& access) const {
  const Instruction& i = flat_.code[pc];
  if (i.opcode != Opcode::ld || i.is_volatile || i.vector != 4 || ptx::size_in_bytes(i.type) != kWord)
    return {};
  const bool is_alone = access.leader == pc && access.named == pc && access.width == kWord;
  if (i.space != Space::global && !(i.space == Space::shared && is_alone)) return {};
  const std::uint32_t words = wanted(i);
  if (!are_apart(words)) return {};
  return {static_cast<std::uint8_t>(kWord * std::countr_zero(words)),
          static_cast<std::uint8_t>(kWord * (31 - std::countl_zero(words)))};
}

}  // namespace warplens::emulator
