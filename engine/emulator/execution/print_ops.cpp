// Calls of the functions that the device runtime has: printf, assert, malloc and free.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "engine/base/round_up.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/printed.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {
namespace {

std::string read_text(Warp& warp, std::uint64_t address) {
  std::string text;
  const Allocation* allocation = warp.worker->memory->find(address, 1);
  if (allocation == nullptr) return text;
  const char* from = reinterpret_cast<const char*>(warp.worker->memory->host(address));
  return std::string(
      from, strnlen(from, static_cast<std::size_t>(allocation->address + allocation->size - address)));
}

// The argument buffer of vprintf: each value at its natural alignment, floats as doubles.
class Arguments {
 public:
  Arguments(const std::byte* begin, std::size_t size) : begin_(begin), size_(size) {}
  std::uint64_t take(std::size_t bytes) {
    at_ = static_cast<std::size_t>(round_up(at_, bytes));
    std::uint64_t bits = 0;
    if (at_ + bytes <= size_) std::memcpy(&bits, begin_ + at_, bytes);
    at_ += bytes;
    return bits;
  }

 private:
  const std::byte* begin_;
  std::size_t size_, at_ = 0;
};

// One conversion, "%-8.3f": what the host's printf makes of the value. flags holds only characters checked by
// the caller.
std::string convert(Warp& warp, const std::string& flags, bool is_long, char kind, Arguments& arguments) {
  char text[512] = "";  // stays so where snprintf refuses a width
  const std::string prefix = "%" + flags;
  switch (kind) {
    case 'd':
    case 'i': {
      const long long value =
          is_long ? static_cast<long long>(arguments.take(8)) : static_cast<int>(arguments.take(4));
      std::snprintf(text, sizeof text, (prefix + "ll" + kind).c_str(), value);
      return text;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      const unsigned long long value = is_long ? arguments.take(8) : static_cast<unsigned>(arguments.take(4));
      std::snprintf(text, sizeof text, (prefix + "ll" + kind).c_str(), value);
      return text;
    }
    case 'c': {  // it may be the character 0
      const int length =
          std::snprintf(text, sizeof text, (prefix + "c").c_str(), static_cast<int>(arguments.take(4)));
      return std::string(text, static_cast<std::size_t>(std::clamp(length, 0, int{sizeof text} - 1)));
    }
    case 'p':
      std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(arguments.take(8)));
      return text;
    case 's': {
      const std::string value = read_text(warp, arguments.take(8));
      std::string padded(512 + value.size(), '\0');
      const int length = std::snprintf(padded.data(), padded.size(), (prefix + "s").c_str(), value.c_str());
      padded.resize(length < 0 ? 0 : std::min(static_cast<std::size_t>(length), padded.size() - 1));
      return padded;
    }
    default: {
      double value = 0;
      const std::uint64_t bits = arguments.take(8);
      std::memcpy(&value, &bits, 8);
      std::snprintf(text, sizeof text, (prefix + kind).c_str(), value);
      return text;
    }
  }
}

// No number in it is larger than what is kept of one conversion: "%999999999d" would take seconds.
std::string no_wider(const std::string& flags) {
  constexpr std::size_t kMostDigits = 3;
  constexpr int kWidest = 511;
  std::string result;
  for (std::size_t i = 0; i < flags.size();) {
    const std::size_t end = std::min(flags.find_first_not_of("0123456789", i), flags.size());
    const std::string digits = flags.substr(i, end - i);
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
    const bool is_wide = digits.size() - zeros > kMostDigits ||
                         (zeros < digits.size() && std::stoi(digits.substr(zeros)) > kWidest);
    result += is_wide ? digits.substr(0, zeros) + std::to_string(kWidest) : digits;
    if (end < flags.size()) result += flags[end];
    i = end + 1;
  }
  return result;
}

std::string format(Warp& warp, const std::string& pattern, Arguments arguments) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      result += pattern[i];
      continue;
    }
    std::string flags;
    bool is_long = false;
    for (++i; i < pattern.size(); ++i) {
      const char c = pattern[i];
      if (c == 'l' || c == 'z' || c == 'j' || c == 't')
        is_long = true;
      else if (c == '*')
        flags += std::to_string(static_cast<int>(arguments.take(4)));
      else if (c != 'h' && std::strchr("-+ #.0123456789", c) == nullptr)
        break;
      else if (c != 'h' && flags.size() < 16)
        flags += c;
    }
    if (i >= pattern.size()) break;
    if (pattern[i] == '%')
      result += '%';
    else if (std::strchr("diuxXocspfFeEgGaA", pattern[i]) != nullptr)
      result += convert(warp, no_wider(flags), is_long, pattern[i], arguments);
  }
  return result;
}

