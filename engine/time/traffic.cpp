#include "engine/time/traffic.hpp"

#include <algorithm>
#include <cmath>

#include "engine/time/chip/parameters_of.hpp"

namespace warplens::time {
namespace {

double blocks_of_wave(const Input& in) {
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch));
  return std::min(grid, static_cast<double>(in.device.sm_count) * in.blocks_per_sm);
}

// The share of data that `blocks` consecutive blocks touch, relative to blocks that share nothing with their
// neighbours: 1 if they share nothing, less the more they share.
double share_of(double blocks, const Input& in, const AccessProfile& profile) {
  const double across = std::min<double>(in.launch.grid[0], blocks), down = std::max(1.0, blocks / across);
  return (1 + (across - 1) * (1 - profile.shared_x)) * (1 + (down - 1) * (1 - profile.shared_y)) / blocks;
}

// Constants have costs of their own, by line as the others.
Anchor kind_of(const ptx::Instruction& i) {
  const bool is_constant = i.opcode == ptx::Opcode::ld && i.space == ptx::Space::constant;
  return is_constant ? Anchor::constant_load : anchor_of(i);
}
Anchor kind_of(const Instruction& i) { return i.of_lanes ? Anchor::constant_load : anchor_of(i); }

// Share of what threads keep in local memory that L1 has no room for: they go round in it, so that what came first is gone first.
double missed_of_local(const Input& in) {
  const double resident = std::min<double>(
      in.blocks_per_sm,
      std::ceil(static_cast<double>(catalog::blocks_in_grid(in.launch)) / std::max(in.device.sm_count, 1)));
  const double kept =
      resident * static_cast<double>(catalog::warps_in_block(in.launch)) * 32 * in.local_bytes;
  return in.l1_bytes > 0 ? std::clamp((kept - in.l1_bytes) / (0.5 * in.l1_bytes), 0.0, 1.0) : 0;
}

bool is_load(Anchor anchor) { return anchor == Anchor::global_load || anchor == Anchor::async_copy; }

}  // namespace

AccessCosts::AccessCosts(const Input& in, const Parameters& parameters)
    : parameters_(parameters),
      has_caches_(has_caches(in.device)),
      wavefronts_per_clock_(in.device.shared_wavefronts_per_clock) {
  if (parameters.partitions > 0)
    page_sectors_ = parameters.page_seconds / parameters.partitions * in.device.memory_gb_per_s * 1e9 *
                    parameters.dram_efficiency / 32;
  for (std::uint32_t pc = 0; pc < in.kernel.function().code.size(); ++pc)
    if (in.counters.instructions[pc].executed > 0) add_site(in, pc);
  has_caches_ ? add_traffic(in) : add_uncached(in);
  traffic_.local_missed = missed_of_local(in);
  // Those at other addresses go there meanwhile.
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch));
  for (const auto& [address, meetings] : meetings_)
    traffic_.meetings =
        std::max(traffic_.meetings, meetings * grid / static_cast<double>(in.counters.blocks_run));
  if (in.async != nullptr) bulk_ = in.async->traffic, add_bulk(in);
}

// What all blocks load by bulk copies is the inputs, again and again: L2 keeps them, or memory gives each byte once more in each launch.
void AccessCosts::add_bulk(const Input& in) {
  const double scale =
      static_cast<double>(catalog::blocks_in_grid(in.launch)) / static_cast<double>(in.counters.blocks_run);
  const double loaded = static_cast<double>(in.counters.tensor.load_sectors) * scale,
               stored = static_cast<double>(in.counters.tensor.store_sectors) * scale;
  const double kept = static_cast<double>(in.device.l2_bytes) * parameters_.l2_shared;
  const double beyond = std::clamp((in.footprint_bytes - kept) / (0.5 * kept), 0.0, 1.0);
  constexpr double kSector = 32;
  if (loaded > 0) {
    bulk_first_ = std::min(1.0, in.footprint_bytes / kSector / loaded);
    bulk_read_ = bulk_first_ * beyond;
  }
  bulk_moved_out_ = beyond * parameters_.dram_write;
  traffic_.asked += loaded, traffic_.missed += loaded, traffic_.written += stored;
  traffic_.read += loaded * bulk_read_, traffic_.moved_out += stored * bulk_moved_out_;
}

