#include "engine/time/chip/parameters_of.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace warplens::time {
namespace {

using P = Parameters;
#define WARPLENS_ROW(name) \
  { #name, &P::name }
// clang-format off
constexpr std::pair<std::string_view, double P::*> kNames[] = {
    WARPLENS_ROW(shared_latency),
    WARPLENS_ROW(shuffle_latency),
    WARPLENS_ROW(l1_latency),
    WARPLENS_ROW(l2_latency),
    WARPLENS_ROW(dram_latency),
    WARPLENS_ROW(special_latency),
    WARPLENS_ROW(constant_latency),
    WARPLENS_ROW(constant_interval),
    WARPLENS_ROW(tensor_interval),
    WARPLENS_ROW(tensor_latency),
    WARPLENS_ROW(tensor_peak),
    WARPLENS_ROW(tensor_half),
    WARPLENS_ROW(tensor_doubles),
    WARPLENS_ROW(group_interval),
    WARPLENS_ROW(group_least),
    WARPLENS_ROW(group_latency),
    WARPLENS_ROW(bulk_latency),
    WARPLENS_ROW(bulk_read),
    WARPLENS_ROW(bulk_port),
    WARPLENS_ROW(bulk_stores),
    WARPLENS_ROW(bulk_load_cost),
    WARPLENS_ROW(bulk_again),
    WARPLENS_ROW(bulk_store_cost),
    WARPLENS_ROW(phase_latency),
    WARPLENS_ROW(phase_test),
    WARPLENS_ROW(arrival_remote),
    WARPLENS_ROW(arrival_latency),
    WARPLENS_ROW(arrival_interval),
    WARPLENS_ROW(cluster_latency),
    WARPLENS_ROW(idle_watts),
    WARPLENS_ROW(product_watts),
    WARPLENS_ROW(l2_watts),
    WARPLENS_ROW(most_watts),
    WARPLENS_ROW(generic_latency),
    WARPLENS_ROW(generic_turns),
    WARPLENS_ROW(read_window),
    WARPLENS_ROW(parts),
    WARPLENS_ROW(issue_interval),
    WARPLENS_ROW(issue_together),
    WARPLENS_ROW(shared_issue),
    WARPLENS_ROW(stall_scale),
    WARPLENS_ROW(replay_issue),
    WARPLENS_ROW(l1_sectors),
    WARPLENS_ROW(l1_global),
    WARPLENS_ROW(queue),
    WARPLENS_ROW(l2_port_sectors),
    WARPLENS_ROW(l2_sectors),
    WARPLENS_ROW(l2_packets),
    WARPLENS_ROW(l2_efficiency),
    WARPLENS_ROW(store_queue),
    WARPLENS_ROW(dram_efficiency),
    WARPLENS_ROW(dram_write),
    WARPLENS_ROW(l2_kept),
    WARPLENS_ROW(l2_shared),
    WARPLENS_ROW(atomic_cycles),
    WARPLENS_ROW(partitions),
    WARPLENS_ROW(partition_bytes),
    WARPLENS_ROW(page_bytes),
    WARPLENS_ROW(open_pages),
    WARPLENS_ROW(page_seconds),
    WARPLENS_ROW(barrier_latency),
    WARPLENS_ROW(block_interval),
    WARPLENS_ROW(block_latency),
    WARPLENS_ROW(warp_interval),
    WARPLENS_ROW(launch_seconds),
    WARPLENS_ROW(sm_jitter),
    WARPLENS_ROW(steps),
    WARPLENS_ROW(l2_again),
    WARPLENS_ROW(dram_queue),
};
// clang-format on
#undef WARPLENS_ROW

}  // namespace

std::vector<std::string_view> parameter_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, member] : kNames) names.push_back(name);
  return names;
}

bool set_parameter(Parameters& parameters, std::string_view name, double value) {
  const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, double P::*>::first);
  if (found == std::end(kNames)) return false;
  parameters.*found->second = value;
  return true;
}

Partitions partitions_of(const Parameters& p) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
  return {whole(p.partitions), whole(p.partition_bytes), whole(p.page_bytes), p.open_pages};
}

Parameters parameters_of(const device::Device& device, const Settings& instead) {
  Parameters parameters;
  for (const Settings& settings : {std::cref(device.time), std::cref(instead)})
    for (const auto& [name, value] : settings) set_parameter(parameters, name, value);
  return parameters;
}

double tensor_gflops(const device::Device& device) {
  return 1e-3 * parameters_of(device).tensor_peak * device.sm_count * device.boost_clock_mhz;
}

double l2_gb_per_s(const device::Device& device) {
  constexpr int fitted_on = 90;
  if (device.compute_capability != fitted_on || device.l2_bytes == 0) return 0;
  constexpr double sector_bytes = 32;
  return 1e-3 * parameters_of(device).l2_sectors * sector_bytes * device.boost_clock_mhz;
}

}  // namespace warplens::time
