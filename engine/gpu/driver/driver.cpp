#include "engine/gpu/driver/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string>

namespace warplens::gpu {
namespace {

// CUdevice_attribute of cuda.h.
enum Attribute : int {
  kClockKhz = 13,
  kMultiprocessors = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kMajor = 75,
  kMinor = 76,
  kSharedOptin = 97,
};

Error unusable(std::string reason) {
  return {"no GPU can be used: " + std::move(reason),
          "install NVIDIA's driver on a machine with one of its GPUs; all else works without"};
}

}  // namespace

Result<std::shared_ptr<const Driver>> Driver::load() {
  // Never unloaded: the driver's threads may outlive its last call.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return unusable("NVIDIA's driver (libcuda.so.1) is not installed");
  auto driver = std::make_shared<Driver>();
  if (const char* missing = driver->functions_.bind_to(library); missing != nullptr)
    return unusable(std::string("NVIDIA's driver is too old, it has no ") + missing);
  bind(library, "cuTensorMapEncodeTiled", driver->functions_.cuTensorMapEncodeTiled);
  if (const int code = driver->functions_.cuInit(0); code != 0)
    return unusable(fmt::format("{} ({})", driver->text_of(code), driver->name_of(code)));
  WARPLENS_GPU_TRY(*driver, cuDriverGetVersion(&driver->version_));
  return std::shared_ptr<const Driver>(std::move(driver));
}

std::string Driver::name_of(int code) const {
  const char* name = nullptr;
  return functions_.cuGetErrorName(code, &name) == 0 && name != nullptr ? name
                                                                        : fmt::format("error {}", code);
}

std::string Driver::text_of(int code) const {
  const char* text = nullptr;
  return functions_.cuGetErrorString(code, &text) == 0 && text != nullptr ? text : "an error without a text";
}

Status Driver::check(int code, std::string_view call) const {
  if (code == 0) return Done{};
  return Error{
      fmt::format("{} failed: {} ({})", call.substr(0, call.find('(')), text_of(code), name_of(code)), ""};
}

Result<GpuDevice> Driver::describe(int ordinal) const {
  int device = 0;
  std::array<char, 256> name{}, bus{};
  std::size_t bytes = 0;
  WARPLENS_GPU_TRY(*this, cuDeviceGet(&device, ordinal));
  WARPLENS_GPU_TRY(*this, cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device));
  WARPLENS_GPU_TRY(*this, cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()) - 1, device));
  WARPLENS_GPU_TRY(*this, cuDeviceTotalMem_v2(&bytes, device));
  // An attribute that a driver does not know stays 0: it is only shown.
  const auto attribute = [&](Attribute which) {
    int value = 0;
    return functions_.cuDeviceGetAttribute(&value, which, device) == 0 ? value : 0;
  };
  return GpuDevice{.index = ordinal,
                   .name = name.data(),
                   .compute_capability = 10 * attribute(kMajor) + attribute(kMinor),
                   .multiprocessors = attribute(kMultiprocessors),
                   .clock_mhz = attribute(kClockKhz) / 1e3,
                   .memory_clock_mhz = attribute(kMemoryClockKhz) / 1e3,
                   .memory_bus_bits = attribute(kMemoryBusBits),
                   .memory_bytes = bytes,
                   .l2_bytes = static_cast<std::uint64_t>(attribute(kL2Bytes)),
                   .shared_per_block_optin = static_cast<std::uint64_t>(attribute(kSharedOptin)),
                   .pci_bus = bus.data()};
}

Result<std::vector<GpuDevice>> Driver::devices() const {
  int count = 0;
  WARPLENS_GPU_TRY(*this, cuDeviceGetCount(&count));
  std::vector<GpuDevice> devices;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    auto device = describe(ordinal);
    if (!device) return device.error();
    devices.push_back(*std::move(device));
  }
  return devices;
}

}  // namespace warplens::gpu
