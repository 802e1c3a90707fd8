// The kernels of a lesson's stops on a GPU: whether they do there what the emulator says of them.
#pragma once

#include <set>
#include <string>

#include "app/commands/lesson/lesson_desk.hpp"
#include "app/gpu/gpu_run.hpp"
#include "engine/run/instances.hpp"

namespace warplens::app {

class LessonGpu {
 public:
  // desk: outlives this.
  LessonGpu(const LessonDesk& desk, GpuEngine engine);

  const std::string& name() const { return engine_.hardware().name; }
  std::size_t runs() const { return done_.size(); }
  // Launches what a stop shows, with the stop's parameters and sizes but for this GPU, and compares its
  // result and the accesses that it records with the emulator's. Each launch is made once, however many stops
  // show it. Errors: a fault or a hang; a result that is wrong or differs in a bit; warps that access other
  // addresses.
  Status check(const run::Plan& plan);

 private:
  Status compare(const run::Job& job);

  const LessonDesk& desk_;
  GpuEngine engine_;
  compile::Compiler compiler_;
  run::Instances instances_;
  std::set<std::string> done_;  // kernel, parameters, sizes
};

}  // namespace warplens::app
