// For tests and benchmarks: buffers, arguments and launches of small kernels without the rest of the engine.
#pragma once

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/parser.hpp"

namespace warplens::emulator {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// An H100, as far as the emulator looks at it.
inline device::Device test_device() {
  device::Device device;
  device.id = "h100";
  device.name = "NVIDIA H100 SXM";
  device.shared_per_sm = 233472;
  device.shared_per_block = 49152;
  device.shared_per_block_optin = 232448;
  device.sm_count = 132;
  return device;
}

// A parameter block: each value at its natural alignment.
class ArgumentList {
 public:
  template <class T>
  ArgumentList& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.resize((bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T));
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof(T));
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// One kernel of a PTX text with its memory.
class Bench {
 public:
  // For the buffers and the kernel's own heap. Where memory is not given by pages, all of it is cleared for each bench.
  static constexpr std::uint64_t kRoom = 64u << 20;
  explicit Bench(const std::string& ptx, const std::string& entry = "",
                 const device::Device& device = test_device(), const MachineAccesses* issued = nullptr)
      : memory_(std::move(*GlobalMemory::create(kRoom))) {
    ptx::Parsed parsed = ptx::parse(ptx);
    if (!parsed.errors.empty()) {
      error_ = to_line(parsed.errors.front());
      return;
    }
    auto kernel =
        Kernel::prepare(std::make_shared<ptx::Program>(std::move(parsed.program)), entry, device, issued);
    if (kernel)
      kernel_ = *kernel;
    else
      error_ = to_line(kernel.error());
  }
  const std::string& error() const { return error_; }
  const Kernel* kernel() const { return kernel_.get(); }
  GlobalMemory& memory() { return memory_; }

  template <class T>
  std::uint64_t buffer(const std::string& name, const std::vector<T>& contents) {
    const auto allocation = *memory_.allocate(name, contents.size() * sizeof(T));
    std::memcpy(memory_.bytes(allocation).data(), contents.data(), contents.size() * sizeof(T));
    return allocation.address;
  }
  template <class T>
  std::vector<T> read(std::uint64_t address, std::size_t count) {
    std::vector<T> contents(count);
    std::memcpy(contents.data(), memory_.host(address), count * sizeof(T));
    return contents;
  }
  Result<Outcome> run(const Launch& launch) { return kernel_->run(launch, memory_); }

 private:
  GlobalMemory memory_;
  std::shared_ptr<const Kernel> kernel_;
  std::string error_;
};

}  // namespace warplens::emulator
