// Every kernel file of the repository, read as the program reads it. Here rather than beside the catalog
// because a kernel's expressions need its problem's sizes.
#include <gtest/gtest.h>

#include "engine/base/testing/places.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {
namespace {

catalog::Catalog repository() {
  auto kernels = catalog::Catalog::open(source_path("kernels"));
  EXPECT_TRUE(kernels);
  return *std::move(kernels);
}

TEST(RepositoryKernels, AllParse) {
  const auto kernels = repository();
  EXPECT_GT(kernels.kernels().size(), 0u);
  for (const Error& problem : kernels.problems()) ADD_FAILURE() << to_line(problem);
}

TEST(RepositoryKernels, HaveTheSameFace) {
  const auto kernels = repository();
  for (const catalog::KernelSpec& spec : kernels.kernels()) {
    EXPECT_NE(spec.idea, "") << spec.path;
    EXPECT_NE(spec.watch, "") << spec.path;
    EXPECT_NE(spec.source, "") << spec.path;
    for (const catalog::Parameter& parameter : spec.params) EXPECT_NE(parameter.meaning, "") << spec.path;
  }
}

// A step may ask for sizes that 16 divides, as tensor cores do: then the next of those.
Values sizes_for(const catalog::KernelSpec& spec, Values sizes) {
  if (catalog::valid_parameter_sets(spec, sizes).empty())
    for (auto& [name, value] : sizes) value = (value + 15) / 16 * 16;
  return sizes;
}

void expect_launches(const catalog::KernelSpec& spec, const Problem& problem, std::string_view size) {
  const auto asked = parse_sizes(problem, size);
  ASSERT_TRUE(asked);
  const auto sizes = Result<Values>(sizes_for(spec, *asked));
  const auto defaults = catalog::resolve_values(spec, {}, *sizes);
  EXPECT_TRUE(defaults) << spec.id << " at " << size << ": " << to_line(defaults.error());
  for (const Values& values : catalog::valid_parameter_sets(spec, *sizes)) {
    const auto shape = catalog::launch_shape(spec, values, *sizes);
    ASSERT_TRUE(shape) << spec.id << " at " << size << ": " << to_line(shape.error());
  }
}

TEST(RepositoryKernels, LaunchAtEverySizeWithEveryLegalSet) {
  const auto kernels = repository();
  for (const catalog::KernelSpec& spec : kernels.kernels()) {
    const auto problem = find_problem(spec);
    ASSERT_TRUE(problem) << spec.path << ": " << to_line(problem.error());
    for (const char* size : {"1", "3", "100", "128", "257"}) expect_launches(spec, **problem, size);
    if ((*problem)->size_names().size() == 3) expect_launches(spec, **problem, "35,79,19");
  }
}

// The types of the kernel's parameters, in order: the engines pass arguments by position.
TEST(RepositoryKernels, HaveTheSignatureOfTheirProblem) {
  const auto types_of = [](std::string_view parameters) {
    std::string types;
    for (const char c : parameters) {
      if (c == '*' || c == ',') types += c;
    }
    return types;
  };
  const auto kernels = repository();
  for (const catalog::KernelSpec& spec : kernels.kernels()) {
    const std::size_t global = spec.code.find("__global__");
    ASSERT_NE(global, std::string::npos) << spec.path;
    // __launch_bounds__ has brackets of its own; the parameters are the last before the body.
    const std::size_t body = spec.code.find('{', global);
    const std::size_t end = spec.code.rfind(')', body), begin = spec.code.rfind('(', end);
    const std::string parameters = spec.code.substr(begin, end - begin);
    EXPECT_EQ(types_of(parameters), types_of((*find_problem(spec))->signature())) << spec.path << parameters;
  }
}

}  // namespace
}  // namespace warplens::problem
