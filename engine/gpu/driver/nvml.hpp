// NVIDIA's management library, loaded at run time: clocks, power and what holds the clocks back. Where it is
// missing there is simply nothing to read.
// https://docs.nvidia.com/deploy/nvml-api
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/gpu/types.hpp"

namespace warplens::gpu {

class Nvml {
 public:
  // Null where the library or the GPU is not there. pci_bus: as GpuDevice has it; empty for the library
  // alone.
  static std::unique_ptr<Nvml> open(const std::string& pci_bus);

  std::string driver_version() const;  // "580.159.04"; empty where not known
  std::string bus() const;             // "PCIe 5.0 x16"; empty where not known
  void read();                         // one more reading
  Conditions conditions() const;       // of all readings so far

 private:
  struct Functions;
  std::shared_ptr<const Functions> functions_;
  void* device_ = nullptr;
  std::vector<double> clocks_;
  Conditions highest_;
  unsigned long long reasons_ = 0;
};

// Names of the bits of nvmlDeviceGetCurrentClocksEventReasons, without "idle".
std::vector<std::string> throttle_names(unsigned long long reasons);

}  // namespace warplens::gpu
