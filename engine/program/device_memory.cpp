#include "engine/program/device_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/base/text.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::program {
namespace {

static_assert(protocol::kArenaBase == emulator::kGlobalBase);

// Four sums side by side, so that the processor need not wait for one.
std::uint64_t sum_of(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t sums[4] = {bytes.size(), 2, 3, 4}, words[4];
  std::size_t at = 0;
  for (; at + sizeof words <= bytes.size(); at += sizeof words) {
    std::memcpy(words, bytes.data() + at, sizeof words);
    for (int i = 0; i < 4; ++i) {
      sums[i] = (sums[i] ^ words[i]) * kOdd;
      sums[i] ^= sums[i] >> 29;
    }
  }
  for (; at < bytes.size(); ++at) sums[0] = (sums[0] ^ static_cast<std::uint64_t>(bytes[at])) * kOdd;
  return ((sums[0] * 31 + sums[1]) * 31 + sums[2]) * 31 + sums[3];
}

}  // namespace

// Nobody can make it smaller under the emulator's hands: that would end this process.
Result<DeviceMemory> DeviceMemory::create(std::uint64_t most) {
  Descriptor file(memfd_create("warplens-device", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.number(), static_cast<off_t>(protocol::kArenaBytes)) != 0)
    return Error{"the system gives no file for device memory",
                 "free memory, or allow larger files (ulimit -f)"};
  fcntl(file.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  auto memory = emulator::GlobalMemory::create_on(file.number(), protocol::kArenaBytes);
  if (!memory) return memory.error();
  return DeviceMemory(std::move(file), *std::move(memory), most);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t size) {
  if (size > most_ || used_ > most_ - size) return 0;
  const auto made = memory_.allocate(fmt::format("allocation {}", ++made_), size);
  if (!made) return 0;
  used_ += size;
  most_used_ = std::max(most_used_, used_);
  sizes_[made->address] = size;
  return made->address;
}

// Whole pages go back to the system; allocations share none.
bool DeviceMemory::release(std::uint64_t address) {
  const auto found = sizes_.find(address);
  if (found == sizes_.end() || !memory_.release(address)) return false;
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t offset = address - emulator::kGlobalBase, begin = offset / kPage * kPage;
  const std::uint64_t end = (offset + found->second + kPage - 1) / kPage * kPage;
  fallocate(file_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
            static_cast<off_t>(end - begin));
  used_ -= found->second;
  sizes_.erase(found);
  return true;
}

std::vector<emulator::Allocation> DeviceMemory::arrays() const {
  std::vector<emulator::Allocation> list;
  for (const emulator::Allocation& one : memory_.allocations())
    if (!one.internal) list.push_back(one);
  return list;
}

std::uint64_t DeviceMemory::fingerprint() {
  std::uint64_t all = 1;
  for (const emulator::Allocation& one : memory_.allocations())
    if (!one.internal) all = all * 1099511628211u + one.address + sum_of(memory_.bytes(one));
  return all;
}

}  // namespace warplens::program
