// The ladder of tensor cores, from WMMA to wgmma and TMA: each step verifies, with its own tensor maps and for its own
// architecture, at sizes that no tile divides, and takes the ways past the load/store units that it is about.
#include <gtest/gtest.h>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

std::vector<std::string> tensor_steps() {
  std::vector<std::string> steps;
  for (const auto& spec : kernels().kernels())
    if (spec.id.starts_with("tensor/")) steps.push_back(spec.id.substr(spec.id.find('/') + 1));
  return steps;
}

class TensorSteps : public testing::TestWithParam<std::string> {};

TEST_P(TensorSteps, Verify) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find("tensor/" + GetParam());
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = run_of(*spec, {}, {{"M", 208}, {"N", 336}, {"K", 144}});
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified) << (*run)->report.explanation;
  const emulator::TensorCounts& counts = (*run)->report.counts.tensor;
  EXPECT_EQ(counts.group_products > 0, !spec->arch.empty());
  EXPECT_EQ(counts.half_products > 0, spec->arch.empty());
  EXPECT_EQ(counts.load_sectors > 0, !spec->maps.empty());
}

INSTANTIATE_TEST_SUITE_P(Ladder, TensorSteps, testing::ValuesIn(tensor_steps()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace warplens::run
