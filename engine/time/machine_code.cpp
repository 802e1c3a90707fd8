#include "engine/time/machine_code.hpp"

#include <array>
#include <string>

#include "engine/compile/elf.hpp"
#include "engine/compile/line_table.hpp"

namespace warplens::time {
namespace {

constexpr std::size_t kBytes = 16;
constexpr std::uint16_t kNop = 0x118;

// By bits 0-8. An operation that is not listed issues and needs nothing more.
struct Operation {
  std::uint16_t code;
  Unit unit;
  Access access = Access::none;
  Control control = Control::none;
};
constexpr Operation kOperations[] = {
    {0x002, Unit::alu},                                           // MOV
    {0x004, Unit::alu},                                           // P2R, R2P
    {0x006, Unit::alu},                                           // VOTE
    {0x007, Unit::alu},                                           // SEL
    {0x008, Unit::alu},                                           // FSEL
    {0x009, Unit::alu},                                           // FMNMX
    {0x00a, Unit::alu},                                           // FSET
    {0x00b, Unit::alu},                                           // FSETP
    {0x00c, Unit::alu},                                           // ISETP
    {0x010, Unit::alu},                                           // IADD3
    {0x011, Unit::alu},                                           // LEA
    {0x012, Unit::alu},                                           // LOP3
    {0x013, Unit::alu},                                           // IABS
    {0x016, Unit::alu},                                           // PRMT
    {0x017, Unit::alu},                                           // IMNMX
    {0x019, Unit::alu},                                           // SHF
    {0x01a, Unit::alu},                                           // SGXT
    {0x01b, Unit::alu},                                           // BMSK
    {0x01c, Unit::alu},                                           // PLOP3
    {0x036, Unit::alu},                                           // VIADD
    {0x046, Unit::alu},                                           // VIADDMNMX
    {0x048, Unit::alu},                                           // VIMNMX
    {0x005, Unit::alu},                                           // CS2R
    {0x003, Unit::alu},                                           // P2R
    {0x020, Unit::fma},                                           // FMUL
    {0x021, Unit::fma},                                           // FADD
    {0x023, Unit::fma},                                           // FFMA
    {0x030, Unit::fma},                                           // HADD2
    {0x031, Unit::fma},                                           // HFMA2
    {0x032, Unit::fma},                                           // HMUL2
    {0x035, Unit::fma},                                           // HFMA2.MMA
    {0x024, Unit::fma_heavy},                                     // IMAD
    {0x025, Unit::fma_heavy},                                     // IMAD.WIDE
    {0x027, Unit::fma_heavy},                                     // IMAD.HI
    {0x026, Unit::fma_heavy},                                     // IDP
    {0x028, Unit::fp64},                                          // DMUL
    {0x029, Unit::fp64},                                          // DADD
    {0x02a, Unit::fp64},                                          // DSETP
    {0x02b, Unit::fp64},                                          // DFMA
    {0x03c, Unit::tensor},                                        // HMMA
    {0x037, Unit::tensor},                                        // IMMA
    {0x03f, Unit::tensor},                                        // DMMA
    {0x108, Unit::special},                                       // MUFU
    {0x104, Unit::special},                                       // F2F
    {0x105, Unit::special},                                       // F2I
    {0x106, Unit::special},                                       // I2F
    {0x107, Unit::special},                                       // FRND
    {0x109, Unit::special},                                       // POPC
    {0x100, Unit::special},                                       // FLO
    {0x101, Unit::special},                                       // BREV
    {0x110, Unit::special},                                       // F2F.64
    {0x111, Unit::special},                                       // F2I.64
    {0x112, Unit::special},                                       // I2F.64
    {0x082, Unit::uniform},                                       // UMOV
    {0x087, Unit::uniform},                                       // USEL
    {0x08c, Unit::uniform},                                       // UISETP
    {0x090, Unit::uniform},                                       // UIADD3
    {0x091, Unit::uniform},                                       // ULEA
    {0x092, Unit::uniform},                                       // ULOP3
    {0x099, Unit::uniform},                                       // USHF
    {0x0a4, Unit::uniform},                                       // UIMAD
    {0x0a5, Unit::uniform},                                       // UIMAD.WIDE
    {0x0b9, Unit::uniform},                                       // ULDC
    {0x0ca, Unit::uniform},                                       // R2UR
    {0x119, Unit::special},                                       // S2R
    {0x1c3, Unit::special},                                       // S2UR
    {0x189, Unit::shuffle},                                       // SHFL
    {0x182, Unit::memory, Access::constant_load},                 // LDC
    {0x184, Unit::memory, Access::shared_load},                   // LDS
    {0x03b, Unit::memory, Access::shared_load},                   // LDSM
    {0x188, Unit::memory, Access::shared_store},                  // STS
    {0x18c, Unit::memory, Access::shared_atomic},                 // ATOMS
    {0x18d, Unit::memory, Access::shared_atomic},                 // ATOMS.CAS
    {0x181, Unit::memory, Access::global_load},                   // LDG
    {0x17e, Unit::memory, Access::global_load},                   // LDG.256
    {0x180, Unit::memory, Access::global_load},                   // LD
    {0x186, Unit::memory, Access::global_store},                  // STG
    {0x17f, Unit::memory, Access::global_store},                  // STG.256
    {0x185, Unit::memory, Access::global_store},                  // ST
    {0x1a6, Unit::memory, Access::global_atomic},                 // REDG
    {0x18e, Unit::memory, Access::global_atomic},                 // RED
    {0x1a8, Unit::memory, Access::global_atomic},                 // ATOMG
    {0x1a9, Unit::memory, Access::global_atomic},                 // ATOMG.CAS
    {0x18a, Unit::memory, Access::global_atomic},                 // ATOM
    {0x18b, Unit::memory, Access::global_atomic},                 // ATOM.CAS
    {0x1ae, Unit::memory, Access::async_copy},                    // LDGSTS
    {0x183, Unit::memory, Access::local_load},                    // LDL
    {0x187, Unit::memory, Access::local_store},                   // STL
    {0x147, Unit::none, Access::none, Control::branch},           // BRA
    {0x14d, Unit::none, Access::none, Control::exit},             // EXIT
    {0x11d, Unit::none, Access::none, Control::barrier},          // BAR
    {0x141, Unit::none, Access::none, Control::join},             // BSYNC
    {0x144, Unit::none, Access::none, Control::call},             // CALL
    {0x1af, Unit::none, Access::none, Control::end_of_copies},    // LDGDEPBAR
    {0x11a, Unit::none, Access::none, Control::wait_for_copies},  // DEPBAR
};
constexpr std::array<std::uint8_t, 8> kWidths{1, 1, 2, 2, 4, 8, 16, 16};

const Operation* find(std::uint16_t code) {
  for (const Operation& row : kOperations)
    if (row.code == code) return &row;
  return nullptr;
}

// Bytes from the end of a branch, a signed number of words of 4: its low byte in bits 16-23, the rest
// from 34.
std::int64_t branch_distance(std::uint64_t low, std::uint64_t high) {
  const std::uint64_t words = (low >> 16 & 0xff) | (low >> 34) << 8 | (high & 0x3ffff) << 38;
  return (static_cast<std::int64_t>(words << 8) >> 8) * 4;
}

Anchor arithmetic_of(std::uint16_t code) {
  switch (code) {
    case 0x020:
    case 0x021:
    case 0x023:
      return Anchor::fp32;
    case 0x009:
      return Anchor::minimum;
    case 0x028:
    case 0x029:
    case 0x02b:
      return Anchor::fp64;
    case 0x108:
      return Anchor::function;
    default:
      return Anchor::none;
  }
}

Instruction decode(std::uint64_t low, std::uint64_t high, std::uint32_t offset) {
  Instruction result;
  result.offset = offset;
  const auto code = static_cast<std::uint16_t>(low & 0x1ff);
  if (const Operation* row = find(code)) {
    result.unit = row->unit;
    result.access = row->access;
    result.control = row->control;
  }
  result.arithmetic = arithmetic_of(code);
  result.doubles = code >= 0x110 && code <= 0x112;
  if (result.unit == Unit::memory) result.width = kWidths[high >> 9 & 7];
  if (code == 0x17e || code == 0x17f) result.width = 32;
  // BRA.U: by a uniform predicate.
  result.guarded = (low >> 12 & 0xf) != 7 || (result.control == Control::branch && (high >> 23 & 0xf) != 7);
  const std::uint64_t schedule = high >> 41;
  result.stall = schedule & 15;
  result.write_barrier = schedule >> 5 & 7;
  result.read_barrier = schedule >> 8 & 7;
  result.waits = schedule >> 11 & 63;
  if (result.control == Control::end_of_copies) result.write_barrier = 7;
  if (result.control == Control::wait_for_copies) result.pending = low >> 38 & 63;
  if (result.control == Control::branch)
    result.target = static_cast<std::uint32_t>(
        (static_cast<std::int64_t>(offset + kBytes) + branch_distance(low, high)) / std::int64_t{kBytes});
  return result;
}

// The registers of its three operands, 255 where one is none; of arithmetic only. Form 1 has three registers,
// the others have something else in place of one.
using Operands = std::array<std::uint8_t, 3>;
constexpr std::uint8_t kNoRegister = 255;

Operands operands_of(std::uint64_t low, std::uint64_t high) {
  const auto code = static_cast<std::uint16_t>(low & 0x1ff);
  const bool three = code == 0x023 || code == 0x024 || code == 0x025 || code == 0x010 || code == 0x012;
  const bool two = code == 0x020 || code == 0x021 || code == 0x009 || code == 0x011 || code == 0x036;
  Operands operands{kNoRegister, kNoRegister, kNoRegister};
  if (!two && !three) return operands;
  operands[0] = low >> 24 & 255;
  if ((low >> 9 & 7) == 1) operands[1] = low >> 32 & 255;
  if (three || code == 0x021) operands[2] = high & 255;
  return operands;
}

// Reads of the register file: an operand that the instruction before marked for reuse in the same place is at
// hand (bits 122-124).
class Reads {
 public:
  std::array<std::uint8_t, 2> of(std::uint64_t low, std::uint64_t high) {
    const Operands operands = operands_of(low, high);
    std::array<std::uint8_t, 2> reads{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (operands[i] != kNoRegister && operands[i] != kept_[i]) ++reads[operands[i] % 2];
      kept_[i] = (high >> (58 + i) & 1) != 0 ? operands[i] : kNoRegister;
    }
    return reads;
  }

