#include "app/gpu/report_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "app/commands/choose.hpp"
#include "app/gpu/time_text.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {
namespace {

// Every field different, so that no two can be swapped unseen.
run::Report sample_report() {
  run::Report report;
  report.kernel = "matmul/03_shared_tile";
  report.params = {{"TILE", 16}, {"PAD", 0}};
  report.size = {{"M", 35}, {"N", 79}, {"K", 19}};
  report.device = "h100";
  report.compiled_for = 90;
  report.grid = {5, 3, 1};
  report.block = {16, 8, 1};
  report.registers = report.device_registers = 40;
  report.shared_bytes = 2048;
  report.spill_bytes = 24, report.spill_stores = 8;
  report.occupancy = 0.75;
  report.verified = true;
  report.max_relative_error = 1.5e-7;
  report.counts.warp_instructions = 101;
  report.counts.thread_instructions = 3200;
  report.counts.global_load = {.requests = 1, .sectors = 2, .bytes_used = 3};
  report.counts.global_store = {.requests = 4, .sectors = 5, .bytes_used = 6};
  report.counts.shared_load = {.requests = 7, .wavefronts = 8, .ideal_wavefronts = 9};
  report.counts.shared_store = {.requests = 10, .wavefronts = 11, .ideal_wavefronts = 12};
  report.counts.global_atomic = {.requests = 14, .sectors = 15, .bytes_used = 16};
  report.counts.shared_atomic = {.requests = 17, .wavefronts = 18, .ideal_wavefronts = 18};
  report.shared_load_requests_in_ptx = 13;
  report.vectorized_as_in_cubin = true;
  report.seconds = 0.5;
  report.operations = 3e9;
  return report;
}

TEST(RunReport, BeginsWithAVerdictThatItsFindingsDoNotTakeBack) {
  run::Report report = sample_report();
  const auto says = [&](const std::string& words) {
    return to_text(report).find("\n" + words) != std::string::npos;
  };
  EXPECT_TRUE(says("result         verified, largest")) << to_text(report);
  report.findings.resize(1);
  report.findings[0].kind = check::Kind::wrong_at_odd_size;
  report.findings[0].severity = check::Severity::warning;
  EXPECT_TRUE(says("result         verified at this size; at others it is wrong, largest"))
      << to_text(report);
  EXPECT_EQ(to_row(report)[1], "at this size");
  report.verified = false, report.stopped = true;
  report.findings[0] = {};
  report.findings[0].kind = check::Kind::out_of_bounds;
  EXPECT_TRUE(says(
      "result         stopped: an index is outside of its array; counts and pictures are of what ran until "
      "then\n"))
      << to_text(report);
  EXPECT_EQ(to_row(report)[1], "stopped");
  EXPECT_EQ(to_json(report)["stopped"], true);
}

// What is compared with a guess is no verdict where something else is surely wrong.
TEST(RunReport, DoesNotCallWrongWhatOnlyAGuessDoes) {
  run::Report report = sample_report();
  report.verified = false;
  report.findings.resize(2);
  report.findings[0].kind = check::Kind::mask_without_caller;
  report.findings[0].severity = check::Severity::error;
  report.findings[1].kind = check::Kind::wrong_result;
  report.findings[1].severity = check::Severity::warning;
  EXPECT_NE(to_text(report).find("\nresult         not verified: a mask"), std::string::npos)
      << to_text(report);
  report.findings[1].severity = check::Severity::error;
  EXPECT_NE(to_text(report).find("\nresult         WRONG"), std::string::npos) << to_text(report);
}

TEST(RunReport, MarksWavefrontsThatAreGuessed) {
  run::Report report = sample_report();
  EXPECT_EQ(to_row(report)[4], "19 (21)");
  report.vectorized_as_in_cubin = false;
  EXPECT_EQ(to_row(report)[4], "~19 (21)");
  EXPECT_NE(to_text(report).find(", wavefronts are a guess: the machine code has other widths than"),
            std::string::npos)
      << to_text(report);
}

TEST(RunReport, HasRowsOfAtomicsWhereThereAreSome) {
  run::Report report = sample_report();
  EXPECT_NE(to_text(report).find("\nglobal atomics 14 requests, 15 sectors, 16 bytes used\n"
                                 "shared atomics 17 requests, 18 wavefronts (18 ideal)\n"),
            std::string::npos)
      << to_text(report);
  report.counts.global_atomic = report.counts.shared_atomic = {};
  EXPECT_EQ(to_text(report).find("atomics"), std::string::npos) << to_text(report);
}

TEST(RunReport, SaysWhatARaceDoes) {
  run::Report report = sample_report();
  report.findings.resize(1);
  report.findings[0].message = "a race";
  report.findings[0].effect = "in another order 3 differ";
  EXPECT_NE(to_text(report).find("  a race\n  in another order 3 differ\n"), std::string::npos)
      << to_text(report);
  EXPECT_EQ(to_json(report)["findings"][0]["effect"], "in another order 3 differ");
}

TEST(RunReport, HasTheJsonOfTheDesign) {
  const Json json = to_json(sample_report());
  EXPECT_EQ(json["kernel"], "matmul/03_shared_tile");
  EXPECT_EQ(json["params"].dump(), R"({"TILE":16,"PAD":0})");
  EXPECT_EQ(json["size"].dump(), R"({"M":35,"N":79,"K":19})");
  EXPECT_EQ(json["engine"], "emulator");
  EXPECT_EQ(json["device"], "h100");
  EXPECT_EQ(json["grid"].dump(), "[5,3,1]");
  EXPECT_EQ(json["block"].dump(), "[16,8,1]");
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["max_relative_error"], 1.5e-7);
  EXPECT_TRUE(json["sampled_blocks"].is_null());
  EXPECT_EQ(json["registers"], 40);
  EXPECT_EQ(json["shared_bytes"], 2048);
  EXPECT_EQ(json["spill_bytes"], 24);
  EXPECT_NE(to_text(sample_report()).find("8 bytes of spill stores and 16 of spill loads"),
            std::string::npos);
  const Json& counts = json["counts"];
  EXPECT_EQ(counts["warp_instructions"], 101);
  EXPECT_EQ(counts["thread_instructions"], 3200);
  EXPECT_EQ(counts["lane_efficiency"], 3200 / (32.0 * 101));
  EXPECT_EQ(counts["global_load"].dump(), R"({"requests":1,"sectors":2,"bytes_used":3})");
  EXPECT_EQ(counts["global_store"].dump(), R"({"requests":4,"sectors":5,"bytes_used":6})");
  EXPECT_EQ(counts["global_atomic"].dump(), R"({"requests":14,"sectors":15,"bytes_used":16})");
  EXPECT_EQ(counts["shared_load"].dump(), R"({"requests":7,"wavefronts":8,"ideal_wavefronts":9})");
  EXPECT_EQ(counts["shared_store"].dump(), R"({"requests":10,"wavefronts":11,"ideal_wavefronts":12})");
  EXPECT_EQ(counts["shared_atomic"].dump(), R"({"requests":17,"wavefronts":18,"ideal_wavefronts":18})");
  EXPECT_EQ(json["ptx_counts_before_merge"].dump(), R"({"shared_load":{"requests":13}})");
  EXPECT_EQ(json["merge_matches_cubin"], true);
  EXPECT_EQ(json["counted_by_machine_code"], true);
  EXPECT_EQ(json["seconds"], 0.5);
  EXPECT_EQ(json["gflops"], 6.0);
}

