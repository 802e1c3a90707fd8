// For tests and benchmarks: the repository's kernels, compiled and run for an H100.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "engine/base/testing/places.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

inline const std::string kRoot = source_path();

inline device::Device device_named(std::string_view id) {
  std::ifstream file(kRoot + "/assets/devices.toml");
  std::stringstream text;
  text << file.rdbuf();
  return *device::DeviceTable::parse(text.str(), "devices.toml")->find(id);
}
inline const device::Device& h100() {
  static const device::Device device = device_named("h100");
  return device;
}

inline compile::Compiler& compiler() {
  static compile::Compiler one({.library = {}, .cache_folder = test_cache_path()});
  return one;
}

inline const catalog::Catalog& kernels() {
  static const catalog::Catalog catalog = *catalog::Catalog::open(kRoot + "/kernels");
  return catalog;
}

inline Result<Plan> plan_of(const catalog::KernelSpec& spec, const catalog::Values& chosen,
                            const catalog::Values& sizes) {
  return plan(spec, chosen, sizes, h100());
}

// Compiled; with the data of its problem.
inline Result<Job> job_of(const catalog::KernelSpec& spec, const catalog::Values& chosen,
                          const catalog::Values& sizes) {
  const auto planned = plan_of(spec, chosen, sizes);
  if (!planned) return planned.error();
  auto build = compile(compiler(), *planned);
  if (!build) return build.error();
  auto instance = Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*planned);
  if (!instance) return instance.error();
  return Job{*planned, *std::move(instance), *std::move(build)};
}

// The full grid, verified. Errors: a fault too.
inline Result<SharedRun> run_of(const catalog::KernelSpec& spec, const catalog::Values& chosen,
                                const catalog::Values& sizes) {
  const auto job = job_of(spec, chosen, sizes);
  return job ? run_on_emulator(*job) : job.error();
}

}  // namespace warplens::run
