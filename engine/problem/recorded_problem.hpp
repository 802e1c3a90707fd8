// The problem of a launch that a program made: its own memory and arguments. What is right only the program knows, so
// nothing is verified.
#pragma once

#include <memory>

#include "engine/catalog/recorded_launch.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {

SharedProblem make_recorded_problem(std::shared_ptr<const catalog::RecordedLaunch> launch);

// Of an instance of such a problem; null: of another one. Its buffers() are the arrays of the launch, in their order.
const catalog::RecordedLaunch* recorded_launch(const Instance& instance);
// Of a kernel that is such a launch; null: it is none.
const catalog::RecordedLaunch* recorded_launch(const catalog::KernelSpec& spec);

}  // namespace warplens::problem
