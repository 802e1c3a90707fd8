// What a program has of the emulated device's memory: allocations in a file that the program has mapped too.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/base/process.hpp"
#include "engine/emulator/memory.hpp"
#include "engine/program/memory/memory_state.hpp"
#include "engine/program/memory/unwritten_memory.hpp"

namespace warplens::program {

class DeviceMemory {
 public:
  // Error: the system gives no such file, or no room for it.
  static Result<DeviceMemory> create(std::uint64_t most);

  const Descriptor& file() const { return file_; }
  emulator::GlobalMemory& memory() { return memory_; }
  Result<emulator::GlobalMemory> view() const { return memory_.private_view(file_.number()); }

  // is_visible: to the host's own code. The address; 0: no room.
  std::uint64_t allocate(std::uint64_t size, bool is_visible = false);
  bool release(std::uint64_t address);
  std::uint64_t most_used() const { return most_used_; }
  std::uint64_t used() const { return used_; }

  // The program's arrays and its modules' variables.
  std::vector<emulator::Allocation> arrays() const;
  MemoryState& state() { return state_; }
  UnwrittenMemory& unwritten() { return unwritten_; }
  // The host wrote these bytes.
  void touch(std::uint64_t address, std::uint64_t size) {
    state_.touch(address, size);
    unwritten_.write(address, size);
  }
  // Whether the host's own code may read and write what stands there.
  bool is_visible_at(std::uint64_t address) const;

 private:
  DeviceMemory(Descriptor file, emulator::GlobalMemory memory, std::uint64_t most)
      : file_(std::move(file)), memory_(std::move(memory)), most_(most) {}
  Descriptor file_;
  emulator::GlobalMemory memory_;
  std::uint64_t most_ = 0, used_ = 0, most_used_ = 0, made_ = 0;
  std::map<std::uint64_t, std::uint64_t> sizes_;
  MemoryState state_;
  UnwrittenMemory unwritten_;
};

}  // namespace warplens::program
