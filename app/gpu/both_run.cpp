#include "app/gpu/both_run.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/gpu/hardware_counters.hpp"
#include "app/gpu/report_text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/instrument/counts.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/run.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::app {
namespace {

bool is_of(const Json& row, const run::Report& report) {
  const Json wanted = to_json(report);
  return row.value("kernel", "") == report.kernel && row.value("params", Json()) == wanted["params"] &&
         row.value("size", Json()) == wanted["size"];
}

std::span<const std::byte> poison_of(const problem::Instance& instance) {
  for (std::size_t b = 0; b < instance.buffers().size(); ++b) {
    if (instance.buffers()[b].is_output) return instance.initial(b);
  }
  return {};
}

// The trace of the emulator's run of these blocks.
Result<trace::Trace> emulate_blocks(const run::Job& job, const emulator::Kernel& kernel,
                                    std::vector<std::uint64_t> blocks) {
  trace::Recorder recorder({.blocks = blocks, .byte_budget = std::uint64_t{1} << 30});
  run::EmulationOptions options;
  options.observer = &recorder;
  options.instruction_budget = job.instruction_budget;
  options.blocks = std::move(blocks);
  const auto run = run::emulate(kernel, *job.instance, job.plan.launch, options);
  if (!run) return run.error();
  if (run->outcome.fault) return run->outcome.fault->error;
  return recorder.finish();
}

// Records that the whole grid would append: accesses as the PTX has them, both sides of each copy, barriers.
std::uint64_t records_needed(const run::Emulation& run, const emulator::Kernel& kernel) {
  std::uint64_t needed = 0;
  for (std::size_t pc = 0; pc < kernel.function().code.size(); ++pc) {
    const auto& row = run.outcome.counters.instructions[pc];
    const ptx::Opcode opcode = kernel.function().code[pc].opcode;
    const bool barrier = opcode == ptx::Opcode::bar_sync || opcode == ptx::Opcode::bar_red;
    needed += row.requests_in_ptx;
    if (barrier || opcode == ptx::Opcode::cp_async) needed += row.executed;
  }
  const double share = static_cast<double>(run.blocks_in_grid) /
                       static_cast<double>(std::max<std::uint64_t>(1, run.outcome.counters.blocks_run));
  return static_cast<std::uint64_t>(static_cast<double>(needed) * share);
}

// In place of the counters that ship.
Status add_hardware(Both& both, GpuEngine& gpu, const run::Job& job, const BothOptions& options) {
  const auto counted = count_with_cupti(gpu, job, both.emulated.sample, options.gpu.cancel);
  if (!counted) return counted.error();
  both.hardware = gpu.hardware().name + " by CUPTI";
  for (CounterRow& row : both.counters) {
    const auto found = counted->find(row.name);
    row.hardware = found == counted->end() ? std::nullopt : std::optional(found->second);
  }
  return Done{};
}

Status add_recording(Both& both, GpuEngine& gpu, const run::Job& job, const BothOptions& options) {
  const auto counted = run::execute(job);
  if (!counted) return counted.error();
  const std::uint64_t needed = records_needed(counted->emulation, *counted->kernel);
  const auto recording = record_on_gpu(
      gpu, job,
      {.blocks = blocks_to_record(counted->emulation.blocks_in_grid, needed, options.record_bytes),
       .bytes = options.record_bytes});
  if (!recording) return recording.error();
  auto compared = compare_recording(job, **recording);
  if (!compared) return compared.error();
  both.recorded = *std::move(compared);
  const bool whole = both.recorded->blocks == both.recorded->blocks_in_grid && both.recorded->dropped == 0 &&
                     !both.emulated.sampled_blocks;
  for (std::size_t i = 0; whole && i < both.counters.size(); ++i)
    if (counter_fields()[i].is_of == nullptr)  // others are not among what is recorded
      both.counters[i].recorded = counter_fields()[i].of(both.recorded->counts);
  return Done{};
}

}  // namespace

BitComparison compare_bits(std::span<const std::byte> emulated, std::span<const std::byte> measured,
                           std::span<const std::byte> untouched) {
  constexpr std::size_t element = 4;
  BitComparison comparison;
  for (std::size_t at = 0; at + element <= std::min(emulated.size(), measured.size()); at += element) {
    if (std::memcmp(emulated.data() + at, untouched.data() + at, element) == 0) continue;
    ++comparison.compared;
    if (std::memcmp(emulated.data() + at, measured.data() + at, element) == 0) continue;
    if (comparison.different++ == 0) comparison.first = static_cast<std::int64_t>(at / element);
  }
  return comparison;
}

