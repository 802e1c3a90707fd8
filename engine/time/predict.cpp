#include "engine/time/predict.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::time {
namespace {

constexpr double kStepBudget = 150'000;

struct Site {
  double executed = 0, requests = 0, wavefronts = 0, sectors = 0, turns = 0, missed = 0, miss_share = 0,
         unique = 0, same_address = 0, wave = 0;
};
using Key = std::pair<int, Anchor>;

// The blocks of a wave touch this many times what one of them does, over what they would if they shared
// nothing.
double wave_of(const Input& in, const AccessProfile& profile) {
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch));
  const double wave = std::min(grid, static_cast<double>(in.device.sm_count) * in.blocks_per_sm);
  const double across = std::min<double>(in.launch.grid[0], wave), down = std::max(1.0, wave / across);
  return (1 + (across - 1) * (1 - profile.shared_x)) * (1 + (down - 1) * (1 - profile.shared_y)) / wave;
}

std::map<Key, Site> sites_of(const Input& in) {
  std::map<Key, Site> sites;
  const auto& function = in.kernel.function();
  const auto& shared = in.kernel.shared_accesses();
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    const auto& i = function.code[pc];
    const Anchor anchor = anchor_of(i);
    const auto& c = in.counters.instructions[pc];
    if (anchor == Anchor::none || c.executed == 0) continue;
    const int line = i.location < 0 ? 0 : function.locations[static_cast<std::size_t>(i.location)].line;
    Site& site = sites[{line, anchor}];
    const bool is_shared = anchor == Anchor::shared_load || anchor == Anchor::shared_store;
    if (is_shared && pc < shared.size() && shared[pc].width != 0 && shared[pc].leader != pc) continue;
    site.executed += static_cast<double>(c.executed);
    site.requests += static_cast<double>(c.requests);
    site.wavefronts += static_cast<double>(c.wavefronts);
    site.sectors += static_cast<double>(c.sectors);
    const auto found = in.profile.find(pc);
    if (found == in.profile.end()) continue;
    const auto r = static_cast<double>(c.requests);
    site.turns += r * found->second.turns;
    site.missed += r * found->second.missed;
    site.miss_share += r * found->second.miss_share;
    site.unique += r * found->second.unique;
    site.wave += r * found->second.unique * wave_of(in, found->second);
    site.same_address = std::max(site.same_address, found->second.same_address);
  }
  return sites;
}

AccessCost cost_of(const Site& site, double machine_executed, Access access, double dram, double l2_miss,
                   const Parameters& p) {
  AccessCost cost;
  if (site.requests <= 0) {
    cost.active = 0;
    return cost;
  }
  const double r = site.requests;
  cost.active = std::min(1.0, r / std::max(machine_executed, 1.0));
  if (access == Access::shared_load || access == Access::shared_store || access == Access::shared_atomic) {
    cost.turns = std::max(1.0, site.wavefronts / r);
    return cost;
  }
  cost.turns = std::max({1.0, site.turns / r, site.sectors / r / p.l1_sectors});
  const bool store = access == Access::global_store || access == Access::global_atomic;
  cost.l2_sectors = store ? site.sectors / r : site.missed / r;
  cost.l1_miss = store ? 1 : site.miss_share / r;
  cost.l2_miss = l2_miss;
  cost.dram_sectors = cost.l2_sectors * dram;
  return cost;
}

// Shortens the loops of a warp's way to about `share` of its instructions.
void shorten(std::vector<Block>& blocks, double share) {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (Edge& edge : blocks[b].edges) {
      if (edge.to == kLeave || edge.to > b || edge.taken <= 0) continue;
      // Only outermost loops: no larger one around.
      bool inner = false;
      for (std::size_t o = b; o < blocks.size() && !inner; ++o)
        for (const Edge& other : blocks[o].edges)
          inner = inner || (o > b && other.to != kLeave && other.to <= edge.to && other.taken > 0.5);
      if (inner) continue;
      const std::size_t head = edge.to;
      const double entries = std::max(blocks[head].executed - edge.taken, 1e-9);
      const double trips = blocks[head].executed / entries;
      const double wanted = std::max(std::min(trips, 3.0), std::round(trips * share));
      const double factor = wanted / trips;
      for (std::size_t i = head; i <= b; ++i) {
        blocks[i].executed *= factor;
        for (Edge& e : blocks[i].edges)
          if (e.to != kLeave && e.to >= head && e.to <= b) e.taken *= factor;
      }
      edge.taken = std::max(blocks[head].executed - entries, 0.0);
    }
}

