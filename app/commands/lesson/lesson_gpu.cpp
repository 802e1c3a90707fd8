#include "app/commands/lesson/lesson_gpu.hpp"

#include <fmt/format.h>

#include "app/gpu/both_run.hpp"

namespace warplens::app {
namespace {

constexpr double kSeconds = 0.01;  // of timing: nothing of it is asked for

std::string key_of(const run::Plan& plan) {
  return fmt::format("{} {} {}", plan.spec.id, run::value_words(plan.parameters),
                     run::value_words(plan.sizes));
}

// PTX ISA: what the .approx forms of functions give is a matter of the chip, in the last bits.
bool approximates(const run::Job& job) { return job.build.ptx.find(".approx") != std::string::npos; }

}  // namespace

LessonGpu::LessonGpu(const LessonDesk& desk, GpuEngine engine)
    : desk_(desk), engine_(std::move(engine)), compiler_(desk.workspace().compiler()), instances_({}) {
  engine_.trust(measured::MeasuredKernels(desk.workspace().home()));
}

Status LessonGpu::check(const run::Plan& plan) {
  if (!done_.insert(key_of(plan)).second) return Done{};
  run::Plan here = plan;
  const auto device = device_of(desk_.workspace(), engine_.hardware(), plan.device.id);
  if (!device) return device.error();
  here.device = *device;
  const auto job = job_of(here, compiler_, instances_);
  if (!job) return job.error();
  return compare(*job);
}

Status LessonGpu::compare(const run::Job& job) {
  GpuRunOptions options;
  options.timing.seconds = kSeconds;
  const auto both =
      run_on_both(&engine_, job, {.gpu = options, .record = true, .count = false}, desk_.workspace().home());
  const auto wrong = [&](const std::string& what) {
    return Error{fmt::format("on {} {} {}", name(), job.plan.spec.id, what),
                 "run it with --engine both --record to see where",
                 {}};
  };
  if (!both) return wrong("fails: " + both.error().message);
  if (!both->measured || both->measured->is_wrong()) return wrong("computes a wrong result");
  if (both->bits && both->bits->different > 0 && !both->bits->sums_of_blocks && !approximates(job))
    return wrong(fmt::format("differs from the emulator in {} elements", both->bits->different));
  if (both->not_recorded) return wrong("cannot be recorded: " + both->not_recorded->message);
  if (both->recorded && both->recorded->accesses.different > 0)
    return wrong("accesses other addresses than on the emulator: " + both->recorded->accesses.first);
  return Done{};
}

}  // namespace warplens::app
