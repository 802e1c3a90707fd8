#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/base/testing/places.hpp"
#include "engine/device/device.hpp"
#include "engine/device/testing/project_table.hpp"

namespace warplens::device {
namespace {

using ::testing::HasSubstr;

const DeviceTable& table() {
  static const DeviceTable loaded = [] {
    auto result = project_table();
    EXPECT_TRUE(result) << (result ? "" : to_line(result.error()));
    return result ? *result : DeviceTable{};
  }();
  return loaded;
}

std::string file_text() {
  std::ifstream in(source_path("assets/devices.toml"));
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DeviceTable, HasEveryComputeCapabilityOnce) {
  std::multiset<int> seen;
  for (const Device& d : table().devices())
    if (d.id.starts_with("cc")) seen.insert(d.compute_capability);
  const std::multiset<int> expected{10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50,  52,  53,  60,  61,
                                    62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  EXPECT_EQ(seen, expected);
}

TEST(DeviceTable, EveryRowNamesItsSource) {
  for (const Device& d : table().devices()) EXPECT_GT(d.source.size(), 5u) << d.id;
}

TEST(DeviceTable, LimitsOfTheGuideTables) {
  const auto g80 = table().find("1.0"), t10 = table().find("1.3"), gf100 = table().find("2.0");
  ASSERT_TRUE(g80 && t10 && gf100);
  EXPECT_EQ(g80->max_threads_per_sm, 768);
  EXPECT_EQ(t10->max_threads_per_sm, 1024);
  EXPECT_EQ(gf100->max_threads_per_sm, 1536);
  EXPECT_EQ(t10->registers_per_sm, 16384);
  EXPECT_EQ(t10->shared_banks, 16);
  EXPECT_EQ(gf100->shared_carveouts, (std::vector<std::int64_t>{16384, 49152}));
  EXPECT_EQ(table().find("1.1")->global_rule, GlobalRule::half_warp_strict);
  EXPECT_EQ(t10->global_rule, GlobalRule::half_warp_segments);
  EXPECT_EQ(gf100->global_rule, GlobalRule::lines_128);
  EXPECT_EQ(table().find("3.0")->global_rule, GlobalRule::sectors_32);
  EXPECT_EQ(table().find("9.0")->shared_per_block_optin, 227 * 1024);
  EXPECT_EQ(table().find("9.0")->shared_carveouts.back(), 228 * 1024);
  EXPECT_EQ(table().find("8.9")->max_blocks_per_sm, 24);
  EXPECT_EQ(table().find("12.0")->shared_per_sm, 100 * 1024);
}

TEST(DeviceTable, WhatTheModelOfTimeKnowsIsInheritedNumberByNumber) {
  const auto gtx280 = table().find("gtx280"), g80 = table().find("g80"), h100 = table().find("h100");
  ASSERT_TRUE(gtx280 && g80 && h100);
  EXPECT_EQ(gtx280->time.at("issue_interval"), 4);
  EXPECT_EQ(gtx280->time.at("partitions"), 8);
  EXPECT_EQ(g80->time.at("partitions"), 6);
  EXPECT_EQ(table().find("1.3")->time.at("partitions"), 0);
  EXPECT_EQ(h100->time.at("issue_interval"), 1);
  EXPECT_EQ(gtx280->time.at("l2_again"), h100->time.at("l2_again"));
}

TEST(DeviceTable, FindsEveryWayOfWritingACapability) {
  for (const char* name : {"8.6", "cc8.6", "CC8.6", "sm_86", "86", "compute_86", "cc86"}) {
    const auto found = table().find(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->id, "cc8.6") << name;
  }
  EXPECT_EQ(table().find("sm_90a")->id, "cc9.0");
  EXPECT_EQ(table().find("100")->id, "cc10.0");
  EXPECT_EQ(table().find("sm_121")->id, "cc12.1");
}

TEST(DeviceTable, FindsChipsByIdAndAlias) {
  EXPECT_EQ(table().find("h100")->compute_capability, 90);
  EXPECT_EQ(table().find("h100")->sm_count, 132);
  EXPECT_EQ(table().find("geforce8800gtx")->id, "g80");
  EXPECT_EQ(table().find("RTX 4090")->id, "rtx4090");
  EXPECT_EQ(table().find("9.0")->sm_count, 0);
  for (const char* id : {"h100", "a100", "v100", "rtx4090", "rtx3090", "rtx2080ti", "gtx1080", "teslat10",
                         "gtx280", "g80", "gtx480", "k40", "b200", "rtx5090"})
    EXPECT_TRUE(table().find(id)) << id;
}

TEST(DeviceTable, AnUnknownNameListsNearOnes) {
  const auto wrong = table().find("rtx4080");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(to_line(wrong.error()), HasSubstr("unknown device 'rtx4080'; use one of the nearest: rtx4090"));
  EXPECT_THAT(to_line(table().find("8.5").error()), HasSubstr("cc8."));
  EXPECT_THAT(to_line(table().find("h1000").error()), HasSubstr("h100"));
  EXPECT_THAT(to_line(table().find("t10").error()), HasSubstr("nearest: teslat10"));
}

TEST(DeviceTable, RefusesOddNamesWithoutHarm) {
  for (const char* name : {"", " ", ".", "8.", ".6", "8.6.1", "sm_", "999999999999999999999", "cc", "-1"})
    EXPECT_FALSE(table().find(name)) << name;
  const auto wrong = table().find("two\nlines");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(to_line(wrong.error()).find('\n'), std::string::npos);
  EXPECT_FALSE(DeviceTable{}.find("h100"));
}

std::string with(std::string from, std::string to) {
  std::string text = file_text();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
int line_of(const std::string& text, const std::string& part) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(text.find(part)), '\n'));
}
// The error of parsing `text`, which must be at the line of `part`.
std::string error_at(const std::string& text, const std::string& part) {
  const auto result = DeviceTable::parse(text, "d.toml");
  if (result) return "parsed";
  EXPECT_EQ(result.error().place.line, line_of(text, part)) << to_line(result.error());
  EXPECT_EQ(result.error().place.file, "d.toml");
  EXPECT_FALSE(result.error().next_step.empty());
  return to_line(result.error());
}

TEST(DeviceTable, ErrorsNameFileAndLine) {
  EXPECT_THAT(error_at(with("shared_banks = 16", "shared_banks = \"16\""), "shared_banks = \"16\""),
              HasSubstr("shared_banks must be a whole number"));
  EXPECT_THAT(error_at(with("shared_banks = 16", "shared_banks = 0"), "shared_banks = 0"),
              HasSubstr("at least 1"));
  EXPECT_THAT(error_at(with("shared_banks = 16", "shared_bank = 16"), "[[capability]]\nid = \"1.0\""),
              HasSubstr("shared_banks is missing"));
  EXPECT_THAT(error_at(with("shared_banks = 16", "shared_banks = 16\nextra = 1"), "extra = 1"),
              HasSubstr("unknown key extra"));
  EXPECT_THAT(error_at(with("half_warp_strict\"\nfp32", "strict\"\nfp32"), "global_rule = \"strict\""),
              HasSubstr("use one of half_warp_strict, half_warp_segments, lines_128, sectors_32"));
  EXPECT_THAT(error_at(with("like = \"1.0\"", "like = \"7.0\""), "like = \"7.0\"\nname = \"Tesla (G8x"),
              HasSubstr("names no earlier row"));
  EXPECT_THAT(error_at(with("sm_count = 132", "sm_count ="), "sm_count =\n"), HasSubstr("d.toml:"));
  EXPECT_THAT(error_at(with("id = \"1.3\"", "id = \"1.2\""), "[[capability]]\nid = \"1.2\"\nlike = \"1.2\""),
              HasSubstr("given twice"));
}

TEST(DeviceTable, InconsistentRowsAreRefused) {
  EXPECT_FALSE(DeviceTable::parse(with("max_warps_per_sm = 24", "max_warps_per_sm = 25"), "d.toml"));
  EXPECT_FALSE(DeviceTable::parse(with("[16384, 49152]", "[49152, 16384]"), "d.toml"));
  EXPECT_FALSE(DeviceTable::parse(with("shared_per_block_optin = 232448", "shared_per_block_optin = 233472"),
                                  "d.toml"));
  EXPECT_FALSE(DeviceTable::parse("", "d.toml"));
  EXPECT_FALSE(DeviceTable::parse("capability = 3", "d.toml"));
  EXPECT_FALSE(DeviceTable::parse("capability = [1, 2]", "d.toml"));
}

}  // namespace
}  // namespace warplens::device
