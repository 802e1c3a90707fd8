// Every scalar form of PTX through the whole emulator: the fast code with varying and with uniform registers,
// under a guard, and the general code, with each instruction set; against lane_function.
#include <gtest/gtest.h>

#include <map>

#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/emulator/testing/form_kernel.hpp"

namespace warplens::emulator {
namespace {

constexpr std::uint32_t kWarps = 4, kThreads = 32 * kWarps;

std::uint64_t untouched(const ptx::Instruction& i, const Form& form, std::uint64_t stored_width_mask) {
  return operand_type(i, form.destination[0]) == ptx::Type::pred ? 0
                                                                 : 0x5a5a5a5a5a5a5a5aull & stored_width_mask;
}

struct Failures {
  std::string text;
  int count = 0;
};

void check(const Form& form, Mode mode, Isa isa, Failures& failures) {
  const FormKernel kernel(form, mode);
  const ptx::Instruction& i = kernel.instruction();
  const LaneFunction function = lane_function(i);
  ASSERT_NE(function, nullptr) << form.text;
  std::vector<LaneInputs> inputs;
  std::vector<std::uint64_t> in(kThreads * kSlots, 0xa5a5a5a5a5a5a5a5ull), zeros(kThreads * kSlots, 0);
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    LaneInputs one = inputs_of(form, i, t);
    if (!kernel.reads_carry()) one.carry = false;
    inputs.push_back(one);
    const std::uint64_t values[] = {one.a, one.b, one.c, one.d, one.e};
    for (std::size_t s = 0; s < form.sources.size(); ++s) {
      const int bytes = ptx::size_in_bytes(operand_type(i, form.sources[s]));
      std::memcpy(&in[t * kSlots + s], &values[s], bytes == 0 ? 8 : static_cast<std::size_t>(bytes));
    }
    in[t * kSlots + 5] = one.carry ? 1 : 0;
  }
  Bench bench(kernel.text(inputs[0]));
  if (!bench.error().empty()) {
    if (++failures.count < 20) failures.text += form.text + ": " + bench.error() + "\n";
    return;
  }
  const auto a = bench.buffer("in", in), b = bench.buffer("out", zeros);
  Launch launch;
  launch.isa = isa;
  launch.threads = 1;
  launch.block = {kThreads, 1, 1};
  launch.arguments = ArgumentList().add(a).add(b).bytes();
  launch.grid = {mode == Mode::uniform ? 24u : 1u, 1, 1};
  for (std::uint32_t block = 0; block < launch.grid[0]; ++block) {
    launch.blocks = {block};
    const auto outcome = bench.run(launch);
    if (!outcome || outcome->fault) {
      if (++failures.count < 20)
        failures.text += form.text + ": " + to_line(outcome ? outcome->fault->error : outcome.error()) + "\n";
      return;
    }
    const auto out = bench.read<std::uint64_t>(b, kThreads * kSlots);
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      const LaneInputs& used = inputs[mode == Mode::uniform ? block : t];
      const bool off = mode == Mode::guarded && t % 2 == 0;
      const LaneResult result = function(i, used);
      const std::uint64_t mask = kernel.in_register(~std::uint64_t{0});
      const std::uint64_t value = off ? untouched(i, form, mask) : kernel.in_register(result.value);
      const bool right = out[t * kSlots] == value &&
                         (form.destination.size() < 2 || out[t * kSlots + 1] == (off ? 0 : result.second)) &&
                         (!i.carry_out || off || (out[t * kSlots + 2] & 1) == (result.carry ? 1 : 0));
      if (right) continue;
      char line[200];
      std::snprintf(
          line, sizeof line,
          "%s (%s, %s) of %llx %llx %llx, thread %u: %llx %llx carry %llx instead of %llx %llx %d\n",
          form.text.c_str(), name_of(mode), std::string(name(isa)).c_str(),
          static_cast<unsigned long long>(used.a), static_cast<unsigned long long>(used.b),
          static_cast<unsigned long long>(used.c), t, static_cast<unsigned long long>(out[t * kSlots]),
          static_cast<unsigned long long>(out[t * kSlots + 1]),
          static_cast<unsigned long long>(out[t * kSlots + 2]), static_cast<unsigned long long>(value),
          static_cast<unsigned long long>(result.second), result.carry);
      if (++failures.count < 20) failures.text += line;
      return;
    }
  }
}

class Forms : public testing::TestWithParam<std::tuple<Mode, Isa>> {};

TEST_P(Forms, AgreeWithTheLaneFunctions) {
  const auto [mode, isa] = GetParam();
  if (isa > best_isa()) GTEST_SKIP() << "this CPU has no " << name(isa);
  Failures failures;
  int tested = 0;
  for (const Form& form : all_forms()) {
    if (mode == Mode::wide && form.text.rfind("cvt.", 0) != 0) continue;
    check(form, mode, isa, failures);
    ++tested;
  }
  EXPECT_EQ(failures.count, 0) << failures.text;
  RecordProperty("forms", tested);
  EXPECT_GT(tested, mode == Mode::wide ? 200 : 1000);
}

INSTANTIATE_TEST_SUITE_P(All, Forms,
                         testing::Combine(testing::Values(Mode::varying, Mode::uniform, Mode::guarded,
                                                          Mode::general, Mode::wide),
                                          testing::Values(Isa::sse2, Isa::avx2, Isa::avx512)),
                         [](const auto& tested) {
                           return std::string(name_of(std::get<0>(tested.param))) + "_" +
                                  std::to_string(static_cast<int>(std::get<1>(tested.param)));
                         });

}  // namespace
}  // namespace warplens::emulator
