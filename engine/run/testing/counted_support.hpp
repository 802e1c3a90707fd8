// For tests of counts: a kernel of the repository, run in full and verified, as the hardware would count it.
#pragma once

#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {

inline emulator::Counters counted(const char* kernel, const catalog::Values& params,
                                  const catalog::Values& sizes) {
  const auto spec = kernels().find(kernel);
  EXPECT_TRUE(spec) << kernel;
  if (!spec) return {};
  const auto run = run_of(*spec, params, sizes);
  EXPECT_TRUE(run) << to_line(run.error());
  if (!run) return {};
  EXPECT_TRUE((*run)->report.verified) << (*run)->report.explanation;
  EXPECT_TRUE((*run)->report.vectorized_as_in_cubin.value_or(false)) << kernel;
  return (*run)->emulation.outcome.counters;
}

}  // namespace warplens::run