Result<RecordedRun> compare_recording(const run::Job& job, const GpuRecording& recording) {
  const instrument::Recording& read = recording.recording;
  RecordedRun run{.blocks = read.trace.blocks().size(),
                  .blocks_in_grid = recording.blocks_in_grid,
                  .records = read.kept,
                  .dropped = read.dropped,
                  .verified = recording.verified,
                  .shared_layout_matches = read.shared_layout_matches,
                  .left_out = recording.left_out,
                  .accesses = {},
                  .counts = read.counters,
                  .emulated = {}};
  std::vector<std::uint64_t> blocks;
  for (const trace::BlockSummary& block : read.trace.blocks()) blocks.push_back(block.block);
  if (blocks.empty()) return run;
  const auto emulated = emulate_blocks(job, *recording.kernel, std::move(blocks));
  if (!emulated) return emulated.error();
  run.accesses = instrument::compare_traces(*emulated, read.trace);
  run.emulated = instrument::count_accesses(*emulated, *recording.kernel, job.plan.device);
  return run;
}

std::vector<std::uint64_t> blocks_to_record(std::uint64_t blocks, std::uint64_t needed, std::uint64_t bytes) {
  // A head is small beside this; a tenth stays free for what the estimate of a sampled run misses.
  const double room = 0.9 * static_cast<double>(bytes) / sizeof(instrument::Record);
  if (static_cast<double>(needed) <= room) return {};
  const double share = room / static_cast<double>(needed);
  return run::sample_blocks(
      blocks, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * static_cast<double>(blocks))));
}

Status add_counters(Both& both, const std::filesystem::path& home) {
  both.counters.clear();
  for (const CounterField& field : counter_fields())
    both.counters.push_back({field.name, field.of(both.emulated.counts), {}, {}});
  const std::filesystem::path path = measured::recordings_folder(home) / "h100-counters.json";
  std::error_code ignored;
  if (both.emulated.sampled_blocks || !std::filesystem::exists(path, ignored)) return Done{};
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  const Json file = Json::parse(*text, nullptr, false);
  if (!file.is_object() || !file.contains("rows") || !file["rows"].is_array())
    return Error{"no recorded counters in this file",
                 "make it again with tools/make_hardware_counts.py",
                 {path.string(), 0, 0}};
  for (const Json& row : file["rows"]) {
    if (!row.is_object() || !is_of(row, both.emulated)) continue;
    both.hardware = file.value("chip", "");
    for (CounterRow& counter : both.counters) {
      const auto found = row.find(counter.name);
      if (found != row.end() && found->is_number_unsigned()) counter.hardware = found->get<std::uint64_t>();
    }
  }
  return Done{};
}

Result<Both> run_on_both(GpuEngine* gpu, const run::Job& job, const BothOptions& options,
                         const std::filesystem::path& home) {
  const auto emulated = options.check ? run::run_checked(job, true) : run::run_on_emulator(job, true);
  if (!emulated) return emulated.error();
  Both both;
  both.emulated = (*emulated)->report;
  if (const auto added = add_counters(both, home); !added) return added.error();
  if (gpu == nullptr) {
    if (options.record) both.not_recorded = Error{"there is no GPU to do it", "run it where there is one"};
    return both;
  }
  if (both.emulated.stopped) {  // a kernel that is known to fault or to hang
    both.not_measured = Error{"not launched on the GPU: the emulator stopped in it", "", {}};
    return both;
  }
  GpuRunOptions run = options.gpu;
  // Else the emulator ran all of it; a race or an unset value may lead the GPU elsewhere.
  run.check = both.emulated.blocks_run.has_value() || check::has_error(both.emulated.findings);
  std::vector<std::byte> output;
  auto measured = run_on_gpu(*gpu, job, run, &output);
  if (!measured && !check::has_error(both.emulated.findings)) return measured.error();
  if (!measured) {
    both.not_measured = measured.error();
    return both;
  }
  both.measured = *std::move(measured);
  both.bits = compare_bits((*emulated)->emulation.output, output, poison_of(*job.instance));
  both.bits->sums_of_blocks = run::adds_up(*job.instance);
  if (options.count) {
    if (const auto added = add_hardware(both, *gpu, job, options); !added) both.not_counted = added.error();
  }
  if (options.record || both.not_counted) {
    if (const auto added = add_recording(both, *gpu, job, options); !added) both.not_recorded = added.error();
  }
  return both;
}

}  // namespace warplens::app
