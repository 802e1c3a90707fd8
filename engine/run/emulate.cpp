#include "engine/run/emulate.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "engine/base/memory_pages.hpp"
#include "engine/catalog/recorded_launch.hpp"
#include "engine/problem/input.hpp"
#include "engine/problem/recorded_problem.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/run/arguments.hpp"
#include "engine/run/grid/whole_grid.hpp"
#include "engine/run/issued.hpp"
#include "engine/run/placing.hpp"
#include "engine/run/source_place.hpp"
#include "engine/trace/lane_recorder.hpp"

namespace warplens::run {
namespace {

using emulator::GlobalMemory, problem::Instance;

}  // namespace

namespace {

std::uint64_t end_of(const catalog::RecordedLaunch& launch) {
  std::uint64_t end = emulator::kGlobalBase;
  for (const auto* list : {&launch.arrays, &launch.others})
    for (const catalog::RecordedArray& array : *list) end = std::max(end, array.address + array.bytes.size());
  return end;
}

void copy_to(GlobalMemory& memory, const catalog::RecordedArray& array) {
  std::ranges::copy(array.bytes, memory.bytes({array.name, array.address, array.bytes.size()}).begin());
}

// Memory gives out one place behind the other, as cudaMalloc's alignment and a gap have it.
class InOrder {
 public:
  explicit InOrder(GlobalMemory& memory) : memory_(memory) {}
  // Precondition: ascending addresses of an arena of the same kind. Error: there is no room at its address.
  Result<emulator::Allocation> place(const catalog::RecordedArray& array) {
    while (next_ < array.address) {
      const std::uint64_t room = array.address - next_;
      const auto skipped = take({}, std::min(room < kGap ? 0 : room - kGap, kMost));
      if (!skipped) return skipped.error();
      memory_.release(skipped->address);
    }
    auto place = take(array, array.bytes.size());
    if (place && place->address != array.address)
      return Error{"there is no room for " + array.name + " where the program has it", ""};
    return place;
  }

