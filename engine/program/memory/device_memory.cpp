#include "engine/program/memory/device_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::program {
namespace {

static_assert(protocol::kArenaBase == emulator::kGlobalBase);

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

std::uint64_t DeviceMemory::allocate(std::uint64_t size, bool is_visible) {
  if (size > most_ || used_ > most_ - size) return 0;
  const auto made = memory_.allocate(fmt::format("allocation {}", ++made_), size);
  if (!made) return 0;
  used_ += size;
  most_used_ = std::max(most_used_, used_);
  sizes_[made->address] = size;
  state_.forget(made->address);
  if (is_visible)
    state_.set_visible(made->address);
  else
    unwritten_.allocate(made->address, size);
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
  unwritten_.write(address, found->second);
  sizes_.erase(found);
  state_.forget(address);
  return true;
}

bool DeviceMemory::is_visible_at(std::uint64_t address) const {
  const emulator::Allocation* near = memory_.nearest(address);
  return near != nullptr && address >= near->address && address - near->address < near->size &&
         state_.is_visible(near->address);
}

std::vector<emulator::Allocation> DeviceMemory::arrays() const {
  std::vector<emulator::Allocation> list;
  for (const emulator::Allocation& one : memory_.allocations())
    if (!one.internal) list.push_back(one);
  return list;
}

}  // namespace warplens::program
