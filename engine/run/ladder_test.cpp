// The repository's kernels: every one verifies at a sample of its parameter sets, and its counts equal those
// that an H100 gave for the same launch (engine/analysis/testdata/h100_ladder_counters.csv).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

struct Measured {
  std::string kernel;
  catalog::Values params, sizes;
  std::map<std::string, std::uint64_t> counters;
};

std::vector<Measured> measured() {
  std::ifstream file(kRoot + "/engine/analysis/testdata/h100_ladder_counters.csv");
  std::string line;
  std::getline(file, line);  // how it was measured
  std::getline(file, line);
  const auto fields = [](const std::string& text, char separator) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string field; std::getline(stream, field, separator);) result.push_back(field);
    return result;
  };
  const auto names = fields(line, ',');
  std::vector<Measured> rows;
  while (std::getline(file, line)) {
    const auto values = fields(line, ',');
    Measured row;
    row.kernel = values[0];
    for (const auto& definition : fields(values[1], ' ')) {
      const auto equals = definition.find('=');
      row.params[definition.substr(0, equals)] = std::stoll(definition.substr(equals + 1));
    }
    for (std::size_t i = 2; i < 5; ++i) row.sizes[names[i]] = std::stoll(values[i]);
    for (std::size_t i = 5; i < values.size(); ++i) row.counters[names[i]] = std::stoull(values[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

class LadderHardware : public testing::TestWithParam<Measured> {};

TEST_P(LadderHardware, CountsEqualTheCounters) {
  const Measured& row = GetParam();
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find(row.kernel);
  ASSERT_TRUE(spec) << to_line(spec.error());
  catalog::Values sizes;
  const auto problem = problem::find_problem(spec->problem);
  ASSERT_TRUE(problem) << to_line(problem.error());
  for (const auto& name : (*problem)->size_names()) sizes[name] = row.sizes.at(name);
  const auto run = run_of(*spec, row.params, sizes);
  ASSERT_TRUE(run) << to_line(run.error());
  const Report& report = (*run)->report;
  EXPECT_TRUE(report.verified) << report.explanation;
  const auto& counts = (*run)->emulation.outcome.counters;
  EXPECT_EQ(counts.global_load.requests, row.counters.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(counts.global_store.requests, row.counters.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"));
  EXPECT_EQ(counts.global_load.sectors, row.counters.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(counts.global_store.sectors, row.counters.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
  EXPECT_EQ(counts.shared_load.wavefronts,
            row.counters.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"));
  EXPECT_EQ(counts.shared_store.wavefronts,
            row.counters.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"));
  RecordProperty("merge_matches_cubin", report.vectorized_as_in_cubin.value_or(false) ? "yes" : "no");
}

std::string label(const Measured& row) {
  std::string text = row.kernel;
  for (const auto& [name, value] : row.params) text += "_" + name + std::to_string(value);
  for (const auto& [name, value] : row.sizes) text += "_" + name + std::to_string(value);
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

INSTANTIATE_TEST_SUITE_P(H100, LadderHardware, testing::ValuesIn(measured()),
                         [](const auto& tested) { return label(tested.param); });

}  // namespace
}  // namespace warplens::run
