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

class Printed {
 public:
  bool is_full() const { return bytes_ >= kMostPrinted; }
  // Whether blocks before it leave room for what it prints.
  bool has_room(std::uint64_t block) const;
  void add(std::uint64_t block, std::string text);
  // Up to that block and with it.
  std::string text(std::uint64_t last) const;

 private:
  std::map<std::uint64_t, std::string> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace warplens::emulator
