#include "app/figure_run.hpp"

namespace warplens::app {

RunRequest request_of(const RunPlan& plan, const device::Device& device, std::uint64_t block) {
  return {.spec = plan.spec,
          .parameters = plan.parameters,
          .sizes = plan.sizes,
          .device = device,
          .block = block};
}

Result<SharedRun> run_for_figure(KernelRunner& runner, const RunPlan& plan, const device::Device& device,
                                 std::uint64_t block) {
  auto run = runner.run(request_of(plan, device, block), false);
  if (!run) return run.error();
  if ((*run)->fault) return *(*run)->fault;
  return run;
}

Status check_result(const RunPlan& plan, const KernelRun& run) {
  if (run.report.verified) return Done{};
  const std::string name = plan.spec.id == plan.spec.path ? "the kernel" : plan.spec.id;
  return Error{"the result of " + name + " is wrong: " + run.report.explanation,
               "correct the kernel; a wrong one is not drawn",
               {plan.spec.path, 0, 0}};
}

}  // namespace warplens::app
