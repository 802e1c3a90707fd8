// Judges a submission: compiles it, runs it on the emulator at several sizes under the checkers, and holds its counts
// against the assignment's goals. The same text gets the same verdict everywhere; no GPU takes part.
#pragma once

#include <atomic>
#include <string>

#include "engine/catalog/catalog.hpp"
#include "engine/device/device.hpp"
#include "engine/exercise/assignment.hpp"
#include "engine/exercise/verdict.hpp"
#include "engine/measured/recorded.hpp"
#include "engine/run/runner.hpp"

namespace warplens::exercise {

// What a judge works with; it outlives him.
struct Bench {
  const catalog::Catalog& catalog;
  const device::DeviceTable& devices;
  measured::Recorded& recorded;
  run::Runner& runner;  // compiles a stranger's text: with limits, see engine/compile/guarded.hpp
  const std::atomic<bool>& cancel;
};

struct Submission {
  std::string file;  // as messages name it
  std::string text;
};

// Error: the assignment itself cannot be judged by, such as a goal that cannot be evaluated of a right kernel, or it
// was cancelled. Whatever is wrong with the submission is in the verdict.
Result<Verdict> judge(const Assignment& assignment, const Submission& submission, const Bench& bench);

}  // namespace warplens::exercise
