#include <algorithm>
#include <array>
#include <cstring>

#include "engine/gpu/driver/device_memory.hpp"

namespace warplens::gpu {
namespace {

// CUjit_option of cuda.h. https://docs.nvidia.com/cuda/cuda-driver-api
enum JitOption : int { kMaxRegisters = 0, kErrorLog = 5, kErrorLogBytes = 6 };
constexpr int kUnsupportedPtxVersion = 222;  // CUDA_ERROR_UNSUPPORTED_PTX_VERSION
// Registers of one multiprocessor since 3.0, and the most of a thread (CUDA C++ Programming Guide, table of
// limits).
constexpr unsigned kRegisters = 65536, kMostRegisters = 255;

void* as_value(std::size_t number) { return reinterpret_cast<void*>(number); }

bool is_elf(std::span<const std::byte> code) {
  return code.size() > 4 && std::memcmp(code.data(), "\177ELF", 4) == 0;
}

// Of a thread, so that one block of so many threads can run: registers are given out in eights.
unsigned most_registers(const catalog::LaunchShape& launch) {
  const unsigned threads = std::max(1u, launch.block[0] * launch.block[1] * launch.block[2]);
  return std::clamp(kRegisters / threads / 8 * 8, 16u, kMostRegisters);
}

}  // namespace

Result<Module> Module::compile(std::shared_ptr<const Driver> driver, const std::string& ptx,
                               unsigned most_registers) {
  std::array<char, 4096> log{};
  std::array<int, 3> options{kMaxRegisters, kErrorLog, kErrorLogBytes};
  std::array<void*, 3> values{as_value(most_registers), log.data(), as_value(log.size() - 1)};
  Handle module = nullptr;
  const int code = driver->functions().cuModuleLoadDataEx(&module, ptx.c_str(), options.size(),
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
  return Module(std::move(driver), module);
}

Result<Module> Module::make(std::shared_ptr<const Driver> driver, std::span<const std::byte> code,
                            const catalog::LaunchShape& launch) {
  if (is_elf(code)) return load(std::move(driver), code.data());
  const std::string ptx(reinterpret_cast<const char*>(code.data()), code.size());
  return compile(std::move(driver), ptx, most_registers(launch));
}

}  // namespace warplens::gpu
