#include "engine/compile/cubin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/testing/testing_elf.hpp"

namespace warplens::compile {
namespace {

using testing::ElementsAre, testing::HasSubstr;

std::string instruction(std::uint64_t low, std::uint64_t high) {
  return little_endian(low, 8) + little_endian(high, 8);
}

// Opcode and width bits as ptxas writes them for sm_90 and sm_100; the mnemonic as nvdisasm 13.1 reads them.
std::string text() {
  return instruction(0x0000000602027981, 0x000ee2000c1e1900) +  // LDG.E R2, desc[UR6][R2.64]
         instruction(0x0000000402087984, 0x000e280008000c00) +  // LDS.128 R8, [R2+UR4]
         instruction(0x0000000500007388, 0x0001e20000000a00) +  // STS.64 [R0], R5
         instruction(0x000000000000783b, 0x000e280000000200) +  // LDSM: not a shared load
         instruction(0x0000000000007fae, 0x0001e8000b9a1a06) +  // LDGSTS: not a global load
         instruction(0x000000040204797e, 0x000ee8000c121904) +  // LDG.256
         instruction(0x0000000502007986, 0x0001e2000c101106) +  // STG.U8
         instruction(0x000000000000794d, 0x000fea0003800000) +  // EXIT
         instruction(0x0000000000007918, 0x000fc00000000000);   // NOP, padding
}

// One unit: file "/k/a.cu"; line 3 from offset 0, line 5 from 0x10, line 4 (after an unknown extended opcode)
// from 0x50.
std::string line_program(std::size_t& address_operand) {
  std::string header = little_endian(1, 1) + little_endian(1, 1) + little_endian(0xfb, 1) +
                       little_endian(14, 1) + little_endian(10, 1) + std::string("\0\1\1\1\1\0\0\0\1", 9);
  header += std::string("/k\0\0", 4) + std::string("a.cu\0\1\0\0\0", 9);
  std::string unit = little_endian(2, 2) + little_endian(header.size(), 4) + header;
  // the later sequence comes first, not relocated
  unit += std::string("\0\x09\x02", 3) + little_endian(0x60, 8);
  unit += std::string("\3\x08\1\2\x30\0\1\1", 8);  // advance_line 8, copy, advance_pc 48, end
  unit += std::string("\0\x09\x02", 3);            // DW_LNE_set_address
  address_operand = 4 + unit.size();
  unit += little_endian(0, 8);
  unit += std::string("\3\2\1", 3);             // advance_line 2, copy
  unit += static_cast<char>(10 + 16 * 14 + 7);  // special: address + 16, line + 2
  unit += std::string("\0\3\x90\1\1", 5);       // an NVIDIA row of two operands
  unit += std::string("\3\x7f\2\xc0\0\1", 6);   // advance_line -1, advance_pc 64, copy
  unit += std::string("\2\x10\0\1\1", 5);       // advance_pc 16, end where the other begins
  return little_endian(unit.size(), 4) + unit;
}

std::string symbol(std::uint32_t name, char info, std::size_t section) {
  return little_endian(name, 4) + info + '\0' + little_endian(section, 2) + std::string(16, '\0');
}

std::string sample(const std::string& code = text(), std::uint32_t flags = 0x9005a04) {
  ElfWriter elf(flags);
  std::size_t operand = 0;
  const std::string lines = line_program(operand);
  const std::size_t code_section = elf.add(".text.kernel", 1, code);
  const std::size_t strings = elf.add(".strtab", 3, std::string("\0kernel\0", 8));
  elf.add(".symtab", 2, std::string(24, '\0') + symbol(1, 0x12, code_section),
          static_cast<std::uint32_t>(strings));
  elf.add(".debug_line", 1, lines);
  elf.add(".rela.debug_line", 4,
          little_endian(operand, 8) + little_endian(1ull << 32 | 2, 8) + little_endian(0, 8));
  elf.add(".nv_debug_line_sass", 1, lines);
  // Here the code begins 16 bytes later, so that the two tables differ.
  elf.add(".rela.nv_debug_line_sass", 4,
          little_endian(operand, 8) + little_endian(1ull << 32 | 2, 8) + little_endian(16, 8));
  elf.add(".nv.info", 0x70000000,
          std::string("\4\x2f", 2) + little_endian(8, 2) + little_endian(1, 4) + little_endian(42, 4) +
              std::string("\4\x11", 2) + little_endian(8, 2) + little_endian(1, 4) + little_endian(88, 4));
  elf.add(".nv.shared.kernel", 8, "", 0, 1424);
  elf.add(".nv.constant3", 1, std::string(40, '\0'));
  return elf.write();
}

TEST(MachineCode, ListsTheMemoryInstructionsWithWidthAndLine) {
  const std::string file = sample();
  const Result<MachineCode> code = read_machine_code(bytes_of(file), "kernel");
  ASSERT_TRUE(code) << to_line(code.error());
  EXPECT_THAT(code->memory, ElementsAre(MemoryInstruction{0x00, MemoryOpcode::global_load, 4, 3, 0, 0},
                                        MemoryInstruction{0x10, MemoryOpcode::shared_load, 16, 5, 0, 3},
                                        MemoryInstruction{0x20, MemoryOpcode::shared_store, 8, 5, 0, 5},
                                        MemoryInstruction{0x50, MemoryOpcode::global_load, 32, 4, 0, 5},
                                        MemoryInstruction{0x60, MemoryOpcode::global_store, 1, 9, 0, 4}));
  EXPECT_THAT(code->files, ElementsAre("/k/a.cu"));
  EXPECT_EQ(code->instructions, 8u);
}

TEST(MachineCode, IsCountedByWidth) {
  const std::string file = sample();
  const CubinInstructions counts = count_instructions(*read_machine_code(bytes_of(file), "kernel"));
  EXPECT_THAT(counts.shared_load.by_width, ElementsAre(0, 0, 0, 0, 1, 0));
  EXPECT_THAT(counts.shared_store.by_width, ElementsAre(0, 0, 0, 1, 0, 0));
  EXPECT_THAT(counts.global_load.by_width, ElementsAre(0, 0, 1, 0, 0, 1));
  EXPECT_EQ(counts.global_load.total(), 2u);
  EXPECT_THAT(counts.global_store.by_width, ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_EQ(counts.all, 8u);
}

TEST(MachineCode, SaysWhetherRegistersMove) {
  const std::string alloc =  // USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xf0
      instruction(0x000000f0000079c8, 0x000e240008000600);
  const std::string with = sample(alloc + text()), without = sample();
  EXPECT_TRUE(count_instructions(*read_machine_code(bytes_of(with), "kernel")).moves_registers);
  EXPECT_FALSE(count_instructions(*read_machine_code(bytes_of(without), "kernel")).moves_registers);
}

TEST(Resources, LeaveOutTheReserveOf90) {
  const std::string file = sample();
  const Result<CubinResources> resources = read_resources(bytes_of(file), "kernel");
  ASSERT_TRUE(resources);
  EXPECT_EQ(resources->static_shared_bytes, 400);
  EXPECT_EQ(resources->registers, 42);
  EXPECT_EQ(resources->stack_bytes, 88);
  EXPECT_EQ(resources->constant_bytes, 40);
  EXPECT_EQ(resources->arch, 90);
  const std::string older = sample(text(), 0x9005004);
  EXPECT_EQ(read_resources(bytes_of(older), "kernel")->static_shared_bytes, 1424);
}

TEST(MachineCode, OfAMissingKernelIsAnError) {
  const std::string file = sample();
  const Result<MachineCode> code = read_machine_code(bytes_of(file), "other");
  ASSERT_FALSE(code);
  EXPECT_THAT(code.error().message, HasSubstr("no kernel named other"));
  EXPECT_FALSE(read_resources(bytes_of(file), "other"));
}

TEST(MachineCode, OfAnythingElseIsAnError) {
  for (const std::string& file :
       {std::string(), std::string("ELF"), std::string(100, '\0'), sample().substr(0, 64)}) {
    EXPECT_FALSE(read_machine_code(bytes_of(file), "kernel"));
  }
}

TEST(MachineCode, NoLengthAndNoFlippedByteCrashesTheReader) {
  const std::string whole = sample();
  int errors = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    errors += !read_machine_code(bytes_of(cut), "kernel");
  }
  EXPECT_EQ(errors, static_cast<int>(whole.size()));  // the section headers come last
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const Result<MachineCode> code = read_machine_code(bytes_of(changed), "kernel");
      if (code) (void)count_instructions(*code);
      (void)read_resources(bytes_of(changed), "kernel");
    }
  }
}

}  // namespace
}  // namespace warplens::compile
