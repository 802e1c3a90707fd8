// What the driver lends, given back when it goes out of scope. After a kernel's fault giving back fails; that
// is ignored, the process is about to end.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/gpu/driver/driver.hpp"

namespace warplens::gpu {

class DeviceMemory {
 public:
  static Result<DeviceMemory> allocate(std::shared_ptr<const Driver> driver, std::size_t bytes) {
    DeviceMemory memory;
    WARPLENS_GPU_TRY(*driver, cuMemAlloc_v2(&memory.pointer_, bytes == 0 ? 1 : bytes));
    memory.driver_ = std::move(driver);
    return memory;
  }
  DeviceMemory() = default;
  DeviceMemory(DeviceMemory&& other) noexcept { *this = std::move(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~DeviceMemory() {
    if (driver_) driver_->functions().cuMemFree_v2(pointer_);
  }
  DevicePointer pointer() const { return pointer_; }

 private:
  std::shared_ptr<const Driver> driver_;
  DevicePointer pointer_ = 0;
};

// Machine code on the device.
class Module {
 public:
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
    Module module;
    WARPLENS_GPU_TRY(*driver, cuModuleLoadData(&module.module_, cubin));
    module.driver_ = std::move(driver);
    return module;
  }
  Module() = default;
  Module(Module&& other) noexcept
      : driver_(std::move(other.driver_)), module_(std::exchange(other.module_, nullptr)) {}
  Module& operator=(Module&&) = delete;
  ~Module() {
    if (driver_ && module_ != nullptr) driver_->functions().cuModuleUnload(module_);
  }
  Handle get() const { return module_; }

 private:
  std::shared_ptr<const Driver> driver_;
  Handle module_ = nullptr;
};

// A moment in a stream.
class Event {
 public:
  static Result<Event> create(std::shared_ptr<const Driver> driver) {
    Event event;
    WARPLENS_GPU_TRY(*driver, cuEventCreate(&event.event_, 0));
    event.driver_ = std::move(driver);
    return event;
  }
  Event() = default;
  Event(Event&& other) noexcept
      : driver_(std::move(other.driver_)), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event() {
    if (driver_ && event_ != nullptr) driver_->functions().cuEventDestroy_v2(event_);
  }
  Handle get() const { return event_; }

 private:
  std::shared_ptr<const Driver> driver_;
  Handle event_ = nullptr;
};

}  // namespace warplens::gpu
