// The ladders of tensor cores, from WMMA to wgmma and TMA, of 8-bit integers, of TF32 and the fastest of fp32: each step verifies, with its own
// tensor maps and for its own architecture, at sizes that no tile divides, takes the ways past the load/store units that it
// is about, and is counted as an H200 counted it (engine/analysis/testdata/h200_tensor_counters.csv).
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

std::vector<std::string> steps_of(const std::string& ladder) {
  std::vector<std::string> steps;
  for (const auto& spec : kernels().kernels())
    if (spec.id.starts_with(ladder + "/")) steps.push_back(spec.id.substr(spec.id.find('/') + 1));
  return steps;
}

// A step at sizes that no tile divides.
SharedRun run_at_the_edge(const catalog::KernelSpec& spec) {
  const auto run = run_of(spec, {}, {{"M", 208}, {"N", 336}, {"K", 144}});
  EXPECT_TRUE(run) << spec.id << " " << to_line(run.error());
  return run ? *run : nullptr;
}

class TensorSteps : public testing::TestWithParam<std::string> {};

TEST_P(TensorSteps, Verify) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find("tensor/" + GetParam());
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = run_at_the_edge(*spec);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->report.verified) << run->report.explanation;
  const emulator::TensorCounts& counts = run->report.counts.tensor;
  EXPECT_EQ(counts.group_products > 0, !spec->arch.empty());
  EXPECT_EQ(counts.half_products > 0, spec->arch.empty());
  EXPECT_EQ(counts.load_sectors > 0, !spec->maps.empty());
}

INSTANTIATE_TEST_SUITE_P(Ladder, TensorSteps, testing::ValuesIn(steps_of("tensor")),
                         [](const auto& tested) { return tested.param; });

// Products of 8-bit integers have one right result: nothing may be off.
TEST(IntegerSteps, AreExact) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const std::vector<std::string> steps = steps_of("tensor_int8");
  ASSERT_EQ(steps.size(), 5u);
  for (const std::string& step : steps) {
    const auto run = run_at_the_edge(*kernels().find("tensor_int8/" + step));
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->report.verified) << step << " " << run->report.explanation;
    EXPECT_EQ(run->report.max_relative_error, 0) << step;
    const bool has_mma = step >= "04";
    EXPECT_EQ(run->report.counts.tensor.integer_products > 0, has_mma) << step;
    EXPECT_EQ(run->report.counts.tensor.half_products, 0u) << step;
  }
}

// A factor keeps 11 bits: results are off by more than those of fp32 are, and by less than two roundings of each product.
TEST(Tf32Steps, AreOffByWhatTheirFactorsAre) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const std::vector<std::string> steps = steps_of("tensor_tf32");
  ASSERT_EQ(steps.size(), 2u);
  for (const std::string& step : steps) {
    const auto run = run_at_the_edge(*kernels().find("tensor_tf32/" + step));
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->report.verified) << step << " " << run->report.explanation;
    EXPECT_GT(run->report.max_relative_error, 0x1p-17) << step;
    EXPECT_LT(run->report.max_relative_error, 0x1p-10) << step;
    EXPECT_GT(run->report.counts.tensor.half_products, 0u) << step;
    EXPECT_EQ(run->report.counts.tensor.integer_products, 0u) << step;
  }
}

// ---- against the hardware

using Row = std::vector<std::string>;  // cells

Row cells(const std::string& text, char separator) {
  Row found;
  std::istringstream stream(text);
  for (std::string cell; std::getline(stream, cell, separator);) found.push_back(cell);
  return found;
}

// The names of the columns, then the rows.
std::vector<Row> counted() {
  std::ifstream file(kRoot + "/engine/analysis/testdata/h200_tensor_counters.csv");
  std::string line;
  std::getline(file, line);  // how it was measured
  std::vector<Row> rows;
  while (std::getline(file, line)) rows.push_back(cells(line, ','));
  return rows;
}

using Counts = emulator::Counts;
const std::map<std::string, std::function<std::uint64_t(const Counts&)>> kCounters = {
    {"global_load.requests", [](const Counts& c) { return c.global_load.requests; }},
    {"global_load.sectors", [](const Counts& c) { return c.global_load.sectors; }},
    {"global_store.requests", [](const Counts& c) { return c.global_store.requests; }},
    {"global_store.sectors", [](const Counts& c) { return c.global_store.sectors; }},
    {"shared.wavefronts",
     [](const Counts& c) {
       return c.shared_load.wavefronts + c.shared_store.wavefronts + c.tensor.operand_wavefronts;
     }},
    {"tensor.group_products", [](const Counts& c) { return c.tensor.group_products; }},
    {"tensor.half_products", [](const Counts& c) { return c.tensor.half_products; }},
    {"tensor.integer_products", [](const Counts& c) { return c.tensor.integer_products; }},
    {"tensor.operations", [](const Counts& c) { return c.tensor.operations; }},
    {"tensor.copy_requests", [](const Counts& c) { return c.tensor.copy_requests; }},
    {"tensor.load_sectors", [](const Counts& c) { return c.tensor.load_sectors; }},
    {"tensor.store_sectors", [](const Counts& c) { return c.tensor.store_sectors; }}};

TEST(TensorCounters, AreThoseOfTheHardware) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const std::vector<Row> rows = counted();
  ASSERT_EQ(rows.size(), 82u);
  const Row& names = rows.front();
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const Row& row = rows[r];
    catalog::Values params;
    for (const std::string& one : cells(row[1], ' '))
      params[one.substr(0, one.find('='))] = std::stoll(one.substr(one.find('=') + 1));
    const auto run =
        run_of(*kernels().find(row[0]), params,
               {{"M", std::stoll(row[2])}, {"N", std::stoll(row[3])}, {"K", std::stoll(row[4])}});
    ASSERT_TRUE(run) << row[0] << to_line(run.error());
    for (std::size_t n = 5; n < row.size(); ++n) {
      if (row[n].empty()) continue;
      EXPECT_EQ(kCounters.at(names[n])((*run)->report.counts), std::stoull(row[n]))
          << row[0] << " " << row[1] << " M=" << row[2] << ": " << names[n];
    }
  }
}

}  // namespace
}  // namespace warplens::run
