#include "app/gpu/hardware_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "engine/instrument/block_filter.hpp"
#include "engine/instrument/entry_text.hpp"
#include "engine/ptx/matrix_products.hpp"
#include "engine/run/quantities/quantities.hpp"

namespace warplens::app {
namespace {

bool is_group_product(const ptx::Instruction& i) { return i.opcode == ptx::Opcode::wgmma_mma_async; }
bool is_warp_product(const ptx::Instruction& i) {
  return ptx::is_matrix_product(i.opcode) && !is_group_product(i);
}
bool is_bulk_copy(const ptx::Instruction& i) {
  return i.opcode >= ptx::Opcode::cp_async_bulk && i.opcode <= ptx::Opcode::cp_reduce_async_bulk_tensor;
}

bool is_product(const ptx::Instruction& i) { return ptx::is_matrix_product(i.opcode); }

// metric: of the hardware; null where it has none, with a {} for each kind of operands that the kernel multiplies. Requests to shared memory have no counter:
// smsp__inst_executed_op_shared_{ld,st} also has the instructions whose lanes were all switched off. The
// wavefronts of loads and of stores are of the L1 cache's data stage, where an access is tried again when
// other traffic is in its way; those of the instructions themselves, together, are from patched machine code.
constexpr CounterField kFields[] = {
    {"global_load.requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"global_load.sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"global_store.requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"global_store.sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"shared_load.requests", nullptr},
    {"shared_load.wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared_store.requests", nullptr},
    {"shared_store.wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"tensor.group_products", "sm__inst_executed_pipe_tensor_op_gmma.sum", is_group_product},
    {"tensor.half_products", "sm__inst_executed_pipe_tensor_op_hmma.sum", is_warp_product},
    {"tensor.integer_products", "sm__inst_executed_pipe_tensor_op_imma.sum", is_warp_product},
    {"tensor.operations", "sm__ops_path_tensor_src_{}.sum", is_product},
    {"tensor.copy_requests", "l1tex__tmain_requests.sum", is_bulk_copy},
    {"tensor.load_sectors", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", is_bulk_copy},
    {"tensor.store_sectors", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", is_bulk_copy},
    {kOwnWavefronts, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"}};

// As the names of metrics have it; empty where the hardware does not count.
std::string_view operands_of(const ptx::Instruction& product) {
  switch (product.matrix_types[1]) {
    case ptx::Type::none:  // wmma of f16 names its sums only
    case ptx::Type::f16:
      return "fp16";
    case ptx::Type::bf16:
      return "bf16_dst_fp32";
    case ptx::Type::tf32:
      return "tf32_dst_fp32";
    case ptx::Type::s8:
    case ptx::Type::u8:
      return "int8";
    case ptx::Type::e4m3:
    case ptx::Type::e5m2:
      return "fp8";
    case ptx::Type::f64:
      return "fp64";
    default:
      return {};
  }
}

// Those that add up to the field's count.
std::vector<std::string> metrics_of(const CounterField& field, std::span<const ptx::Instruction> code) {
  if (field.metric == nullptr) return {};
  if (field.is_of == nullptr) return {field.metric};
  const std::string_view metric = field.metric;
  const auto hole = metric.find("{}");
  std::set<std::string> metrics;
  for (const ptx::Instruction& i : code) {
    if (!field.is_of(i)) continue;
    if (hole == std::string_view::npos) return {field.metric};
    if (const auto operands = operands_of(i); !operands.empty())
      metrics.insert(fmt::format("{}{}{}", metric.substr(0, hole), operands, metric.substr(hole + 2)));
  }
  return {metrics.begin(), metrics.end()};
}

// Whether loads and stores are all that goes to shared memory: copies and atomics are among the instructions'
// own wavefronts too, and the emulator counts those apart.
bool has_only_loads_and_stores(std::span<const ptx::Instruction> code) {
  return std::ranges::none_of(code, [](const ptx::Instruction& i) {
    const bool atomic = i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red;
    return i.opcode == ptx::Opcode::cp_async || (atomic && i.space != ptx::Space::global);
  });
}

}  // namespace

std::span<const CounterField> counter_fields() { return kFields; }

std::uint64_t CounterField::of(const emulator::Counts& counts) const {
  const auto& count = std::get<run::OfCounts>(run::find_quantity(name)->of);
  return static_cast<std::uint64_t>(count(counts));
}

std::vector<CounterPair> beside(const emulator::Counts& emulated, const HardwareCounters& counted) {
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
  const auto parsed = instrument::parse_entry(job.build.ptx, job.build.kernel_name);
  const auto code = parsed ? std::span(parsed->entry().code) : std::span<const ptx::Instruction>();
  std::vector<const char*> names;
  for (const CounterField& field : kFields) {
    if (field.name == kOwnWavefronts) continue;
    for (std::string& metric : metrics_of(field, code)) {
      names.push_back(field.name);
      run.metrics.push_back(std::move(metric));
    }
  }
  if (parsed && has_only_loads_and_stores(code)) run.instruction_metrics = {std::rbegin(kFields)->metric};
  const auto execution = gpu.counter().run(run);
  if (!execution) return execution.error();
  if (execution->fault) return execution->fault->error;
  if (execution->counted.size() != names.size()) return Error{"CUPTI gave no counters", ""};
  HardwareCounters counters;
  for (std::size_t i = 0; i < names.size(); ++i)
    counters[names[i]] += static_cast<std::uint64_t>(std::llround(execution->counted[i]));
  for (const double own : execution->instructions)
    counters[kOwnWavefronts] = static_cast<std::uint64_t>(std::llround(own));
  return counters;
}

}  // namespace warplens::app
