// Every kernel of the repository gives the right result at every size and valid set of parameters: a sample
// of the sets, or, built with WARPLENS_ALL_SETS, all of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

#ifdef WARPLENS_ALL_SETS
constexpr std::size_t kMostSets = ~std::size_t{0};
#else
constexpr std::size_t kMostSets = 4;
#endif

// A step may ask for sizes that 16 divides, as tensor cores do: then the next of those.
std::vector<catalog::Values> sizes_of(const catalog::KernelSpec& spec, const problem::Problem& problem) {
  std::vector<catalog::Values> all;
  for (const char* text : {"1", "3", "100", "128", "257"})
    all.push_back(*problem::parse_sizes(problem, text));
  if (problem.size_names().size() == 3) all.push_back(*problem::parse_sizes(problem, "35,79,19"));
  if (problem.size_names().size() == 2) all.push_back(*problem::parse_sizes(problem, "35,79"));
  for (catalog::Values& sizes : all)
    if (catalog::valid_parameter_sets(spec, sizes).empty())
      for (auto& [name, value] : sizes) value = (value + 15) / 16 * 16;
  return all;
}

// The defaults and sets spread over all valid ones.
std::vector<catalog::Values> sets_of(const catalog::KernelSpec& spec, const catalog::Values& sizes) {
  const auto all = catalog::valid_parameter_sets(spec, sizes);
  if (all.size() <= kMostSets) return all;
  std::vector<catalog::Values> some{catalog::default_values(spec)};
  for (std::size_t i = 1; i < kMostSets; ++i) some.push_back(all[i * (all.size() - 1) / (kMostSets - 1)]);
  return some;
}

std::string text_of(const catalog::Values& values) {
  std::string text;
  for (const auto& [name, value] : values) text += name + "=" + std::to_string(value) + " ";
  return text;
}

class Kernels : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(Kernels, AreRightAtEverySize) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const catalog::KernelSpec& spec = GetParam();
  const auto at_defaults = problem::find_problem(spec);
  ASSERT_TRUE(at_defaults) << to_line(at_defaults.error());
  const auto sizes = sizes_of(spec, **at_defaults);
  for (const auto& values : sets_of(spec, sizes.front())) {
    const auto problem = problem::find_problem(spec, values);
    ASSERT_TRUE(problem) << text_of(values) << to_line(problem.error());
    const auto planned = choose_values(spec, values, sizes.front(), h100());
    ASSERT_TRUE(planned) << text_of(values) << to_line(planned.error());
    const auto build = compiler().compile(build_request(*planned, false));
    ASSERT_TRUE(build) << text_of(values) << to_line(build.error());
    const auto kernel = prepare(*build, h100());
    ASSERT_TRUE(kernel) << text_of(values) << to_line(kernel.error());
    for (const auto& size : sizes) {
      const auto shape = catalog::launch_shape(spec, values, size);
      ASSERT_TRUE(shape) << to_line(shape.error());
      const auto instance = (*problem)->make(size, problem::Pattern::random, 7, std::uint64_t{1} << 32);
      ASSERT_TRUE(instance) << to_line(instance.error());
      const auto result = emulate(**kernel, **instance, *shape);
      ASSERT_TRUE(result) << text_of(values) << to_line(result.error());
      ASSERT_FALSE(result->outcome.fault)
          << text_of(values) << text_of(size) << to_line(result->outcome.fault->error);
      ASSERT_TRUE(result->verification.verified)
          << text_of(values) << text_of(size) << result->verification.explanation;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Repository, Kernels, testing::ValuesIn(kernels().kernels()), [](const auto& tested) {
  std::string label = tested.param.id;
  std::replace_if(
      label.begin(), label.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
      '_');
  return label;
});

}  // namespace
}  // namespace warplens::run
