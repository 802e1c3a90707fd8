// The emulator against an H100: the ten kernels of testdata/ladder.cu at n = 256, counted by Nsight Compute.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {
namespace {

constexpr int kN = 256;

using Row = std::map<std::string, std::string>;

// Splits a CSV line; fields may be quoted.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

std::map<std::string, Row> measured() {
  std::istringstream text(read_file(source_path("engine/analysis/testdata/h100_kernel_counters.csv")));
  std::string line;
  std::getline(text, line);
  const auto names = split(line);
  std::map<std::string, Row> rows;
  while (std::getline(text, line)) {
    const auto fields = split(line);
    for (std::size_t i = 0; i < fields.size() && i < names.size(); ++i) rows[fields[0]][names[i]] = fields[i];
  }
  return rows;
}

struct Case {
  const char* kernel;
  std::array<std::uint32_t, 3> grid, block;
  std::uint32_t dynamic_shared_bytes;
  bool multiplies;
};

const Case kCases[] = {
    {"k_naive", {8, 8, 1}, {32, 32, 1}, 0, true}, {"k_coal", {8, 8, 1}, {32, 32, 1}, 0, true},
    {"k_smem", {8, 8, 1}, {32, 32, 1}, 0, true},  {"k_smemBt", {8, 8, 1}, {32, 32, 1}, 0, true},
    {"k_2d", {4, 4, 1}, {64, 1, 1}, 0, true},     {"k_vec", {4, 4, 1}, {64, 1, 1}, 0, true},
    {"k_tr", {8, 8, 1}, {32, 8, 1}, 0, false},    {"k_trp", {8, 8, 1}, {32, 8, 1}, 0, false},
    {"k_f3", {85, 1, 1}, {256, 1, 1}, 0, false},  {"k_red", {256, 1, 1}, {256, 1, 1}, 1024, false},
};

class Hardware : public testing::TestWithParam<std::tuple<Case, Isa>> {};

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-0.5f, 0.5f);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(generator);
  return values;
}

TEST_P(Hardware, CountsEqualTheCounters) {
  const auto& [one, isa] = GetParam();
  static const std::string ptx = read_file(source_path("engine/emulator/testdata/ladder.ptx"));
  static const auto rows = measured();
  if (isa > best_isa()) GTEST_SKIP() << "this CPU has no " << name(isa);
  Bench bench(ptx, one.kernel);
  ASSERT_EQ(bench.error(), "");
  const auto a = random_values(kN * kN, 1), b = random_values(kN * kN, 2);
  const auto pa = bench.buffer("A", a), pb = bench.buffer("B", b),
             pc = bench.buffer("C", std::vector<float>(kN * kN, NAN));
  Launch launch;
  launch.grid = one.grid;
  launch.block = one.block;
  launch.dynamic_shared_bytes = one.dynamic_shared_bytes;
  launch.arguments = ArgumentList().add(pa).add(pb).add(pc).add(kN).bytes();
  launch.isa = isa;
  const auto outcome = bench.run(launch);
  ASSERT_TRUE(outcome) << to_line(outcome.error());
  ASSERT_FALSE(outcome->fault) << to_line(outcome->fault->error);

  const Row& row = rows.at(one.kernel);
  const auto counter = [&](const std::string& metric) { return std::stoull(row.at(metric)); };
  const Counters& counts = outcome->counters;
  EXPECT_EQ(counts.global_load.requests, counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(counts.global_load.sectors, counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(counts.global_store.sectors, counter("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
  EXPECT_EQ(counts.shared_load.wavefronts, counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"));
  EXPECT_EQ(counts.shared_store.wavefronts, counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"));
  EXPECT_EQ(counts.shared_load.wavefronts - counts.shared_load.ideal_wavefronts,
            counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"));
  EXPECT_EQ(counts.shared_store.wavefronts - counts.shared_store.ideal_wavefronts,
            counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"));
  EXPECT_EQ(counts.global_store.requests, counter("smsp__inst_executed_op_global_st.sum"));
  RecordProperty("shared_load_requests", std::to_string(counts.shared_load.requests));

  if (!one.multiplies) return;
  const auto c = bench.read<float>(pc, kN * kN);
  for (std::size_t i = 0; i < c.size(); i += 97) {
    double sum = 0;
    for (std::size_t k = 0; k < kN; ++k) sum += double{a[i / kN * kN + k]} * b[k * kN + i % kN];
    ASSERT_NEAR(c[i], sum, 1e-4) << "element " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Ladder, Hardware,
                         testing::Combine(testing::ValuesIn(kCases),
                                          testing::Values(Isa::sse2, Isa::avx2, Isa::avx512)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param).kernel) + "_" +
                                  std::to_string(static_cast<int>(std::get<1>(tested.param)));
                         });

}  // namespace
}  // namespace warplens::emulator
