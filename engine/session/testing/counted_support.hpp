// For tests of counts: a kernel of the repository, run in full and verified, as the hardware would count it.
#pragma once

#include <gtest/gtest.h>

#include "engine/session/testing/session_support.hpp"

namespace warplens::session {

inline emulator::Counters counted(const char* kernel, const catalog::Values& params,
                                  const catalog::Values& sizes) {
  const auto spec = kernels().find(kernel);
  EXPECT_TRUE(spec) << kernel;
  if (!spec) return {};
  const auto result = run(*spec, params, sizes);
  EXPECT_TRUE(result) << to_line(result.error());
  if (!result) return {};
  EXPECT_FALSE(result->outcome.fault);
  EXPECT_TRUE(result->verification.verified) << result->verification.explanation;
  EXPECT_TRUE(result->merge_matches_cubin.value_or(false)) << kernel;
  return result->outcome.counters;
}

}  // namespace warplens::session
