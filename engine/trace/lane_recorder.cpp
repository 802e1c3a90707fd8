#include "engine/trace/lane_recorder.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace warplens::trace {
namespace {

using emulator::WatchedStep, ptx::Opcode;

// Of one block: more than any picture shows.
constexpr std::size_t kMostSteps = 200'000, kMostExchanges = 20'000;

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
  emulator::Stuck on_slice(const emulator::Slice&) override {
    return {lanes_.is_cut ? "enough of its lanes was seen" : "", ""};
  }

 private:
  void exchange(const WatchedStep& step, Exchange::Kind kind) {
    if (too_many_ || step.exec == 0) return;
    if (lanes_.exchanges.size() >= kMostExchanges) {  // part of them would tell another story
      too_many_ = true;
      lanes_.exchanges = {};
      return;
    }
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
  bool too_many_ = false;                                                   // exchanges
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> turns_;  // of each warp and pc
};

}  // namespace

LaneRecorder::LaneRecorder() = default;
LaneRecorder::~LaneRecorder() = default;

emulator::BlockWatcher* LaneRecorder::begin_block(std::uint64_t block) {
  blocks_.push_back(std::make_unique<BlockLanes>());
  blocks_.back()->block = block;
  watchers_.push_back(std::make_unique<BlockLaneWatcher>(*blocks_.back()));
  return watchers_.back().get();
}

std::shared_ptr<const LaneTrace> LaneRecorder::finish(const std::optional<emulator::Fault>& fault) {
  watchers_.clear();
  const bool any_cut = std::ranges::any_of(blocks_, [](const auto& block) { return block->is_cut; });
  if (fault && !any_cut) return nullptr;
  LaneTrace trace;
  for (const auto& block : blocks_) trace.blocks.push_back(std::move(*block));
  std::ranges::sort(trace.blocks, {}, &BlockLanes::block);
  return std::make_shared<const LaneTrace>(std::move(trace));
}

}  // namespace warplens::trace
