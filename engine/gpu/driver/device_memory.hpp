// What the driver lends, given back when it goes out of scope. After a kernel's fault giving back fails; that
// is ignored, the process is about to end.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/gpu/driver/driver.hpp"

namespace warplens::gpu {

// `what` of the driver's, given back by its function kRelease.
template <class What, auto kRelease>
class Lent {
 public:
  Lent() = default;
  Lent(std::shared_ptr<const Driver> driver, What what) : driver_(std::move(driver)), what_(what) {}
  Lent(Lent&& other) noexcept { *this = std::move(other); }
  Lent& operator=(Lent&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(what_, other.what_);
    return *this;
  }
  ~Lent() {
    if (driver_) (driver_->functions().*kRelease)(what_);
  }
  What get() const { return what_; }

 private:
  std::shared_ptr<const Driver> driver_;
  What what_{};
};

class DeviceMemory : public Lent<DevicePointer, &DriverFunctions::cuMemFree_v2> {
 public:
  using Lent::Lent;
  static Result<DeviceMemory> allocate(std::shared_ptr<const Driver> driver, std::size_t bytes) {
    DevicePointer pointer = 0;
    WARPLENS_GPU_TRY(*driver, cuMemAlloc_v2(&pointer, bytes == 0 ? 1 : bytes));
    return DeviceMemory(std::move(driver), pointer);
  }
  DevicePointer pointer() const { return get(); }
};

// Machine code on the device.
class Module : public Lent<Handle, &DriverFunctions::cuModuleUnload> {
 public:
  using Lent::Lent;
  // PTX text, compiled by the driver. The driver's compiler is there wherever a kernel can run, knows the
  // device and needs nothing installed; what it costs is the PTX version: text of a compiler newer than the
  // driver is refused. most_registers: of a thread, so that a block of the launch fits. Errors: the
  // compiler's own words.
  static Result<Module> compile(std::shared_ptr<const Driver> driver, const std::string& ptx,
                                unsigned most_registers);
  // Either of the two, with registers for one block of the launch. PTX may have its closing zero or not.
  static Result<Module> make(std::shared_ptr<const Driver> driver, std::span<const std::byte> code,
                             const catalog::LaunchShape& launch);
  static Result<Module> load(std::shared_ptr<const Driver> driver, const void* cubin) {
    Handle module = nullptr;
    WARPLENS_GPU_TRY(*driver, cuModuleLoadData(&module, cubin));
    return Module(std::move(driver), module);
  }
};

// A moment in a stream.
class Event : public Lent<Handle, &DriverFunctions::cuEventDestroy_v2> {
 public:
  using Lent::Lent;
  static Result<Event> create(std::shared_ptr<const Driver> driver) {
    Handle event = nullptr;
    WARPLENS_GPU_TRY(*driver, cuEventCreate(&event, 0));
    return Event(std::move(driver), event);
  }
};

}  // namespace warplens::gpu
