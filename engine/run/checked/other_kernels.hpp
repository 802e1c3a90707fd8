// The other kernels of a file that has no front matter: run and checked as the one that was asked for is.
#pragma once

#include <atomic>
#include <functional>

#include "engine/compile/build.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

using CompilePlan = std::function<Result<compile::Build>(const Plan&)>;

// Runs those of `report.tried->left_out` that can be guessed and take no long time, moves them to `kernels`
// with what came of them, and adds their errors to the findings: the file is wrong then, whatever the run
// itself came to. job: of the run. Files with a front matter say which kernel they are about.
// cancel: set it to true to stop early.
void add_other_kernels(const Job& job, const CompilePlan& compile, Report& report,
                       const std::atomic<bool>* cancel = nullptr);

}  // namespace warplens::run
