// Counters of the hardware for one launch: through NVIDIA's library CUPTI in a worker process. Counting needs
// rights that many machines give only to administrators.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gpu/gpu_run.hpp"
#include "app/gpu/report_text.hpp"
#include "engine/base/result.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// By the ids of run::quantities(): "global_load.sectors".
using HardwareCounters = std::map<std::string, std::uint64_t>;

// Wavefronts of shared loads and stores together, as the instructions themselves need them.
inline constexpr const char* kOwnWavefronts = "shared.wavefronts";

// The emulator's counters by the same names, and two that the hardware does not have. The last is
// kOwnWavefronts.
struct CounterField {
  const char* name;
  const char* metric;
  // Whether an instruction adds to it; null: those of any kernel. Other devices may lack such a counter.
  bool (*is_of)(const ptx::Instruction& instruction) = nullptr;
  std::uint64_t of(const emulator::Counts& counts) const;
};
std::span<const CounterField> counter_fields();

// One counter of both, in the order of the fields.
struct CounterPair {
  std::string name;
  std::uint64_t emulated = 0, counted = 0;
  bool operator==(const CounterPair&) const = default;
};
std::vector<CounterPair> beside(const emulator::Counts& emulated, const HardwareCounters& counted);

// Whether a counter of shared wavefronts has more than the emulator because accesses were tried again while
// other traffic was in their way: the instructions' own wavefronts are as emulated.
bool is_other_traffic(std::string_view name, std::uint64_t emulated, std::uint64_t counted,
                      bool own_wavefronts_are_equal);

// On the GPU's chosen device, in its second worker: the least of three launches. sample: of these blocks only
// (engine/instrument/block_filter.hpp); empty: of the whole grid. Errors: no CUPTI, no right to count, a
// fault of the kernel, cancelled (cancel may be null).
Result<HardwareCounters> count_with_cupti(GpuEngine& gpu, const run::Job& job,
                                          std::span<const std::uint64_t> sample,
                                          const std::atomic<bool>* cancel = nullptr);

}  // namespace warplens::app
