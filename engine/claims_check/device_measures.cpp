// What fits on a multiprocessor, with what the kernel uses and with a little less of it.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "engine/claims_check/found.hpp"
#include "engine/device/occupancy.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

device::ResourceUsage use_of(const run::Run& run) {
  const auto& block = run.plan().launch.block;
  return {.threads_per_block = static_cast<int>(block[0] * block[1] * block[2]),
          .registers_per_thread = run.report.device_registers,
          .shared_bytes_per_block = static_cast<std::int64_t>(run.report.shared_bytes)};
}
double fitting(const Subject& s, const device::ResourceUsage& use) {
  const auto fit = device::occupancy(s.run.device(), use);
  return fit ? fit->warps_per_sm : 0;
}
// With whole warps a block, or as many as the grid has for each SM.
Measured warps_that_fit(const Subject& s) {
  const device::ResourceUsage use = use_of(s.run);
  const double fit = fitting(s, use), warps = std::ceil(use.threads_per_block / 32.0);
  const auto& grid = s.run.report.grid;
  const double blocks = static_cast<double>(grid[0]) * grid[1] * grid[2];
  const double there = blocks / std::max(s.run.device().sm_count, 1) * warps;
  const bool has_no_more = s.claim.number < fit && there < fit;
  return one(has_no_more ? there : fit);
}
Measured warps_now(const Subject& s) {
  const device::ResourceUsage use = use_of(s.run);
  const double warps = std::ceil(use.threads_per_block / 32.0), sms = std::max(s.run.device().sm_count, 1);
  const auto& grid = s.run.report.grid;
  const double blocks = static_cast<double>(grid[0]) * grid[1] * grid[2];
  return one(std::min(fitting(s, use), std::ceil(blocks / sms) * warps));
}
Measured most_warps(const Subject& s) { return one(s.run.device().max_warps_per_sm); }
Measured share_of_warps(const Subject& s) {
  return one(fitting(s, use_of(s.run)) / s.run.device().max_warps_per_sm);
}
Measured shared_of_block(const Subject& s) { return one(static_cast<double>(s.run.report.shared_bytes)); }

Measured used_up(const Subject& s) {
  const auto fit = device::occupancy(s.run.device(), use_of(s.run));
  if (!fit) return std::nullopt;
  const std::map<std::string_view, int> limits = {{"its registers", fit->by_registers},
                                                  {"its shared memory", fit->by_shared},
                                                  {"the blocks that an SM may hold", fit->by_blocks},
                                                  {"the warps that an SM may hold", fit->by_warps}};
  const auto found = limits.find(s.claim.of);
  if (found == limits.end()) return std::nullopt;
  const int allowed = found->second;
  return one(allowed == fit->blocks_per_sm ? 1 : 0);
}

// The most that lets a further block in.
template <class Change>
Measured most_that_fits_more(const Subject& s, double from, double step, Change change) {
  const double now = fitting(s, use_of(s.run));
  for (double amount = from; amount > 0; amount -= step) {
    device::ResourceUsage use = use_of(s.run);
    change(use, amount);
    if (fitting(s, use) > now) return one(amount);
  }
  return std::nullopt;
}
Measured registers_for_more(const Subject& s) {
  return most_that_fits_more(s, use_of(s.run).registers_per_thread, 1, [](auto& use, double amount) {
    use.registers_per_thread = static_cast<int>(amount);
  });
}
Measured shared_for_more(const Subject& s) {
  const std::int64_t unit = std::max<std::int64_t>(s.run.device().shared_allocation_unit, 128);
  const std::int64_t now = use_of(s.run).shared_bytes_per_block;
  return most_that_fits_more(
      s, static_cast<double>(now / unit * unit), static_cast<double>(unit),
      [](auto& use, double amount) { use.shared_bytes_per_block = static_cast<std::int64_t>(amount); });
}
double warps_with_threads(const Subject& s, int threads) {
  device::ResourceUsage use = use_of(s.run);
  use.threads_per_block = threads;
  return fitting(s, use);
}
// Of all powers of two, the most warps.
double most_with_threads(const Subject& s) {
  double most = 0;
  for (int threads = 32; threads <= s.run.device().max_threads_per_block; threads *= 2)
    most = std::max(most, warps_with_threads(s, threads));
  return most;
}
Measured threads_for_more(const Subject& s) {
  const int threads = static_cast<int>(s.claim.number);
  const bool is_best = warps_with_threads(s, threads) == most_with_threads(s);
  return is_best ? Measured(one(threads)) : std::nullopt;
}
Measured warps_for_more(const Subject& s) { return one(most_with_threads(s)); }
// Of the launch; `of`: "x" or "y" of the block as it is.
Measured block_threads(const Subject& s) {
  return one(static_cast<double>(s.run.plan().launch.block[s.claim.of == "x" ? 0 : 1]));
}

}  // namespace

std::vector<Row> device_measures() {
  return {{Quantity::warps_that_fit, warps_that_fit},
          {Quantity::warps_now, warps_now},
          {Quantity::most_warps, most_warps},
          {Quantity::share_of_warps, share_of_warps},
          {Quantity::shared_of_block, shared_of_block},
          {Quantity::used_up, used_up},
          {Quantity::registers_for_more, registers_for_more},
          {Quantity::shared_for_more, shared_for_more},
          {Quantity::threads_for_more, threads_for_more},
          {Quantity::warps_for_more, warps_for_more},
          {Quantity::block_threads, block_threads}};
}

}  // namespace warplens::claims_check
