// The first numbers that a class sees: each kernel with its own sizes and values, predicted, beside what an H100 took, or an
// H200 (assets/recorded).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/testing/run_support.hpp"
#include "engine/study/study.hpp"

namespace warplens::study {
namespace {

// Of each kernel of a ladder, of all where it is empty, that was recorded with them on this device.
std::vector<double> errors_on(const char* device, std::string_view ladder) {
  const auto recorded = measured::RecordedSpeeds::read(source_path("assets/recorded"), device);
  EXPECT_TRUE(recorded) << to_line(recorded.error());
  Library library(
      std::make_shared<run::Runner>(compile::Compiler({.library = {}, .cache_folder = test_cache_path()})));
  std::vector<double> errors;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    if (!spec.id.starts_with(ladder)) continue;
    const auto plan = run::plan_of(spec, {}, {});
    EXPECT_TRUE(plan) << to_line(plan.error());
    const auto* speed = recorded->find(spec, plan->sizes, &plan->parameters);
    if (speed == nullptr) continue;
    const auto run = library.runner().run(
        {.spec = spec, .parameters = {}, .sizes = {}, .device = run::device_named(device)}, kNeverCancelled);
    EXPECT_TRUE(run) << to_line(run.error());
    const auto predicted = library.now({.run = *run}, Fact::predicted).predicted;
    EXPECT_TRUE(predicted != nullptr) << spec.id;
    if (!*predicted) continue;  // what the model does not know it says so itself
    const double error = std::abs((*predicted)->seconds / speed->seconds - 1);
    std::puts(fmt::format("{:<34}{:6.1f} %", spec.id, 100 * error).c_str());
    errors.push_back(error);
  }
  std::ranges::sort(errors);
  return errors;
}

TEST(DefaultTimes, ArePredictedAsTheyWereMeasured) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const std::vector<double> errors = errors_on("h100", "");
  ASSERT_GE(errors.size(), 40u);
  EXPECT_LT(errors[errors.size() / 2], 0.10);
  EXPECT_LT(errors[errors.size() * 95 / 100], 0.25);
}

// Nothing was fitted on them: dp4a, and mma of 8-bit integers.
TEST(DefaultTimes, OfIntegerProductsAreThoseOfAnH200) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const std::vector<double> errors = errors_on("h200", "tensor_int8/");
  ASSERT_EQ(errors.size(), 5u);
  EXPECT_LT(errors[errors.size() / 2], 0.10);
  EXPECT_LT(errors.back(), 0.15);
}

}  // namespace
}  // namespace warplens::study
