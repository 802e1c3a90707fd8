// `run --engine both`: the emulator's answer beside the GPU's, and beside counters of the hardware where some
// were recorded for the same run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gpu_run.hpp"

namespace warplens::app {

struct BitComparison {
  std::int64_t compared = 0;   // elements; those of the sampled blocks where the emulator ran only these
  std::int64_t different = 0;  // in at least one bit
  std::int64_t first = -1;     // index of the first that differs
};

// Elements of 4 bytes. `untouched`: what the buffer was before; where the emulator left that, nothing is
// compared.
BitComparison compare_bits(std::span<const std::byte> emulated, std::span<const std::byte> measured,
                           std::span<const std::byte> untouched);

// One counter: the emulator's and the recorded one.
struct CounterPair {
  std::string name;
  std::uint64_t emulated = 0;
  std::optional<std::uint64_t> recorded;
};

struct Both {
  RunReport emulated;
  std::optional<RunReport> measured;  // nothing: no GPU
  std::optional<BitComparison> bits;
  std::vector<CounterPair> counters;
  std::string recorded_on;  // chip of the recorded counters; empty where there are none
};

// The counters, with those of assets/recorded/h100-counters.json where it has this kernel, parameters and
// sizes. Error: the file is there and cannot be understood.
Status add_counters(Both& both, const std::filesystem::path& home);

// gpu: null where there is none.
Result<Both> run_on_both(GpuEngine* gpu, const RunJob& job, const GpuRunOptions& options,
                         const std::filesystem::path& home);

Json to_json(const Both& both);
std::string to_text(const Both& both);

}  // namespace warplens::app
