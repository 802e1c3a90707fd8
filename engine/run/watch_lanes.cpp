#include "engine/run/watch_lanes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "engine/emulator/watcher.hpp"
#include "engine/run/arguments.hpp"
#include "engine/run/emulate.hpp"
#include "engine/run/placing.hpp"

namespace warplens::run {
namespace {

using emulator::WatchedStep, ptx::Opcode, trace::BlockLanes, trace::Exchange;

// Of one block: more than any picture shows.
constexpr std::size_t kMostSteps = 200'000, kMostExchanges = 20'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;  // of the problem's buffers

// PTX ISA, "shfl.sync": the lane whose value each lane gets; its own where there is none in range.
void find_sources(const WatchedStep& step, Exchange& exchange) {
  std::array<std::uint64_t, 32> by{}, limit{};
  const std::size_t first = step.instruction->destinations;
  step.values(first + 1, by);
  step.values(first + 2, limit);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto value = static_cast<int>(by[lane] & 0x1f), clamp = static_cast<int>(limit[lane] & 0x1f),
               segment = static_cast<int>(limit[lane] >> 8 & 0x1f), own = static_cast<int>(lane);
    const int most = (own & segment) | (clamp & ~segment);
    int source = (own & segment) | (value & ~segment);
    bool in_range = source <= most;
    if (step.instruction->lane_mode == ptx::LaneMode::up) source = own - value, in_range = source >= most;
    if (step.instruction->lane_mode == ptx::LaneMode::down) source = own + value, in_range = source <= most;
    if (step.instruction->lane_mode == ptx::LaneMode::bfly) source = own ^ value, in_range = source <= most;
    exchange.at[lane] = in_range ? static_cast<std::uint32_t>(source) : lane;
  }
}

class BlockLaneWatcher : public emulator::BlockWatcher {
 public:
  explicit BlockLaneWatcher(BlockLanes& lanes) : lanes_(lanes) {}

  void on_step(const WatchedStep& step) override {
    if (lanes_.steps.size() >= kMostSteps) {
      lanes_.is_cut = true;
      return;
    }
    lanes_.steps.push_back({step.pc, step.warp, step.exec});
    const ptx::Instruction& instruction = *step.instruction;
    const bool shared = instruction.space == ptx::Space::shared;
    if (instruction.opcode == Opcode::shfl)
      exchange(step, Exchange::Kind::shuffle);
    else if (instruction.opcode == Opcode::ld && shared)
      exchange(step, Exchange::Kind::load);
    else if (instruction.opcode == Opcode::st && shared)
      exchange(step, Exchange::Kind::store);
  }
  // A block that does more than is kept need not come to its end.
  std::string on_slice(const emulator::Slice&) override {
    return lanes_.is_cut ? "enough of its lanes was seen" : "";
  }

 private:
  void exchange(const WatchedStep& step, Exchange::Kind kind) {
    if (lanes_.exchanges.size() >= kMostExchanges || step.exec == 0) return;
    Exchange exchange{.kind = kind, .pc = step.pc, .warp = step.warp, .lanes = step.exec};
    exchange.turn = turns_[{step.warp, step.pc}]++;
    if (kind == Exchange::Kind::shuffle) {
      find_sources(step, exchange);
    } else {
      std::array<std::uint64_t, 32> bytes{};
      step.values(kind == Exchange::Kind::load ? step.instruction->destinations : 0, bytes);
      for (std::size_t lane = 0; lane < 32; ++lane)
        exchange.at[lane] = static_cast<std::uint32_t>(bytes[lane] / 4);
      const int size = ptx::size_in_bytes(step.instruction->type) * step.instruction->vector;
      exchange.words = static_cast<std::uint8_t>(std::max(size / 4, 1));
    }
    lanes_.exchanges.push_back(exchange);
  }

  BlockLanes& lanes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> turns_;  // of each warp and pc
};

class LaneWatcher : public emulator::Watcher {
 public:
  emulator::BlockWatcher* begin_block(std::uint64_t block) override {
    trace_.blocks.push_back({.block = block, .steps = {}, .exchanges = {}});
    running_ = std::make_unique<BlockLaneWatcher>(trace_.blocks.back());
    return running_.get();
  }
  trace::LaneTrace finish() && { return std::move(trace_); }

 private:
  trace::LaneTrace trace_;
  std::unique_ptr<BlockLaneWatcher> running_;
};

// What a block that was cut short says of itself is no fault of the kernel.
bool stopped_elsewhere(const emulator::Outcome& outcome, const trace::LaneTrace& trace) {
  return outcome.fault && std::none_of(trace.blocks.begin(), trace.blocks.end(),
                                       [](const BlockLanes& block) { return block.is_cut; });
}

}  // namespace

bool lanes_differ(const ptx::Function& function, const emulator::Counters& counters) {
  for (std::size_t pc = 0; pc < function.code.size() && pc < counters.instructions.size(); ++pc) {
    const auto& row = counters.instructions[pc];
    if (row.executed == 0) continue;
    if (function.code[pc].opcode == Opcode::shfl || row.lanes != 32 * row.executed) return true;
  }
  return false;
}

std::shared_ptr<const trace::LaneTrace> watch_lanes(const emulator::Kernel& kernel,
                                                    const problem::Instance& instance,
                                                    const catalog::LaunchShape& shape,
                                                    std::vector<std::uint64_t> blocks,
                                                    const std::atomic<bool>* cancel) {
  if (blocks_may_communicate(kernel.function()) || memory_for(instance) > kMostBytes) return nullptr;
  auto memory = emulator::GlobalMemory::create(memory_for(instance));
  if (!memory) return nullptr;
  const auto places = place_buffers(instance, *memory);
  if (!places) return nullptr;
  auto arguments = argument_bytes(instance.arguments(), kernel.function(), *places);
  if (!arguments) return nullptr;
  LaneWatcher watcher;
  emulator::Launch launch;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  launch.arguments = *std::move(arguments);
  launch.blocks = std::move(blocks);
  launch.threads = 1;
  launch.watcher = &watcher;
  launch.stop_at_uninitialised = false;
  launch.cancel = cancel;
  const auto outcome = kernel.run(launch, *memory);
  auto trace = std::make_shared<const trace::LaneTrace>(std::move(watcher).finish());
  if (!outcome || stopped_elsewhere(*outcome, *trace)) return nullptr;
  return trace;
}

}  // namespace warplens::run
