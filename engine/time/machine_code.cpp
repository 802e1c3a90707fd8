#include "engine/time/machine_code.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "engine/compile/elf.hpp"
#include "engine/compile/line_table.hpp"

namespace warplens::time {
namespace {

constexpr std::size_t kBytes = 16;
constexpr std::uint16_t kNop = 0x118;

// By bits 0-8. An operation that is not listed, or needs no unit, issues and needs nothing more.
struct Operation {
  std::uint16_t code;
  std::string_view name;
  Unit unit;
  Access access = Access::none;
  Control control = Control::none;
};
constexpr Operation kOperations[] = {
    {0x002, "MOV", Unit::alu},
    {0x004, "R2P", Unit::alu},
    {0x006, "VOTE", Unit::alu},
    {0x007, "SEL", Unit::alu},
    {0x008, "FSEL", Unit::alu},
    {0x009, "FMNMX", Unit::alu},
    {0x00a, "FSET", Unit::alu},
    {0x00b, "FSETP", Unit::alu},
    {0x00c, "ISETP", Unit::alu},
    {0x010, "IADD3", Unit::alu},
    {0x011, "LEA", Unit::alu},
    {0x012, "LOP3", Unit::alu},
    {0x013, "IABS", Unit::alu},
    {0x016, "PRMT", Unit::alu},
    {0x017, "IMNMX", Unit::alu},
    {0x019, "SHF", Unit::alu},
    {0x01a, "SGXT", Unit::alu},
    {0x01b, "BMSK", Unit::alu},
    {0x01c, "PLOP3", Unit::alu},
    {0x036, "VIADD", Unit::alu},
    {0x046, "VIADDMNMX", Unit::alu},
    {0x048, "VIMNMX", Unit::alu},
    {0x005, "CS2R", Unit::alu},
    {0x003, "P2R", Unit::alu},
    {0x020, "FMUL", Unit::fma},
    {0x021, "FADD", Unit::fma},
    {0x023, "FFMA", Unit::fma},
    {0x030, "HADD2", Unit::fma},
    {0x031, "HFMA2", Unit::fma},
    {0x032, "HMUL2", Unit::fma},
    {0x035, "HFMA2.MMA", Unit::fma},
    {0x024, "IMAD", Unit::fma_heavy},
    {0x025, "IMAD.WIDE", Unit::fma_heavy},
    {0x027, "IMAD.HI", Unit::fma_heavy},
    {0x026, "IDP", Unit::fma_heavy},
    {0x028, "DMUL", Unit::fp64},
    {0x029, "DADD", Unit::fp64},
    {0x02a, "DSETP", Unit::fp64},
    {0x02b, "DFMA", Unit::fp64},
    {0x03c, "HMMA", Unit::tensor},
    {0x037, "IMMA", Unit::tensor},
    {0x03f, "DMMA", Unit::tensor},
    {0x108, "MUFU", Unit::special},
    {0x102, "FCHK", Unit::special},
    {0x104, "F2F", Unit::special},
    {0x105, "F2I", Unit::special},
    {0x106, "I2F", Unit::special},
    {0x107, "FRND", Unit::special},
    {0x109, "POPC", Unit::special},
    {0x100, "FLO", Unit::special},
    {0x101, "BREV", Unit::special},
    {0x110, "F2F.64", Unit::special},
    {0x111, "F2I.64", Unit::special},
    {0x112, "I2F.64", Unit::special},
    {0x082, "UMOV", Unit::uniform},
    {0x087, "USEL", Unit::uniform},
    {0x08c, "UISETP", Unit::uniform},
    {0x090, "UIADD3", Unit::uniform},
    {0x091, "ULEA", Unit::uniform},
    {0x092, "ULOP3", Unit::uniform},
    {0x099, "USHF", Unit::uniform},
    {0x0a4, "UIMAD", Unit::uniform},
    {0x0a5, "UIMAD.WIDE", Unit::uniform},
    {0x0b9, "ULDC", Unit::uniform},
    {0x0ca, "R2UR", Unit::uniform},
    {0x119, "S2R", Unit::uniform},
    {0x1c3, "S2UR", Unit::uniform},
    {0x189, "SHFL", Unit::shuffle},
    {0x182, "LDC", Unit::memory, Access::constant_load},
    {0x184, "LDS", Unit::memory, Access::shared_load},
    {0x03b, "LDSM", Unit::memory, Access::shared_load},
    {0x188, "STS", Unit::memory, Access::shared_store},
    {0x18c, "ATOMS", Unit::memory, Access::shared_atomic},
    {0x18d, "ATOMS.CAS", Unit::memory, Access::shared_atomic},
    {0x181, "LDG", Unit::memory, Access::global_load},
    {0x17e, "LDG.256", Unit::memory, Access::global_load},
    {0x180, "LD", Unit::memory, Access::global_load},
    {0x186, "STG", Unit::memory, Access::global_store},
    {0x17f, "STG.256", Unit::memory, Access::global_store},
    {0x185, "ST", Unit::memory, Access::global_store},
    {0x1a6, "REDG", Unit::memory, Access::global_atomic},
    {0x18e, "RED", Unit::memory, Access::global_atomic},
    {0x1a8, "ATOMG", Unit::memory, Access::global_atomic},
    {0x1a9, "ATOMG.CAS", Unit::memory, Access::global_atomic},
    {0x18a, "ATOM", Unit::memory, Access::global_atomic},
    {0x18b, "ATOM.CAS", Unit::memory, Access::global_atomic},
    {0x1ae, "LDGSTS", Unit::memory, Access::async_copy},
    {0x183, "LDL", Unit::memory, Access::local_load},
    {0x187, "STL", Unit::memory, Access::local_store},
    {0x147, "BRA", Unit::none, Access::none, Control::branch},
    {0x14d, "EXIT", Unit::none, Access::none, Control::exit},
    {0x11d, "BAR", Unit::none, Access::none, Control::barrier},
    {0x141, "BSYNC", Unit::none, Access::none, Control::join},
    {0x144, "CALL", Unit::none, Access::none, Control::call},
    {0x1af, "LDGDEPBAR", Unit::none, Access::none, Control::end_of_copies},
    {0x145, "BSSY", Unit::none},
    {0x118, "NOP", Unit::none},
    {0x148, "WARPSYNC", Unit::none},
    {0x150, "RET", Unit::none},
    {0x120, "ERRBAR", Unit::none},
    {0x192, "MEMBAR", Unit::none},
    {0x11a, "DEPBAR", Unit::none, Access::none, Control::wait_for_copies},
    {0x1f0, "HGMMA", Unit::tensor},
    {0x1f1, "IGMMA", Unit::tensor},
    {0x1f3, "QGMMA", Unit::tensor},
    {0x1c5, "WARPGROUP", Unit::none},
    {0x1a7, "SYNCS", Unit::none},
    {0x1b2, "SYNCS.EXCH", Unit::none},
    {0x1b4, "UTMALDG", Unit::memory, Access::bulk_load},
    {0x1b5, "UTMASTG", Unit::memory, Access::bulk_store},
    {0x1ba, "UBLKCP", Unit::memory, Access::bulk_load},
    {0x1b7, "UTMACMDFLUSH", Unit::none},
    {0x1c6, "FENCE", Unit::none},
    {0x1c7, "UCGABAR", Unit::none},
    {0x1c8, "USETMAXREG", Unit::none},
    {0x1ab, "CGAERRBAR", Unit::none},
    {0x18f, "CCTL.IVALL", Unit::none},
    {0x191, "CCTL", Unit::none},
};
constexpr std::array<std::uint8_t, 8> kWidths{1, 1, 2, 2, 4, 8, 16, 16};

const Operation* find(std::uint16_t code) {
  for (const Operation& row : kOperations)
    if (row.code == code) return &row;
  return nullptr;
}

// Bytes from the end of a branch, a signed number of words of 4 in bits 34-81. Since 9.0 these are all but its
// low byte, which is in bits 16-23.
std::int64_t branch_distance(std::uint64_t low, std::uint64_t high, int arch) {
  constexpr int kFirstWithLowByte = 90;
  const std::uint64_t words = low >> 34 | (high & 0x3ffff) << 30;
  const std::int64_t distance = static_cast<std::int64_t>(words << 16) >> 16;
  return (arch < kFirstWithLowByte ? distance
                                   : distance * 256 + static_cast<std::int64_t>(low >> 16 & 0xff)) *
         4;
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

constexpr std::uint16_t kHalfProduct = 0x03c, kWholeProduct = 0x037,
                        kDoubleProduct = 0x03f;  // HMMA, IMMA, DMMA

// Half of the depth is bit 75 unset, but for tf32's (bit 83), whose half is bit 78.
Product product_of(std::uint16_t code, std::uint64_t high) {
  if (code == kDoubleProduct) return Product::doubles;
  if (code != kHalfProduct && code != kWholeProduct) return Product::whole;
  const bool is_tf32 = code == kHalfProduct && (high >> 19 & 1) != 0;
  const bool is_half = is_tf32 ? (high >> 14 & 1) != 0 : (high >> 11 & 1) == 0;
  return is_half ? Product::half : Product::whole;
}

constexpr std::uint16_t kSpecialRegister = 0x119, kConstantLoad = 0x182;  // S2R, LDC
constexpr std::uint8_t kNoRegister = 255;
// SR_TID.X, Y, Z
bool is_thread_index(std::uint64_t special_register) {
  return special_register >= 0x21 && special_register <= 0x23;
}

Instruction decode(std::uint64_t low, std::uint64_t high, std::uint32_t offset, int arch) {
  Instruction result;
  result.offset = offset;
  const auto code = static_cast<std::uint16_t>(low & 0x1ff);
  if (const Operation* row = find(code)) {
    result.unit = row->unit;
    result.access = row->access;
    result.control = row->control;
  }
  result.operation = code;
  result.of_lanes = code == kConstantLoad && (low >> 24 & 0xff) != kNoRegister;
  if (code == kSpecialRegister && is_thread_index(high >> 8 & 0xff))
    result.unit = Unit::memory, result.access = Access::thread_index;
  result.arithmetic = arithmetic_of(code);
  result.product = product_of(code, high);
  result.doubles = code >= 0x110 && code <= 0x112;
  if (result.unit == Unit::memory && result.access != Access::thread_index)
    result.width = kWidths[high >> 9 & 7];
  if (code == 0x17e || code == 0x17f) result.width = 32;
  result.guard = low >> 12 & 0xf;
  // BRA.U: by a uniform predicate; since 10.0 that is a form of its own.
  constexpr std::uint64_t kUniform = 2;
  const bool is_uniform = (high >> 23 & 0xf) != 7 || (low >> 9 & 7) == kUniform;
  result.guarded = result.guard != 7 || (result.control == Control::branch && is_uniform);
  const std::uint64_t schedule = high >> 41;
  result.stall = schedule & 15;
  result.yields = (schedule >> 4 & 1) == 0;
  result.write_barrier = schedule >> 5 & 7;
  result.read_barrier = schedule >> 8 & 7;
  result.waits = schedule >> 11 & 63;
  if (result.control == Control::end_of_copies) result.write_barrier = 7;
  if (result.control == Control::wait_for_copies) result.pending = low >> 38 & 63;
  if (result.control == Control::branch || result.control == Control::call)
    result.target = static_cast<std::uint32_t>(
        (static_cast<std::int64_t>(offset + kBytes) + branch_distance(low, high, arch)) /
        std::int64_t{kBytes});
  return result;
}

// The registers of its three operands, 255 where one is none; of arithmetic only. Form 1 has three registers,
// the others have something else in place of one.
using Operands = std::array<std::uint8_t, 3>;

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

// Whether a call never comes back: ptxas leaves loops by calls in code for 7.0 to 8.9. Functions stand behind the
// kernel's last EXIT and end in RET.
bool is_jump(const Instruction& call, std::span<const Instruction> code) {
  constexpr std::uint16_t kReturn = 0x150;
  if (call.target >= code.size()) return false;
  const auto end = std::ranges::find_if(code.subspan(call.target), [](const Instruction& i) {
    return !i.guarded && (i.control == Control::exit || i.operation == kReturn);
  });
  return end != code.end() && end->control == Control::exit;
}

}  // namespace

std::string_view mnemonic(std::uint16_t operation) {
  const Operation* row = find(operation);
  return row == nullptr ? std::string_view{} : row->name;
}

Result<std::vector<Instruction>> read_instructions(std::span<const std::byte> cubin,
                                                   std::string_view kernel) {
  const auto elf = compile::Elf::parse(cubin);
  if (!elf) return elf.error();
  const auto* text = elf->find(".text." + std::string(kernel));
  if (text == nullptr) return Error{"the machine code has no kernel named " + std::string(kernel), ""};
  const auto section = static_cast<std::size_t>(text - elf->sections().data());
  const auto lines = compile::read_line_table(*elf, section);
  if (!lines) return lines.error();
  const auto ptx_lines = compile::read_line_table(*elf, section, compile::kPtxLines);
  if (!ptx_lines) return ptx_lines.error();
  std::vector<Instruction> code;
  std::size_t used = 0;
  Reads reads;
  for (std::size_t offset = 0; offset + kBytes <= text->content.size(); offset += kBytes) {
    compile::ByteReader words(text->content, offset);
    const std::uint64_t low = words.u64(), high = words.u64();
    code.push_back(decode(low, high, static_cast<std::uint32_t>(offset), elf->arch()));
    // !PT: it never runs, but its slot is issued.
    if (code.back().guard == 15) code.back().unit = Unit::none, code.back().access = Access::none;
    code.back().reads = reads.of(low, high);
    if (const auto* row = lines->find(offset)) code.back().line = row->line;
    if (const auto* row = ptx_lines->find(offset)) code.back().ptx_line = row->line;
    if ((low & 0x1ff) != kNop) used = code.size();
  }
  code.resize(used);
  for (Instruction& instruction : code)
    if (instruction.control == Control::call && is_jump(instruction, code))
      instruction.control = Control::branch;
  return code;
}

}  // namespace warplens::time