// 0.75 where it is a share or a number, 0 or 1 where it is a truth.
double number_of(const Json& json) { return json.is_boolean() ? json.get<bool>() : json.get<double>(); }

TEST(RunReport, HasEveryQuantityAtItsPlace) {
  const run::Report report = sample_report();
  const Json json = to_json(report);
  for (const run::Quantity& row : run::quantities()) {
    if (row.json.empty()) continue;
    const Json::json_pointer place("/" + std::string(row.json));
    ASSERT_TRUE(json.contains(place)) << row.json;
    const auto value = run::value(row, report, run::Scope::counted);
    if (!value) {
      EXPECT_TRUE(json[place].is_null()) << row.id;
    } else if (row.form == run::Form::text) {
      EXPECT_EQ(json[place], std::get<std::string>(*value)) << row.id;
    } else {
      EXPECT_EQ(number_of(json[place]), std::get<double>(*value)) << row.id;
    }
  }
}

TEST(RunReport, CountsNothingOnAGpu) {
  run::Report report = sample_report();
  report.counted = false;
  EXPECT_TRUE(to_json(report)["counts"].is_null());
  EXPECT_EQ(to_json(report)["registers"], 40);
}

TEST(RunReport, SaysUnknownAsNull) {
  run::Report report = sample_report();
  report.max_relative_error = std::numeric_limits<double>::infinity();
  report.vectorized_as_in_cubin.reset();
  report.sampled_blocks = 12;
  const Json json = Json::parse(to_text(to_json(report)));
  EXPECT_TRUE(json["max_relative_error"].is_null());
  EXPECT_TRUE(json["merge_matches_cubin"].is_null());
  EXPECT_EQ(json["counted_by_machine_code"], false);
  EXPECT_EQ(json["sampled_blocks"], 12);
}

