// What the blocks of a launch print, in the order of the blocks, whichever of them ended first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace warplens::emulator {

// Bytes that are kept, as much as the device's own buffer has (CUDA C++ Programming Guide, "Limitations" of
// formatted output). The device keeps the newest, this the first.
inline constexpr std::size_t kMostPrinted = 1u << 20;
inline constexpr std::uint64_t kMostLines = 4096;  // that anybody reads
// What a call costs of the instruction budget, in instructions of a warp: as long as it takes. One that has no
// room costs more: nobody waits for what is not shown, so a flood ends soon.
inline constexpr std::uint64_t kCostOfCall = 64, kCostLeftOut = 500;

class Printed {
 public:
  bool is_full() const { return bytes_ >= kMostPrinted; }
  // Whether blocks before it leave room for what it prints.
  bool has_room(std::uint64_t block) const;
  void add(std::uint64_t block, std::string text);
  // Up to that block and with it: the first lines, and a last one that says how many there were more.
  // left_out: calls of printf that had no room, each taken for a line.
  std::string text(std::uint64_t last, std::uint64_t left_out = 0) const;

 private:
  std::map<std::uint64_t, std::string> blocks_;
  std::size_t bytes_ = 0;
  std::uint64_t lines_left_out_ = 0;  // with those of blocks that are not kept
};

}  // namespace warplens::emulator
