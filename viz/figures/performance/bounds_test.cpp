// A bound that lies below a measurement is none: every recorded speed of every kernel stands below its own,
// by the counts of the emulator and the roofs of the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/problem/problem.hpp"
#include "engine/run/runner.hpp"
#include "engine/run/testing/run_support.hpp"
#include "viz/figures/performance/performance_input.hpp"

namespace warplens::figures {
namespace {

using Recorded = std::vector<const measured::RecordedSpeed*>;

const measured::RecordedSpeeds& recorded() {
  static const auto all = *measured::RecordedSpeeds::read(run::kRoot + "/assets/recorded", "h100");
  return all;
}

std::map<std::string, Recorded> by_kernel() {
  std::map<std::string, Recorded> kernels;
  for (const measured::RecordedSpeed& speed : recorded().results) kernels[speed.kernel].push_back(&speed);
  return kernels;
}

class Bounds : public testing::TestWithParam<std::string> {};

TEST_P(Bounds, NoneLiesBelowAMeasurement) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto spec = run::kernels().find(GetParam());
  ASSERT_TRUE(spec) << to_line(spec.error());
  const device::Device device = run::h100();
  const auto roof = device::roofline(device, problem::has_multiply_adds(*spec));
  ASSERT_TRUE(roof);
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  const Recorded speeds = by_kernel().at(GetParam());
  for (const measured::RecordedSpeed* speed : speeds) {
    const auto count = runner.count(
        {.spec = *spec, .parameters = speed->params, .sizes = speed->size, .device = device}, false);
    ASSERT_TRUE(count) << to_line(count.error());
    const PerformanceInput input{.roofline = *roof, .unit = count->unit};
    run::Plan plan{.spec = *spec, .sizes = speed->size, .device = device};
    plan.parameters = speed->params;
    const PerformancePoint point = performance_point(plan, recorded(), speed, &*count);
    const auto most = bound_of(input, point);
    if (count->unit == "GB/s" && !most) {  // in L2, whose speed nobody says
      EXPECT_LE(point.least_bytes, roof->l2_bytes * point.share) << measured::short_size(speed->size);
      continue;
    }
    ASSERT_TRUE(most) << measured::short_size(speed->size);
    EXPECT_GE(most->speed * (1 + speed->spread), point.recorded->value)
        << measured::short_size(speed->size) << " " << run::value_words(speed->params) << "\n"
        << bound_formula(input, point);
  }
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const auto& [kernel, speeds] : by_kernel()) names.push_back(kernel);
  return names;
}

// Of the ladders that were recorded there; none of their steps is missing, but for what was recorded on
// another device alone.
TEST(Bounds, AreThoseOfEveryStepOfTheirLadders) {
  const auto recorded = kernels();
  const auto elsewhere = measured::RecordedSpeeds::read(run::kRoot + "/assets/recorded", "h200");
  ASSERT_TRUE(elsewhere);
  const auto ladder_of = [](const std::string& id) { return id.substr(0, id.find('/')); };
  std::set<std::string> ladders;
  for (const std::string& kernel : recorded) ladders.insert(ladder_of(kernel));
  EXPECT_GE(ladders.size(), 6u);
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    if (!ladders.contains(ladder_of(spec.id))) continue;
    EXPECT_TRUE(std::ranges::find(recorded, spec.id) != recorded.end() ||
                std::ranges::find(elsewhere->results, spec.id, &measured::RecordedSpeed::kernel) !=
                    elsewhere->results.end())
        << spec.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, Bounds, testing::ValuesIn(kernels()), [](const auto& tested) {
  std::string name = tested.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace
}  // namespace warplens::figures