 private:
  static constexpr std::uint64_t kGap = 4096, kAlignment = 256, kMost = std::uint64_t{1} << 31;
  Result<emulator::Allocation> take(const catalog::RecordedArray& array, std::uint64_t size) {
    auto place = array.of_module
                     ? memory_.allocate_variable(array.name, size, array.read_only, array.internal)
                     : memory_.allocate(array.name, size, array.read_only);
    if (place) next_ = (place->address + size + kGap + kAlignment - 1) / kAlignment * kAlignment;
    return place;
  }
  GlobalMemory& memory_;
  std::uint64_t next_ = emulator::kGlobalBase;
};

// Where the program had them. Variables have their values at once: launches do not set them.
Result<std::vector<emulator::Allocation>> allocate_recorded(const catalog::RecordedLaunch& launch,
                                                            GlobalMemory& memory) {
  std::map<std::uint64_t, const catalog::RecordedArray*> by_address;
  for (const auto* list : {&launch.arrays, &launch.others})
    for (const catalog::RecordedArray& array : *list) by_address[array.address] = &array;
  std::map<std::uint64_t, emulator::Allocation> places;
  InOrder order(memory);
  for (const auto& [address, array] : by_address) {
    auto place = order.place(*array);
    if (!place) return place.error();
    if (array->of_module) copy_to(memory, *array);
    places[address] = *std::move(place);
  }
  std::vector<emulator::Allocation> of_arrays;
  for (const catalog::RecordedArray& array : launch.arrays) of_arrays.push_back(places[array.address]);
  return of_arrays;
}

}  // namespace

// Room for the buffers and for what a program adds.
std::uint64_t memory_for(const Instance& instance) {
  std::uint64_t total = std::uint64_t{64} << 20;
  if (const auto* recorded = problem::recorded_launch(instance))
    return total + end_of(*recorded) - emulator::kGlobalBase;
  for (const auto& buffer : instance.buffers())
    total += buffer.elements * problem::size_in_bytes(buffer.type) + 8192;
  return total;
}

Result<std::vector<emulator::Allocation>> allocate_buffers(const Instance& instance, GlobalMemory& memory) {
  if (const auto* recorded = problem::recorded_launch(instance)) return allocate_recorded(*recorded, memory);
  std::vector<emulator::Allocation> places;
  for (const problem::Buffer& buffer : instance.buffers()) {
    auto place = memory.allocate(buffer.name, problem::bytes_of(buffer));
    if (!place) return place.error();
    places.push_back(*std::move(place));
  }
  return places;
}

void fill_buffers(const Instance& instance, const std::vector<emulator::Allocation>& places,
                  GlobalMemory& memory, const std::atomic<bool>* cancel) {
  for (std::size_t b = 0; b < places.size(); ++b) {
    if (cancel != nullptr && *cancel) return;
    const std::span<std::byte> bytes = memory.bytes(places[b]);
    use_large_pages(bytes);
    std::ranges::copy(instance.initial(b), bytes.begin());
  }
  if (const auto* recorded = problem::recorded_launch(instance))
    for (const catalog::RecordedArray& array : recorded->others) copy_to(memory, array);
}

Result<std::vector<emulator::Allocation>> place_buffers(const Instance& instance, GlobalMemory& memory,
                                                        const std::atomic<bool>* cancel) {
  auto places = allocate_buffers(instance, memory);
  if (places) fill_buffers(instance, *places, memory, cancel);
  return places;
}

namespace {

std::size_t output_of(const Instance& instance) {
  const auto& buffers = instance.buffers();
  const auto found = std::find_if(buffers.begin(), buffers.end(), [](const auto& b) { return b.is_output; });
  return static_cast<std::size_t>(found - buffers.begin());
}

// Which elements a sample of blocks wrote: those that are not as they were.
std::vector<std::uint8_t> written_elements(std::span<const std::byte> output,
                                           std::span<const std::byte> initial, std::size_t element) {
  std::vector<std::uint8_t> written(output.size() / element);
  for (std::size_t e = 0; e < written.size(); ++e)
    written[e] = std::memcmp(output.data() + e * element, initial.data() + e * element, element) != 0;
  return written;
}

// PTX names no line of a kernel's head, so the first one that it made code of stands for it.
Error signature_mismatch(Error error, const emulator::Kernel& kernel, const Instance& instance) {
  error.next_step = "declare it as kernel(" + std::string(instance.signature()) + ")";
  for (const ptx::SourceLocation& location : kernel.function().locations) {
    const auto& files = kernel.program().files;
    if (location.line <= 0 || location.file < 0 || location.file >= std::ssize(files)) continue;
    error.place = {files[static_cast<std::size_t>(location.file)], location.line, 0};
    break;
  }
  return error;
}

}  // namespace

Result<emulator::Launch> launch_on(const std::vector<emulator::Allocation>& places,
                                   const emulator::Kernel& kernel, const Instance& instance,
                                   const catalog::LaunchShape& shape) {
  emulator::Launch launch;
  if (const auto* recorded = problem::recorded_launch(instance)) {
    launch.arguments = recorded->arguments;
    launch.variables = &recorded->variables;
  } else {
    auto arguments = argument_bytes(instance.arguments(), kernel.function(), places);
    if (!arguments) return signature_mismatch(arguments.error(), kernel, instance);
    launch.arguments = *std::move(arguments);
  }
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  return launch;
}

namespace {

bool reads(const ptx::Operand& operand, ptx::RegisterId number) {
  using OperandKind = ptx::Operand::Kind;
  if (operand.kind == OperandKind::vector)
    return std::any_of(operand.elements.begin(), operand.elements.end(),
                       [&](const ptx::Operand& element) { return reads(element, number); });
  return (operand.kind == OperandKind::reg || operand.kind == OperandKind::address) &&
         operand.register_id == number;
}

// Whether anything depends on what an atomic found in memory: sums mostly throw it away.
bool is_result_read(const ptx::Function& function, const ptx::Instruction& atomic) {
  if (atomic.destinations == 0 || atomic.operands[0].kind == ptx::Operand::Kind::sink) return false;
  if (atomic.operands[0].kind != ptx::Operand::Kind::reg) return true;
  const ptx::RegisterId result = atomic.operands[0].register_id;
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& i) {
    return (i.predicated && i.guard == result) ||
           std::any_of(i.operands.begin() + i.destinations, i.operands.end(),
                       [&](const ptx::Operand& operand) { return reads(operand, result); });
  });
}

}  // namespace

