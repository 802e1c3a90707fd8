// For tests and benchmarks: the repository's kernels, compiled and run for an H100.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "engine/base/testing/places.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/session/emulate.hpp"

namespace warplens::session {

inline const std::string kRoot = source_path();

inline const device::Device& h100() {
  static const device::Device device = [] {
    std::ifstream file(kRoot + "/assets/devices.toml");
    std::stringstream text;
    text << file.rdbuf();
    return *device::DeviceTable::parse(text.str(), "devices.toml")->find("h100");
  }();
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

inline Result<Emulation> run(const catalog::KernelSpec& spec, const catalog::Values& chosen,
                             const catalog::Values& sizes, EmulationOptions options = {}) {
  const auto problem = problem::find_problem(spec.problem);
  if (!problem) return problem.error();
  const auto values = catalog::resolve_values(spec, chosen, sizes);
  if (!values) return values.error();
  const auto shape = catalog::launch_shape(spec, *values, sizes);
  if (!shape) return shape.error();
  const auto build = compiler().compile({spec.code, spec.path, *values, 90, true});
  if (!build) return build.error();
  const auto instance = (*problem)->make(sizes, problem::Pattern::random, 1, std::uint64_t{1} << 32);
  if (!instance) return instance.error();
  const auto kernel = prepare(*build, h100());
  if (!kernel) return kernel.error();
  return emulate(**kernel, *build, **instance, *shape, options);
}

}  // namespace warplens::session
