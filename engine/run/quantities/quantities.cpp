#include "engine/run/quantities/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.hpp"
#include "engine/device/roofline.hpp"

namespace warplens::run {
namespace {

using emulator::AccessCounts, emulator::Counts, emulator::TensorCounts;

std::uint64_t product(const std::array<std::uint32_t, 3>& shape) {
  return std::uint64_t{shape[0]} * shape[1] * shape[2];
}

template <class Number>
Result<Amount> amount(Number value) {
  return Amount(static_cast<double>(value));
}

// A number of one kind of access.
template <auto Kind, auto Field>
double count(const Counts& counts) {
  return static_cast<double>(counts.*Kind.*Field);
}

template <auto Field>
double tensor(const Counts& counts) {
  return static_cast<double>(counts.tensor.*Field);
}

double over(double part, double whole) { return whole == 0 ? 0 : part / whole; }
double whole(std::uint64_t count) { return static_cast<double>(count); }

// ---- of the launch and the device

Result<device::Occupancy> fit_of(const Report& r, const ByHand& by_hand) {
  return device::occupancy(r.hardware, use_of(r, by_hand));
}

template <class Field>
Result<Amount> of_occupancy(const Report& r, const ByHand& by_hand, Field field) {
  const auto fit = fit_of(r, by_hand);
  return fit ? amount(field(*fit)) : Result<Amount>(fit.error());
}

Result<Amount> limiter(const Report& r, const ByHand& by_hand) {
  const auto fit = fit_of(r, by_hand);
  if (!fit) return fit.error();
  return Amount(fit->limiters.empty() ? "none" : device::to_string(fit->limiters.front()));
}

Result<Amount> of_device(const Report& r, double value) {
  if (value > 0) return amount(value);
  return Error{fmt::format("{} is a compute capability, not a device, and has no such number", r.hardware.id),
               "name a device such as h100"};
}

Result<Amount> waves(const Report& r, const ByHand& by_hand) {
  const auto fit = fit_of(r, by_hand);
  if (!fit) return fit.error();
  const double room = static_cast<double>(fit->blocks_per_sm) * r.hardware.sm_count;
  return room <= 0 ? of_device(r, 0) : amount(whole(product(r.grid)) / room);
}

Result<Amount> peak(const Report& r, const ByHand&) {
  const auto roof = device::roofline(r.hardware);
  return roof ? amount(roof->peak_gflops) : Result<Amount>(roof.error());
}

// ---- the table

// clang-format off
constexpr auto kQuantities = std::to_array<Quantity>({
    // What ran, and whether it is right.
    {"kernel", "kernel", "Kernel", "Its file below kernels/, without the ending", "", Form::text, Better::neither,
     [](const Report& r, const ByHand&) { return Result<Amount>(Amount(r.kernel)); }},
    {"device", "device", "Device", "Its short name, such as h100", "", Form::text, Better::neither,
     [](const Report& r, const ByHand&) { return Result<Amount>(Amount(r.device)); }},
    {"verified", "verified", "Verified", "1 where the result is right", "", Form::truth, Better::more,
     [](const Report& r, const ByHand&) { return amount(r.verified ? 1 : 0); }},
    {"max_relative_error", "max_relative_error", "Largest relative error", "Of the elements of the result", "",
     Form::number, Better::fewer, [](const Report& r, const ByHand&) { return amount(r.max_relative_error); }},

    // The launch.
    {"registers", "registers", "Registers per thread", "Of the machine code", "register", Form::count, Better::neither,
     [](const Report& r, const ByHand& by_hand) { return amount(by_hand.registers.value_or(r.registers)); }, 13},
    {"shared_bytes", "shared_bytes", "Shared memory a block", "Static and dynamic", "byte", Form::bytes, Better::neither,
     [](const Report& r, const ByHand& by_hand) { return amount(use_of(r, by_hand).shared_bytes_per_block); }, 14},
    {"spill_bytes", "spill_bytes", "Spilled bytes", "Bytes of registers kept in memory, stores and loads of a thread",
     "byte", Form::bytes, Better::fewer, [](const Report& r, const ByHand&) { return amount(r.spill_bytes); }, 12},
    {"occupancy", "occupancy", "Occupancy", "Warps that fit on one multiprocessor, of the most it holds", "", Form::share,
     Better::more, [](const Report& r, const ByHand& by_hand) {
       return of_occupancy(r, by_hand, [](const device::Occupancy& fit) { return fit.occupancy; });
     }, 11, {"Occupancy", "Occupancy"}},
    {"blocks_per_sm", "blocks_per_sm", "Blocks an SM", "That fit on one multiprocessor", "block", Form::count,
     Better::neither, [](const Report& r, const ByHand& by_hand) {
       return of_occupancy(r, by_hand, [](const device::Occupancy& fit) { return fit.blocks_per_sm; });
     }},
    {"warps_per_sm", "warps_per_sm", "Warps an SM", "That fit on one multiprocessor", "warp", Form::count, Better::more,
     [](const Report& r, const ByHand& by_hand) {
       return of_occupancy(r, by_hand, [](const device::Occupancy& fit) { return fit.warps_per_sm; });
     }},
    {"limiter", "limiter", "What limits the blocks", "Of what no more fits: warps, blocks, registers, shared, or none", "",
     Form::text, Better::neither, limiter},
    {"threads", "threads", "Threads per block", "Of the launch", "thread", Form::count, Better::neither,
     [](const Report& r, const ByHand& by_hand) { return amount(use_of(r, by_hand).threads_per_block); }, 15},
    {"warps", "warps", "Warps a block", "Of the launch", "warp", Form::count, Better::neither,
     [](const Report& r, const ByHand&) { return amount((product(r.block) + 31) / 32); }},
    {"blocks", "blocks", "Blocks", "Of the grid", "block", Form::count, Better::neither,
     [](const Report& r, const ByHand&) { return amount(product(r.grid)); }, 16},
    {"waves", "waves", "Waves", "Blocks of the grid over those that all multiprocessors hold at a time", "wave",
     Form::number, Better::neither, waves},
    {"idle_sms", "idle_sms", "SMs without a block",
     "Of the device's multiprocessors: a larger size gives them work", "SM", Form::count, Better::fewer,
     [](const Report& r, const ByHand&) {
       if (r.hardware.sm_count == 0) return of_device(r, 0);
       return amount(std::max(0.0, r.hardware.sm_count - whole(product(r.grid))));
     }, 17},

    // What was counted.
    {"instructions", "counts/warp_instructions", "Warp instructions", "Instructions of PTX that warps executed",
     "instruction", Form::count, Better::fewer, [](const Sums& s) { return whole(s.instructions); }, 9},
    {"thread_instructions", "counts/thread_instructions", "Thread instructions", "Active lanes in them", "instruction",
     Form::count, Better::fewer, [](const Sums& s) { return whole(s.thread_instructions); }, 10},
    {"all.sectors", "", "All global sectors",
     "32-byte units of global memory that all warps asked for, by the rule of the device", "sector", Form::count,
     Better::fewer, [](const Sums& s) { return whole(s.global.sectors); }, 0, {"All global sectors", "All sectors"}},
    {"lane_efficiency", "counts/lane_efficiency", "Lanes at work",
     "Share of the 32 lanes that take part, on average over all instructions", "", Form::share, Better::more,
     [](const Sums& s) { return report::lane_efficiency(s.thread_instructions, s.instructions); }, 0,
     {"Lanes at work", "Lanes"}, "lanes at work,lane efficiency"},
    {"used_share", "counts/used_share", "Moved bytes used",
     "Distinct bytes that each warp asked for, over 32 bytes for each sector", "", Form::share, Better::more,
     [](const Sums& s) { return over(whole(s.global.bytes_used), 32 * whole(s.global.sectors)); }, 5,
     {"Bytes used", "Used"}},
    {"all.wavefronts", "", "All shared wavefronts", "Turns that shared memory took to serve all warps", "wavefront",
     Form::count, Better::fewer, [](const Sums& s) { return whole(s.shared.wavefronts); }, 0,
     {"All shared wavefronts", "Wavefronts"}},
    {"diverged", "counts/diverged", "Diverged warps", "Warps that a branch sent two ways, each time one did", "warp",
     Form::count, Better::fewer, [](const Sums& s) { return whole(s.diverged); }},
    {"bank_conflicts", "counts/bank_conflicts", "Bank conflicts", "Shared wavefronts beyond the ideal ones", "wavefront",
     Form::count, Better::fewer, [](const Counts& c) {
       return whole(c.shared_load.wavefronts + c.shared_store.wavefronts) -
              whole(c.shared_load.ideal_wavefronts + c.shared_store.ideal_wavefronts);
     }, 8},
    {"global_load.requests", "counts/global_load/requests", "Global load requests", "Warp-wide loads from global memory",
     "request", Form::count, Better::fewer, count<&Counts::global_load, &AccessCounts::requests>, 1},
    {"global_load.sectors", "counts/global_load/sectors", "Global load sectors",
     "32-byte units that those loads asked for", "sector", Form::count, Better::fewer,
     count<&Counts::global_load, &AccessCounts::sectors>, 2},
    {"global_load.bytes_used", "counts/global_load/bytes_used", "Bytes of global loads",
     "Distinct bytes that each warp asked for", "byte", Form::count, Better::fewer,
     count<&Counts::global_load, &AccessCounts::bytes_used>},
    {"global_store.requests", "counts/global_store/requests", "Global store requests",
     "Warp-wide stores to global memory", "request", Form::count, Better::fewer,
     count<&Counts::global_store, &AccessCounts::requests>, 3},
    {"global_store.sectors", "counts/global_store/sectors", "Global store sectors",
     "32-byte units that those stores wrote to", "sector", Form::count, Better::fewer,
     count<&Counts::global_store, &AccessCounts::sectors>, 4},
    {"global_store.bytes_used", "counts/global_store/bytes_used", "Bytes of global stores",
     "Distinct bytes that each warp wrote", "byte", Form::count, Better::fewer,
     count<&Counts::global_store, &AccessCounts::bytes_used>},
    {"global_atomic.requests", "counts/global_atomic/requests", "Global atomic requests",
     "Warp-wide atomics on global memory", "request", Form::count, Better::fewer,
     count<&Counts::global_atomic, &AccessCounts::requests>},
    {"global_atomic.sectors", "counts/global_atomic/sectors", "Global atomic sectors",
     "32-byte units that those atomics changed", "sector", Form::count, Better::fewer,
     count<&Counts::global_atomic, &AccessCounts::sectors>},
    {"global_atomic.bytes_used", "counts/global_atomic/bytes_used", "Bytes of global atomics",
     "Distinct bytes that each warp changed", "byte", Form::count, Better::fewer,
     count<&Counts::global_atomic, &AccessCounts::bytes_used>},
    {"shared_load.requests", "counts/shared_load/requests", "Shared load requests", "Warp-wide loads from shared memory",
     "request", Form::count, Better::fewer, count<&Counts::shared_load, &AccessCounts::requests>},
    {"shared_load.wavefronts", "counts/shared_load/wavefronts", "Shared load wavefronts",
     "Turns that shared memory took to serve the loads", "wavefront", Form::count, Better::fewer,
     count<&Counts::shared_load, &AccessCounts::wavefronts>, 6},
    {"shared_load.ideal_wavefronts", "counts/shared_load/ideal_wavefronts", "Ideal shared load wavefronts",
     "Turns of the same loads without bank conflicts", "wavefront", Form::count, Better::fewer,
     count<&Counts::shared_load, &AccessCounts::ideal_wavefronts>},
    {"shared_store.requests", "counts/shared_store/requests", "Shared store requests", "Warp-wide stores to shared memory",
     "request", Form::count, Better::fewer, count<&Counts::shared_store, &AccessCounts::requests>},
    {"shared_store.wavefronts", "counts/shared_store/wavefronts", "Shared store wavefronts",
     "Turns that shared memory took to serve the stores", "wavefront", Form::count, Better::fewer,
     count<&Counts::shared_store, &AccessCounts::wavefronts>, 7},
    {"shared_store.ideal_wavefronts", "counts/shared_store/ideal_wavefronts", "Ideal shared store wavefronts",
     "Turns of the same stores without bank conflicts", "wavefront", Form::count, Better::fewer,
     count<&Counts::shared_store, &AccessCounts::ideal_wavefronts>},
    {"shared.wavefronts", "", "Wavefronts of shared loads and stores",
     "As the instructions themselves need them, with those of the operands of wgmma", "wavefront", Form::count,
     Better::fewer,
     [](const Counts& c) {
       return whole(c.shared_load.wavefronts + c.shared_store.wavefronts + c.tensor.operand_wavefronts);
     }},
    {"shared_atomic.requests", "counts/shared_atomic/requests", "Shared atomic requests",
     "Warp-wide atomics on shared memory", "request", Form::count, Better::fewer,
     count<&Counts::shared_atomic, &AccessCounts::requests>},
    {"shared_atomic.wavefronts", "counts/shared_atomic/wavefronts", "Shared atomic wavefronts",
     "Turns that shared memory took to serve the atomics", "wavefront", Form::count, Better::fewer,
     count<&Counts::shared_atomic, &AccessCounts::wavefronts>},
    {"shared_atomic.ideal_wavefronts", "counts/shared_atomic/ideal_wavefronts", "Ideal shared atomic wavefronts",
     "Turns of the same atomics without bank conflicts", "wavefront", Form::count, Better::fewer,
     count<&Counts::shared_atomic, &AccessCounts::ideal_wavefronts>},

    {"constant_load.requests", "counts/constant_load/requests", "Constant load requests",
     "Warp-wide loads from constant memory", "request", Form::count, Better::fewer,
     count<&Counts::constant_load, &AccessCounts::requests>},
    {"constant_turns", "counts/constant_load/turns", "Turns of constant loads",
     "One for each different address that a load of constant memory asks for", "turn", Form::count, Better::fewer,
     count<&Counts::constant_load, &AccessCounts::wavefronts>},

    // What went past the load/store units.
    {"tensor.group_products", "counts/tensor/group_products", "Products of warp groups",
     "Instructions of warps that the pipe of wgmma took, with the arrival of each group", "instruction", Form::count,
     Better::neither, tensor<&TensorCounts::group_products>},
    {"tensor.half_products", "counts/tensor/half_products", "Products of f16, bf16, tf32",
     "mma instructions of warps, two for a wmma", "instruction", Form::count, Better::neither,
     tensor<&TensorCounts::half_products>},
    {"tensor.integer_products", "counts/tensor/integer_products", "Products of small integers",
     "mma instructions of warps, two for a wmma", "instruction", Form::count, Better::neither,
     tensor<&TensorCounts::integer_products>},
    {"tensor.double_products", "counts/tensor/double_products", "Products of f64", "mma instructions of warps",
     "instruction", Form::count, Better::neither, tensor<&TensorCounts::double_products>},
    {"tensor.operations", "counts/tensor/operations", "Operations of tensor cores",
     "Of all of these products, a multiply-add counting two", "operation", Form::count, Better::neither,
     tensor<&TensorCounts::operations>},
    {"tensor.operand_wavefronts", "counts/tensor/operand_wavefronts", "Wavefronts of wgmma's operands",
     "Turns of shared memory that products of warp groups took for A and B", "wavefront", Form::count, Better::fewer,
     tensor<&TensorCounts::operand_wavefronts>},
    {"tensor.copy_requests", "counts/tensor/copy_requests", "Requests to TMA",
     "Copies by the tensor memory accelerator: loads, stores, and commits of stores", "request", Form::count,
     Better::fewer, tensor<&TensorCounts::copy_requests>},
    {"tensor.load_sectors", "counts/tensor/load_sectors", "Sectors that TMA loads",
     "32-byte units of global memory, in pieces of 128 bytes", "sector", Form::count, Better::fewer,
     tensor<&TensorCounts::load_sectors>},
    {"tensor.store_sectors", "counts/tensor/store_sectors", "Sectors that TMA stores",
     "32-byte units of global memory, in pieces of 128 bytes", "sector", Form::count, Better::fewer,
     tensor<&TensorCounts::store_sectors>},

    // The problem, whatever the kernel does.
    {"operations", "operations", "Operations of the problem", "Floating-point operations; of a copy its bytes",
     "operation", Form::number, Better::neither, [](const Report& r, const ByHand&) {
       return amount(r.problem_operations > 0 ? r.problem_operations : r.least_bytes);
     }},
    {"least_bytes", "least_bytes", "Least bytes", "That any kernel of the problem must move", "byte", Form::number,
     Better::neither, [](const Report& r, const ByHand&) { return amount(r.least_bytes); }},
    {"flop_per_byte", "flop_per_byte", "Operations a byte",
     "Floating-point operations of the problem for each of the least bytes; 0 of a copy", "operation", Form::number,
     Better::neither, [](const Report& r, const ByHand&) { return amount(over(r.problem_operations, r.least_bytes)); }},

    // The device, which --json names.
    {"sms", "", "SMs", "Multiprocessors of the device", "SM", Form::count, Better::neither,
     [](const Report& r, const ByHand&) { return of_device(r, r.hardware.sm_count); }},
    {"clock_ghz", "", "Clock", "Boost clock of the device, in GHz", "GHz", Form::number, Better::neither,
     [](const Report& r, const ByHand&) { return of_device(r, r.hardware.boost_clock_mhz / 1000); }},
    {"bandwidth_gb", "", "Bandwidth", "Of the device's memory by its data sheet, in GB/s", "GB/s", Form::number,
     Better::neither, [](const Report& r, const ByHand&) { return of_device(r, r.hardware.memory_gb_per_s); }},
    {"peak_gflops", "", "Peak", "Single-precision GFLOP/s of the device, a multiply-add counting two", "GFLOP/s",
     Form::number, Better::neither, peak},
    {"cc", "", "Compute capability", "Of the device, such as 9.0", "", Form::number, Better::neither,
     [](const Report& r, const ByHand&) { return amount(r.hardware.compute_capability / 10.0); }},
});
// clang-format on

constexpr std::size_t kCompared = static_cast<std::size_t>(
    std::ranges::count_if(kQuantities, [](const Quantity& q) { return q.compared > 0; }));

constexpr auto kInComparison = [] {
  std::array<const Quantity*, kCompared> rows{};
  std::size_t at = 0;
  for (const Quantity& quantity : kQuantities)
    if (quantity.compared > 0) rows[at++] = &quantity;
  std::ranges::sort(rows, {},
                    [](const Quantity* row) { return std::pair(row->compared, row - kQuantities.data()); });
  return rows;
}();

}  // namespace

Sums sums_of(const Report& report) {
  const Counts& c = report.counts;
  Sums sums{c.warp_instructions, c.thread_instructions, report.diverged, c.global_load, c.shared_load};
  sums.global += c.global_store, sums.global += c.global_atomic;
  sums.shared += c.shared_store, sums.shared += c.shared_atomic;
  return sums;
}

Sums sums_of(const report::LineRow& line) {
  return {line.executed, line.thread_instructions, line.diverged, line.traffic.global, line.traffic.shared};
}

Sums sums_of(const emulator::InstructionCounters& instruction) {
  const AccessCounts none, &own = instruction;
  const auto in = [&](ptx::Space space) { return instruction.space == space ? own : none; };
  return {instruction.executed, instruction.lanes, instruction.diverged, in(ptx::Space::global),
          in(ptx::Space::shared)};
}

device::ResourceUsage use_of(const Report& report, const ByHand& by_hand) {
  return {by_hand.threads.value_or(static_cast<int>(product(report.block))),
          by_hand.registers.value_or(report.device_registers), by_hand.shared.value_or(report.shared_bytes)};
}

std::span<const Quantity> quantities() { return kQuantities; }

const Quantity* find_quantity(std::string_view id) {
  const auto found = std::ranges::find(kQuantities, id, &Quantity::id);
  return found == kQuantities.end() ? nullptr : &*found;
}

std::span<const Quantity* const> compared_quantities() { return kInComparison; }

double grid_over_counted(const Report& report) {
  if (!report.sampled_blocks || *report.sampled_blocks == 0) return 1;
  return whole(product(report.grid)) / whole(*report.sampled_blocks);
}

Result<Amount> value(const Quantity& quantity, const Report& report, Scope scope, const ByHand& by_hand) {
  if (const auto* of = std::get_if<OfReport>(&quantity.of)) return (*of)(report, by_hand);
  if (!report.counted)
    return Error{"a GPU counts nothing by itself", "run it on the emulator, or with --engine both"};
  const auto* of_sums = std::get_if<OfSums>(&quantity.of);
  const double counted =
      of_sums != nullptr ? (*of_sums)(sums_of(report)) : std::get<OfCounts>(quantity.of)(report.counts);
  if (scope == Scope::counted || !quantity.adds_up()) return amount(counted);
  return amount(std::round(counted * grid_over_counted(report)));
}

std::optional<double> number(std::string_view id, const Report& report, Scope scope) {
  const auto found = value(*find_quantity(id), report, scope);
  const auto* number = found ? std::get_if<double>(&*found) : nullptr;
  return number == nullptr ? std::nullopt : std::optional(*number);
}

double number(std::string_view id, const Sums& sums) { return std::get<OfSums>(find_quantity(id)->of)(sums); }

std::string why_not_full(const Report& report) {
  const auto fit = fit_of(report, {});
  const int sms = report.hardware.sm_count;
  const std::uint64_t blocks = product(report.grid);
  if (!fit || sms <= 0 || blocks == 0 || fit->blocks_per_sm <= 0) return "";
  if (blocks >= static_cast<std::uint64_t>(fit->blocks_per_sm) * static_cast<std::uint64_t>(sms)) return "";
  return fmt::format("the grid has {} block{} for {} SMs that hold {} each", grouped(blocks),
                     blocks == 1 ? "" : "s", sms, fit->blocks_per_sm);
}

}  // namespace warplens::run
