// A bound that lies below a measurement is none: every recorded speed of every kernel stands below its own,
// by the counts of the emulator and the roofs of the device, tensor cores among them.
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

const measured::RecordedSpeeds& recorded(const std::string& device) {
  static std::map<std::string, measured::RecordedSpeeds> all;
  if (!all.contains(device))
    all[device] = *measured::RecordedSpeeds::read(run::kRoot + "/assets/recorded", device);
  return all[device];
}

struct Launches {
  std::string device, kernel;
};
std::vector<Launches> launches_on(const std::string& device) {
  std::set<std::string> kernels;
  for (const measured::RecordedSpeed& speed : recorded(device).results) kernels.insert(speed.kernel);
  std::vector<Launches> all;
  for (const std::string& kernel : kernels) all.push_back({device, kernel});
  return all;
}
Recorded speeds_of(const Launches& of) {
  Recorded speeds;
  for (const measured::RecordedSpeed& speed : recorded(of.device).results)
    if (speed.kernel == of.kernel) speeds.push_back(&speed);
  return speeds;
}

class Bounds : public testing::TestWithParam<Launches> {};

TEST_P(Bounds, NoneLiesBelowAMeasurement) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto spec = run::kernels().find(GetParam().kernel);
  ASSERT_TRUE(spec) << to_line(spec.error());
  const device::Device device = run::device_named(GetParam().device);
  const auto roof = roofline_of(device, problem::has_multiply_adds(*spec));
  ASSERT_TRUE(roof);
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  const Recorded speeds = speeds_of(GetParam());
  for (const measured::RecordedSpeed* speed : speeds) {
    const auto count = runner.count(
        {.spec = *spec, .parameters = speed->params, .sizes = speed->size, .device = device}, false);
    ASSERT_TRUE(count) << to_line(count.error());
    const PerformanceInput input{.roofline = *roof, .unit = count->unit};
    run::Plan plan{.spec = *spec, .sizes = speed->size, .device = device};
    plan.parameters = speed->params;
    const PerformancePoint point = performance_point(plan, recorded(GetParam().device), speed, &*count);
    const auto most = bound_of(input, point);
    if (is_of_operations(count->unit) && !count->are_floats) {  // no table has the peak of what computes
      EXPECT_FALSE(most);
      continue;
    }
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

// Of the ladders that were recorded there; none of their steps is missing, but for what was recorded on
// another device alone.
TEST(Bounds, AreThoseOfEveryStepOfTheirLadders) {
  const auto here = launches_on("h100"), elsewhere = launches_on("h200");
  const auto ladder_of = [](const std::string& id) { return id.substr(0, id.find('/')); };
  std::set<std::string> ladders;
  for (const Launches& of : here) ladders.insert(ladder_of(of.kernel));
  EXPECT_GE(ladders.size(), 6u);
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    if (!ladders.contains(ladder_of(spec.id))) continue;
    EXPECT_TRUE(std::ranges::find(here, spec.id, &Launches::kernel) != here.end() ||
                std::ranges::find(elsewhere, spec.id, &Launches::kernel) != elsewhere.end())
        << spec.id;
  }
}

std::vector<Launches> all_launches() {
  std::vector<Launches> all = launches_on("h100");
  std::ranges::copy(launches_on("h200"), std::back_inserter(all));
  return all;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Bounds, testing::ValuesIn(all_launches()), [](const auto& tested) {
  std::string name = tested.param.device + "_" + tested.param.kernel;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace
}  // namespace warplens::figures
