#include "engine/check/arrays.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "engine/emulator/flow/shared_layout.hpp"

namespace warplens::check {
namespace {

bool holds(const GlobalArray& array, std::uint64_t address, std::uint64_t width) {
  return address >= array.address && address + width <= array.address + array.size;
}

}  // namespace

GlobalArray* GlobalArrays::find(std::uint64_t address, std::uint64_t width) {
  if (last_ != nullptr && holds(*last_, address, width)) return last_;
  const auto after = arrays_.upper_bound(address);
  if (after != arrays_.begin())
    if (GlobalArray& array = std::prev(after)->second; holds(array, address, width)) return last_ = &array;
  const emulator::Allocation* place = facts_.memory->find(address, width);
  if (place == nullptr) return nullptr;
  GlobalArray& array = arrays_[place->address] = GlobalArray{};
  array.address = place->address;
  array.size = place->size;
  array.is_input = place->read_only;
  for (std::size_t b = 0; b < facts_.buffers.size(); ++b) {
    if (facts_.buffers[b].address != place->address) continue;
    array.number = static_cast<std::uint16_t>(b + 1 + facts_.kernel->layout().shared_variables().size());
    array.is_input = !facts_.buffers[b].is_output;
    array.is_initialized = facts_.buffers[b].is_initialized;
    array.initial = facts_.buffers[b].initial;
    array.is_never_set = facts_.buffers[b].is_never_set;
    array.unwritten = facts_.buffers[b].unwritten;
    array.written = array.size;
    for (const ByteRange& range : array.unwritten) array.written -= range.end - range.begin;
  }
  if (!array.is_input) array.cells = std::make_unique<Cells>(array.size / unit_ + 4);
  return last_ = &array;
}

std::uint8_t GlobalArray::written_before(std::uint64_t word, std::uint32_t unit) const {
  if (unwritten.empty()) return 0;
  std::uint8_t bytes = 0;
  for (std::uint32_t b = 0; b < unit; ++b) {
    const std::uint64_t at = word * unit + b;
    const auto range = std::ranges::upper_bound(unwritten, at, {}, &ByteRange::end);
    if (range == unwritten.end() || at < range->begin) bytes |= static_cast<std::uint8_t>(1u << b);
  }
  return bytes;
}

bool GlobalArrays::is_written_unseen(const GlobalArray& array, std::uint64_t address,
                                     std::uint64_t width) const {
  const std::uint64_t first = address - array.address;
  if (!facts_.is_sample || first + width > array.initial.size()) return false;
  return std::memcmp(facts_.memory->host(address), array.initial.data() + static_cast<std::size_t>(first),
                     static_cast<std::size_t>(width)) != 0;
}

void GlobalArrays::tidy(std::size_t most) {
  for (auto& [address, array] : arrays_)
    if (array.cells != nullptr) array.cells->tidy(most);
}

}  // namespace warplens::check
