#include "engine/run/checked/check_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "engine/check/checker.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/run/checked/far_blocks.hpp"
#include "engine/run/grid/block_kinds.hpp"
#include "engine/run/placing.hpp"
#include "engine/source/signature.hpp"

namespace warplens::run {
namespace {

using emulator::GlobalMemory, problem::Instance;

// The buffers of a launch, called as the kernel calls them.
std::vector<check::BufferFacts> buffer_facts(const Instance& instance,
                                             const std::vector<emulator::Allocation>& places,
                                             const std::vector<std::string>& parameters) {
  std::vector<check::BufferFacts> facts;
  for (std::size_t b = 0; b < places.size(); ++b) {
    const problem::Buffer& buffer = instance.buffers()[b];
    facts.push_back({places[b].address, places[b].size, buffer.name, buffer.is_output,
                     !buffer.is_output || buffer.starts_at_zero || buffer.starts_filled,
                     static_cast<std::uint32_t>(problem::size_in_bytes(buffer.type)), places[b].name,
                     buffer.is_output ? instance.initial(b) : std::span<const std::byte>()});
  }
  const auto& arguments = instance.arguments();
  const bool has_names = arguments.size() == parameters.size();
  for (std::size_t a = 0; a < arguments.size(); ++a)
    problem::for_each_buffer(arguments[a],
                             [&](const problem::BufferArgument& buffer, std::string_view member) {
                               if (buffer.buffer >= facts.size()) return;
                               facts[buffer.buffer].before = buffer.offset;
                               if (!member.empty())
                                 facts[buffer.buffer].name = member;
                               else if (has_names && !parameters[a].empty())
                                 facts[buffer.buffer].name = parameters[a];
                             });
  return facts;
}

check::LaunchFacts facts_of(const emulator::Kernel& kernel, const Instance& instance,
                            const emulator::Launch& launch, GlobalMemory& memory,
                            const std::vector<emulator::Allocation>& places, const CheckOptions& options) {
  check::LaunchFacts facts;
  facts.kernel = &kernel;
  facts.memory = &memory;
  facts.grid = launch.grid;
  facts.block = launch.block;
  facts.shared_bytes = kernel.static_shared_bytes() + launch.dynamic_shared_bytes;
  facts.local_bytes = kernel.layout().local_bytes();
  facts.arguments = launch.arguments;
  facts.compute_capability = options.compute_capability;
  facts.registers = options.registers;
  facts.ptx = options.ptx;
  facts.buffers = buffer_facts(instance, places, options.parameters);
  return facts;
}

// What the file never sets has no value, whatever the problem puts there.
void forget_never_set(const Instance& instance, const std::vector<bool>& never_set,
                      std::vector<check::BufferFacts>& facts) {
  const auto& arguments = instance.arguments();
  for (std::size_t a = 0; a < std::min(arguments.size(), never_set.size()); ++a)
    if (const auto* buffer = std::get_if<problem::BufferArgument>(&arguments[a]))
      if (never_set[a] && facts[buffer->buffer].is_output)
        facts[buffer->buffer].is_initialized = false, facts[buffer->buffer].is_never_set = true;
}

// A launch in memory of its own.
struct Ready {
  GlobalMemory memory;
  std::vector<emulator::Allocation> places;
  emulator::Launch launch;
};
Result<Ready> ready_for(const emulator::Kernel& kernel, const Instance& instance,
                        const catalog::LaunchShape& shape, const CheckOptions& options,
                        std::vector<std::uint64_t> run) {
  auto memory = GlobalMemory::create(memory_for(instance));
  if (!memory) return memory.error();
  auto places = place_buffers(instance, *memory, options.cancel);
  if (!places) return places.error();
  auto launch = launch_on(*places, kernel, instance, shape);
  if (!launch) return launch.error();
  launch->threads = 1;  // the same findings in every run
  launch->instruction_budget = options.instruction_budget;
  launch->stop_at_uninitialised = false;
  launch->cancel = options.cancel;
  launch->blocks = std::move(run);
  return Ready{*std::move(memory), *std::move(places), *std::move(launch)};
}

// watched: the blocks to check, all others of `run` only run.
Result<Checked> watch(const emulator::Kernel& kernel, const Instance& instance,
                      const catalog::LaunchShape& shape, const CheckOptions& options,
                      std::vector<std::uint64_t> run, std::vector<std::uint64_t> watched) {
  auto ready = ready_for(kernel, instance, shape, options, std::move(run));
  if (!ready) return ready.error();
  auto& [memory, places, launch] = *ready;
  check::LaunchFacts facts = facts_of(kernel, instance, launch, memory, places, options);
  facts.is_sample = !watched.empty();
  if (watched.empty() || !blocks_may_communicate(kernel.function()))  // else others may have written it
    forget_never_set(instance, options.never_set, facts.buffers);
  check::Checker checker(std::move(facts), watched);
  launch.watcher = &checker;
  if (options.cancel == nullptr) launch.cancel = &checker.is_done();
  auto outcome = kernel.run(launch, memory);
  if (!outcome) return outcome.error();
  Checked checked;
  checked.fault = outcome->fault;
  checked.findings = checker.finish(outcome->fault);
  checked.outcome = *std::move(outcome);
  checked.gave_up = checker.gave_up();
  checked.effort = checker.effort();
  if (checked.gave_up) checked.fault.reset();
  checked.blocks_checked = checked.gave_up   ? checker.blocks_watched()
                           : watched.empty() ? catalog::blocks_in_grid(shape)
                                             : watched.size();
  return checked;
}

// About what watching the first blocks takes, found by counting alone; 0: it stops, or is long.
std::uint64_t effort_of_first(const emulator::Kernel& kernel, const Instance& instance,
                              const catalog::LaunchShape& shape, const std::vector<std::uint64_t>& blocks) {
  EmulationOptions options;
  options.threads = 1;
  options.instruction_budget = 200'000;
  options.stop_at_uninitialised = false;
  options.blocks = blocks;
  const auto ran = emulate(kernel, instance, shape, options);
  if (!ran || ran->outcome.fault) return 0;
  const auto& counters = ran->outcome.counters;
  std::uint64_t effort = counters.warp_instructions;
  for (std::size_t pc = 0; pc < counters.instructions.size(); ++pc) {
    const ptx::Instruction& i = kernel.function().code[pc];
    const std::uint64_t width = std::max<std::uint64_t>(ptx::size_in_bytes(i.type), 1);
    const bool loads = i.opcode == ptx::Opcode::ld;  // of each address once
    if (counters.instructions[pc].requests_in_ptx > 0)
      effort += loads ? counters.instructions[pc].bytes_used / width
                      : counters.instructions[pc].lanes * std::max<std::uint64_t>(i.vector, 1);
  }
  return std::max<std::uint64_t>(effort, 1);
}

// Instructions of blocks that run beside those that are watched, by one thread.
constexpr std::uint64_t kMostThatOnlyRuns = 400'000'000;

// Blocks of a grid that all may wait for each other, as at a barrier made of atomics.
constexpr std::uint64_t kMostThatWait = 1024;

bool waits_for_others(const Checked& alone, const emulator::Kernel& kernel) {
  using Fault = emulator::Fault;
  return alone.fault &&
         (alone.fault->kind == Fault::Kind::deadlock || alone.fault->kind == Fault::Kind::budget) &&
         blocks_may_communicate(kernel.function());
}

// What blocks do to each other is mostly done to the next one, of the row or of the column.
std::vector<std::uint64_t> with_neighbours(std::vector<std::uint64_t> sample,
                                           const catalog::LaunchShape& shape, std::uint64_t wanted) {
  const std::uint64_t blocks = catalog::blocks_in_grid(shape), row = shape.grid[0];
  const std::size_t spread = sample.size();
  for (std::size_t i = 0; i < spread && sample.size() < wanted; ++i) {
    const std::uint64_t next = sample[i] + (i % 2 == 1 && row > 1 && row < blocks ? row : 1);
    if (next < blocks) sample.push_back(next);
  }
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

// Of the sample, each block and its neighbours are watched; blocks further apart that come to the same words are told by running the
// grid, or so many of its first blocks as that may take. What only runs is at least so much quicker than what is watched.
constexpr std::uint64_t kTimesQuicker = 8;

std::vector<BlockPair> far_pairs(const emulator::Kernel& kernel, const Instance& instance,
                                 const catalog::LaunchShape& shape, const CheckOptions& options,
                                 std::uint64_t effort_of_block) {
  auto ready = ready_for(kernel, instance, shape, options, {});
  if (!ready) return {};
  auto& [memory, places, launch] = *ready;
  // Blocks whose words are those of the first one, moved, meet the first ones if any.
  const bool are_alike = block_kinds(kernel, launch).why_not.empty();
  const std::uint64_t most = (are_alike ? 1 : kTimesQuicker) * options.most_effort / effort_of_block;
  if (most < 2) return {};
  if (most < catalog::blocks_in_grid(shape)) {
    launch.blocks.resize(static_cast<std::size_t>(most));
    std::iota(launch.blocks.begin(), launch.blocks.end(), 0);
    launch.blocks = emulator::with_companions(launch.blocks, kernel.together(), shape.grid);
  }
  return blocks_at_one_word(kernel, launch, memory, buffer_facts(instance, places, options.parameters));
}

void add_pairs(const std::vector<BlockPair>& pairs, std::vector<std::uint64_t>& sample) {
  for (const auto& [first, second] : pairs) sample.insert(sample.end(), {first, second});
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
}

// Where blocks may tell each other that they are done, that may go through all those between two of them: such a row is watched in place
// of blocks here and there, of which nothing would be known that orders them. most: blocks that may be watched.
void watch_in_a_row(const std::vector<BlockPair>& pairs, std::uint64_t blocks, std::uint64_t most,
                    std::vector<std::uint64_t>& sample) {
  const auto pair = std::ranges::find_if(
      pairs, [&](const BlockPair& one) { return one[1] - one[0] > 1 && one[1] - one[0] < most; });
  if (pair == pairs.end()) return;
  const auto [first, second] = *pair;
  const std::uint64_t last = std::max(second, std::min(first + sample.size(), blocks) - 1);
  sample.resize(static_cast<std::size_t>(last - first + 1));
  std::iota(sample.begin(), sample.end(), first);
}

}  // namespace

std::vector<std::string> parameter_names(const catalog::KernelSpec& spec) {
  const auto kernels = source::kernel_signatures(spec.code);
  if (kernels.size() != 1) return {};
  std::vector<std::string> names;
  for (const auto& parameter : kernels[0].parameters) names.push_back(parameter.name);
  return names;
}

check::FaultWords fault_words(const emulator::Fault& fault, const emulator::Kernel& kernel,
                              const Instance& instance, const std::vector<emulator::Allocation>& places,
                              const catalog::LaunchShape& shape, const catalog::KernelSpec& spec) {
  const auto& code = kernel.function().code;
  const ptx::Instruction i = fault.pc < code.size() ? code[fault.pc] : ptx::Instruction{};
  const auto buffers = buffer_facts(instance, places, parameter_names(spec));
  return check::words_of_fault(fault, i, check::array_at(fault, i, kernel.layout(), buffers), shape.block,
                               shape.grid);
}

Result<Checked> check_blocks(const emulator::Kernel& kernel, const Instance& instance,
                             const catalog::LaunchShape& shape, const CheckOptions& options) {
  const std::uint64_t blocks = catalog::blocks_in_grid(shape);
  const emulator::RunsTogether together = kernel.together();
  const auto first_blocks = emulator::with_companions({0}, together, shape.grid);
  std::uint64_t wanted = blocks, one = 1;  // one: what a block takes
  if (blocks > first_blocks.size()) {
    std::uint64_t all = effort_of_first(kernel, instance, shape, first_blocks);
    if (all == 0) {
      const auto first = watch(kernel, instance, shape, options, first_blocks, first_blocks);
      if (!first) return first.error();
      if (waits_for_others(*first, kernel) && blocks <= kMostThatWait)
        return watch(kernel, instance, shape, options, {}, {});
      if (first->fault || first->gave_up) return first;
      all = first->effort;
    }
    one = std::max<std::uint64_t>(all / first_blocks.size(), 1);
    const std::uint64_t least = std::min(options.least_effort, options.most_effort);
    const std::uint64_t effort = std::clamp(one * blocks / 64, least, options.most_effort);
    wanted = std::max<std::uint64_t>(effort / one, 3);
  }
  if (wanted >= blocks) return watch(kernel, instance, shape, options, {}, {});
  const bool all_run = blocks_may_communicate(kernel.function());
  // Of a grid that takes long the first blocks run, and those are looked at.
  const std::uint64_t running =
      all_run ? std::min(blocks, std::max(kMostThatOnlyRuns / one, 2 * wanted)) : blocks;
  auto sample =
      with_neighbours(sample_blocks(running, std::max<std::uint64_t>(wanted / 2, 2)), shape, wanted);
  const auto pairs = far_pairs(kernel, instance, shape, options, one);
  if (all_run)
    watch_in_a_row(pairs, blocks, options.most_effort / one, sample);
  else
    add_pairs(pairs, sample);
  sample = emulator::with_companions(sample, together, shape.grid);
  std::vector<std::uint64_t> run = sample;  // empty: all
  if (all_run) run.resize(static_cast<std::size_t>(running < blocks ? running : 0));
  if (all_run) std::iota(run.begin(), run.end(), 0);
  if (all_run && running < blocks) {
    run = emulator::with_companions(run, together, shape.grid);
    std::erase_if(sample, [&](std::uint64_t block) { return block > run.back(); });
  }
  return watch(kernel, instance, shape, options, std::move(run), std::move(sample));
}

}  // namespace warplens::run
