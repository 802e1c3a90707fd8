#include "engine/time/grid.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::time {
namespace {

double instructions_of(const std::vector<Block>& blocks) {
  double sum = 0;
  for (const Block& block : blocks) sum += block.executed * (block.end - block.first);
  return sum;
}

// A loop as the blocks from its head to the one that jumps back.
struct Span {
  std::size_t head = 0, last = 0;
};

// With how many others are around each.
std::vector<std::pair<int, Span>> loops_of(const std::vector<Block>& blocks) {
  std::vector<Span> loops;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Edge& edge : blocks[b].edges)
      if (edge.to != kLeave && edge.to <= b && edge.taken > 0.5) loops.push_back({edge.to, b});
  std::vector<std::pair<int, Span>> with_depth;
  for (const Span& loop : loops) {
    const auto around = std::count_if(loops.begin(), loops.end(), [&](const Span& other) {
      return other.head <= loop.head && other.last > loop.last;
    });
    with_depth.emplace_back(static_cast<int>(around), loop);
  }
  return with_depth;
}

void shorten_loop(std::vector<Block>& blocks, const Span& loop, double share, double least) {
  double turns = 0;
  for (const Edge& edge : blocks[loop.last].edges)
    if (edge.to == loop.head) turns = edge.taken;
  const double entries = std::max(blocks[loop.head].executed - turns, 1e-9);
  const double trips = blocks[loop.head].executed / entries;
  const double factor = std::max(std::min(trips, least), std::round(trips * share)) / trips;
  for (std::size_t b = loop.head; b <= loop.last; ++b) {
    blocks[b].executed *= factor;
    blocks[b].splits *= factor;
    for (Edge& edge : blocks[b].edges)
      if (edge.to != kLeave && edge.to >= loop.head && edge.to <= loop.last) edge.taken *= factor;
  }
  for (Edge& edge : blocks[loop.last].edges)
    if (edge.to == loop.head) edge.taken = std::max(blocks[loop.head].executed - entries, 0.0);
}

// Fewer turns of loops, the outer ones first, so that a warp executes about `share` of its instructions; each
// loop keeps `least` turns. depths: of loops within each other that are shortened.
void shorten(std::vector<Block>& blocks, double share, double least, int depths) {
  const double wanted = share * instructions_of(blocks);
  for (int depth = 0; depth < depths; ++depth) {
    const double left = wanted / instructions_of(blocks);
    if (left > 0.8) return;
    for (const auto& [around, loop] : loops_of(blocks))
      if (around == depth) shorten_loop(blocks, loop, left, least);
  }
}

void shorten_all(SmWork& work, double share, double least, int depths) {
  shorten(work.blocks, share, least, depths);
  for (WarpRole& role : work.roles) shorten(role.blocks, share, least, depths);
}

}  // namespace

// `resident` blocks that start together: a shortened form, one with half as many turns of its outer loops,
// and a straight line through both. Both begin and end alike, so that their difference is whole turns.
Generation generation_of(const SmWork& work, int resident, double instructions, const Parameters& p,
                         std::vector<WarpHistory>* history) {
  SmWork part = work;
  part.resident = resident;
  part.launched = static_cast<std::uint64_t>(resident);
  const double share = p.steps / (instructions * work.warps_per_block * resident);
  constexpr double kTurns = 4;
  if (share < 1) shorten_all(part, share, kTurns, 3);
  SmWork half = part;
  shorten_all(half, 0.5, kTurns / 2, 1);
  const double more = instructions_of(part.blocks), fewer = instructions_of(half.blocks);
  Generation generation{{}, simulate(part, p, history), std::min(1.0, more / instructions)};
  const SmResult less = simulate(half, p);
  for (std::size_t i = 0; i < generation.sample.block_ends.size(); ++i) {
    const double end = generation.sample.block_ends[i];
    const bool has_both = more > fewer + 1 && i < less.block_ends.size();
    const double slope = has_both ? (end - less.block_ends[i]) / (more - fewer) : end / more;
    generation.ends.push_back(end + std::max(0.0, instructions - more) * slope);
  }
  return generation;
}

