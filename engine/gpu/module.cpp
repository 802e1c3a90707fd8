#include <algorithm>
#include <array>

#include "engine/gpu/device_memory.hpp"

namespace warplens::gpu {
namespace {

// CUjit_option of cuda.h. https://docs.nvidia.com/cuda/cuda-driver-api
enum JitOption : int { kMaxRegisters = 0, kErrorLog = 5, kErrorLogBytes = 6 };
constexpr int kUnsupportedPtxVersion = 222;  // CUDA_ERROR_UNSUPPORTED_PTX_VERSION

void* as_value(std::size_t number) { return reinterpret_cast<void*>(number); }

}  // namespace

Result<Module> Module::compile(std::shared_ptr<const Driver> driver, const std::string& ptx,
                               unsigned most_registers) {
  std::array<char, 4096> log{};
  std::array<int, 3> options{kMaxRegisters, kErrorLog, kErrorLogBytes};
  std::array<void*, 3> values{as_value(most_registers), log.data(), as_value(log.size() - 1)};
  Module module;
  const int code = driver->functions().cuModuleLoadDataEx(&module.module_, ptx.c_str(), options.size(),
                                                          options.data(), values.data());
  if (code == kUnsupportedPtxVersion)
    return Error{"the GPU's driver is older than the PTX of this kernel",
                 "update the driver, or use an older NVRTC"};
  if (code != 0) {
    const std::string said(log.data());
    return Error{
        "the driver does not compile the kernel's PTX: " + (said.empty() ? driver->text_of(code) : said),
        "run it without recording"};
  }
  module.driver_ = std::move(driver);
  return module;
}

}  // namespace warplens::gpu
