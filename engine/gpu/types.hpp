// Requests to a GPU and its replies, as plain values. Seconds are seconds, bytes are bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::gpu {

struct GpuDevice {
  int index = 0;
  std::string name;            // "NVIDIA H100 80GB HBM3"
  int compute_capability = 0;  // 10 * major + minor
  int multiprocessors = 0;
  double clock_mhz = 0, memory_clock_mhz = 0;  // the highest that the driver names
  int memory_bus_bits = 0;
  std::uint64_t memory_bytes = 0, l2_bytes = 0, shared_per_block_optin = 0;
  std::string pci_bus;  // "00000000:01:00.0"
  bool operator==(const GpuDevice&) const = default;
};

struct System {
  std::vector<GpuDevice> devices;
  std::string driver;    // "580.159.04"; empty where NVML does not say
  int cuda_version = 0;  // of the driver: 13000 for 13.0
  std::string reason;    // why there is no device; empty where there is one
};

// When the timing of a kernel has gone on long enough.
struct TimingOptions {
  double seconds = 1.0;    // at most so long, all contenders together
  double spread = 0.002;   // stop when the median is known to this share of itself (95 %)
  int least_samples = 12;  // of each contender, also where they take longer than `seconds`
  int most_samples = 2000;
  bool cold = false;  // write over the L2 cache before each launch
  // A kernel whose second launch takes longer is not timed further, which a search for the quickest is glad
  // of. 0: none is too slow.
  double hopeless_seconds = 0;
  bool operator==(const TimingOptions&) const = default;
};

// Seconds of one launch. Short kernels are launched several times in a row for one sample.
struct Statistics {
  int samples = 0;
  int launches_per_sample = 0;
  double median = 0, p10 = 0, p90 = 0, least = 0;
  double uncertainty = 0;            // half the 95 % interval of the median, as a share of it
  std::vector<double> seconds = {};  // of each sample, in the order in which they were taken
  bool operator==(const Statistics&) const = default;
};

// What NVML said while the launches ran. 0: not known.
struct Conditions {
  int readings = 0;
  double clock_mhz = 0, lowest_clock_mhz = 0, memory_clock_mhz = 0;  // clock_mhz: the median reading
  double power_watts = 0, power_limit_watts = 0;                     // the highest reading
  double temperature_celsius = 0;
  std::vector<std::string> throttle_reasons;  // any that was seen: "power cap"
  bool operator==(const Conditions&) const = default;
};

struct Timing {
  Statistics kernel;
  double overall_seconds = 0;  // inputs to the device, one launch, output back: median of three
  Conditions conditions;
  bool repeatable = true;  // the last launch left the same bits as the first (not asked of atomic sums)
  std::optional<Statistics> cublas;  // sgemm of the same product, its samples taken in turn with the kernel's
  std::string cublas_name;           // "cuBLAS 13.0.2", or why there is none
};

// Why a launch gave no result although it was a valid one.
struct Fault {
  enum class Kind : std::uint8_t {
    fault,    // the driver reports an error of the kernel: an illegal address, a trap, ...
    hang,     // no reply before the timeout: the process that launched it was ended
    crashed,  // that process ended by itself
  };
  Kind kind = Kind::fault;
  std::string name;  // "CUDA_ERROR_ILLEGAL_ADDRESS"; empty where the driver gave none
  Error error;
};

// What to do about a launch that did not end.
inline constexpr const char* kAdviceOnHang =
    "look for a loop that cannot end; on the command line --timeout allows more time";

// A matrix product as cuBLAS sees it, all column-major and without padding: result[m][n] = left[m][k]
// right[k][n]. The numbers are those of the buffers.
struct Product {
  enum class Numbers : std::uint8_t {
    fp32,
    tf32,  // fp32 that is rounded to TF32 for the tensor cores
    bf16,  // summed in fp32
    s8,    // summed in 32 bits, which the result has
  };
  int m = 0, n = 0, k = 0;
  std::size_t left = 0, right = 0, result = 0;
  Numbers numbers = Numbers::fp32;
  bool left_is_turned = false;  // left[k][m] lies in memory
  bool operator==(const Product&) const = default;
};
// One more parameter of a kernel, behind all others: the address of a buffer that only the device has.
// engine/instrument rewrites kernels so that they fill one.
struct ExtraBuffer {
  std::uint64_t bytes = 0;
  std::uint64_t start_bytes = 0;  // of contents that the launch begins with; what follows them is cleared ...
  bool records = false;  // ... and brought back whole; true: neither, see instrument/record_buffer.hpp
  bool operator==(const ExtraBuffer&) const = default;
};
// Of the problems that are matrix products: "sgemm" and "sgemm_tf32" (row-major, so C^T = B^T A^T), "sgemm_column",
// "gemm_bf16", "gemm_s8".
std::optional<Product> product_of(std::string_view problem, const catalog::Values& sizes);

}  // namespace warplens::gpu
