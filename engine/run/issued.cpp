#include "engine/run/issued.hpp"

#include "engine/compile/cubin.hpp"

namespace warplens::run {

std::optional<emulator::MachineAccesses> issued_accesses(const compile::Build& build) {
  if (build.cubin.empty()) return std::nullopt;
  const auto code = compile::read_machine_code(build.cubin, build.kernel_name);
  if (!code) return std::nullopt;
  emulator::MachineAccesses issued{.accesses = {}, .voted_lines = code->voted_lines};
  for (const compile::MemoryInstruction& i : code->memory) {
    using enum compile::MemoryOpcode;
    const bool store = i.opcode == shared_store || i.opcode == global_store;
    const bool shared = i.opcode == shared_load || i.opcode == shared_store;
    issued.accesses.push_back({store, i.ptx_line, static_cast<std::uint8_t>(i.width_bytes),
                               shared ? ptx::Space::shared : ptx::Space::global,
                               code->first_exit != 0 && i.offset > code->first_exit});
  }
  return issued;
}

}  // namespace warplens::run
