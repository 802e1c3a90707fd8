// The first numbers that a class sees: each kernel with its own sizes and values, predicted, beside what an H100 took
// (assets/recorded/h100.json).
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

TEST(DefaultTimes, ArePredictedAsTheyWereMeasured) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto recorded = measured::RecordedSpeeds::read(source_path("assets/recorded"), "h100");
  ASSERT_TRUE(recorded) << to_line(recorded.error());
  Library library(
      std::make_shared<run::Runner>(compile::Compiler({.library = {}, .cache_folder = test_cache_path()})));
  std::vector<double> errors;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    const auto plan = run::plan_of(spec, {}, {});
    ASSERT_TRUE(plan) << to_line(plan.error());
    const auto* speed = recorded->find(spec, plan->sizes, &plan->parameters);
    if (speed == nullptr) continue;
    const auto run = library.runner().run(
        {.spec = spec, .parameters = {}, .sizes = {}, .device = run::h100()}, kNeverCancelled);
    ASSERT_TRUE(run) << to_line(run.error());
    const auto predicted = library.now({.run = *run}, Fact::predicted).predicted;
    ASSERT_TRUE(predicted != nullptr) << spec.id;
    if (!*predicted) continue;  // what the model does not know it says so itself
    const double error = std::abs((*predicted)->seconds / speed->seconds - 1);
    std::puts(fmt::format("{:<34}{:6.1f} %", spec.id, 100 * error).c_str());
    errors.push_back(error);
  }
  ASSERT_GE(errors.size(), 40u);
  std::ranges::sort(errors);
  EXPECT_LT(errors[errors.size() / 2], 0.10);
  EXPECT_LT(errors[errors.size() * 95 / 100], 0.25);
}

}  // namespace
}  // namespace warplens::study