AccessCost AccessCosts::bulk_cost(const Instruction& instruction) const {
  AccessCost cost;
  cost.turns = 0;
  const auto found = bulk_.find(instruction.pc);
  if (found == bulk_.end() || found->second.executed == 0) return cost;
  constexpr double kLineSectors = 4;
  const double sectors = kLineSectors * found->second.lines / found->second.executed;
  const bool loads = instruction.access == Access::bulk_load;
  const double of_load =
      parameters_.bulk_load_cost * (bulk_first_ + (1 - bulk_first_) * parameters_.bulk_again);
  cost.l2_sectors = sectors * (loads ? of_load : parameters_.bulk_store_cost);
  cost.arriving = kLineSectors * found->second.arriving / found->second.executed;
  cost.dram_sectors = sectors * (loads ? bulk_read_ : bulk_moved_out_);
  cost.l1_miss = 1, cost.l2_miss = loads ? bulk_read_ : 0;
  return cost;
}

// Lanes have their words side by side. What is written goes on to L2 when its line is needed for another.
AccessCost AccessCosts::local_cost(const Instruction& instruction) const {
  constexpr double kSectorsOfWord = 4;
  AccessCost cost;
  cost.l2_sectors = traffic_.local_missed * kSectorsOfWord * instruction.width / 4;
  cost.l2_packets =
      traffic_.local_missed * (instruction.access == Access::local_store ? 1 + kSectorsOfWord : 1);
  cost.l1_miss = instruction.access == Access::local_load ? traffic_.local_missed : 0;
  return cost;
}

// wgmma d, a, b, ...: m64nNkK, where 32 bytes of each row are one K. A is in shared memory unless it is registers.
AccessCost AccessCosts::product_cost(const ptx::Instruction& product) const {
  constexpr double kWavefront = 128, kRow = 32, kWarps = 4;
  const double rows = product.shape[0], columns = product.shape[1];
  const bool a_in_shared = product.operands[1].kind != ptx::Operand::Kind::vector;
  AccessCost cost;
  cost.products = std::max(columns / 8 * parameters_.group_interval, parameters_.group_least) /
                  parameters_.tensor_interval;
  cost.operands = kRow * (columns + (a_in_shared ? rows : 0)) / kWavefront / kWarps;
  return cost;
}

void AccessCosts::add_site(const Input& in, std::uint32_t pc) {
  const auto& function = in.kernel.function();
  const auto& instruction = function.code[pc];
  const auto& vectorized = in.kernel.shared_accesses();
  const Anchor anchor = kind_of(instruction);
  if (anchor == Anchor::none) return;
  if (pc < vectorized.size() && vectorized[pc].leader != pc) return;
  Site& site = sites_[{line_of(function, instruction), anchor}];
  const auto& counted = in.counters.instructions[pc];
  const auto requests = static_cast<double>(counted.requests);
  site.requests += requests;
  site.wavefronts += static_cast<double>(counted.wavefronts);
  site.sectors += static_cast<double>(counted.sectors);
  if (instruction.space == ptx::Space::generic && counted.wavefronts > 0) site.to_shared += requests;
  const auto found = in.profile.find(pc);
  if (found == in.profile.end()) return;
  const AccessProfile& profile = found->second;
  // What other threads may change meanwhile is not taken from L1 (PTX ISA, memory consistency model: volatile is as strong as
  // relaxed for the whole system).
  const bool asks_l2 = instruction.is_volatile && is_load(anchor);
  site.turns += requests * profile.turns;
  site.missed += requests * (asks_l2 ? profile.sectors : profile.missed);
  site.waits += requests * (asks_l2 ? 1 : profile.miss_share);
  site.lines += requests * (asks_l2 ? std::max(profile.lines, profile.sectors / 4) : profile.lines);
  site.fresh += requests * profile.fresh;
  site.moved += requests * profile.moved;
  site.filled += requests * profile.filled;
  const double moved = requests * profile.moved;
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch)), wave = blocks_of_wave(in);
  // However many blocks walk down an array, they touch no more than it has: together, and in each wave.
  const double array = profile.array_sectors > 0 && is_load(anchor)
                           ? profile.array_sectors * static_cast<double>(in.counters.blocks_run) / grid
                           : moved * grid;
  site.wave += std::min(moved * (is_load(anchor) ? share_of(wave, in, profile) : 1), array * grid / wave);
  const double apart = moved * (is_load(anchor) ? share_of(grid, in, profile) : 1);
  site.whole += std::min(apart, array), site.apart += apart;
  if (anchor == Anchor::atomic)
    meetings_[profile.first_address] += requests * profile.same_address / std::max(profile.addresses, 1.0);
  const double sectors = static_cast<double>(counted.sectors);
  site.uncached += std::max(sectors * profile.camping, requests * profile.pages * page_sectors_);
}

