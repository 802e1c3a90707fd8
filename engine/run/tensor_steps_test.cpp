// The kernels of examples/tensor, from WMMA to wgmma and TMA: each verifies, with its own tensor maps and for its own
// architecture, at sizes that no tile divides.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

std::vector<std::string> tensor_examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("examples/tensor")))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class TensorExamples : public testing::TestWithParam<std::string> {};

TEST_P(TensorExamples, Verify) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const std::string path = source_path("examples/tensor/" + GetParam() + ".cu");
  const auto text = read_whole_file(path);
  ASSERT_TRUE(text) << to_line(text.error());
  const auto spec = catalog::parse_kernel(*text, "tensor/" + GetParam(), path);
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = run_of(*spec, {}, {{"M", 208}, {"N", 336}, {"K", 144}});
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified) << (*run)->report.explanation;
  const emulator::TensorCounts& counts = (*run)->report.counts.tensor;
  EXPECT_EQ(counts.group_products > 0, !spec->arch.empty());
  EXPECT_EQ(counts.half_products > 0, spec->arch.empty());
  EXPECT_EQ(counts.load_sectors > 0, !spec->maps.empty());
}

INSTANTIATE_TEST_SUITE_P(Files, TensorExamples, testing::ValuesIn(tensor_examples()),
                         [](const auto& tested) { return tested.param; });

TEST(TensorExampleFiles, AreThoseOfTheWholeWay) { EXPECT_EQ(tensor_examples().size(), 18u); }

}  // namespace
}  // namespace warplens::run
