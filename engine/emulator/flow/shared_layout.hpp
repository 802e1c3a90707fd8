// Where the variables of a kernel lie: static shared memory in the order of declaration, then the dynamic
// part; local memory of a thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// Shared memory behind the kernel's own, for the groups of cooperative_groups that have several warps. CUDA has
// it before the kernel's own, and takes it for itself on all devices since 8.0.
inline constexpr std::uint32_t kReservedShared = 1024;
constexpr std::uint32_t reserved_shared(std::uint32_t static_bytes, std::uint32_t dynamic_bytes) {
  return (static_bytes + dynamic_bytes + 127) / 128 * 128;
}

class SharedLayout {
 public:
  SharedLayout() = default;
  // Variables of the module and of the (flat) function.
  SharedLayout(const ptx::Program& program, const ptx::Function& function);

  std::uint32_t static_bytes() const { return static_bytes_; }  // an unsized extern array starts here
  std::uint32_t local_bytes() const { return local_bytes_; }    // of one thread, a multiple of 16
  // Offset in shared (or local) memory of a variable of the module or of the function.
  std::uint32_t module_offset(ptx::SymbolId symbol) const { return module_offsets_[symbol]; }
  std::uint32_t function_offset(ptx::SymbolId symbol) const { return function_offsets_[symbol]; }

  struct Named {
    std::string name;
    std::uint32_t offset = 0, size = 0;  // size 0: dynamic shared memory, up to the end
  };
  const std::vector<Named>& shared_variables() const { return shared_; }
  // "As[132]" in words: the variable at or nearest below an offset of shared memory, and how far into it.
  std::string describe(std::uint32_t offset) const;

 private:
  void place(const ptx::Variable& variable, std::uint32_t& offset);
  std::uint32_t static_bytes_ = 0, local_bytes_ = 0;
  std::vector<std::uint32_t> module_offsets_, function_offsets_;
  std::vector<Named> shared_;
};

}  // namespace warplens::emulator