// Every sector comes from memory, by the rule of the device.
void AccessCosts::add_uncached(const Input& in) {
  traffic_.has_caches = false;
  const double scale =
      static_cast<double>(catalog::blocks_in_grid(in.launch)) / static_cast<double>(in.counters.blocks_run);
  for (const auto& [key, site] : sites_) {
    const double sectors = site.sectors * scale;
    if (key.second == Anchor::global_store) traffic_.written += sectors, traffic_.moved_out += sectors;
    if (is_load(key.second)) traffic_.asked += sectors, traffic_.missed += sectors, traffic_.read += sectors;
  }
}

void AccessCosts::add_traffic(const Input& in) {
  const double grid = static_cast<double>(catalog::blocks_in_grid(in.launch));
  const double scale = grid / static_cast<double>(in.counters.blocks_run);
  double alone = 0, wave = 0, touched = 0;
  for (const auto& [key, site] : sites_) {
    if (key.second == Anchor::global_store) {
      traffic_.written += site.sectors * scale;
      traffic_.moved_out += (site.wave * parameters_.dram_write + site.filled) * scale;
      touched += site.wave * scale;
    }
    if (!is_load(key.second)) continue;
    traffic_.asked += site.sectors * scale;
    traffic_.missed += site.missed * scale;
    alone += site.moved * scale;
    wave += site.wave * scale;
  }
  // L2 has two halves, and each keeps what its own SMs read: data that all SMs read is kept twice.
  const double kept = static_cast<double>(in.device.l2_bytes) *
                      (alone > 1.5 * wave ? parameters_.l2_shared : parameters_.l2_kept);
  const double beyond = std::clamp((in.footprint_bytes - kept) / (0.5 * kept), 0.0, 1.0);
  // If all of it fits, what one wave touched is still in L2 for the next wave, and is read once.
  constexpr double kSector = 32;
  const double waves = grid / blocks_of_wave(in), of_a_wave = kSector * (wave + touched) / waves;
  const auto gone_behind = [&](double bytes) { return std::clamp((bytes - kept) / (0.5 * kept), 0.0, 1.0); };
  const double gone = gone_behind(of_a_wave);
  traffic_.moved_out *= beyond;
  traffic_.first = traffic_.missed > 0 ? std::min(1.0, wave / traffic_.missed) : 0;
  for (auto& [key, site] : sites_) {
    if (!is_load(key.second) || site.wave <= 0) continue;
    // Blocks that share data with others than their neighbours come to it again when the waves between have passed over the
    // rest of the array.
    const double again = std::max(std::min(site.apart, site.wave) - site.whole, 0.0);
    const double waves_between = std::max(site.whole / (site.wave / waves), 1.0);
    const double whole = std::min(site.whole, site.wave) + gone_behind(waves_between * of_a_wave) * again;
    const double read = gone * site.wave + (1 - gone) * whole;
    site.read = beyond * read;
    traffic_.read += site.read * scale;
    // Blocks that read the same wait together: who comes first waits for memory, those behind find it in L2,
    // catch up, and wait with the first for what follows.
    site.waiting = beyond * std::min(1.0, read / site.wave);
  }
}