double instructions_of(const std::vector<Block>& blocks) {
  double sum = 0;
  for (const Block& b : blocks) sum += b.executed * (b.end - b.first);
  return sum;
}

// What was simulated stands for the whole: its shares, less by as much as issues are rarer there.
UnitShares shares_of(const SmResult& sim, const SmWork& work, double issue, const Parameters& p) {
  const double simulated = sim.instructions / std::max(sim.cycles, 1.0) / 4;
  const double scale = simulated > 0 ? issue / simulated / std::max(sim.cycles, 1.0) : 0;
  const auto share = [&](double busy) { return std::clamp(busy * scale, 0.0, 1.0); };
  const auto pipe = [&](Unit unit) { return sim.busy[static_cast<std::size_t>(unit)] / 4; };
  return {.issue = std::min(issue, 1.0),
          .fma = share(pipe(Unit::fma) + pipe(Unit::fma_heavy)),
          .alu = share(pipe(Unit::alu)),
          .shared = share(sim.shared_turns),
          .l1 = share(sim.l1_turns),
          .l2 = share(sim.l2_sectors / work.l2_sectors_per_cycle),
          .dram = share(sim.dram_sectors / work.dram_sectors_per_cycle * p.dram_efficiency)};
}

std::string_view busiest(const UnitShares& units) {
  const std::pair<double, std::string_view> all[] = {
      {units.issue, "issue"}, {units.fma, "fma"}, {units.alu, "alu"},  {units.shared, "shared"},
      {units.l1, "l1"},       {units.l2, "l2"},   {units.dram, "dram"}};
  return std::max_element(std::begin(all), std::end(all))->second;
}

}  // namespace

std::string_view name(Stall stall) {
  constexpr std::array<std::string_view, kStalls> kNames{
      "none",    "selected",           "wait",         "long_scoreboard", "short_scoreboard",
      "barrier", "math_pipe_throttle", "lsu_throttle", "not_selected"};
  return kNames[static_cast<std::size_t>(stall)];
}

