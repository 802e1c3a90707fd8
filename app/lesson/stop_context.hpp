// A stop of a lesson as its expressions see it: its run is made when it is first asked for, and kept.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/lesson/stops.hpp"
#include "engine/base/cancel.hpp"
#include "engine/lesson/evaluator.hpp"
#include "engine/lesson/runs.hpp"
#include "engine/measured/recorded.hpp"

namespace warplens::app {

// What all stops share. What is named here outlives it, and it outlives them.
struct LessonSources {
  const std::filesystem::path& data;  // the folder of kernels and assets
  const catalog::Catalog& catalog;
  const device::DeviceTable& devices;
  measured::Recorded& recorded;
  run::Runner& runner;
  const std::atomic<bool>& cancel = kNeverCancelled;
  lesson::Runs runs{catalog, devices, runner, cancel};
};

// The same for workers, which share it: which catalog their stops are of they are told with each.
struct LessonBench {
  std::filesystem::path data;
  device::DeviceTable devices;
  std::shared_ptr<run::Runner> runner;
  std::shared_ptr<measured::Recorded> recorded;

  LessonSources over(const catalog::Catalog& catalog, const std::atomic<bool>& cancel) const {
    return {data, catalog, devices, *recorded, *runner, cancel};
  }
};
using SharedBench = std::shared_ptr<const LessonBench>;

class StopContext {
 public:
  // stop: of this lesson.
  StopContext(const LessonSources& sources, const lesson::Lesson& lesson, StopState stop);
  StopContext(const StopContext&) = delete;  // its functions refer to it
  StopContext& operator=(const StopContext&) = delete;

  // Its access is set once shown() has been asked.
  const StopState& stop() const { return stop_; }
  // Errors: as lesson::Runs::run, settle(), own_access(); the run of a stop that fails is not tried again.
  Result<lesson::Subject> shown();
  // The value of an expression of the file. Errors: those of Expression::evaluate.
  Result<lesson::Value> value_of(const lesson::Expression& expression);
  // What makes a claim false: "sectors('A') is 12"; may be empty.
  std::string why_false(const lesson::Expression& expression);

 private:
  Result<lesson::Context> context();

  const LessonSources& sources_;
  lesson::KernelPlace kernels_;
  StopState stop_;
  std::optional<Result<lesson::Subject>> shown_;
  std::optional<lesson::OwnAccess> own_access_;
};

}  // namespace warplens::app