std::vector<std::uint64_t> sample_blocks(std::uint64_t blocks, std::uint64_t wanted) {
  std::vector<std::uint64_t> sample;
  if (wanted >= blocks) wanted = blocks;
  if (wanted == 0) return sample;
  if (wanted == 1) return {0};
  for (std::uint64_t i = 0; i < wanted; ++i)
    sample.push_back(static_cast<std::uint64_t>(static_cast<double>(i) * static_cast<double>(blocks - 1) /
                                                static_cast<double>(wanted - 1)));
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

bool blocks_may_communicate(const ptx::Function& function) {
  if (reads_special(function, ptx::Special::envreg2)) return true;  // grid.sync()
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& i) {
    if (i.opcode == ptx::Opcode::mapa || i.opcode == ptx::Opcode::barrier_cluster_arrive) return true;
    if (i.space != ptx::Space::global && i.space != ptx::Space::generic) return false;
    return i.is_volatile || (i.opcode == ptx::Opcode::atom && is_result_read(function, i));
  });
}

namespace {
// Whether a block may do otherwise where only its cluster runs: by global memory. A fence alone passes nothing on.
bool depend_on_others(const ptx::Function& function) {
  if (reads_special(function, ptx::Special::envreg2)) return true;  // grid.sync()
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& i) {
    const bool accesses = i.opcode == ptx::Opcode::ld || i.opcode == ptx::Opcode::atom;
    const bool is_global = i.space == ptx::Space::global || i.space == ptx::Space::generic;
    return accesses && is_global &&
           (i.is_volatile || (i.opcode == ptx::Opcode::atom && is_result_read(function, i)));
  });
}
}  // namespace

bool adds_up(const Instance& instance) { return instance.buffers()[output_of(instance)].starts_at_zero; }

Result<std::vector<emulator::Allocation>> buffer_places(const Instance& instance) {
  auto memory = GlobalMemory::create(memory_for(instance));
  if (!memory) return memory.error();
  return allocate_buffers(instance, *memory);
}

namespace {

// The same lines, with nothing in those of other kernels.
std::string without_other_kernels(std::string ptx, const std::string& kernel) {
  constexpr std::string_view kEntry = ".entry ";
  for (std::size_t at = ptx.find(kEntry); at != std::string::npos; at = ptx.find(kEntry, at + 1)) {
    const std::size_t name = at + kEntry.size(), end = ptx.find_first_of("( \t\r\n", name);
    const std::size_t begin = ptx.rfind('\n', at) + 1;
    std::size_t behind = ptx.find('{', at);
    if (end == std::string::npos || behind == std::string::npos) break;
    if (std::string_view(ptx).substr(name, end - name) == kernel) continue;
    int depth = 0;
    do depth += ptx[behind] == '{' ? 1 : ptx[behind] == '}' ? -1 : 0;
    while (++behind < ptx.size() && depth > 0);
    for (std::size_t place = begin; place < behind; ++place)
      if (ptx[place] != '\n') ptx[place] = ' ';
  }
  return ptx;
}

}  // namespace

Result<std::shared_ptr<const emulator::Kernel>> prepare(const compile::Build& build,
                                                        const device::Device& device) {
  ptx::Parsed parsed = ptx::parse(build.ptx, "ptx");
  if (!parsed.left_out.empty())  // by another kernel of the file, it may be
    parsed = ptx::parse(without_other_kernels(build.ptx, build.kernel_name), "ptx");
  if (!parsed.errors.empty()) {
    Error first = parsed.errors.front();
    if (!parsed.left_out.empty()) {
      first.place = source_place(build.ptx, first.place.line);
      return first;
    }
    first.message += " in line " + std::to_string(first.place.line) + " of its PTX";
    if (parsed.errors.size() > 1)
      first.message += " (and " + std::to_string(parsed.errors.size() - 1) +
                       (parsed.errors.size() > 2 ? " more places)" : " more place)");
    first.place = source_place(build.ptx, first.place.line);
    return first;
  }
  const auto issued = issued_accesses(build);
  return emulator::Kernel::prepare(std::make_shared<const ptx::Program>(std::move(parsed.program)),
                                   build.kernel_name, device, issued ? &*issued : nullptr);
}

