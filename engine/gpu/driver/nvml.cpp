#include "engine/gpu/driver/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/shared_library.hpp"
#include "engine/gpu/driver/statistics.hpp"

namespace warplens::gpu {

#define NVML_FUNCTIONS(F)                                                          \
  F(int, nvmlInit_v2, ())                                                          \
  F(int, nvmlSystemGetDriverVersion, (char* version, unsigned length))             \
  F(int, nvmlDeviceGetHandleByPciBusId_v2, (const char* bus, void** device))       \
  F(int, nvmlDeviceGetClockInfo, (void* device, int type, unsigned* mhz))          \
  F(int, nvmlDeviceGetPowerUsage, (void* device, unsigned* milliwatts))            \
  F(int, nvmlDeviceGetEnforcedPowerLimit, (void* device, unsigned* milliwatts))    \
  F(int, nvmlDeviceGetMaxPcieLinkGeneration, (void* device, unsigned* generation)) \
  F(int, nvmlDeviceGetMaxPcieLinkWidth, (void* device, unsigned* lanes))           \
  F(int, nvmlDeviceGetTemperature, (void* device, int sensor, unsigned* celsius))  \
  F(int, nvmlDeviceGetCurrentClocksThrottleReasons, (void* device, unsigned long long* reasons))

struct Nvml::Functions {
  WARPLENS_FUNCTION_TABLE(NVML_FUNCTIONS)
};

namespace {

constexpr int kClockOfMultiprocessors = 1, kClockOfMemory = 2;  // nvmlClockType_t
constexpr int kSensorOfGpu = 0;                                 // nvmlTemperatureSensors_t

}  // namespace

std::unique_ptr<Nvml> Nvml::open(const std::string& pci_bus) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto functions = std::make_shared<Functions>();
  if (functions->bind_to(library) != nullptr || functions->nvmlInit_v2() != 0) return nullptr;
  auto nvml = std::make_unique<Nvml>();
  if (!pci_bus.empty() && functions->nvmlDeviceGetHandleByPciBusId_v2(pci_bus.c_str(), &nvml->device_) != 0)
    return nullptr;
  nvml->functions_ = std::move(functions);
  return nvml;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> version{};
  const int code = functions_->nvmlSystemGetDriverVersion(version.data(), version.size() - 1);
  return code == 0 ? version.data() : "";
}

std::string Nvml::bus() const {
  unsigned generation = 0, lanes = 0;
  if (device_ == nullptr || functions_->nvmlDeviceGetMaxPcieLinkGeneration(device_, &generation) != 0 ||
      functions_->nvmlDeviceGetMaxPcieLinkWidth(device_, &lanes) != 0)
    return "";
  return fmt::format("PCIe {}.0 x{}", generation, lanes);
}

void Nvml::read() {
  if (device_ == nullptr) return;
  const Functions& f = *functions_;
  unsigned value = 0;
  unsigned long long reasons = 0;
  const auto raise = [&](double& highest, double seen) { highest = std::max(highest, seen); };
  ++highest_.readings;
  if (f.nvmlDeviceGetClockInfo(device_, kClockOfMultiprocessors, &value) == 0) clocks_.push_back(value);
  if (f.nvmlDeviceGetClockInfo(device_, kClockOfMemory, &value) == 0) raise(highest_.memory_clock_mhz, value);
  if (f.nvmlDeviceGetPowerUsage(device_, &value) == 0) raise(highest_.power_watts, value / 1e3);
  if (f.nvmlDeviceGetEnforcedPowerLimit(device_, &value) == 0) raise(highest_.power_limit_watts, value / 1e3);
  if (f.nvmlDeviceGetTemperature(device_, kSensorOfGpu, &value) == 0)
    raise(highest_.temperature_celsius, value);
  if (f.nvmlDeviceGetCurrentClocksThrottleReasons(device_, &reasons) == 0) reasons_ |= reasons;
}

Conditions Nvml::conditions() const {
  Conditions conditions = highest_;
  std::vector<double> clocks = clocks_;
  std::sort(clocks.begin(), clocks.end());
  if (!clocks.empty()) {
    conditions.clock_mhz = quantile(clocks, 0.5);
    conditions.lowest_clock_mhz = clocks.front();
  }
  conditions.throttle_reasons = throttle_names(reasons_);
  return conditions;
}

// nvmlClocksEventReasons of nvml.h.
std::vector<std::string> throttle_names(unsigned long long reasons) {
  static constexpr std::array<std::pair<unsigned long long, const char*>, 8> kNames{
      {{0x002, "applications' clock setting"},
       {0x004, "power cap"},
       {0x008, "hardware slowdown"},
       {0x010, "sync boost"},
       {0x020, "temperature"},
       {0x040, "hardware temperature"},
       {0x080, "hardware power brake"},
       {0x100, "display clock setting"}}};
  std::vector<std::string> names;
  for (const auto& [bit, name] : kNames) {
    if ((reasons & bit) != 0) names.emplace_back(name);
  }
  return names;
}

}  // namespace warplens::gpu
