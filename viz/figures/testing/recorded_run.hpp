// For the tests of figures: kernels that really ran on the emulator, with block 0 and another one recorded.
#pragma once

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "engine/run/testing/run_support.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::figures {

inline run::SharedRun run_build(const run::Plan& plan, const compile::Build& build, std::uint64_t block) {
  run::Instances instances({.most_bytes = std::uint64_t{1} << 32});
  const run::Job job{plan, *instances.instantiate(plan), build};
  return *run::tabulate(job, *run::execute(job, {.record = block, .counts_only = true}));
}

inline run::Plan plan_of(const catalog::KernelSpec& spec, std::string_view size,
                         const catalog::Values& chosen = {}) {
  return *run::plan_of(spec, chosen, *problem::parse_sizes(**problem::find_problem(spec), size));
}

// Null where it does not compile: see run::compiler().available().
inline run::SharedRun record(const catalog::KernelSpec& spec, std::string_view size,
                             const catalog::Values& chosen = {}, std::uint64_t block = 0) {
  const run::Plan plan = plan_of(spec, size, chosen);
  const auto build = run::compiler().compile(run::build_request(plan, false));
  return build ? run_build(plan, *build, block) : nullptr;
}

// A kernel of the repository.
inline run::SharedRun record(std::string_view id, std::string_view size, const catalog::Values& chosen = {},
                             std::uint64_t block = 0) {
  return record(*run::kernels().find(id), size, chosen, block);
}

// A kernel of viz/testdata/figures/kernels with its PTX beside it, so that golden files do not change with
// the compiler's version, or with the repository's kernels. WARPLENS_WRITE_GOLDEN=1 compiles it anew.
inline run::SharedRun record_kept(const std::string& name, std::string_view size) {
  const std::string folder = run::kRoot + "/viz/testdata/figures/kernels/";
  const run::Plan plan = plan_of(*(*catalog::Catalog::open(folder)).find(name), size);
  compile::Build build;
  build.kernel_name = "kernel";
  build.arch = 90;
  if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) {
    compile::Request request = run::build_request(plan, false);
    request.file_name = name + ".cu";
    std::ofstream(folder + name + ".ptx") << run::compiler().compile(request)->ptx;
  }
  std::ifstream file(folder + name + ".ptx");
  std::stringstream text;
  text << file.rdbuf();
  build.ptx = text.str();
  return run_build(plan, build, 0);
}

// The same run by the rules of another device.
inline run::Run on(const run::Run& run, const device::Device& device) {
  auto job = std::make_shared<run::Job>(*run.job);
  job->plan.device = device;
  run::Run other = run;
  other.job = std::move(job);
  return other;
}

}  // namespace warplens::figures
