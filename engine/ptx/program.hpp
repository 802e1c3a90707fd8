// PTX text as data: what the parser makes and the emulator lowers. Sizes are bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ptx/instruction.hpp"

namespace warplens::ptx {

struct Register {
  std::string name;  // "%rd12"
  Type type = Type::none;
};

// Where a constant of a variable's initialiser holds the address of another variable.
struct Relocation {
  std::uint64_t offset = 0;  // bytes into the variable
  SymbolId symbol = 0;       // index into Program::variables
  std::int64_t addend = 0;
  bool generic = false;   // generic(symbol): a generic address, else one in the variable's own space
  bool function = false;  // symbol indexes Program::functions instead (a table of functions)
};

struct Variable {
  std::string name;
  Space space = Space::global;  // global, constant, shared, local, or param (the arguments of a call)
  Type type = Type::b8;         // of one element
  std::uint32_t alignment = 1;  // bytes, a power of two
  std::uint64_t size = 0;       // bytes; 0 for an unsized extern array (dynamic shared memory)
  bool external = false;
  std::vector<std::byte> initial;  // empty, or `size` bytes
  std::vector<Relocation> relocations;
};

struct Parameter {
  std::string name;
  Type type = Type::b8;
  std::uint32_t alignment = 1;
  std::uint64_t size = 0;    // bytes
  std::uint64_t offset = 0;  // bytes from the start of the parameter block
};

// A `.loc`: the kernel's source line an instruction came from. file indexes Program::files, -1 where unknown.
// inlined_at indexes Function::locations (the call's place), -1 where not inlined.
struct SourceLocation {
  int file = -1;
  int line = 0;
  int column = 0;
  int inlined_at = -1;
  bool operator==(const SourceLocation&) const = default;
};

struct BranchTable {
  std::vector<std::uint32_t> targets;  // brx.idx: indices into Function::code
  // Of a call through a pointer, inlined: the index is the address of a function, of which there is one target
  // a function of the program; kNoFunction where that function cannot be called there.
  bool of_functions = false;
  static constexpr std::uint32_t kNoFunction = ~std::uint32_t{0};
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool is_external = false;           // declared only (vprintf, __assertfail, malloc, free)
  std::vector<Parameter> parameters;  // an entry's launch parameters, or a function's arguments ...
  std::uint32_t return_count = 0;     // ... of which the LAST return_count are its return values
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .shared, .local and call arguments (.param) declared inside the body
  std::vector<Instruction> code;    // a branch to code.size() is a fall off the end (an implicit ret)
  std::vector<BranchTable> branch_tables;
  std::vector<SourceLocation> locations;
  std::array<std::uint32_t, 3> required_threads{};  // .reqntid, 0 where absent
  std::array<std::uint32_t, 3> maximum_threads{};   // .maxntid, 0 where absent
  std::array<std::uint32_t, 3> cluster{};           // .reqnctapercluster (__cluster_dims__), 0 where absent
};

// Whether any instruction has it as an operand.
bool reads_special(const Function& function, Special special);

struct Program {
  int isa_version = 0;              // 10 * major + minor
  int target = 0;                   // 80 for sm_80
  std::vector<std::string> files;   // of `.file`; index as used by SourceLocation::file
  std::vector<Variable> variables;  // module scope: .global, .const, .shared (also extern)
  std::vector<Function> functions;
};

}  // namespace warplens::ptx
