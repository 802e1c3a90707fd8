#include "engine/program/memory/unwritten_memory.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/protocol/protocol.hpp"

namespace warplens::program {

namespace {

// Of a function that is somewhere in the program, not of the system's such as vprintf.
bool calls_code(const ptx::Instruction& i, const std::vector<ptx::Function>& functions) {
  if (i.opcode != ptx::Opcode::call) return false;
  return std::ranges::none_of(i.operands, [&](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::function && operand.symbol < functions.size() &&
           functions[operand.symbol].is_external;
  });
}

}  // namespace

bool follows_addresses(const emulator::Kernel& kernel) {
  using enum ptx::Opcode;
  return std::ranges::any_of(kernel.function().code, [&](const ptx::Instruction& i) {
    if (i.opcode == cp_async_bulk_tensor || i.opcode == cp_reduce_async_bulk_tensor) return true;
    if (calls_code(i, kernel.program().functions)) return true;
    const bool reads = i.opcode == ld || i.opcode == ldu || i.opcode == atom;
    // Numbers of the type double are no addresses; what is copied as bits may be one.
    return reads && i.space != ptx::Space::param && ptx::size_in_bytes(i.type) >= 8 && !ptx::is_float(i.type);
  });
}

void UnwrittenMemory::allocate(std::uint64_t address, std::uint64_t size) {
  write(address, size);
  if (size > 0) ranges_[address] = address + size;
}

void UnwrittenMemory::write(std::uint64_t address, std::uint64_t size) {
  if (ranges_.empty() || size == 0) return;
  const std::uint64_t end = address + size;
  auto range = ranges_.upper_bound(address);
  if (range != ranges_.begin() && std::prev(range)->second > address) --range;
  while (range != ranges_.end() && range->first < end) {
    const auto [first, behind] = *range;
    range = ranges_.erase(range);
    if (first < address) ranges_[first] = address;
    if (behind > end) ranges_[end] = behind;
  }
}

void UnwrittenMemory::launch(std::span<const std::byte> arguments, bool follows,
                             const emulator::GlobalMemory& memory) {
  if (ranges_.empty()) return;
  if (follows) return write_all();
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= arguments.size(); ++at) {
    std::uint64_t word = 0;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    if (word < emulator::kGlobalBase || word - emulator::kGlobalBase >= protocol::kArenaBytes) continue;
    const emulator::Allocation* array = memory.find(word, 1);
    if (array == nullptr) array = memory.find(word - 1, 1);  // an end
    if (array == nullptr) return write_all();
    write(array->address, array->size);
  }
}

std::vector<check::ByteRange> UnwrittenMemory::in(std::uint64_t address, std::uint64_t size) const {
  std::vector<check::ByteRange> list;
  auto range = ranges_.upper_bound(address);
  if (range != ranges_.begin() && std::prev(range)->second > address) --range;
  for (; range != ranges_.end() && range->first < address + size; ++range)
    list.push_back(
        {std::max(range->first, address) - address, std::min(range->second, address + size) - address});
  return list;
}

}  // namespace warplens::program
