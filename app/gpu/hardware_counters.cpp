#include "app/gpu/hardware_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "app/paths.hpp"
#include "engine/gpu/worker/worker_process.hpp"
#include "engine/instrument/block_filter.hpp"
#include "engine/instrument/entry_text.hpp"

namespace warplens::app {
namespace {

constexpr double kPatience = 120;

// Requests to shared memory have no counter: smsp__inst_executed_op_shared_{ld,st} also has the instructions
// whose lanes were all switched off.
struct Metric {
  const char* name;
  const char* metric;
};
constexpr Metric kMetrics[] = {
    {"global_load.requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"global_load.sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"global_store.requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"global_store.sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"shared_load.wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared_store.wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}};

// Wavefronts of the instructions themselves, loads and stores together, from patched machine code. The two
// counters above are of the L1 cache's data stage, where an access is tried again when other traffic is in
// its way.
constexpr Metric kOfInstructions = {kOwnWavefronts, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"};

constexpr CounterField kFields[] = {
    {"global_load.requests", [](const run::Counts& c) { return c.global_load.requests; }},
    {"global_load.sectors", [](const run::Counts& c) { return c.global_load.sectors; }},
    {"global_store.requests", [](const run::Counts& c) { return c.global_store.requests; }},
    {"global_store.sectors", [](const run::Counts& c) { return c.global_store.sectors; }},
    {"shared_load.requests", [](const run::Counts& c) { return c.shared_load.requests; }},
    {"shared_load.wavefronts", [](const run::Counts& c) { return c.shared_load.wavefronts; }},
    {"shared_store.requests", [](const run::Counts& c) { return c.shared_store.requests; }},
    {"shared_store.wavefronts", [](const run::Counts& c) { return c.shared_store.wavefronts; }},
    {kOwnWavefronts,
     [](const run::Counts& c) { return c.shared_load.wavefronts + c.shared_store.wavefronts; }}};

// The fields of a line of CSV, all in quotes. Empty for any other line: ncu's own messages, what the program
// prints.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  while (at < line.size() && line[at] == '"') {
    const std::size_t end = line.find('"', at + 1);
    if (end == std::string_view::npos) return {};
    fields.emplace_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
    if (at < line.size() && line[at] == ',') ++at;
  }
  return fields;
}

// "2,162,688"
std::optional<std::uint64_t> number_of(std::string text) {
  std::erase(text, ',');
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string comma_separated_metrics() {
  std::string text;
  for (const Metric& metric : kMetrics) text += std::string(metric.metric) + ",";
  return text + kOfInstructions.metric + ".sum";
}

std::vector<std::string> command_of(const run::Plan& plan, const std::string& home, int gpu) {
  std::vector<std::string> words{"/usr/bin/env",
                                 "ncu",
                                 "--csv",
                                 "--target-processes",
                                 "all",
                                 "--clock-control",
                                 "none",
                                 "--launch-count",
                                 "1",
                                 "--metrics",
                                 comma_separated_metrics(),
                                 read_environment().executable.string(),
                                 "--home",
                                 home,
                                 "run",
                                 plan.spec.path,
                                 "--engine",
                                 "gpu",
                                 "--gpu",
                                 fmt::format("{}", gpu),
                                 "--timeout",
                                 fmt::format("{}", kPatience),
                                 "--seconds",
                                 "0.001"};
  std::string sizes;
  for (const std::string& name : plan.problem->size_names())
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ",", plan.sizes.at(name));
  words.insert(words.end(), {"--size", sizes});
  for (const auto& param : plan.spec.params)
    words.insert(words.end(), {"-D", fmt::format("{}={}", param.name, plan.parameters.at(param.name))});
  return words;
}

// Whether loads and stores are all that goes to shared memory: copies and atomics are among the instructions'
// own wavefronts too, and the emulator counts those apart.
bool has_only_loads_and_stores(const compile::Build& build) {
  const auto parsed = instrument::parse_entry(build.ptx, build.kernel_name);
  if (!parsed) return false;
  return std::ranges::none_of(parsed->entry().code, [](const ptx::Instruction& i) {
    const bool atomic = i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red;
    return i.opcode == ptx::Opcode::cp_async || (atomic && i.space != ptx::Space::global);
  });
}

}  // namespace

Result<HardwareCounters> parse_ncu(std::string_view printed) {
  if (printed.find("ERR_NVGPUCTRPERM") != std::string_view::npos)
    return Error{"this user may not read the GPU's counters (ERR_NVGPUCTRPERM)",
                 "run as root, or see https://developer.nvidia.com/ERR_NVGPUCTRPERM"};
  HardwareCounters counters;
  std::size_t name_column = 0, value_column = 0;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    const auto fields = fields_of(printed.substr(0, end));
    printed.remove_prefix(std::min(end + 1, printed.size()));
    const auto column = [&](std::string_view heading) {
      return static_cast<std::size_t>(std::ranges::find(fields, heading) - fields.begin());
    };
    if (column("Metric Name") < fields.size()) {
      name_column = column("Metric Name");
      value_column = column("Metric Value");
    } else if (value_column != 0 && value_column < fields.size() && name_column < fields.size()) {
      const auto row = std::ranges::find(kMetrics, fields[name_column], &Metric::metric);
      const auto value = number_of(fields[value_column]);
      if (row != std::end(kMetrics) && value) counters[row->name] = *value;
      if (fields[name_column] == std::string(kOfInstructions.metric) + ".sum" && value)
        counters[kOfInstructions.name] = *value;
    }
  }
  if (counters.empty()) return Error{"ncu gave no counters", "try it by hand: ncu --version"};
  return counters;
}

std::span<const CounterField> counter_fields() { return kFields; }

std::vector<CounterPair> beside(const run::Counts& emulated, const HardwareCounters& counted) {
  std::vector<CounterPair> pairs;
  for (const CounterField& field : kFields) {
    const auto found = counted.find(field.name);
    if (found != counted.end()) pairs.push_back({field.name, field.of(emulated), found->second});
  }
  return pairs;
}

bool is_other_traffic(std::string_view name, std::uint64_t emulated, std::uint64_t counted,
                      bool own_wavefronts_are_equal) {
  const bool of_data_stage = name == "shared_load.wavefronts" || name == "shared_store.wavefronts";
  return of_data_stage && counted > emulated && own_wavefronts_are_equal;
}

Result<HardwareCounters> count_with_cupti(GpuEngine& gpu, const run::Job& job,
                                          std::span<const std::uint64_t> sample,
                                          const std::atomic<bool>* cancel) {
  gpu::Run run = launch_of(gpu, job);
  run.cancel = cancel;
  std::string filtered;
  if (!sample.empty()) {
    auto text = instrument::with_blocks_only(job.build.ptx, job.build.kernel_name, sample,
                                             catalog::blocks_in_grid(job.plan.launch));
    if (!text) return text.error();
    filtered = *std::move(text);
    run.cubin = std::as_bytes(std::span<const char>(filtered));
  }
  for (const Metric& metric : kMetrics) run.metrics.emplace_back(metric.metric);
  if (has_only_loads_and_stores(job.build)) run.instruction_metrics = {kOfInstructions.metric};
  const auto execution = gpu.counter().run(run);
  if (!execution) return execution.error();
  if (execution->fault) return execution->fault->error;
  if (execution->counted.size() != std::size(kMetrics)) return Error{"CUPTI gave no counters", ""};
  HardwareCounters counters;
  for (std::size_t i = 0; i < std::size(kMetrics); ++i)
    counters[kMetrics[i].name] = static_cast<std::uint64_t>(std::llround(execution->counted[i]));
  for (const double own : execution->instructions)
    counters[kOfInstructions.name] = static_cast<std::uint64_t>(std::llround(own));
  return counters;
}

Result<HardwareCounters> count_with_ncu(const run::Plan& plan, const std::string& home, int gpu) {
  const auto process = gpu::WorkerProcess::start(command_of(plan, home, gpu));
  if (!process) return process.error();
  // The channel closes when ncu and all that it started have ended.
  const auto ended = (*process)->channel().receive(kPatience);
  if (ended.state == gpu::Channel::State::late)
    return Error{fmt::format("ncu did not end within {} s", kPatience), "choose a smaller size"};
  const std::string epitaph = (*process)->epitaph();
  if (epitaph == "ended with code 127")
    return Error{"there is no ncu on PATH", "install Nsight Compute, or leave --ncu away"};
  return parse_ncu((*process)->printed());
}

}  // namespace warplens::app