AccessCost AccessCosts::cost_of(const Site& site, double executed, const Instruction& instruction) const {
  const Access access = instruction.access;
  AccessCost cost;
  if (site.requests <= 0) {
    cost.active = 0;
    return cost;
  }
  const double r = site.requests;
  cost.active = std::min(1.0, r / std::max(executed, 1.0));
  if (access == Access::constant_load) {
    cost.turns = std::max(1.0, site.wavefronts / r);
    return cost;
  }
  if (is_shared(access)) {
    cost.turns = std::max(1.0, site.wavefronts / r / wavefronts_per_clock_);
    if (2 * site.to_shared <= r) return cost;
    cost.turns = std::max(cost.turns, parameters_.generic_turns * instruction.width / 4);
    cost.latency = parameters_.generic_latency;
    return cost;
  }
  if (!has_caches_) {
    cost.turns = std::max(1.0, site.sectors / r / parameters_.l1_sectors);
    cost.l2_sectors = site.sectors / r;
    cost.l1_miss = cost.l2_miss = 1;
    cost.dram_sectors = site.uncached / r;
    return cost;
  }
  cost.turns = std::max({1.0, site.turns / r, site.sectors / r / parameters_.l1_sectors});
  const bool store = access == Access::global_store || access == Access::global_atomic;
  const double moved = (store ? site.sectors : site.missed) / r;
  cost.l2_sectors = moved * (store ? 1 : traffic_.first + (1 - traffic_.first) * parameters_.l2_again);
  // A packet for each line; what is stored goes with it.
  cost.l2_packets = site.lines / r + (store ? site.sectors / r : 0);
  cost.l1_miss = store ? 1 : site.waits / r;
  cost.l2_miss = site.waits > 0 ? site.waiting * std::min(1.0, site.fresh / site.waits) : 0;
  if (access == Access::global_store && traffic_.written > 0)
    cost.dram_sectors = moved * traffic_.moved_out / traffic_.written;
  if (!store) cost.dram_sectors = site.read / r;
  return cost;
}

// An access by addresses of any kind is of shared memory where these are.
Access AccessCosts::access_at(const Site& site, Access access) {
  if (2 * site.to_shared <= site.requests) return access;
  if (access == Access::global_load) return Access::shared_load;
  return access == Access::global_store ? Access::shared_store : access;
}

std::vector<Step> AccessCosts::steps(const ptx::Function& function, const std::vector<Instruction>& code,
                                     const std::vector<double>& executed) const {
  std::map<Key, double> at_site;
  for (std::size_t i = 0; i < code.size(); ++i) at_site[{code[i].line, kind_of(code[i])}] += executed[i];
  std::vector<Step> steps;
  for (const Instruction& instruction : code) {
    Step step{instruction, {}};
    const Key key{instruction.line, kind_of(instruction)};
    const auto site = sites_.find(key);
    const bool is_known = instruction.access != Access::constant_load || instruction.of_lanes;
    if (instruction.access == Access::bulk_load || instruction.access == Access::bulk_store) {
      step.cost = bulk_cost(instruction);
    } else if (instruction.async == Async::multiply) {
      step.cost = product_cost(function.code[instruction.pc]);
    } else if (instruction.access == Access::local_load || instruction.access == Access::local_store) {
      step.cost = local_cost(instruction);
    } else if (instruction.unit == Unit::memory && is_known && site != sites_.end()) {
      step.access = access_at(site->second, instruction.access);
      step.cost = cost_of(site->second, at_site[key], step);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace warplens::time
