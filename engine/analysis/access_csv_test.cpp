#include "engine/analysis/access_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/analysis/testing/test_support.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::analysis {
namespace {

using ::testing::HasSubstr;

std::string lane_columns() {
  std::string text;
  for (int lane = 0; lane < 32; ++lane) text += ",lane" + std::to_string(lane);
  return text;
}
std::string lane_fields(int stride) {
  std::string text;
  for (int lane = 0; lane < 32; ++lane) text += "," + std::to_string(lane * stride);
  return text;
}
const std::string kHeader = "op,width_bytes,active_mask" + lane_columns() + "\n";

std::string error_of(const std::string& text) {
  const auto result = parse_access_csv(text, "a.csv");
  EXPECT_FALSE(result);
  if (result) return "";
  EXPECT_FALSE(result.error().next_step.empty());
  return to_line(result.error());
}

TEST(AccessCsv, ReadsRowsInOrder) {
  const auto rows =
      parse_access_csv(kHeader + "ld,4,0xffffffff" + lane_fields(4) + "\nst,16,255" + lane_fields(16), "a");
  ASSERT_TRUE(rows) << to_line(rows.error());
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].op, AccessOp::load);
  EXPECT_EQ((*rows)[0].width, 4);
  EXPECT_EQ((*rows)[0].active, 0xffffffffu);
  EXPECT_EQ((*rows)[0].address[31], 124u);
  EXPECT_EQ((*rows)[1].op, AccessOp::store);
  EXPECT_EQ((*rows)[1].active, 0xffu);
  EXPECT_EQ((*rows)[1].address[7], 112u);
}

TEST(AccessCsv, ColumnsMayStandAnywhereAndOthersAreIgnored) {
  const std::string text = "note" + lane_columns() +
                           ",active_mask,wavefronts,width_bytes,op\r\n\"a, \"\"b\"\"\"" + lane_fields(8) +
                           ",0xF,7,8,ld\r\n\r\n";
  const auto rows = parse_access_csv("\xef\xbb\xbf" + text, "a");
  ASSERT_TRUE(rows) << to_line(rows.error());
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(rows->front().width, 8);
  EXPECT_EQ(rows->front().address[3], 24u);
}

TEST(AccessCsv, LanesThatAreOffMayBeEmptyOrUnaligned) {
  std::string fields = ",8";
  for (int lane = 1; lane < 32; ++lane) fields += lane == 5 ? ",3" : ",";
  const auto rows = parse_access_csv(kHeader + "ld,4,1" + fields, "a");
  ASSERT_TRUE(rows) << to_line(rows.error());
  EXPECT_EQ(rows->front().address[0], 8u);
  EXPECT_THAT(error_of(kHeader + "ld,4,3" + fields), HasSubstr("lane1 is ''"));
}

TEST(AccessCsv, ErrorsNameFileAndLine) {
  const std::string good = "ld,4,1" + lane_fields(4) + "\n";
  EXPECT_THAT(error_of(""), HasSubstr("a.csv: the file is empty"));
  EXPECT_THAT(error_of(kHeader), HasSubstr("a.csv:1: there is no access"));
  EXPECT_THAT(error_of("op,width_bytes" + lane_columns() + "\n"),
              HasSubstr("a.csv:1: there is no column active_mask"));
  EXPECT_THAT(error_of("op,op,width_bytes"), HasSubstr("column op is given twice"));
  EXPECT_THAT(error_of(kHeader.substr(0, kHeader.size() - 7) + "\n"), HasSubstr("no column lane31"));
  EXPECT_THAT(error_of(kHeader + good + "\nmov,4,1" + lane_fields(4)),
              HasSubstr("a.csv:4: op is 'mov'; write ld or st"));
  EXPECT_THAT(error_of(kHeader + "ld,12,1" + lane_fields(4)), HasSubstr("a.csv:2: width_bytes is '12'"));
  EXPECT_THAT(error_of(kHeader + "ld,4,0x1ffffffff" + lane_fields(4)),
              HasSubstr("active_mask is '0x1ffffffff'"));
  EXPECT_THAT(error_of(kHeader + "ld,4,1" + lane_fields(-4)), HasSubstr("lane1 is '-4'"));
  EXPECT_THAT(error_of(kHeader + "ld,8,3" + lane_fields(4)),
              HasSubstr("lane1 is at byte 4, which is no multiple"));
  EXPECT_THAT(error_of(kHeader + "ld,4,1,0,4"), HasSubstr("the row has 5 fields and the first line 35"));
  EXPECT_THAT(error_of(kHeader + "\"ld,4,1" + lane_fields(4)), HasSubstr("double quote is not closed"));
  EXPECT_THAT(error_of(kHeader + "ld,4,1" + lane_fields(4) + "99999999999999999999"), HasSubstr("lane31"));
}

TEST(AccessCsv, MissingFileIsAnError) {
  const auto none = read_access_csv("/nowhere/at/all.csv");
  ASSERT_FALSE(none);
  EXPECT_THAT(to_line(none.error()), HasSubstr("cannot read /nowhere/at/all.csv: No such file or directory"));
  EXPECT_THAT(to_line(read_access_csv(source_path()).error()), HasSubstr("it is a folder"));
}

TEST(AccessCsv, ReadsTheMeasuredFiles) {
  EXPECT_EQ(read_access_csv(testdata("h100_shared_wavefronts.csv"))->size(), 1500u);
  EXPECT_EQ(read_access_csv(testdata("h100_global_sectors.csv"))->size(), 300u);
}

}  // namespace
}  // namespace warplens::analysis
