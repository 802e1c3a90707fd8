#include "engine/run/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.hpp"
#include "engine/problem/work.hpp"
#include "engine/ptx/matrix_products.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/grid/verified_sum.hpp"

namespace warplens::run {
namespace {

// A ratio of operations to sectors is known well from few blocks, the first and the last among them.
constexpr double kOperationsOfACount = 1e8;

Result<Emulation> count_blocks(const Job& job, const emulator::Kernel& kernel, double sample_above,
                               const CountOptions& options) {
  auto emulation = emulate(kernel, *job.instance, job.plan.launch,
                           {.threads = options.threads,
                            .cancel = options.cancel,
                            .sample_above = sample_above,
                            .sample_sums = !blocks_may_communicate(kernel.function()),
                            .counts_only = true});
  if (!emulation) return emulation.error();
  if (options.cancel != nullptr && *options.cancel) return cancelled();
  if (emulation->outcome.fault) return emulation->outcome.fault->error;
  const bool is_part_of_a_sum = adds_up(*job.instance) && !emulation->ran_whole();
  const bool is_verified = !is_part_of_a_sum && !emulation->stands_for_all;
  if (is_verified && emulation->verification.is_wrong())
    return Error{"the result of " + job.plan.spec.id + " is wrong", "correct the kernel"};
  return emulation;
}

// More than the ideal of one kind of access.
double wasted(std::uint64_t count, std::uint64_t ideal) {
  return count > ideal ? static_cast<double>(count - ideal) : 0;
}

void add_waste(StepCount& count, const emulator::Counters& counters) {
  const auto sectors = [](const auto& access) { return wasted(access.sectors, access.ideal_sectors); };
  const auto wavefronts = [](const auto& access) {
    return wasted(access.wavefronts, access.ideal_wavefronts);
  };
  count.wasted_load_sectors = sectors(counters.global_load);
  count.wasted_store_sectors = sectors(counters.global_store) + sectors(counters.global_atomic);
  count.wasted_load_wavefronts = wavefronts(counters.shared_load);
  count.wasted_store_wavefronts = wavefronts(counters.shared_store) + wavefronts(counters.shared_atomic);
  count.idle_lanes = 32.0 * static_cast<double>(counters.warp_instructions) -
                     static_cast<double>(counters.thread_instructions);
}

bool is_fp32_arithmetic(const ptx::Instruction& i) {
  using ptx::Opcode;
  constexpr std::array kArithmetic = {Opcode::add, Opcode::sub, Opcode::mul, Opcode::fma,
                                      Opcode::mad, Opcode::div, Opcode::min, Opcode::max};
  return i.type == ptx::Type::f32 && std::ranges::find(kArithmetic, i.opcode) != kArithmetic.end();
}

// A multiply-add counts as two. What a problem calls an operation may be one of integers, of doubles, or a
// load.
bool are_floats(const ptx::Function& function, const emulator::Counters& counters, double operations) {
  constexpr double kMost = 0.5, kLanes = 32;
  double done = static_cast<double>(counters.tensor.operations);
  for (std::size_t pc = 0; pc < std::min(function.code.size(), counters.instructions.size()); ++pc) {
    const ptx::Instruction& i = function.code[pc];
    const bool is_two = i.opcode == ptx::Opcode::fma || i.opcode == ptx::Opcode::mad;
    if (is_fp32_arithmetic(i))
      done += kLanes * (is_two ? 2 : 1) * static_cast<double>(counters.instructions[pc].executed);
  }
  return done >= kMost * operations;
}

bool is_below_a_byte(ptx::Type type) {
  return type == ptx::Type::s4 || type == ptx::Type::u4 || type == ptx::Type::b1;
}

double loop_turns(const ptx::Function& function, const emulator::Counters& counters) {
  double turns = 0;
  for (std::size_t pc = 0; pc < std::min(function.code.size(), counters.instructions.size()); ++pc) {
    const ptx::Instruction& i = function.code[pc];
    if (i.opcode == ptx::Opcode::bra && i.operands.front().target <= pc)
      turns += static_cast<double>(counters.instructions[pc].executed);
  }
  return turns;
}

StepCount count_of(const Plan& plan, const problem::Instance& instance, const ptx::Function& function,
                   const Emulation& emulation) {
  const auto& counters = emulation.outcome.counters;
  const double share =
      static_cast<double>(counters.blocks_run) / static_cast<double>(emulation.blocks_in_grid);
  StepCount count{
      .work = is_told_in_operations(instance.operations(), instance.least_bytes())
                  ? emulation.operations
                  : instance.least_bytes() * share,
      .operations = emulation.operations,
      .are_floats = are_floats(function, counters, emulation.operations),
      .tensor = tensor_operations(function, counters),
      .bytes = 32.0 * static_cast<double>(counters.global_load.sectors + counters.global_store.sectors +
                                          counters.global_atomic.sectors + counters.tensor.load_sectors +
                                          counters.tensor.store_sectors),
      .wavefronts =
          static_cast<double>(counters.shared_load.wavefronts + counters.shared_store.wavefronts +
                              counters.shared_atomic.wavefronts + counters.tensor.operand_wavefronts),
      .requests = static_cast<double>(counters.global_load.requests + counters.global_store.requests +
                                      counters.global_atomic.requests),
      .instructions = static_cast<double>(counters.warp_instructions),
      .barriers = static_cast<double>(counters.barriers),
      .loop_turns = loop_turns(function, counters),
      .least_bytes = instance.least_bytes() * share,
      .share = share,
      .blocks = emulation.blocks_in_grid,
      .has_queues = counters.tensor.group_products > 0 || counters.tensor.copy_requests > 0,
      .unit = unit_of(instance),
      .words = fmt::format("Counted in the emulator with {}", value_words(plan.parameters)),
      .parameters = plan.parameters,
      .sizes = plan.sizes,
      .about = plan.spec.about,
      .problem = plan.spec.problem};
  add_waste(count, counters);
  if (emulation.is_sampled())
    count.words +=
        fmt::format("; {} of {} blocks ran", grouped(counters.blocks_run), grouped(emulation.blocks_in_grid));
  if (emulation.stands_for_all)
    count.words += fmt::format("; {} of {} blocks ran, the others repeat them",
                               grouped(emulation.blocks_ran()), grouped(emulation.blocks_in_grid));
  return count;
}

}  // namespace

TensorOperations tensor_operations(const ptx::Function& function, const emulator::Counters& counters) {
  constexpr double kGroupWarps = 4;  // that share a product of a warp group
  TensorOperations work;
  for (std::size_t pc = 0; pc < std::min(function.code.size(), counters.instructions.size()); ++pc) {
    const ptx::Instruction& i = function.code[pc];
    if (!ptx::is_matrix_product(i.opcode)) continue;
    const auto [m, n, k] = i.shape;
    const double warps = i.opcode == ptx::Opcode::wgmma_mma_async ? kGroupWarps : 1;
    const double operations =
        2.0 * m * n * k / warps * static_cast<double>(counters.instructions[pc].executed);
    const ptx::Type type = i.matrix_types[1];
    work.operations += operations;
    if (type == ptx::Type::f64 || is_below_a_byte(type)) continue;
    work.of_16_bits +=
        operations * ptx::size_in_bytes(type) / 2 * (i.opcode == ptx::Opcode::mma_sp ? 0.5 : 1);
  }
  return work;
}

StepCount step_count(const Run& run) {
  StepCount count = count_of(run.plan(), *run.job->instance, run.kernel->function(), run.emulation);
  count.missing = missing_instruction(run);
  count.replaced = replaced_instruction(run.plan().spec.code, run.kernel->function(), run.device());
  return count;
}

double times_the_work(const StepCount& one, const StepCount& other) {
  const bool is_same = !one.problem.empty() && one.problem == other.problem && one.sizes == other.sizes;
  constexpr double kRounding = 1e-9;
  const double operations = one.operations / one.share, its = other.operations / other.share;
  if (is_same && std::abs(operations - its) <= kRounding * its) return one.share / other.share;
  return one.work / other.work;
}

std::string unit_of(const problem::Instance& instance) {
  return std::string(problem::work_of(instance).unit);
}

Result<StepCount> count_sample(const Job& job, const Job* usual, const CountOptions& options) {
  const auto kernel = prepare(job.build, job.plan.device);
  if (!kernel) return kernel.error();
  const bool sums = adds_up(*job.instance);
  const double sample_above = !sums              ? kOperationsOfACount
                              : usual == nullptr ? 0  // the values are for one size alone
                                                 : double{kVerifiedSum};
  const auto counted = count_blocks(job, **kernel, sample_above, options);
  if (!counted) return counted.error();
  StepCount count = count_of(job.plan, *job.instance, (*kernel)->function(), *counted);
  count.missing = missing_instruction((*kernel)->function(), job.plan.device);
  count.replaced = replaced_instruction(job.plan.spec.code, (*kernel)->function(), job.plan.device);
  if (!sums || counted->ran_whole()) return count;
  const auto verified = count_blocks(*usual, **kernel, 0, options);
  if (!verified) return verified.error();
  if (verified->ran_whole()) count.words += "; verified with " + value_words(usual->plan.sizes);
  return count;
}

}  // namespace warplens::run
