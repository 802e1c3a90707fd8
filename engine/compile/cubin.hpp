// What ptxas really made: the memory instructions of a kernel's machine code, each with its width and its
// lines in the source and the PTX, and the resources that the cubin itself states. Reads the ELF file alone;
// needs no NVRTC.
//
// Encoding, compute capability 7.5 to 12.1: an instruction is 16 bytes, little-endian. Bits 0-11 are the
// opcode, of which bits 9-11 tell the operand form (3: register, 9: with a uniform register, from bit 8 up).
// Bits 73-75 are the width of one lane's access: 0 U8, 1 S8, 2 U16, 3 S16, 4 32 bits, 5 64, 6 128. Two
// opcodes of 10.0 and later always move 256 bits. Found by compiling probes of every width and address form
// for the twelve architectures of NVRTC 13.0 and reading them with nvdisasm 13.1. Neighbours that are not
// these: LDSM 0x83b, LDGSTS 0xfae, ATOMS 0x38c/0x38d/ 0x58d/0x98c, LDL 0x983, STL 0x387, generic LD 0x980,
// generic ST 0x385/0x985.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/compile/build.hpp"

namespace warplens::compile {

enum class MemoryOpcode : std::uint8_t {
  shared_load,
  shared_store,
  global_load,
  global_store
};  // LDS STS LDG STG

struct MemoryInstruction {
  std::uint32_t offset = 0;  // bytes from the kernel's first instruction
  MemoryOpcode opcode = MemoryOpcode::shared_load;
  std::uint32_t width_bytes = 0;  // of one lane's access: 1, 2, 4, 8, 16, 32
  int line = 0;   // of the source, from 1; of the inlined function where one was inlined; 0: unknown
  int file = -1;  // index into MachineCode::files; -1: unknown
  // Of the PTX that it was made of, from 1; 0: unknown. Of accesses that ptxas vectorized it is that of the
  // first load, or of the last store.
  int ptx_line = 0;
  bool operator==(const MemoryInstruction&) const = default;
};

struct MachineCode {
  std::vector<MemoryInstruction> memory;  // ascending offsets; without those guarded by !PT
  // Lines of the PTX with a vote of the warp, ascending. Of an atomic: ptxas votes for the lane that updates the word
  // for all, with what the lanes have together (so where the address is the same for all of them and integers are added,
  // compared or combined by bits; ptxas 13.0, seen for 7.5 to 9.0). With them the instruction that adds the number of
  // its lanes to a word of shared memory.
  std::vector<int> voted_lines;
  // Offset of the first EXIT under a condition, if no jump or call stands before it; 0: there is none. What stands
  // behind it is executed for the lanes that the condition lets pass.
  std::uint32_t first_exit = 0;
  std::vector<std::string> files;  // the kernel's own without its folder: "/naive.cu"
  std::uint32_t instructions = 0;  // all, without the NOPs that pad the end
  bool moves_registers = false;    // has a USETMAXREG
};

// kernel: Build.kernel_name. Device functions that were not inlined count with the kernel that they were
// placed in. Errors: not an ELF file, a malformed one, no such kernel.
Result<MachineCode> read_machine_code(std::span<const std::byte> cubin, std::string_view kernel);

CubinInstructions count_instructions(const MachineCode& code);

struct CubinResources {
  int registers = 0;                     // a thread
  std::int64_t static_shared_bytes = 0;  // a block, without the 1 KB that 9.0 and later reserve
  std::int64_t stack_bytes = 0;          // a thread's frame
  std::int64_t constant_bytes = 0;       // __constant__ variables of the file (bank 3)
  int arch = 0;                          // 90
};
// Errors: as above.
Result<CubinResources> read_resources(std::span<const std::byte> cubin, std::string_view kernel);

}  // namespace warplens::compile