TEST(RunReport, HasNoSpeedWhereNothingWasTimed) {
  run::Report report = sample_report();
  report.seconds = 0;
  EXPECT_EQ(gflops(report), 0);
}

TEST(RunReport, IsARowOfATable) {
  run::Report report = sample_report();
  report.seconds = 0.00041;
  EXPECT_EQ(format_table({heading_row("emulator"), to_row(report)}),
            "kernel                 verified  requests  sectors  shared wavefronts (ideal)  registers  "
            "occupancy  emulation ms\n"
            "matmul/03_shared_tile  yes              5        7                    19 (21)         40       "
            "75 %         0.410\n");
  EXPECT_EQ(heading_row("gpu").back(), "GPU ms");
}

TEST(RunReport, SaysWhoWasTimed) {
  EXPECT_NE(
      to_text(sample_report()).find("500 ms on the emulator, on this computer's processor, 6.000 GFLOP/s"),
      std::string::npos)
      << to_text(sample_report());
}

TEST(RunReport, NeverShowsAWrongResultAsFine) {
  run::Report report = sample_report();
  report.verified = false;
  EXPECT_EQ(to_row(report)[1], "WRONG");
  EXPECT_NE(to_text(report).find("WRONG"), std::string::npos);
  report.verified = true;
  report.sampled_blocks = 12;
  EXPECT_EQ(to_row(report)[1], "yes (12 blocks)");
}

TEST(TextTable, AlignsLettersLeftAndNumbersRight) {
  EXPECT_EQ(format_table({{"name", "n"}, {"é", "10"}, {"abcde", "-"}}), "name    n\né      10\nabcde   -\n");
}

TEST(Json, SurvivesTextThatIsNotUtf8) { EXPECT_EQ(to_text(Json("\xff")), "\"\xEF\xBF\xBD\"\n"); }

TEST(Defines, AreNamesAndWholeNumbers) {
  const auto values = parse_defines({"TILE=16", "OFFSET=-3"});
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (catalog::Values{{"OFFSET", -3}, {"TILE", 16}}));
}

TEST(Defines, RefuseAnythingElse) {
  for (const char* text : {"TILE", "TILE=", "=16", "TILE=16x", "TILE=1.5", "TILE=99999999999999999999", ""}) {
    EXPECT_FALSE(parse_defines({text})) << text;
  }
  const auto twice = parse_defines({"TILE=16", "TILE=32"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(to_line(twice.error()), "-D TILE is given twice; give it once");
}

TEST(Architecture, IsTheDevicesOwnOrTheOldestThatTheCompilerHas) {
  device::Device device;
  device.compute_capability = 86;
  EXPECT_EQ(run::architecture_for(device), 86);
  device.compute_capability = 13;
  EXPECT_EQ(run::architecture_for(device), 75);
}

TEST(TimeText, ADeviceWithoutCachesHasNoHits) {
  time::Prediction old;
  EXPECT_NE(to_text(old).find("L2 0 % of loads and stores"), std::string::npos);
  EXPECT_TRUE(to_json(old)["hit_rates"].contains("l2"));
  old.has_caches = false;
  EXPECT_EQ(to_text(old).find("hits"), std::string::npos);
  EXPECT_TRUE(to_json(old)["hit_rates"].is_null());
}

}  // namespace
}  // namespace warplens::app
