// Which values of a kernel's parameters a device can launch: by the limits of its compute capability, and by
// what compiling showed of static shared memory and registers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/compile/build.hpp"
#include "engine/device/device.hpp"

namespace warplens::run {

// Of one block and one thread.
struct Resources {
  std::int64_t static_shared_bytes = 0;
  int registers = 0;  // 0: not known, only PTX was made
};

// ptxas gives no kernel more static shared memory than this on any device (CUDA C++ Programming Guide,
// "Shared Memory": more has to be dynamic).
inline constexpr std::int64_t most_static_shared_bytes = 48 << 10;

// What was found by compiling, by source, values and architecture. Thread-safe.
class KnownResources {
 public:
  void note(const compile::Request& request, const Resources& resources);
  std::optional<Resources> find(const compile::Request& request) const;
  // Grows with every set of values of which more is known than before.
  std::uint64_t version() const;

 private:
  struct Key {
    std::size_t source = 0;  // its hash
    int arch = 0;
    catalog::Values defines;
    auto operator<=>(const Key&) const = default;
  };
  static Key key_of(const compile::Request& request);

  mutable std::mutex mutex_;  // guards what is below
  std::map<Key, Resources> known_;
  std::uint64_t version_ = 0;
};

// The registers of a thread as the device itself has them. Machine code for an older device is made for the
// oldest architecture that NVRTC has, whose registers say nothing of the device: then those that the kernel's
// file gives for its own values, else 0, which is not known. machine_code: of that code.
int registers_on(const device::Device& device, const catalog::KernelSpec& spec, const catalog::Values& values,
                 int machine_code);

// What the device takes of this kernel at these sizes, as far as it is known now. registers: those of a
// thread count too, where they are known.
catalog::Limits limits_of(const device::Device& device, const catalog::KernelSpec& spec,
                          const catalog::Values& sizes, std::shared_ptr<const KnownResources> known,
                          bool registers = true);

// Whether a set of values may still prove too large for the device once it is compiled: its static shared
// memory.
bool needs_compiling(const device::Device& device, const catalog::LaunchShape& launch);

// Says that `now`, the nearest values that the device takes, replace `wanted`, and why: one line.
std::string gave_way_words(const catalog::KernelSpec& spec, const catalog::Values& wanted,
                           const catalog::Values& now, const catalog::Values& sizes,
                           const catalog::Limits& limits);

// "BLOCK_Y = 16": the values that differ.
std::string changed_words(const catalog::Values& before, const catalog::Values& after);

}  // namespace warplens::run
