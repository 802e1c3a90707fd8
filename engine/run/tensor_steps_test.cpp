// The ladder of tensor cores, from WMMA to wgmma and TMA: each step verifies, with its own tensor maps and for its own
// architecture, at sizes that no tile divides, takes the ways past the load/store units that it is about, and is counted
// as an H200 counted it (engine/analysis/testdata/h200_tensor_counters.csv).
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

std::vector<std::string> tensor_steps() {
  std::vector<std::string> steps;
  for (const auto& spec : kernels().kernels())
    if (spec.id.starts_with("tensor/")) steps.push_back(spec.id.substr(spec.id.find('/') + 1));
  return steps;
}

class TensorSteps : public testing::TestWithParam<std::string> {};

TEST_P(TensorSteps, Verify) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const auto spec = kernels().find("tensor/" + GetParam());
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = run_of(*spec, {}, {{"M", 208}, {"N", 336}, {"K", 144}});
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_TRUE((*run)->report.verified) << (*run)->report.explanation;
  const emulator::TensorCounts& counts = (*run)->report.counts.tensor;
  EXPECT_EQ(counts.group_products > 0, !spec->arch.empty());
  EXPECT_EQ(counts.half_products > 0, spec->arch.empty());
  EXPECT_EQ(counts.load_sectors > 0, !spec->maps.empty());
}

INSTANTIATE_TEST_SUITE_P(Ladder, TensorSteps, testing::ValuesIn(tensor_steps()),
                         [](const auto& tested) { return tested.param; });

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
    {"tensor.copy_requests", [](const Counts& c) { return c.tensor.copy_requests; }},
    {"tensor.load_sectors", [](const Counts& c) { return c.tensor.load_sectors; }},
    {"tensor.store_sectors", [](const Counts& c) { return c.tensor.store_sectors; }}};

TEST(TensorCounters, AreThoseOfTheHardware) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  const std::vector<Row> rows = counted();
  ASSERT_EQ(rows.size(), 24u);
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
