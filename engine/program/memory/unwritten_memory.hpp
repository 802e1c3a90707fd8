// Bytes of the program's arrays that nobody has written since they were allocated: no call of the host and, as far as is known,
// no kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/check/scene.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::program {

// Whether a kernel may come to memory through an address that it reads from memory, and not from its arguments.
bool follows_addresses(const emulator::Kernel& kernel);

class UnwrittenMemory {
 public:
  void allocate(std::uint64_t address, std::uint64_t size);
  // Also of what is released.
  void write(std::uint64_t address, std::uint64_t size);
  void write_all() { ranges_.clear(); }
  // A launch that nobody watched: it may have written all of the arrays that its arguments point into, whose bytes these are.
  void launch(std::span<const std::byte> arguments, bool follows, const emulator::GlobalMemory& memory);

  bool is_empty() const { return ranges_.empty(); }
  // Of an array, as distances from its first byte, ascending.
  std::vector<check::ByteRange> in(std::uint64_t address, std::uint64_t size) const;

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // from the first byte of each to the one behind it
};

}  // namespace warplens::program