 private:
  Operands kept_{kNoRegister, kNoRegister, kNoRegister};
};

}  // namespace

Result<std::vector<Instruction>> read_instructions(std::span<const std::byte> cubin,
                                                   std::string_view kernel) {
  const auto elf = compile::Elf::parse(cubin);
  if (!elf) return elf.error();
  const auto* text = elf->find(".text." + std::string(kernel));
  if (text == nullptr) return Error{"the machine code has no kernel named " + std::string(kernel), ""};
  const auto lines = compile::read_line_table(*elf, static_cast<std::size_t>(text - elf->sections().data()));
  if (!lines) return lines.error();
  std::vector<Instruction> code;
  std::size_t used = 0;
  Reads reads;
  for (std::size_t offset = 0; offset + kBytes <= text->content.size(); offset += kBytes) {
    compile::ByteReader words(text->content, offset);
    const std::uint64_t low = words.u64(), high = words.u64();
    code.push_back(decode(low, high, static_cast<std::uint32_t>(offset)));
    // !PT: it never runs, but its slot is issued.
    if ((low >> 12 & 0xf) == 0xf) code.back().unit = Unit::none, code.back().access = Access::none;
    code.back().reads = reads.of(low, high);
    if (const auto* row = lines->find(offset)) code.back().line = row->line;
    if ((low & 0x1ff) != kNop) used = code.size();
  }
  code.resize(used);
  return code;
}

}  // namespace warplens::time