namespace {

// How many operations take as long here as one of a lane.
double operations_together(const ptx::Function& function) {
  constexpr double of_warp_groups = 16;
  return std::ranges::any_of(function.code,
                             [](const auto& i) { return i.opcode == ptx::Opcode::wgmma_mma_async; })
             ? of_warp_groups
             : 1;
}

// The blocks that may run; none where all do.
std::vector<std::uint64_t> sample_of(const emulator::Kernel& kernel, const Instance& instance,
                                     std::uint64_t blocks, const EmulationOptions& options) {
  const double work = instance.operations() / operations_together(kernel.function());
  if (options.sample_above <= 0 || work <= options.sample_above) return {};
  if (!options.sample_sums && adds_up(instance)) return {};
  const double share = options.sample_above / work;
  auto sample = sample_blocks(
      blocks, std::max<std::uint64_t>(8, static_cast<std::uint64_t>(share * static_cast<double>(blocks))));
  for (const std::uint64_t block : options.also)
    if (block < blocks) sample.push_back(block);
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  if (sample.size() == blocks) sample.clear();
  return sample;
}

// Those, and the blocks of their clusters; none where that are all blocks.
std::vector<std::uint64_t> with_clusters(const emulator::Kernel& kernel, const catalog::LaunchShape& shape,
                                         const std::vector<std::uint64_t>& blocks) {
  auto all = emulator::with_companions(blocks, kernel.together(), shape.grid);
  if (all.size() == catalog::blocks_in_grid(shape)) all.clear();
  return all;
}

constexpr std::uint64_t kMostKinds = 32;

// A problem that is run as quickly as looked at.
bool is_small(const Instance& instance) {
  constexpr double kOperations = 1 << 20, kBytes = 16 << 20;
  return instance.operations() <= kOperations && instance.least_bytes() <= kBytes;
}

// Whether those that the others repeat may run instead.
bool may_stand_for_all(const emulator::Kernel& kernel, const EmulationOptions& options,
                       const Instance& instance, const Emulation& result) {
  const bool is_asked = !result.sample.empty() || (options.counts_only && !is_small(instance));
  return is_asked && options.blocks.empty() && !blocks_may_communicate(kernel.function());
}

// Those of the launch, or those that the others repeat.
Result<emulator::Outcome> run_blocks(const emulator::Kernel& kernel, const emulator::Launch& launch,
                                     const EmulationOptions& options, const Instance& instance,
                                     GlobalMemory& memory, Emulation& result) {
  BlockKinds kinds{.why_not = "all of them run"};
  if (may_stand_for_all(kernel, options, instance, result)) kinds = block_kinds(kernel, launch);
  const bool is_alike = kinds.why_not.empty();
  if (!is_alike || !options.counts_only) fill_buffers(instance, result.buffers, memory, options.cancel);
  if (!is_alike) return kernel.run(launch, memory);
  emulator::Launch some = launch;
  some.blocks = options.also;
  const std::uint64_t most = std::max<std::uint64_t>(kMostKinds, 2 * result.sample.size());
  auto whole = count_whole_grid(kernel, some, kinds, most, memory);
  if (!whole) return whole.error();
  if (!*whole) {
    if (options.counts_only) fill_buffers(instance, result.buffers, memory, options.cancel);
    return kernel.run(launch, memory);
  }
  result.stands_for_all = true;
  result.sample = std::move((*whole)->blocks);
  result.stored_bytes = (*whole)->stored_bytes;
  return std::move((*whole)->outcome);
}

}  // namespace

