#include "engine/emulator/flow/recursion.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {
namespace {

constexpr std::uint32_t kThreads = 64;

const std::string& text() {
  static const std::string all = read_file(source_path("engine/emulator/testdata/recursion.ptx"));
  return all;
}

Result<Outcome> run(Bench& bench, std::uint64_t& out) {
  out = bench.buffer("out", std::vector<int>(kThreads, -1));
  Launch launch;
  launch.block = {kThreads, 1, 1};
  launch.arguments = ArgumentList().add(out).bytes();
  return bench.run(launch);
}

void expect(const std::string& kernel, const std::function<int(int)>& expected) {
  Bench bench(text(), kernel);
  ASSERT_EQ(bench.error(), "");
  std::uint64_t out = 0;
  const auto outcome = run(bench, out);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(outcome->fault) << outcome->fault->error.message;
  const auto values = bench.read<int>(out, kThreads);
  for (int t = 0; t < static_cast<int>(kThreads); ++t)
    EXPECT_EQ(values[static_cast<std::size_t>(t)], expected(t)) << kernel << " " << t;
}

int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

TEST(Recursion, EachCallHasItsOwnRegisters) {
  expect("twice", [](int t) { return ackermann(t % 3, t % 5); });
}

TEST(Recursion, FunctionsCallEachOther) {
  expect("mutual", [](int t) { return t % 2 == 0; });
}

TEST(Recursion, EachCallHasItsOwnVariables) {
  expect("variables", [](int t) { return (1 << t % 6) - 1; });
}

TEST(Recursion, StructuresAreArgumentsAndResults) {
  expect("structures", [](int t) {
    const int n = t % 9;
    int third = 0;
    for (int i = 1; i <= n; i += 3) third += i;
    return n * (n + 1) / 2 + 100 * third + 10000 * n;
  });
}

TEST(Recursion, AFunctionCallsItselfThroughAPointer) {
  expect("pointers", [](int t) { return t % 2 == 0 ? t : t * (t + 1) / 2; });
}

TEST(Recursion, TheStackHasAnEnd) {
  Bench bench(text(), "endless");
  std::uint64_t out = 0;
  const auto outcome = run(bench, out);
  ASSERT_TRUE(outcome && outcome->fault);
  EXPECT_EQ(outcome->fault->kind, Fault::Kind::out_of_bounds);
  EXPECT_EQ(
      outcome->fault->error.next_step,
      "check how deep a function calls itself, or the index of a local array; cudaDeviceSetLimit() gives "
      "more stack");
}

TEST(Recursion, OnlyKernelsThatNeedAStackHaveOne) {
  const std::string faulty = read_file(source_path("engine/emulator/testdata/faulty_kernels.ptx"));
  for (const auto& [kernel, has] : {std::pair{"recursion", true}, std::pair{"pointer_call", false}}) {
    const Bench bench(faulty, kernel);
    ASSERT_EQ(bench.error(), "");
    EXPECT_EQ(std::ranges::any_of(bench.kernel()->function().variables, is_call_stack), has) << kernel;
  }
}

}  // namespace
}  // namespace warplens::emulator
