// A program's variables in memory.
#include <algorithm>
#include <cstring>

#include "engine/emulator/launch.hpp"

namespace warplens::emulator {
namespace {

bool is_placed(const ptx::Variable& variable) {
  return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

Result<Allocation> place(const ptx::Variable& variable, GlobalMemory& memory, bool again) {
  const bool read_only = variable.space == ptx::Space::constant, internal = variable.name.front() == '$';
  return again ? memory.allocate_for_module(variable.name, variable.size, read_only, internal)
               : memory.allocate_variable(variable.name, variable.size, read_only, internal);
}

// The addresses that initial values are.
void relocate(const ptx::Variable& variable, std::uint64_t at, const std::vector<std::uint64_t>& addresses,
              GlobalMemory& memory) {
  for (const ptx::Relocation& relocation : variable.relocations) {
    if (at == 0 || relocation.offset + 8 > variable.size) continue;
    const std::uint64_t address =
        relocation.function ? address_of_function(relocation.symbol)
                            : addresses[relocation.symbol] + static_cast<std::uint64_t>(relocation.addend);
    std::memcpy(memory.host(at + relocation.offset), &address, 8);
  }
}

}  // namespace

Result<std::vector<std::uint64_t>> place_variables(const ptx::Program& program, GlobalMemory& memory,
                                                   bool again) {
  const auto& variables = program.variables;
  std::vector<std::uint64_t> addresses(variables.size(), 0);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (!is_placed(variables[v])) continue;
    const auto placed = place(variables[v], memory, again);
    if (!placed) return placed.error();
    addresses[v] = placed->address;
    std::ranges::copy(variables[v].initial, memory.bytes(*placed).begin());
  }
  for (std::size_t v = 0; v < variables.size(); ++v) relocate(variables[v], addresses[v], addresses, memory);
  return addresses;
}

}  // namespace warplens::emulator