Result<Emulation> emulate(const emulator::Kernel& kernel, const Instance& instance,
                          const catalog::LaunchShape& shape, const EmulationOptions& options) {
  auto memory = GlobalMemory::create(memory_for(instance));
  if (!memory) return memory.error();
  auto places = allocate_buffers(instance, *memory);
  if (!places) return places.error();
  auto on = launch_on(*places, kernel, instance, shape);
  if (!on) return on.error();

  Emulation result;
  result.buffers = *places;
  emulator::Launch& launch = *on;
  launch.threads = options.threads;
  launch.isa = options.isa;
  launch.observer = options.observer;
  launch.cancel = options.cancel;
  launch.instruction_budget = options.instruction_budget;
  launch.stop_at_uninitialised = options.stop_at_uninitialised;
  launch.backwards = options.backwards;
  result.blocks_in_grid = catalog::blocks_in_grid(shape);
  const std::size_t output = output_of(instance);
  const bool accumulates = adds_up(instance);
  launch.blocks = with_clusters(
      kernel, shape,
      options.blocks.empty() ? sample_of(kernel, instance, result.blocks_in_grid, options) : options.blocks);
  result.sample = launch.blocks;

  auto outcome = run_blocks(kernel, launch, options, instance, *memory, result);
  if (!outcome) return outcome.error();
  result.outcome = *std::move(outcome);
  result.operations = instance.operations() * static_cast<double>(result.outcome.counters.blocks_run) /
                      static_cast<double>(result.blocks_in_grid);
  if (result.outcome.fault || !options.blocks.empty()) return result;
  if (options.counts_only && result.stands_for_all) {
    result.verification.not_checked = "only its accesses were counted";
    return result;
  }
  const auto written = memory->bytes((*places)[output]);
  if (options.keep_output) result.output.assign(written.begin(), written.end());
  if (!result.ran_whole() && accumulates) return result;
  std::vector<std::span<const std::byte>> contents(places->size());
  for (std::size_t b = 0; b < places->size(); ++b)
    if (instance.buffers()[b].is_output) contents[b] = memory->bytes((*places)[b]);
  if (options.keep_outputs)
    for (const auto bytes : contents) result.outputs.emplace_back(bytes.begin(), bytes.end());
  if (!result.ran_whole()) {
    const auto checked = written_elements(written, instance.initial(output),
                                          problem::size_in_bytes(instance.buffers()[output].type));
    result.verification = instance.verify_all(contents, checked);
  } else {
    result.verification = instance.verify_all(contents);
  }
  return result;
}

bool lanes_differ(const ptx::Function& function, const emulator::Counters& counters) {
  for (std::size_t pc = 0; pc < function.code.size() && pc < counters.instructions.size(); ++pc) {
    const auto& row = counters.instructions[pc];
    if (row.executed == 0) continue;
    if (function.code[pc].opcode == ptx::Opcode::shfl || row.lanes != 32 * row.executed) return true;
  }
  return false;
}

std::shared_ptr<const trace::LaneTrace> watch_lanes(const emulator::Kernel& kernel, const Instance& instance,
                                                    const catalog::LaunchShape& shape,
                                                    std::vector<std::uint64_t> blocks,
                                                    const std::atomic<bool>* cancel) {
  constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20;
  if (depend_on_others(kernel.function()) || memory_for(instance) > most_bytes) return nullptr;
  auto memory = GlobalMemory::create(memory_for(instance));
  if (!memory) return nullptr;
  const auto places = place_buffers(instance, *memory, cancel);
  if (!places) return nullptr;
  auto on = launch_on(*places, kernel, instance, shape);
  if (!on) return nullptr;
  trace::LaneRecorder recorder;
  emulator::Launch& launch = *on;
  launch.blocks = std::move(blocks);
  launch.threads = 1;
  launch.watcher = &recorder;
  launch.stop_at_uninitialised = false;
  launch.cancel = cancel;
  const auto outcome = kernel.run(launch, *memory);
  return outcome ? recorder.finish(outcome->fault) : nullptr;
}

}  // namespace warplens::run
