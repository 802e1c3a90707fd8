#include "engine/emulator/flow/passed_values.hpp"

#include <gtest/gtest.h>

#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {
namespace {

// A kernel that writes what twice(21) returns, whose argument is read by `load`.
Outcome outcome_of(const std::string& load, std::uint32_t& result) {
  Bench bench(R"(.version 8.7
.target sm_90
.address_size 64
.func (.param .b64 result) twice (.param .b64 number)
{
.reg .b64 %a;
.reg .b32 %b<2>;
)" + load + R"(
add.u64 %a, %a, %a;
st.param.b64 [result], %a;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .b64 %d<3>;
ld.param.u64 %d0, [out];
mov.u64 %d1, 21;
{
.param .b64 argument;
st.param.b64 [argument], %d1;
.param .b64 returned;
call.uni (returned), twice, (argument);
ld.param.b64 %d2, [returned];
}
st.global.u32 [%d0], %d2;
ret;
}
)",
              "k");
  EXPECT_EQ(bench.error(), "");
  const std::uint64_t out = bench.buffer("out", std::vector<int>{0});
  Launch launch;
  launch.block = {1, 1, 1};
  launch.arguments = ArgumentList().add(out).bytes();
  auto outcome = bench.run(launch);
  EXPECT_TRUE(outcome && !outcome->fault);
  result = static_cast<std::uint32_t>(bench.read<int>(out, 1)[0]);
  return *std::move(outcome);
}

TEST(PassedValues, AreRegistersAsInTheMachine) {
  std::uint32_t result = 0;
  const Outcome outcome = outcome_of("ld.param.b64 %a, [number];", result);
  EXPECT_EQ(result, 42u);
  EXPECT_EQ(outcome.counters.local_load.requests + outcome.counters.local_store.requests, 0u);
}

TEST(PassedValues, StayInMemoryWhereTheyAreReadInParts) {
  std::uint32_t result = 0;
  const Outcome outcome = outcome_of(
      "ld.param.b32 %b0, [number];\nld.param.b32 %b1, [number+4];\nmov.b64 %a, {%b0, %b1};", result);
  EXPECT_EQ(result, 42u);
  EXPECT_EQ(outcome.counters.local_load.requests, 2u);
  EXPECT_EQ(outcome.counters.local_store.requests, 1u);
}

}  // namespace
}  // namespace warplens::emulator
