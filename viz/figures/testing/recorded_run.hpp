// For the tests of figures: kernels that really ran on the emulator, with block 0 and another one recorded.
#pragma once

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "engine/session/testing/session_support.hpp"
#include "engine/trace/recorder.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/parts/run_view.hpp"

namespace warplens::figures {

struct Recorded {
  catalog::KernelSpec spec;
  catalog::Values parameters;
  catalog::LaunchShape launch;
  std::shared_ptr<const problem::Instance> instance;
  std::shared_ptr<const emulator::Kernel> kernel;
  session::Emulation emulation;
  trace::Trace trace;
  std::vector<report::PlacedBuffer> buffers;
  report::LineTable lines;

  RunView view() const {
    return {&spec,      &launch,  &session::h100(), kernel.get(), &emulation.outcome.counters,
            &trace,     &buffers, &lines,           {},           emulation.blocks_in_grid,
            &parameters};
  }
};

inline void run_build(Recorded& run, const compile::Build& build, const problem::Problem& problem,
                      const catalog::Values& sizes, std::uint64_t block) {
  run.instance = *problem.make(sizes, problem::Pattern::random, 1, std::uint64_t{1} << 32);
  run.kernel = *session::prepare(build, session::h100());
  trace::Recorder recorder({.blocks = {0, block}});
  session::EmulationOptions options;
  options.observer = &recorder;
  run.emulation = *session::emulate(*run.kernel, build, *run.instance, run.launch, options);
  run.trace = recorder.finish();
  run.buffers = report::placed_buffers(*run.instance, run.emulation.buffers);
  run.lines =
      report::line_table(run.emulation.outcome.counters, run.kernel->function(), run.kernel->program());
}

inline compile::Request request_of(const Recorded& run) {
  return {run.spec.code, run.spec.path, run.parameters, 90, false};
}

// What is to run, before it is compiled.
struct Planned {
  std::unique_ptr<Recorded> run = std::make_unique<Recorded>();
  const problem::Problem* problem = nullptr;
  catalog::Values sizes;
};
inline Planned plan(catalog::KernelSpec spec, std::string_view size, const catalog::Values& chosen = {}) {
  Planned planned;
  planned.problem = *problem::find_problem(spec.problem);
  planned.sizes = *problem::parse_sizes(*planned.problem, size);
  planned.run->parameters = *catalog::resolve_values(spec, chosen, planned.sizes);
  planned.run->launch = *catalog::launch_shape(spec, planned.run->parameters, planned.sizes);
  planned.run->spec = std::move(spec);
  return planned;
}

// Null where it does not compile: see session::compiler().available().
inline std::unique_ptr<Recorded> record(catalog::KernelSpec spec, std::string_view size,
                                        const catalog::Values& chosen = {}, std::uint64_t block = 0) {
  auto [run, problem, sizes] = plan(std::move(spec), size, chosen);
  const auto build = session::compiler().compile(request_of(*run));
  if (!build) return nullptr;
  run_build(*run, *build, *problem, sizes, block);
  return std::move(run);
}

// A kernel of the repository.
inline std::unique_ptr<Recorded> record(std::string_view id, std::string_view size,
                                        const catalog::Values& chosen = {}, std::uint64_t block = 0) {
  return record(*session::kernels().find(id), size, chosen, block);
}

// A kernel of viz/testdata/figures/kernels with its PTX beside it, so that golden files do not change with
// the compiler's version, or with the repository's kernels. WARPLENS_WRITE_GOLDEN=1 compiles it anew.
inline std::unique_ptr<Recorded> record_kept(const std::string& name, std::string_view size) {
  const std::string folder = session::kRoot + "/viz/testdata/figures/kernels/";
  auto [run, problem, sizes] = plan(*(*catalog::Catalog::open(folder)).find(name), size);
  compile::Build build;
  build.kernel_name = "kernel";
  build.arch = 90;
  if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) {
    compile::Request request = request_of(*run);
    request.file_name = name + ".cu";
    std::ofstream(folder + name + ".ptx") << session::compiler().compile(request)->ptx;
  }
  std::ifstream file(folder + name + ".ptx");
  std::stringstream text;
  text << file.rdbuf();
  build.ptx = text.str();
  run_build(*run, build, *problem, sizes, 0);
  return std::move(run);
}

}  // namespace warplens::figures
