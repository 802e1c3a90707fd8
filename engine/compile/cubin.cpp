#include "engine/compile/cubin.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/compile/elf.hpp"
#include "engine/compile/line_table.hpp"

namespace warplens::compile {
namespace {

constexpr std::size_t kInstructionBytes = 16;
constexpr std::uint16_t kNop = 0x918, kUsetmaxreg = 0x9c8, kVote = 0x806, kVoteUniform = 0x886,
                        kCountLanes = 0xf8c;  // ATOMS.POPC.INC
constexpr std::uint16_t kExit = 0x94d;
constexpr std::array<std::uint16_t, 5> kJumps{0x943, 0x944, 0x947, 0x949, 0x94a};  // CALL, BRA, BRX, JMP
// Guard (bits 12-15) of instructions that never run, !PT: ptxas puts three such LDS before each LDGSTS group
// of 9.0.
constexpr std::uint64_t kNever = 0xf, kAlways = 7;

// width_bytes 0: the width is in bits 73-75.
struct Encoding {
  std::uint16_t opcode;
  MemoryOpcode meaning;
  std::uint8_t width_bytes;
};
constexpr Encoding kEncodings[] = {
    {0x984, MemoryOpcode::shared_load, 0},    // LDS, every architecture
    {0x388, MemoryOpcode::shared_store, 0},   // STS [R+imm]
    {0x988, MemoryOpcode::shared_store, 0},   // STS [R+UR+imm]
    {0x381, MemoryOpcode::global_load, 0},    // LDG [R+imm], 7.5
    {0x981, MemoryOpcode::global_load, 0},    // LDG with UR or a descriptor
    {0x97e, MemoryOpcode::global_load, 32},   // LDG.256, 10.0 and later
    {0x386, MemoryOpcode::global_store, 0},   // STG [R+imm], 7.5
    {0x986, MemoryOpcode::global_store, 0},   // STG with UR or a descriptor
    {0x97f, MemoryOpcode::global_store, 32},  // STG.256, 10.0 and later
};
constexpr std::array<std::uint8_t, 8> kWidths{1, 1, 2, 2, 4, 8, 16, 16};

const Encoding* find_encoding(std::uint16_t opcode) {
  for (const Encoding& encoding : kEncodings) {
    if (encoding.opcode == opcode) return &encoding;
  }
  return nullptr;
}

Error no_kernel(std::string_view kernel) {
  return {"the machine code has no kernel named " + std::string(kernel),
          "delete the cache folder and compile again"};
}

// Index of .text.<kernel>; 0 (the null section) where there is none.
std::size_t text_section(const Elf& elf, std::string_view kernel) {
  const Elf::Section* text = elf.find(".text." + std::string(kernel));
  return text == nullptr ? 0 : static_cast<std::size_t>(text - elf.sections().data());
}

void place(MemoryInstruction& instruction, const LineTable& lines, const LineTable& ptx_lines) {
  if (const LineRow* row = ptx_lines.find(instruction.offset)) instruction.ptx_line = row->line;
  const LineRow* row = lines.find(instruction.offset);
  if (row == nullptr || row->line <= 0) return;
  instruction.line = row->line;
  instruction.file = row->file;
}

// Attributes of .nv.info: u8 format (4: a u16 size, then the value), u8 attribute, then the value.
// 0x2f EIATTR_REGCOUNT and 0x11 EIATTR_FRAME_SIZE hold {u32 symbol, u32 value}.
constexpr std::uint8_t kSizedValue = 4, kFrameSize = 0x11, kRegisterCount = 0x2f;

void read_info(const Elf& elf, std::string_view kernel, CubinResources& resources) {
  const Elf::Section* info = elf.find(".nv.info");
  if (info == nullptr) return;
  ByteReader reader(info->content);
  while (!reader.at_end() && !reader.failed()) {
    const std::uint8_t format = reader.u8(), attribute = reader.u8();
    const std::uint16_t size = reader.u16();  // of the other formats: the value itself
    if (format != kSizedValue) continue;
    ByteReader value(reader.take(size));
    const std::uint32_t symbol = value.u32(), number = value.u32();
    if (value.failed() || symbol >= elf.symbols().size() || elf.symbols()[symbol].name != kernel) continue;
    if (attribute == kRegisterCount) resources.registers = static_cast<int>(number & 0xffff);
    if (attribute == kFrameSize) resources.stack_bytes = number;
  }
}

}  // namespace

Result<MachineCode> read_machine_code(std::span<const std::byte> cubin, std::string_view kernel) {
  const Result<Elf> elf = Elf::parse(cubin);
  if (!elf) return elf.error();
  const std::size_t section = text_section(*elf, kernel);
  if (section == 0) return no_kernel(kernel);
  Result<LineTable> lines = read_line_table(*elf, section);
  if (!lines) return lines.error();
  const Result<LineTable> ptx_lines = read_line_table(*elf, section, kPtxLines);
  if (!ptx_lines) return ptx_lines.error();

  MachineCode code;
  const Bytes text = elf->sections()[section].content;
  std::uint32_t padding = 0;
  bool is_straight = true;
  for (std::size_t offset = 0; offset + kInstructionBytes <= text.size(); offset += kInstructionBytes) {
    ByteReader words(text, offset);
    const std::uint64_t low = words.u64(), high = words.u64();
    const auto opcode = static_cast<std::uint16_t>(low & 0xfff);
    ++code.instructions;
    padding = opcode == kNop ? padding + 1 : 0;
    code.moves_registers |= opcode == kUsetmaxreg;
    if (is_straight && opcode == kExit && (low >> 12 & kAlways) != kAlways)
      code.first_exit = static_cast<std::uint32_t>(offset);
    is_straight &= opcode != kExit && std::ranges::find(kJumps, opcode) == kJumps.end();
    const bool votes = opcode == kVote || opcode == kVoteUniform || opcode == kCountLanes;
    if (const LineRow* row = ptx_lines->find(static_cast<std::uint32_t>(offset)); votes && row != nullptr)
      code.voted_lines.push_back(row->line);
    const Encoding* encoding = find_encoding(opcode);
    if (encoding == nullptr || (low >> 12 & 0xf) == kNever) continue;
    MemoryInstruction instruction;
    instruction.offset = static_cast<std::uint32_t>(offset);
    instruction.opcode = encoding->meaning;
    instruction.width_bytes = encoding->width_bytes != 0 ? encoding->width_bytes : kWidths[high >> 9 & 7];
    place(instruction, *lines, *ptx_lines);
    code.memory.push_back(instruction);
  }
  std::ranges::sort(code.voted_lines);
  code.instructions -= padding;
  code.files = std::move(lines->files);
  return code;
}

CubinInstructions count_instructions(const MachineCode& code) {
  CubinInstructions counts;
  counts.all = code.instructions;
  counts.moves_registers = code.moves_registers;
  for (const MemoryInstruction& instruction : code.memory) {
    OpcodeWidths& widths = instruction.opcode == MemoryOpcode::shared_load    ? counts.shared_load
                           : instruction.opcode == MemoryOpcode::shared_store ? counts.shared_store
                           : instruction.opcode == MemoryOpcode::global_load  ? counts.global_load
                                                                              : counts.global_store;
    ++widths.by_width.at(static_cast<std::size_t>(std::countr_zero(instruction.width_bytes)));
  }
  return counts;
}

Result<CubinResources> read_resources(std::span<const std::byte> cubin, std::string_view kernel) {
  const Result<Elf> elf = Elf::parse(cubin);
  if (!elf) return elf.error();
  if (text_section(*elf, kernel) == 0) return no_kernel(kernel);
  CubinResources resources;
  resources.arch = elf->arch();
  read_info(*elf, kernel, resources);
  if (const Elf::Section* shared = elf->find(".nv.shared." + std::string(kernel)); shared != nullptr) {
    // CUDA C++ Programming Guide, compute capability 9.0: 1 KB of shared memory per block is the system's.
    const std::int64_t reserve = resources.arch >= 90 ? 1024 : 0;
    resources.static_shared_bytes = static_cast<std::int64_t>(shared->size) - reserve;
  }
  if (const Elf::Section* constants = elf->find(".nv.constant3"); constants != nullptr) {
    resources.constant_bytes = static_cast<std::int64_t>(constants->size);
  }
  return resources;
}

}  // namespace warplens::compile
