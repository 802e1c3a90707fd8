// `run --engine both`: the emulator's answer beside the GPU's, beside what the GPU recorded of its own
// accesses, and beside counters of the hardware where some were taken of the same run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gpu/gpu_recording.hpp"
#include "app/gpu/gpu_run.hpp"
#include "engine/base/json_text.hpp"
#include "engine/instrument/compare.hpp"

namespace warplens::app {

using warplens::to_text;

struct BitComparison {
  std::int64_t compared = 0;   // elements; those of the sampled blocks where the emulator ran only these
  std::int64_t different = 0;  // in at least one bit
  std::int64_t first = -1;     // index of the first that differs
  // the blocks add to the result, on a GPU in no order: it may round differently
  bool sums_of_blocks = false;
};

// Elements of 4 bytes. `untouched`: what the buffer was before; where the emulator left that, nothing is
// compared.
BitComparison compare_bits(std::span<const std::byte> emulated, std::span<const std::byte> measured,
                           std::span<const std::byte> untouched);

// What the GPU recorded, and the emulator's run of the same blocks.
struct RecordedRun {
  std::uint64_t blocks = 0, blocks_in_grid = 0;
  std::uint64_t records = 0, dropped = 0;
  bool verified = false;
  bool shared_layout_matches = true;
  std::vector<std::string> left_out;
  instrument::TraceComparison accesses;
  emulator::Counts counts, emulated;  // of these blocks; warp and thread instructions stay 0
};
// Error: the emulator cannot run these blocks.
Result<RecordedRun> compare_recording(const run::Job& job, const GpuRecording& recording);

// One counter. Nothing where it was not taken.
struct CounterRow {
  std::string name;
  std::uint64_t emulated = 0;
  std::optional<std::uint64_t> recorded;  // by the GPU, where all blocks were recorded and none dropped
  std::optional<std::uint64_t> hardware;  // by the hardware's counters
};

struct Both {
  run::Report emulated;
  std::optional<run::Report> measured;  // nothing: no GPU, or see not_measured
  // Why a GPU that is there has no result, of a kernel in which the emulator found an error.
  std::optional<Error> not_measured;
  std::optional<BitComparison> bits;
  std::optional<RecordedRun> recorded;  // where it was asked for
  std::optional<Error> not_recorded;    // or why not
  std::optional<Error> not_counted;     // why the hardware's counters were not read
  std::vector<CounterRow> counters;
  std::string hardware;  // GPU of the hardware's counters, and who read them; empty where there are none
};

// The counters, with those of assets/recorded/h100-counters.json where it has this kernel, parameters and
// sizes. Error: the file is there and cannot be understood.
Status add_counters(Both& both, const std::filesystem::path& home);

// The blocks to record: all where their records fit into `bytes`, else a sample spread over the grid. needed:
// records of the whole grid.
std::vector<std::uint64_t> blocks_to_record(std::uint64_t blocks, std::uint64_t needed, std::uint64_t bytes);

struct BothOptions {
  GpuRunOptions gpu;
  bool record = false;  // and always where the hardware's counters cannot be read
  bool check = false;   // the emulator's run with the checkers: its report has their findings
  bool count = true;    // the hardware's counters, in a worker process of their own: about a second
  std::uint64_t record_bytes = std::uint64_t{512} << 20;
};
// gpu: null where there is none. Errors: as run_checked() or run_on_emulator() has them; of the GPU, where
// the emulator finds nothing wrong.
Result<Both> run_on_both(GpuEngine* gpu, const run::Job& job, const BothOptions& options,
                         const std::filesystem::path& home);

Json to_json(const Both& both);
std::string to_text(const Both& both);
// One row a kernel: what is equal and what is not.
std::string summary_table(std::span<const Both> runs);

}  // namespace warplens::app
