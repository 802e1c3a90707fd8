// The whole table, row by row.
#include "engine/run/quantities/quantities.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

namespace warplens::run {
namespace {

// Every count another number, so that no two can be swapped unseen.
Report counted_report() {
  Report report;
  report.kernel = "matmul/01_naive";
  report.device = report.hardware.id = "h100";
  report.hardware.sm_count = 132, report.hardware.boost_clock_mhz = 1980,
  report.hardware.memory_gb_per_s = 3352;
  report.hardware.fp32_lanes_per_sm = 128, report.hardware.shared_per_sm = 233472;
  report.hardware.shared_per_block = report.hardware.shared_per_block_optin = 232448;
  report.hardware.shared_carveouts = {233472};
  report.grid = {20, 5, 1}, report.block = {16, 16, 1};
  report.registers = report.device_registers = 40;
  report.shared_bytes = 2048;
  report.counts.warp_instructions = 100, report.counts.thread_instructions = 1600;
  report.counts.global_load = {.requests = 1, .sectors = 20, .ideal_sectors = 3, .bytes_used = 320};
  report.counts.global_store = {.requests = 4, .sectors = 10, .ideal_sectors = 6, .bytes_used = 160};
  report.counts.shared_load = {.requests = 7, .wavefronts = 18, .ideal_wavefronts = 9};
  report.counts.shared_store = {.requests = 10, .wavefronts = 21, .ideal_wavefronts = 12};
  report.diverged = 5;
  report.problem_operations = 1000, report.least_bytes = 100;
  return report;
}

bool is_a_unit(std::string_view unit) { return !unit.empty() && !unit.ends_with('s'); }

TEST(Quantities, EachHasATitleAMeaningAUnitAndAPlaceOfItsOwn) {
  std::set<std::string_view> ids, titles, places;
  std::vector<int> compared;
  for (const Quantity& row : quantities()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(titles.insert(row.title).second) << row.id;
    EXPECT_TRUE(row.json.empty() || places.insert(row.json).second) << row.json;
    if (row.compared > 0) compared.push_back(row.compared);
    EXPECT_FALSE(row.title.empty() || row.meaning.empty()) << row.id;
    EXPECT_FALSE(row.meaning.ends_with('.')) << row.id;
    EXPECT_TRUE((row.form != Form::count && row.form != Form::bytes) || is_a_unit(row.unit)) << row.id;
    EXPECT_EQ(row.card.title.empty(), row.card.short_title.empty()) << row.id;
    // What is counted is null in --json where nothing is.
    EXPECT_EQ(row.json.starts_with("counts/"), !row.json.empty() && !std::holds_alternative<OfReport>(row.of))
        << row.id;
    EXPECT_EQ(find_quantity(row.id), &row);
  }
  EXPECT_EQ(find_quantity("nothing"), nullptr);
  EXPECT_EQ(compared_quantities().size(), compared.size());
}

TEST(Quantities, EachHasAValueWhereAllIsKnown) {
  const Report report = counted_report();
  for (const Quantity& row : quantities()) {
    const auto found = value(row, report);
    ASSERT_TRUE(found) << row.id << ": " << to_line(found.error());
    EXPECT_EQ(row.form == Form::text, std::holds_alternative<std::string>(*found)) << row.id;
    EXPECT_TRUE(row.form != Form::share || std::get<double>(*found) <= 1) << row.id;
  }
  EXPECT_EQ(number("idle_sms", report), 32);
  EXPECT_EQ(number("lane_efficiency", report), 0.5);
  EXPECT_EQ(number("used_share", report), 0.5);
  EXPECT_EQ(number("bank_conflicts", report), 18);
  EXPECT_EQ(number("all.sectors", report), 30);
  EXPECT_EQ(number("waves", report), 100.0 / (6 * 132));  // six blocks of 40 registers a thread fit
}

TEST(Quantities, OfASampleAreAsManyTimesMoreInTheWholeGrid) {
  Report report = counted_report();
  report.sampled_blocks = 10;  // of 100
  EXPECT_EQ(number("instructions", report), 1000);
  EXPECT_EQ(number("instructions", report, Scope::counted), 100);
  EXPECT_EQ(number("lane_efficiency", report), 0.5);
  EXPECT_EQ(number("blocks", report), 100);
  report.sampled_blocks.reset(), report.stopped = true;  // counts are of what ran until then
  EXPECT_EQ(number("instructions", report), 100);
}

TEST(Quantities, HaveWhatGoesPastTheLoadStoreUnits) {
  Report report = counted_report();
  report.counts.tensor = {.group_products = 1,
                          .half_products = 2,
                          .integer_products = 3,
                          .double_products = 4,
                          .operations = 5,
                          .operand_wavefronts = 6,
                          .copy_requests = 7,
                          .load_sectors = 8,
                          .store_sectors = 9};
  int wanted = 0;
  for (const char* id :
       {"group_products", "half_products", "integer_products", "double_products", "operations",
        "operand_wavefronts", "copy_requests", "load_sectors", "store_sectors"})
    EXPECT_EQ(number(std::string("tensor.") + id, report), ++wanted) << id;
}

TEST(Quantities, SayWhatIsNotKnown) {
  Report report = counted_report();
  report.counted = false;  // a GPU
  report.hardware.sm_count = 0, report.hardware.id = "cc9.0";
  for (const char* unknown : {"instructions", "global_load.sectors", "sms", "waves", "idle_sms"})
    EXPECT_EQ(number(unknown, report), std::nullopt) << unknown;
  EXPECT_EQ(number("occupancy", report), 0.75);
}

// The occupancy is that of an SM with as many blocks as fit; six of them do.
TEST(Quantities, SayWhereTheDeviceIsNotAsFullAsAnSmMayBe) {
  Report report = counted_report();
  EXPECT_EQ(why_not_full(report), "the grid has 100 blocks for 132 SMs that hold 6 each");
  report.grid = {1, 1, 1};
  EXPECT_EQ(why_not_full(report), "the grid has 1 block for 132 SMs that hold 6 each");
  report.grid = {6 * 132, 1, 1};
  EXPECT_EQ(why_not_full(report), "");
  report.grid = {1, 1, 1}, report.hardware.sm_count = 0;
  EXPECT_EQ(why_not_full(report), "") << "of no device";
}

TEST(Quantities, AreTheSameOfALine) {
  report::LineRow line;
  line.executed = 4, line.thread_instructions = 64;
  line.traffic.global = {.requests = 2, .sectors = 8, .bytes_used = 128};
  EXPECT_EQ(number("instructions", sums_of(line)), 4);
  EXPECT_EQ(number("lane_efficiency", sums_of(line)), 0.5);
  EXPECT_EQ(number("used_share", sums_of(line)), 0.5);
}

TEST(Quantities, TakeNumbersThatAreSetByHand) {
  const Report report = counted_report();
  EXPECT_EQ(std::get<double>(*value(*find_quantity("threads"), report, Scope::grid, {.threads = 64})), 64);
  EXPECT_EQ(std::get<double>(*value(*find_quantity("registers"), report, Scope::grid, {.registers = 255})),
            255);
}

}  // namespace
}  // namespace warplens::run
