#include "app/gpu/hardware_counters.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

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

// metric: of the hardware; null where it has none. Requests to shared memory have no counter:
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
    {"tensor.copy_requests", "l1tex__tmain_requests.sum", is_bulk_copy},
    {"tensor.load_sectors", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", is_bulk_copy},
    {"tensor.store_sectors", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", is_bulk_copy},
    {kOwnWavefronts, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"}};

bool has_any(const compile::Build& build, bool (*is_of)(const ptx::Instruction&)) {
  if (is_of == nullptr) return true;
  const auto parsed = instrument::parse_entry(build.ptx, build.kernel_name);
  return parsed && std::ranges::any_of(parsed->entry().code, is_of);
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
  std::vector<const char*> names;
  for (const CounterField& field : kFields) {
    if (field.metric == nullptr || field.name == kOwnWavefronts || !has_any(job.build, field.is_of)) continue;
    names.push_back(field.name);
    run.metrics.emplace_back(field.metric);
  }
  if (has_only_loads_and_stores(job.build)) run.instruction_metrics = {std::rbegin(kFields)->metric};
  const auto execution = gpu.counter().run(run);
  if (!execution) return execution.error();
  if (execution->fault) return execution->fault->error;
  if (execution->counted.size() != names.size()) return Error{"CUPTI gave no counters", ""};
  HardwareCounters counters;
  for (std::size_t i = 0; i < names.size(); ++i)
    counters[names[i]] = static_cast<std::uint64_t>(std::llround(execution->counted[i]));
  for (const double own : execution->instructions)
    counters[kOwnWavefronts] = static_cast<std::uint64_t>(std::llround(own));
  return counters;
}

}  // namespace warplens::app
