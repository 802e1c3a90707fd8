#include "engine/run/device_limits.hpp"

#include <fmt/format.h>

#include <cctype>
#include <functional>

#include "engine/base/text.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/run/declared/declared_shared.hpp"
#include "engine/run/plan.hpp"

namespace warplens::run {
namespace {

std::optional<std::string> why_not_for(const device::Device& device, const catalog::LaunchShape& launch,
                                       std::int64_t shared, int registers) {
  if (shared > device.shared_per_block_optin)
    return fmt::format("a block cannot have more than {} bytes of shared memory on {}: it would take {}",
                       grouped(static_cast<std::uint64_t>(device.shared_per_block_optin)), device.name,
                       grouped(static_cast<std::uint64_t>(shared)));
  if (registers == 0) return std::nullopt;
  const int threads = static_cast<int>(catalog::threads_in_block(launch));
  const auto fit = device::occupancy(device, {threads, registers, shared});
  if (!fit || fit->by_registers > 0) return std::nullopt;
  return fmt::format("{} threads of {} registers each are more than a block can have on {}", threads,
                     registers, device.name);
}

// What was read in the source, by values: that takes longer than to look it up.
using DeclaredBytes = std::map<catalog::Values, std::optional<std::int64_t>>;

std::optional<Resources> declared_resources(const catalog::KernelSpec& spec, const catalog::Values& values,
                                            DeclaredBytes& read) {
  const auto [found, is_new] = read.try_emplace(values);
  if (is_new) found->second = declared_shared_bytes(spec.code, values);
  if (!found->second) return std::nullopt;
  return Resources{*found->second, 0};
}

}  // namespace

int registers_on(const device::Device& device, const catalog::KernelSpec& spec, const catalog::Values& values,
                 int machine_code) {
  if (architecture_for(device) == device.compute_capability) return machine_code;
  const auto found = spec.registers.find(device.compute_capability);
  return found != spec.registers.end() && values == catalog::default_values(spec) ? found->second : 0;
}

KnownResources::Key KnownResources::key_of(const compile::Request& request) {
  return {std::hash<std::string>()(request.source), request.arch, request.defines};
}

void KnownResources::note(const compile::Request& request, const Resources& resources) {
  Key key = key_of(request);
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = known_.try_emplace(std::move(key), resources);
  const bool more = !is_new && found->second.registers == 0 && resources.registers > 0;
  if (more) found->second = resources;
  version_ += is_new || more ? 1 : 0;
}

std::optional<Resources> KnownResources::find(const compile::Request& request) const {
  const Key key = key_of(request);
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t KnownResources::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

catalog::Limits limits_of(const device::Device& device, const catalog::KernelSpec& spec,
                          const catalog::Values& sizes, std::shared_ptr<const KnownResources> known,
                          bool registers) {
  compile::Request asked{
      .source = spec.code, .file_name = {}, .defines = {}, .arch = architecture_for(device)};
  return {
      .device = device.name,
      .threads_per_block = device.max_threads_per_block,
      .dynamic_shared_bytes = device.shared_per_block_optin,
      .refuses = [device, spec, launches = std::make_shared<catalog::Launches>(spec, sizes), registers,
                  known = std::move(known), asked = std::move(asked),
                  declared = std::make_shared<DeclaredBytes>(), for_launch = launch_in_shared(device, spec)](
                     const catalog::Values& values) mutable -> std::optional<std::string> {
        asked.defines = values;
        auto resources = known->find(asked);
        if (!resources) resources = declared_resources(spec, values, *declared);
        if (!resources) return std::nullopt;
        const auto launch = launches->at(values);
        if (!launch) return std::nullopt;
        const int count = registers ? registers_on(device, spec, values, resources->registers) : 0;
        const std::int64_t shared =
            resources->static_shared_bytes + launch->dynamic_shared_bytes + for_launch;
        return why_not_for(device, *launch, shared, count);
      }};
}

bool needs_compiling(const device::Device& device, const catalog::LaunchShape& launch) {
  return most_static_shared_bytes + launch.dynamic_shared_bytes > device.shared_per_block_optin;
}

std::string gave_way_words(const catalog::KernelSpec& spec, const catalog::Values& wanted,
                           const catalog::Values& now, const catalog::Values& sizes,
                           const catalog::Limits& limits) {
  std::string why = catalog::why_not(spec, wanted, sizes, limits)
                        .value_or(limits.device + " does not take " + changed_words(now, wanted));
  why[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(why[0])));
  // What became of the values comes first: there is little room for the reason.
  return fmt::format("Now {}, the nearest value. {}", changed_words(wanted, now), why);
}

std::string changed_words(const catalog::Values& before, const catalog::Values& after) {
  catalog::Values changed;
  for (const auto& [name, value] : after) {
    const auto found = before.find(name);
    if (found == before.end() || found->second != value) changed.emplace(name, value);
  }
  return value_words(changed);
}

}  // namespace warplens::run
