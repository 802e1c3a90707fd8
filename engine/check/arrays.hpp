// What is known of each array of global memory beside its contents: who accessed its words.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/check/races.hpp"

namespace warplens::check {

struct GlobalArray {
  std::uint64_t address = 0, size = 0;
  bool is_input = false;                      // of the problem: nobody may write it
  bool is_initialized = true;                 // before the launch
  bool is_never_set = false;                  // known of the file of the kernel
  std::uint16_t number = 0;                   // as Registers counts arrays; 0: none of the launch's arguments
  std::unique_ptr<Cells> cells;               // one a unit; none of inputs
  std::span<const std::byte> initial = {};    // what it held before the launch, where that is a mark
  std::span<const ByteRange> unwritten = {};  // see BufferFacts
  std::uint64_t written = 0;                  // bytes that are not among those
  // Of a unit, by its number, a bit each byte: those that the program wrote before the launch.
  std::uint8_t written_before(std::uint64_t word, std::uint32_t unit) const;
};

class GlobalArrays {
 public:
  // unit: bytes of a Cell.
  GlobalArrays(const LaunchFacts& facts, std::uint32_t unit) : facts_(facts), unit_(unit) {}
  // The array that holds the bytes; null where none does.
  GlobalArray* find(std::uint64_t address, std::uint64_t width);
  void tidy(std::size_t most);  // see Cells
  // Whether a block that nobody watches has written the bytes: they are no longer what they were.
  bool is_written_unseen(const GlobalArray& array, std::uint64_t address, std::uint64_t width) const;

 private:
  const LaunchFacts& facts_;
  std::uint32_t unit_;
  std::map<std::uint64_t, GlobalArray> arrays_;  // by address
  GlobalArray* last_ = nullptr;
};

}  // namespace warplens::check
