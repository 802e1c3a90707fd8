// What is no cause is not said: of lanes that both work, of branches inside a function, of sectors of atomics.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/explain/explain.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::explain {
namespace {

run::SharedRun record_text(const std::string& buffers, const std::string& check, const std::string& code) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4096 }\nbuffers = [" + buffers + "]\n" + check +
          "[launch]\nblock = [256]\ngrid = [\"N / 256\"]\n---*/\n" + code,
      "own/own", "own.cu");
  EXPECT_TRUE(spec) << to_line(spec.error());
  if (!spec) return nullptr;
  const auto job = run::job_of(*spec, {}, {});
  if (!job) return nullptr;
  const auto execution = run::execute(*job, {.record = 0, .counts_only = true});
  return execution ? *run::tabulate(*job, *execution) : nullptr;
}
constexpr const char* kInAndOut =
    "{ name = \"in\", count = \"N\" }, { name = \"out\", count = \"N\", output = true }";

// Both sides of a branch have work: no warp of neighbours would finish early.
TEST(Explain, ProposesOneWayWhereBothSidesWork) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record_text(kInAndOut, "none = \"only looked at\"\n",
                               R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float x = in[i];
  if (i % 2 == 0) {
    for (int k = 0; k < 100; ++k) x = x * 1.01f + 0.5f;
  } else {
    for (int k = 0; k < 100; ++k) x = x * 0.99f - 0.25f;
  }
  out[i] = x;
}
)");
  ASSERT_NE(run, nullptr);
  const Explanation said = explain(lanes_at_line(*run, 0, 0, line_of_most_idle(*run)));
  EXPECT_EQ(said.fix, kOneWay) << said.what;
}

int line_with(const run::Run& run, std::string_view text) {
  for (std::size_t l = 0; l < run.source_lines.size(); ++l)
    if (run.source_lines[l].find(text) != std::string_view::npos) return static_cast<int>(l) + 1;
  return 0;
}

// What each thread does is not said to be the work of one lane because the compiler does a part of it behind a later test.
TEST(Explain, ALineIsOfTheLanesThatComeToIt) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const auto& [kernel, text] : {std::pair{"reduction/06_shuffle", "const int warp = threadIdx.x / 32"},
                                     std::pair{"reduction/06_shuffle", "value += __shfl_down_sync"},
                                     std::pair{"first/02_increment", "const int i = blockIdx.x"}}) {
    const auto job = run::job_of(*run::kernels().find(kernel), {}, {});
    ASSERT_TRUE(job);
    const auto execution = run::execute(*job, {.record = 0});
    ASSERT_TRUE(execution);
    const auto run = *run::tabulate(*job, *execution);
    const LineLanes lanes = lanes_at_line(*run, 0, 0, line_with(*run, text));
    EXPECT_EQ(lanes.efficiency, 1) << kernel << ": " << text;
    EXPECT_EQ(lanes.mean_lanes(), 32) << kernel << ": " << text;
  }
}

// A whole statement may go there: then it is said so, and there is nothing to mend.
TEST(Explain, SaysThatTheCompilerMovedALine) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record_text(kInAndOut, "none = \"only looked at\"\n",
                               R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[8];
  const int warp = threadIdx.x / 32;
  float sum = in[blockIdx.x * 256 + threadIdx.x];
  sum += __shfl_down_sync(0xffffffffu, sum, 1);
  if (threadIdx.x % 32 == 0) partial[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = partial[3];
}
)");
  ASSERT_NE(run, nullptr);
  const int line = line_with(*run, "const int warp"), test = line_with(*run, "if (threadIdx.x % 32");
  const LineLanes lanes = lanes_at_line(*run, 0, 0, line);
  ASSERT_EQ(lanes.behind_test, test);
  const Explanation said = explain(lanes);
  EXPECT_EQ(said.why, fmt::format("the compiler has moved it behind the test on line {}", test));
  EXPECT_EQ(said.verdict, Verdict::neutral);
  EXPECT_EQ(said.fix, "");
}

// Neighbours that work already, or one thread alone, leave no warp more that could finish early.
TEST(Explain, ProposesNeighboursOnlyForThreadsThatAreNone) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const auto& [test, is_cure] :
       {std::pair{"threadIdx.x == 0", false}, std::pair{"threadIdx.x < 8", false},
        std::pair{"threadIdx.x % 32 == 0", false}, std::pair{"threadIdx.x % 4 == 0", true},
        std::pair{"threadIdx.x % 32 < 8", true}}) {
    const auto run =
        record_text(kInAndOut, "none = \"only looked at\"\n",
                    fmt::format(R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {{
  const int i = blockIdx.x * 256 + threadIdx.x;
  float x = in[i];
  if ({}) {{
    for (int k = 0; k < 100; ++k) x = x * 1.01f + in[k];
  }}
  out[i] = x;
}}
)",
                                test));
    ASSERT_NE(run, nullptr);
    const int line = line_with(*run, "for (int k");
    LineLanes lanes = lanes_at_line(*run, 0, 0, line);
    EXPECT_LT(lanes.efficiency, 0.5) << test;
    EXPECT_EQ(lanes.condition, test);
    EXPECT_EQ(explain(lanes).fix, is_cure ? "let neighbouring threads work: whole warps finish early" : "")
        << test;
    EXPECT_EQ(lanes.is_scattered, is_cure) << test;
  }
}

