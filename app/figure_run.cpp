#include "app/figure_run.hpp"

#include <utility>

#include "engine/trace/recorder.hpp"

namespace warplens::app {
namespace {

constexpr std::uint64_t most_buffer_bytes = std::uint64_t{4} << 30;

}  // namespace

figures::RunView FigureRun::view() const {
  figures::RunView view{&plan.spec, &plan.launch, &device, kernel.get(), &emulation.outcome.counters,
                        &trace,     &buffers,     &lines};
  if (emulation.sampled) view.sampled_blocks = emulation.outcome.counters.blocks_run;
  view.blocks_in_grid = emulation.blocks_in_grid;
  view.parameters = &plan.parameters;
  return view;
}

Result<std::unique_ptr<FigureRun>> run_for_figure(compile::Compiler& compiler, const RunPlan& plan,
                                                  const device::Device& device, std::uint64_t block) {
  auto run = std::make_unique<FigureRun>();
  run->plan = plan;
  run->device = device;
  auto instance = plan.problem->make(plan.sizes, problem::Pattern::random, 1, most_buffer_bytes);
  if (!instance) return instance.error();
  run->instance = *std::move(instance);
  auto build = build_plan(compiler, plan, device);
  if (!build) return build.error();
  run->build = *std::move(build);
  auto kernel = session::prepare(run->build, device);
  if (!kernel) return kernel.error();
  run->kernel = *std::move(kernel);
  trace::Recorder recorder({.wants = [block](std::uint64_t b) { return b == 0 || b == block; }});
  session::EmulationOptions options;
  options.observer = &recorder;
  auto emulation = session::emulate(*run->kernel, run->build, *run->instance, plan.launch, options);
  if (!emulation) return emulation.error();
  if (emulation->outcome.fault) return emulation->outcome.fault->error;
  if (!emulation->verification.verified)
    return Error{"the result of " + plan.spec.id + " is wrong: " + emulation->verification.explanation,
                 "correct the kernel; a wrong one is not drawn",
                 {plan.spec.path, 0, 0}};
  run->emulation = *std::move(emulation);
  run->trace = recorder.finish();
  run->buffers = report::placed_buffers(*run->instance, run->emulation.buffers);
  run->lines =
      report::line_table(run->emulation.outcome.counters, run->kernel->function(), run->kernel->program());
  return run;
}

}  // namespace warplens::app
