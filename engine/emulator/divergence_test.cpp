// Random small PTX programs, run by the emulator and by the simplest interpreter there can be: one thread
// after the other, one instruction after the other, every value through lane_function. Results and the counts
// of executed instructions must be equal. This is what finds errors in the change between fast and general
// code.
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/emulator/testing/divergence_reference.hpp"
#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/emulator/testing/random_program.hpp"

namespace warplens::emulator {
namespace {

struct Shape {
  std::array<std::uint32_t, 3> block;
};
const Shape kShapes[] = {{{32, 1, 1}}, {{64, 1, 1}}, {{17, 1, 1}}, {{40, 1, 1}}, {{8, 4, 2}}, {{16, 6, 1}},
                         {{33, 2, 1}}, {{1, 1, 1}},  {{4, 4, 4}},  {{5, 7, 3}},  {{96, 1, 1}}};
constexpr std::uint32_t kGrid = 4;

// What one thread at a time leaves: the same for each instruction set.
struct OneAtATime {
  std::vector<std::uint32_t> memory;
  std::vector<std::uint64_t> executed;  // by pc
};

// Returns what is wrong, empty where nothing is. expected: of this seed; filled by the first call.
std::string run_one(std::uint64_t seed, Isa isa, int threads, std::optional<OneAtATime>& expected) {
  const std::string text = random_program(seed);
  Bench bench(text);
  if (!bench.error().empty()) return bench.error();
  const auto block = kShapes[seed % std::size(kShapes)].block;
  const std::uint32_t block_threads = block[0] * block[1] * block[2];
  std::vector<std::uint32_t> initial(std::size_t{kGrid} * block_threads * kWordsPerThread + kCounters);
  std::uint64_t state = seed * 77 + 5;
  for (auto& word : initial) word = static_cast<std::uint32_t>(next_random(state));
  const auto buffer = bench.buffer("data", initial);
  const std::uint64_t n = seed % 5;
  Launch launch;
  launch.grid = {kGrid, 1, 1};
  launch.block = block;
  launch.isa = isa;
  launch.threads = threads;
  launch.arguments = ArgumentList().add(buffer).add(static_cast<std::uint32_t>(n)).bytes();
  launch.instruction_budget = 1'000'000;
  const auto outcome = bench.run(launch);
  if (!outcome) return to_line(outcome.error());
  if (outcome->fault) return to_line(outcome->fault->error);

  if (!expected) {
    Reference reference(*bench.kernel(), launch, initial, buffer);
    if (!reference.run()) return "the reference: " + reference.error();
    expected = OneAtATime{reference.memory(), reference.executed()};
  }
  const auto got = bench.read<std::uint32_t>(buffer, initial.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected->memory[i])
      return "word " + std::to_string(i % kWordsPerThread) + " of thread " +
             std::to_string(i / kWordsPerThread) + " is " + std::to_string(got[i]) + " instead of " +
             std::to_string(expected->memory[i]);
  for (std::size_t pc = 0; pc < expected->executed.size(); ++pc)
    if (outcome->counters.instructions[pc].lanes != expected->executed[pc])
      return "instruction " + std::to_string(pc) + " (PTX line " +
             std::to_string(bench.kernel()->function().code[pc].ptx_line) + ") ran in " +
             std::to_string(outcome->counters.instructions[pc].lanes) + " lanes instead of " +
             std::to_string(expected->executed[pc]);
  return "";
}

// WARPLENS_SEEDS: how many programs to try, for a longer search.
std::uint64_t seeds() {
  const char* wanted = std::getenv("WARPLENS_SEEDS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 400;
}
std::uint64_t first_seed() {
  const char* wanted = std::getenv("WARPLENS_FIRST_SEED");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 0;
}

TEST(RandomPrograms, GiveTheResultsOfOneThreadAtATime) {
  int wrong = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds() && wrong < 5; ++seed) {
    std::optional<OneAtATime> expected;
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512}) {
      if (isa > best_isa()) continue;
      const int threads = isa == Isa::avx2 ? 3 : 1;
      const std::string problem = run_one(seed, isa, threads, expected);
      if (problem.empty()) continue;
      ++wrong;
      ADD_FAILURE() << "seed " << seed << ", " << name(isa) << ": " << problem;
      break;
    }
  }
}

TEST(RandomPrograms, DifferAndDiverge) {
  // The generator is worth nothing if its programs do not branch apart.
  std::uint64_t diverged = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_NE(random_program(seed), random_program(seed + 1));
    Bench bench(random_program(seed));
    ASSERT_EQ(bench.error(), "");
    const auto buffer =
        bench.buffer("data", std::vector<std::uint32_t>(kGrid * 32 * kWordsPerThread + kCounters));
    Launch launch;
    launch.block = {32, 1, 1};
    launch.arguments = ArgumentList().add(buffer).add(3u).bytes();
    const auto outcome = bench.run(launch);
    ASSERT_TRUE(outcome && !outcome->fault);
    for (const auto& row : outcome->counters.instructions) diverged += row.lanes < 32 * row.executed ? 1 : 0;
  }
  EXPECT_GT(diverged, 500u);
}

// As nvcc lays out a loop whose body it has unrolled: where a turn ends stands before where it begins.
TEST(Divergence, LanesMeetAtTheEndOfATurnThatStandsBeforeTheLoop) {
  const std::string text = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry turns(.param .u64 out) {
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
  bra.uni HEAD;
END:
  add.u32 %r2, %r2, 1;
HEAD:
  setp.ge.u32 %p1, %r2, 4;
  @%p1 bra DONE;
  and.b32 %r4, %r1, 1;
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra EVEN;
  add.u32 %r3, %r3, 5;
  bra.uni END;
EVEN:
  add.u32 %r3, %r3, 7;
  bra.uni END;
DONE:
  ld.param.u64 %rd1, [out];
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";
  Bench bench(text);
  ASSERT_EQ(bench.error(), "");
  const auto buffer = bench.buffer("out", std::vector<std::uint32_t>(32));
  Launch launch;
  launch.block = {32, 1, 1};
  launch.arguments = ArgumentList().add(buffer).bytes();
  const auto outcome = bench.run(launch);
  ASSERT_TRUE(outcome && !outcome->fault);
  const auto sums = bench.read<std::uint32_t>(buffer, 32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(sums[lane], lane % 2 == 0 ? 28u : 20u);
  constexpr std::size_t kEndOfATurn = 4;
  EXPECT_EQ(bench.kernel()->function().code[kEndOfATurn].opcode, ptx::Opcode::add);
  EXPECT_EQ(outcome->counters.instructions[kEndOfATurn].executed, 4u);
  EXPECT_EQ(outcome->counters.instructions[kEndOfATurn].lanes, 4u * 32);
}

}  // namespace
}  // namespace warplens::emulator