// A call argument: the .param variable it was stored to, which is local memory here.
std::uint64_t argument(Warp& warp, const ColdOperand& variable, std::uint32_t lane, std::size_t bytes) {
  std::uint64_t bits = 0;
  const std::uint64_t offset = variable.bits;
  if (offset + bytes > warp.worker->local_bytes) return 0;
  std::memcpy(
      &bits, warp.worker->local + (std::uint64_t{warp.index} * 32 + lane) * warp.worker->local_bytes + offset,
      bytes);
  return bits;
}

void give_result(Warp& warp, const PtxDetail& detail, std::uint32_t lane, std::uint64_t value,
                 std::size_t bytes) {
  const auto& results = detail.operands[0].elements;
  if (results.empty() || results[0].kind != ColdOperand::Kind::constant) return;
  const std::uint64_t offset = results[0].bits, size = warp.worker->local_bytes;
  if (offset + bytes <= size)
    std::memcpy(warp.worker->local + (std::uint64_t{warp.index} * 32 + lane) * size + offset, &value, bytes);
}

const MicroOp* print_text(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  const auto& arguments = detail.operands[2].elements;
  const auto is_full = [&] {
    return !warp.worker->keeps_printed || warp.worker->printed.size() >= kMostPrinted;
  };
  const auto lanes = static_cast<std::uint64_t>(__builtin_popcount(warp.exec));
  warp.extra += (is_full() ? kCostLeftOut : kCostOfCall) * lanes;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    give_result(warp, detail, lane, 0, 4);  // vprintf returns the number of arguments: 0 does
    if (is_full()) {
      ++warp.worker->not_printed;
      return;
    }
    const std::uint64_t buffer = argument(warp, arguments[1], lane, 8);
    const std::uint64_t offset = buffer & 0xffffffffu, size = warp.worker->local_bytes;
    const bool has_buffer = buffer >> 32 << 32 == kLocalWindow && offset < size;
    const std::byte* begin =
        has_buffer ? warp.worker->local + (std::uint64_t{warp.index} * 32 + lane) * size + offset : nullptr;
    warp.worker->printed +=
        format(warp, read_text(warp, argument(warp, arguments[0], lane, 8)),
               Arguments(begin, static_cast<std::size_t>(has_buffer ? size - offset : 0)));
  });
  return op + 1;
}

const MicroOp* assert_failed(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  const auto& arguments = detail.operands[2].elements;
  const auto lane = static_cast<std::uint32_t>(__builtin_ctz(warp.exec));
  const std::string condition =
      arguments.empty() ? "" : read_text(warp, argument(warp, arguments[0], lane, 8));
  return fault(warp, op, Fault::Kind::trap, lane, 0, "failed the assertion '" + condition + "'",
               "see why the condition does not hold");
}

// malloc: null where the 8 MB of the device's heap are used up.
const MicroOp* allocate_memory(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    const std::uint64_t size = argument(warp, detail.operands[2].elements[0], lane, 8);
    give_result(warp, detail, lane, warp.worker->memory->heap_allocate(size), 8);
  });
  return op + 1;
}

// What sites remember of memory that is gone.
void forget_places(Worker& worker, std::uint64_t address) {
  for (Site& site : worker.sites)
    if (site.low == address) site.low = 1, site.high = 0;
}

const MicroOp* free_memory(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  GlobalMemory& memory = *warp.worker->memory;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint64_t address = argument(warp, detail.operands[2].elements[0], lane, 8);
    if (address == 0) continue;
    const bool twice = memory.was_freed(address);
    if (!memory.heap_free(address))
      return fault(
          warp, op, Fault::Kind::out_of_bounds, lane, address,
          twice ? "frees memory that was freed before" : "frees a pointer that malloc() did not give",
          twice ? "free it once, and set the pointer to nullptr" : "free only what malloc() or new returned");
    forget_places(*warp.worker, address);
  }
  return op + 1;
}

}  // namespace

bool uses_heap(const std::string& name) { return name == "malloc" || name == "free"; }

Handler external_call_handler(const std::string& name, const ptx::Instruction& i) {
  if (i.operands.size() < 3) return nullptr;
  if (name == "vprintf" && i.operands[2].elements.size() == 2) return print_text;
  if (name == "__assertfail") return assert_failed;
  if (name == "malloc" && i.operands[2].elements.size() == 1) return allocate_memory;
  if (name == "free" && i.operands[2].elements.size() == 1) return free_memory;
  return nullptr;
}

}  // namespace warplens::emulator