// Branches inside a function that a line calls are none that the line asks; and where all of its doubles were floats
// they are the point.
TEST(Explain, NamesDoublesThatNoArrayHas) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record_text(kInAndOut, "none = \"only looked at\"\n",
                               R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < N) { float v = in[i]; out[i] = 0.5 * v * (1.0 + tanh(0.7978845608 * (v + 0.044715 * v * v * v))); }
}
)");
  ASSERT_NE(run, nullptr);
  const Explanation said = explain(*run);
  EXPECT_EQ(said.rule, RuleId::double_by_accident) << said.what;
  EXPECT_TRUE(said.fix.starts_with("end its constants with f")) << said.fix;
  const Opening opening = opening_of(*run, 0, 0, std::string_view());
  ASSERT_GT(opening.line, 0);
  const LineLanes lanes = lanes_at_line(*run, 0, 0, opening.line);
  EXPECT_EQ(lanes.condition, "") << "all threads pass it";
  EXPECT_EQ(explain_line(*run, lanes).rule, RuleId::double_by_accident);
}

// Atomics at one address lie nowhere: neither the step of lanes nor sectors are their point; and those of shared
// memory are not free of waste where their wavefronts are not.
TEST(Explain, AtomicsAreSpokenOfAsSuch) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const char* buffers =
      "{ name = \"in\", count = \"N\" }, { name = \"out\", type = \"int\", count = \"8192\", output = true }";
  // Of integers ptxas adds up a warp's; of floats, whose sum depends on the order, it does not.
  for (const auto& [update, rule] :
       {std::pair{"atomicAdd(out, 1)", RuleId::combined_atomics},
        std::pair{"atomicAdd(reinterpret_cast<float*>(out), in[i])", RuleId::atomics_at_one_address}}) {
    const auto counter =
        record_text(buffers, "none = \"only looked at\"\n",
                    fmt::format(R"(extern "C" __global__ void kernel(const float* in, int* out, int N) {{
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (in[i] > 0.0f) {};
}}
)",
                                update));
    ASSERT_NE(counter, nullptr);
    bool any = false;
    for (std::uint32_t access = 0; access < 8; ++access)
      if (const auto facts = facts_at(*counter, {0, 0, access});
          facts && facts->access.kind == emulator::AccessKind::atomic) {
        any = true;
        EXPECT_EQ(explain(*facts).rule, rule) << explain(*facts).what;
      }
    EXPECT_TRUE(any);
  }
  const auto histogram = record_text(buffers, "none = \"only looked at\"\n",
                                     R"(extern "C" __global__ void kernel(const float* in, int* out, int N) {
  __shared__ int h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  atomicAdd(&h[static_cast<int>(in[i] * 100.0f) & 255], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
)");
  ASSERT_NE(histogram, nullptr);
  EXPECT_EQ(explain(*histogram).rule, RuleId::shared_atomics) << explain(*histogram).what;
}

// Lanes that update one word of shared memory: of floats one after the other, of integers one lane for all of them.
TEST(Explain, LanesOfOneWordAreNoWordsOfABank) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const auto& [type, why] :
       {std::pair{"float", "several lanes update the same word of sum: it is updated once a turn"},
        std::pair{
            "int",
            "all lanes update one element: the compiler combines their values within the warp first"}}) {
    const auto run =
        record_text(kInAndOut, "none = \"only looked at\"\n",
                    fmt::format(R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {{
  __shared__ {0} sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (in[blockIdx.x * 256 + threadIdx.x] > 0.0f) atomicAdd(&sum, {0}(1));
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}}
)",
                                type));
    ASSERT_NE(run, nullptr);
    bool any = false;
    for (std::uint32_t access = 0; access < 8; ++access)
      if (const auto facts = facts_at(*run, {0, 0, access});
          facts && facts->access.kind == emulator::AccessKind::atomic && facts->pieces.is_shared) {
        any = true;
        const Explanation said = explain(*facts);
        EXPECT_EQ(said.why, why);
        EXPECT_EQ(said.fix, "");
        EXPECT_EQ(said.verdict == Verdict::costly, facts->pieces.units > 1);
      }
    EXPECT_TRUE(any);
  }
}

// Neither sectors nor wavefronts nor lanes say what loads of constant memory cost.
TEST(Explain, TurnsOfConstantsAreAWaste) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const auto& [index, is_waste] :
       {std::pair{"threadIdx.x * 33 & 1023", true}, std::pair{"blockIdx.x", false}}) {
    const auto run = record_text(kInAndOut, "none = \"only looked at\"\n",
                                 fmt::format(R"(__constant__ float table[1024];
extern "C" __global__ void kernel(const float* in, float* out, int N) {{
  const int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = in[i] + table[{}];
}}
)",
                                             index));
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(explain(*run).rule == RuleId::constant_turns, is_waste) << explain(*run).what;
  }
}

// One is no plural.
TEST(Explain, CountsAWarpForAnSM) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4224 }\nbuffers = [" + std::string(kInAndOut) +
          "]\nnone = \"only looked at\"\n[launch]\nblock = [32]\ngrid = [\"N / 32\"]\n---*/\n" +
          R"(extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 4096; ++k) x = x * 0.999f + 0.5f;
  out[i] = x;
}
)",
      "own/own", "own.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto job = run::job_of(*spec, {}, {});
  ASSERT_TRUE(job);
  const auto execution = run::execute(*job, {.record = 0, .counts_only = true});
  ASSERT_TRUE(execution);
  const auto run = *run::tabulate(*job, *execution);
  const Opening opening = opening_of(*run, 0, 0, std::string_view());
  EXPECT_TRUE(
      explain_line(*run, lanes_at_line(*run, 0, 0, opening.line)).why.starts_with("1 warp for an SM: "))
      << explain_line(*run, lanes_at_line(*run, 0, 0, opening.line)).why;
}

}  // namespace
}  // namespace warplens::explain
