// What is in a program's arrays, as a number that changes with it; and what a launch changed, so that it can be put there again.
// Arrays are looked at in pieces, and those again that somebody may have written.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/emulator/memory.hpp"

namespace warplens::program {

// Pieces of memory with what a launch left in them.
struct Effect {
  struct Piece {
    std::uint64_t address = 0, hash = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<Piece> pieces;
  std::uint64_t bytes = 0;  // of all of them
  bool is_whole = true;     // false: they were too many to keep
};

class MemoryState {
 public:
  // Somebody wrote these bytes, or may have written all.
  void touch(std::uint64_t address, std::uint64_t size);
  void touch_all() { all_touched_ = true; }
  // Writes this byte to each of these, but where it is known to be there: loops that measure clear the same memory each time.
  void fill(std::uint64_t address, std::uint64_t size, std::byte value, emulator::GlobalMemory& memory);
  // The host's own code writes this array at any time and says nothing.
  void set_visible(std::uint64_t address) { tracked_[address].is_visible = true; }
  bool is_visible(std::uint64_t address) const {
    const auto found = tracked_.find(address);
    return found != tracked_.end() && found->second.is_visible;
  }
  void forget(std::uint64_t address) { tracked_.erase(address); }

  // changes: if given, gets the pieces that are not as they were at the last call, `most` bytes of them.
  std::uint64_t fingerprint(emulator::GlobalMemory& memory, Effect* changes = nullptr,
                            std::uint64_t most = 0);
  void apply(const Effect& effect, emulator::GlobalMemory& memory);

 private:
  struct Tracked {
    std::uint64_t size = 0;
    bool is_visible = false;
    std::vector<std::uint64_t> hashes;  // a piece; 0: not known
  };
  std::uint64_t hash_all(std::uint64_t address, Tracked& one, std::span<const std::byte> bytes,
                         Effect* changes, std::uint64_t most);
  std::map<std::uint64_t, Tracked> tracked_;  // by address
  bool all_touched_ = true;
};

}  // namespace warplens::program