Result<Prediction> predict(const Input& in, const Parameters& p) {
  const auto code = read_instructions(in.cubin, in.entry);
  if (!code) return code.error();
  const double blocks_run = static_cast<double>(in.counters.blocks_run);
  const auto threads = in.launch.block[0] * in.launch.block[1] * in.launch.block[2];
  const int warps = static_cast<int>((threads + 31) / 32);
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch));
  const auto flow =
      count_blocks(*code, in.kernel.function(), in.counters, in.kernel.shared_accesses(), blocks_run * warps);
  const auto sites = sites_of(in);

  // Which share of what L2 is asked for comes from memory.
  const double clock = in.device.boost_clock_mhz * 1e6;
  const double scale = grid / blocks_run;
  double asked = 0, written = 0, read_missed = 0, unique = 0, wave = 0;
  for (const auto& [key, site] : sites) {
    if (key.second == Anchor::global_store) written += site.sectors * scale;
    if (key.second == Anchor::global_load || key.second == Anchor::async_copy) {
      asked += site.sectors * scale;
      read_missed += site.missed * scale;
      unique += site.unique * scale;
      wave += site.wave * scale;
    }
  }
  // Both halves of L2 keep what SMs of both read.
  const double kept_bytes =
      static_cast<double>(in.device.l2_bytes) * (unique > 1.5 * wave ? p.l2_shared : p.l2_kept);
  double dram_share = in.footprint_bytes <= kept_bytes ? 0 : 1;
  if (dram_share > 0 && in.footprint_bytes < 1.5 * kept_bytes)
    dram_share = (in.footprint_bytes - kept_bytes) / (0.5 * kept_bytes);
  const double read_share = read_missed > 0 ? dram_share * std::min(1.0, wave / read_missed) : 0;
  const double wait_share =
      read_missed > 0 ? dram_share * std::min(1.0, std::pow(wave / read_missed, p.follow)) : 0;

  SmWork work;
  const int sms = in.device.sm_count > 0 ? in.device.sm_count : 132;
  work.blocks = flow.blocks;
  work.warps_per_block = warps;
  const double per_sm = grid / sms;
  work.resident = static_cast<int>(std::min<double>(in.blocks_per_sm, std::ceil(per_sm)));
  const double active_sms = std::min<double>(sms, grid);
  work.launch_interval = p.block_interval * active_sms;
  work.l2_sectors_per_cycle = std::min(p.l2_port_sectors, p.l2_sectors / active_sms);
  work.dram_sectors_per_cycle = in.device.memory_gb_per_s * 1e9 * p.dram_efficiency / clock / 32 / active_sms;
  std::map<Key, double> machine;
  for (const Block& b : flow.blocks)
    for (std::uint32_t i = b.first; i < b.end; ++i) {
      machine[{(*code)[i].line, anchor_of((*code)[i])}] += b.executed * blocks_run * warps;
    }
  for (const Instruction& i : *code) {
    Step step{i, {}};
    const Anchor anchor = anchor_of(i);
    if (i.unit == Unit::memory && i.access != Access::constant_load) {
      const auto site = sites.find({i.line, anchor});
      const bool store = i.access == Access::global_store;
      if (site != sites.end())
        step.cost = cost_of(site->second, machine[{i.line, anchor}], i.access,
                            store                               ? dram_share
                            : i.access == Access::global_atomic ? 0
                                                                : read_share,
                            wait_share, p);
    }
    work.code.push_back(step);
  }

  // One SM: as many blocks as the budget of steps allows, the rest by the last ones' pace.
  const double block_steps = flow.instructions * warps;
  const double generation = block_steps * work.resident;
  const double total = std::max(1.0, per_sm <= in.blocks_per_sm ? std::ceil(per_sm) : per_sm);
  Prediction result;
  double cycles = 0;
  SmResult sim;
  if (generation <= kStepBudget) {
    double generations = std::clamp(std::floor(kStepBudget / generation), 1.0, 6.0);
    double n = std::min(std::ceil(total), generations * work.resident);
    work.launched = static_cast<std::uint64_t>(n);
    sim = simulate(work, p);
    cycles = sim.cycles;
    if (n < std::ceil(total) && n >= 2 * work.resident) {
      // The pace of whole generations; the first also has the start.
      const auto& ends = sim.block_ends;
      const std::size_t r = static_cast<std::size_t>(work.resident);
      const double first = ends[r - 1], last = ends[ends.size() - 1];
      const double pace = (last - first) / static_cast<double>(ends.size() - r);
      cycles = last + (total - n) * pace;
    } else if (n < std::ceil(total)) {
      cycles = sim.cycles * std::ceil(total / n - 1e-9);
    }
  } else {
    // Long blocks: shorter loops, twice, and a straight line through both.
    const auto timed = [&](int resident) {
      SmWork part = work;
      part.resident = resident;
      part.launched = static_cast<std::uint64_t>(resident);
      double share = kStepBudget / (block_steps * resident);
      SmWork half = part;
      if (share < 1) shorten(part.blocks, share);
      shorten(half.blocks, std::min(share, 1.0) / 2);
      const double i1 = instructions_of(part.blocks), i2 = instructions_of(half.blocks);
      sim = simulate(part, p);
      const SmResult less = simulate(half, p);
      const double slope = i1 > i2 + 1 ? (sim.cycles - less.cycles) / (i1 - i2) : sim.cycles / i1;
      return sim.cycles + std::max(0.0, flow.instructions - i1) * slope;
    };
    const double whole = std::floor(total / work.resident + 1e-9);
    const double rest = std::ceil(total - whole * work.resident - 1e-9);
    const double full = whole > 0 ? timed(work.resident) : 0;
    const SmResult kept = sim;
    cycles = full * whole;
    if (rest >= 1) cycles += timed(static_cast<int>(rest));
    if (whole > 0) sim = kept;
  }
  // Atomics at one address go one after another.
  double serial = 0;
  for (const auto& [key, site] : sites)
    if (key.second == Anchor::atomic) serial += site.requests * scale * site.same_address * p.atomic_cycles;
  cycles = std::max(cycles, serial);
  result.warp_instructions = std::round(flow.instructions * warps * grid);
  result.cycles = cycles;
  result.seconds = cycles / clock + p.launch_seconds;
  result.waves = grid / (sms * static_cast<double>(in.blocks_per_sm));
  result.tail = 1 - per_sm / std::ceil(per_sm - 1e-9);
  result.l1_hits = asked > 0 ? 1 - read_missed / asked : 0;
  result.l2_hits = read_missed + written > 0 ? 1 - read_missed * read_share / (read_missed + written) : 0;
  const double busy = result.warp_instructions / (4.0 * sms * std::max(cycles, 1.0));
  result.units = shares_of(sim, work, busy, p);
  result.limiter = busiest(result.units);
  double stalled = 0;
  for (const double cycles_stalled : sim.stalls) stalled += cycles_stalled;
  for (std::size_t i = 0; i < kStalls; ++i) result.stalls[i] = stalled > 0 ? sim.stalls[i] / stalled : 0;
  return result;
}

}  // namespace warplens::time