namespace {

// Blocks of the last wave go to the slots that are free first. SMs do not run quite alike: where the blocks
// of one end together, it takes a whole set again. The most that any gets.
int most_in_last_wave(const std::vector<double>& ends, int sms, double blocks, const Parameters& p) {
  constexpr double kGolden = 0.6180339887498949;
  std::vector<std::pair<double, int>> slots;
  for (int sm = 0; sm < sms; ++sm) {
    const double pace = 1 + p.sm_jitter * (2 * std::fmod(sm * kGolden, 1.0) - 1);
    for (const double end : ends) slots.emplace_back(end * pace, sm);
  }
  std::sort(slots.begin(), slots.end());
  std::vector<int> taken(static_cast<std::size_t>(sms));
  int most = 0;
  for (std::size_t i = 0; i < slots.size() && static_cast<double>(i) < blocks; ++i)
    most = std::max(most, ++taken[static_cast<std::size_t>(slots[i].second)]);
  return most;
}

GridTime long_blocks(const SmWork& work, double blocks, int held, int sms, double instructions,
                     const Parameters& p, std::vector<WarpHistory>* history) {
  const double whole = blocks <= held ? 0 : std::floor(blocks / held + 1e-9);
  if (whole == 0) {
    auto only = generation_of(work, static_cast<int>(std::ceil(blocks - 1e-9)), instructions, p, history);
    return {only.ends.back(), std::move(only.sample), std::move(only.ends), 0, only.scheduled};
  }
  auto full = generation_of(work, held, instructions, p, history);
  GridTime time{full.ends.back() * whole, std::move(full.sample), full.ends, 0, full.scheduled};
  const double rest = (blocks - whole * held) * sms;
  if (rest < 0.5) return time;
  const int most = most_in_last_wave(full.ends, sms, rest, p);
  time.last = most >= held ? full.ends.back() : generation_of(work, most, instructions, p).ends.back();
  time.cycles += time.last;
  return time;
}

// Cycles in which the busiest unit of the SM worked.
double busiest_cycles(const SmResult& sample, const SmWork& work, const Parameters& p) {
  double most = std::max(
      {sample.shared_turns + sample.l1_turns, sample.l2_sectors / work.l2_sectors_per_cycle,
       sample.l2_packets / work.l2_packets_per_cycle, sample.dram_sectors / work.dram_sectors_per_cycle,
       sample.constant_turns * p.constant_interval});
  for (const double busy : sample.busy) most = std::max(most, busy / p.parts);
  return most;
}

}  // namespace

GridTime time_of(SmWork work, double blocks, int held, int sms, double instructions, const Parameters& p,
                 std::vector<WarpHistory>* history) {
  const double generation = instructions * work.warps_per_block * work.resident;
  if (generation > p.steps) return long_blocks(work, blocks, held, sms, instructions, p, history);
  const double total = blocks <= held ? std::ceil(blocks - 1e-9) : blocks;
  const double simulated =
      std::min(std::ceil(total), std::clamp(std::floor(p.steps / generation), 1.0, 6.0) * work.resident);
  work.launched = static_cast<std::uint64_t>(simulated);
  GridTime time{0, simulate(work, p, history), {}};
  time.cycles = time.sample.cycles;
  if (blocks <= held) time.ends = time.sample.block_ends;
  if (simulated >= std::ceil(total)) return time;
  const auto& ends = time.sample.block_ends;
  const auto first = static_cast<std::size_t>(work.resident);
  if (ends.size() >= 2 * first) {
    // The pace after the first generation, which also has the start; but no unit works faster than it can.
    const double pace = (ends.back() - ends[first - 1]) / static_cast<double>(ends.size() - first);
    time.cycles += (total - simulated) * std::max(pace, busiest_cycles(time.sample, work, p) / simulated);
  } else {
    time.cycles *= std::ceil(total / simulated - 1e-9);
  }
  return time;
}

}  // namespace warplens::time
