#include "engine/measured/recordings.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::measured {
namespace {

namespace fs = std::filesystem;

class RecordingsTest : public testing::Test {
 protected:
  Recordings open(const Json& header = header_of("A device")) {
    auto opened = Recordings::open(path_, header);
    EXPECT_TRUE(opened) << to_line(opened.error());
    return *std::move(opened);
  }
  static Json header_of(const std::string& device) {
    return {{"format", 1}, {"engine", "gpu"}, {"device", {{"name", device}}}};
  }
  static BenchKey key(int size, Json params = {{"TILE", 16}}, const std::string& source = "aaaa") {
    return {"matmul/x", source, {{"M", size}}, std::move(params)};
  }
  static Json result(const BenchKey& key, double seconds, Json params) {
    return {{"kernel", key.kernel},        {"source", key.source},          {"size", key.size},
            {"params", std::move(params)}, {"tuned", key.params.is_null()}, {"seconds", seconds}};
  }
  static Json result(const BenchKey& key, double seconds) { return result(key, seconds, key.params); }
  static Json pass(const BenchKey& key, double seconds, bool verified = true) {
    Json row = result(key, seconds);
    row["verified"] = verified;
    row["gpu"] = {
        {"timing",
         {{"median_seconds", seconds}, {"p10_seconds", 0.9 * seconds}, {"p90_seconds", 1.2 * seconds}}},
        {"cublas", {{"median_seconds", seconds / 2}}},
        {"conditions", {{"clock_mhz", 1000 * seconds}}}};
    return row;
  }
  void write(std::string_view text) { std::ofstream(path_) << text; }

  TestFolder folder_;
  fs::path path_ = folder_ / "bench.json";
};

TEST_F(RecordingsTest, WhatWasSavedIsFoundAgain) {
  Recordings recordings = open();
  recordings.add(key(64), result(key(64), 1.5));
  ASSERT_TRUE(recordings.save());
  const Recordings again = open();
  ASSERT_NE(again.find(key(64)), nullptr);
  EXPECT_EQ(again.find(key(64))->at("seconds"), 1.5);
  EXPECT_EQ(again.find(key(65)), nullptr);
  EXPECT_EQ(again.find(key(64, {{"TILE", 32}})), nullptr);
  EXPECT_EQ(again.find(key(64, nullptr)), nullptr) << "that was no search";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "no half file stays";
}

TEST_F(RecordingsTest, AChangedKernelIsMeasuredAgainAndReplacesTheOldResult) {
  Recordings recordings = open();
  recordings.add(key(64), result(key(64), 1));
  const BenchKey changed = key(64, {{"TILE", 16}}, "bbbb");
  EXPECT_EQ(recordings.find(changed), nullptr);
  recordings.add(changed, result(changed, 2));
  EXPECT_EQ(recordings.find(key(64)), nullptr);
  EXPECT_EQ(recordings.file()["results"].size(), 1u);
}

TEST_F(RecordingsTest, OtherSizesParametersAndSearchesStandBesideEachOther) {
  Recordings recordings = open();
  const BenchKey searched = key(64, nullptr);
  recordings.add(key(64), result(key(64), 1));
  recordings.add(key(128), result(key(128), 2));
  recordings.add(key(64, {{"TILE", 32}}), result(key(64, {{"TILE", 32}}), 3));
  recordings.add(searched, result(searched, 0.5, {{"TILE", 8}}));
  EXPECT_EQ(recordings.file()["results"].size(), 4u);
  ASSERT_NE(recordings.find(searched), nullptr);
  EXPECT_EQ(recordings.find(searched)->at("params")["TILE"], 8);
  // A newer search replaces the older one, whatever it found.
  recordings.add(searched, result(searched, 0.4, {{"TILE", 4}}));
  EXPECT_EQ(recordings.file()["results"].size(), 4u);
  EXPECT_EQ(recordings.find(searched)->at("seconds"), 0.4);
}

TEST_F(RecordingsTest, ASearchThatWasStoppedGoesOnAndIsForgottenWhenItIsDone) {
  const BenchKey searched = key(64, nullptr);
  Recordings recordings = open();
  recordings.tuning(searched).push_back({{"params", {{"TILE", 4}}}, {"seconds", 3}, {"verified", true}});
  ASSERT_TRUE(recordings.save());
  Recordings again = open();
  ASSERT_EQ(again.tuning(searched).size(), 1u);
  EXPECT_EQ(again.tuning(searched)[0]["seconds"], 3);
  EXPECT_TRUE(again.tuning(key(64, nullptr, "bbbb")).empty()) << "of a changed kernel nothing is known";
  again.add(searched, result(searched, 3, {{"TILE", 4}}));
  ASSERT_TRUE(again.save());
  EXPECT_TRUE(open().tuning(searched).empty());
}

TEST_F(RecordingsTest, PassesThatWereStoppedGoOnAndBecomeOneResult) {
  Recordings recordings = open();
  recordings.passes(key(64)).push_back(pass(key(64), 2));
  recordings.passes(key(64, {{"TILE", 32}})).push_back(pass(key(64, {{"TILE", 32}}), 7));
  ASSERT_TRUE(recordings.save());
  Recordings again = open();
  EXPECT_EQ(again.find(key(64)), nullptr) << "one pass of several is no result";
  ASSERT_EQ(again.passes(key(64)).size(), 1u);
  again.passes(key(64)).push_back(pass(key(64), 4));
  again.passes(key(64)).push_back(pass(key(64), 3));
  again.add(key(64), median_pass(again.passes(key(64))));
  ASSERT_NE(again.find(key(64)), nullptr);
  EXPECT_EQ(again.find(key(64))->at("seconds"), 3);
  EXPECT_TRUE(again.passes(key(64)).empty());
  EXPECT_EQ(again.passes(key(64, {{"TILE", 32}})).size(), 1u) << "those of other parameters stay";
}

TEST_F(RecordingsTest, TheMedianPassStandsForAllAndTheSpreadIsThatOfAll) {
  const Json three = {pass(key(64), 2), pass(key(64), 4), pass(key(64), 3)};
  const Json median = median_pass(three);
  EXPECT_EQ(median["seconds"], 3);
  EXPECT_EQ(median["verified"], true);
  ASSERT_EQ(median["passes"].size(), 3u) << "in the order in which they were timed";
  EXPECT_EQ(median["passes"][1], (Json{{"median_seconds", 4.0},
                                       {"p10_seconds", 3.6},
                                       {"p90_seconds", 4.8},
                                       {"cublas_seconds", 2.0},
                                       {"clock_mhz", 4000.0}}));
  EXPECT_DOUBLE_EQ(spread_of(median).low_seconds, 1.8);
  EXPECT_DOUBLE_EQ(spread_of(median).high_seconds, 4.8);
  const Json one = median_pass(Json{pass(key(64), 2)});
  EXPECT_FALSE(one.contains("passes"));
  EXPECT_DOUBLE_EQ(spread_of(one).low_seconds, 1.8);
  EXPECT_EQ(median_pass(Json{pass(key(64), 2), pass(key(64), 4)})["seconds"], 2);
  EXPECT_EQ(median_pass(Json{pass(key(64), 2), pass(key(64), 3), pass(key(64), 4, false)})["verified"], false)
      << "a result that was wrong once is wrong";
}

TEST_F(RecordingsTest, AFileOfAnotherChipIsLeftAlone) {
  Recordings recordings = open();
  recordings.add(key(64), result(key(64), 1));
  ASSERT_TRUE(recordings.save());
  const std::string before = *read_whole_file(path_);
  const auto other = Recordings::open(path_, header_of("Another device"));
  ASSERT_FALSE(other);
  EXPECT_THAT(to_line(other.error()), testing::HasSubstr("another kind or device"));
  EXPECT_THAT(to_line(other.error()), testing::HasSubstr("--save"));
  EXPECT_EQ(*read_whole_file(path_), before);
}

TEST_F(RecordingsTest, FilesOfAnotherKindAreRefused) {
  for (const char* text :
       {"", "not json", "[]", "{}", R"({"format": 2, "engine": "gpu", "results": []})",
        R"({"format": 1, "engine": "gpu", "results": {}, "device": {"name": "A device"}})",
        R"({"format": 1, "engine": "emulator", "results": [], "device": {"name": "A device"}})",
        R"({"format": "1", "engine": 3, "results": [], "device": {"name": 7}})",
        R"({"format": 1, "engine": "gpu", "results": [4], "device": {"name": "A device"}})"}) {
    write(text);
    EXPECT_FALSE(Recordings::open(path_, header_of("A device"))) << text;
  }
}

TEST_F(RecordingsTest, AFileOfWhichSomethingIsMissingIsRefusedAndStays) {
  const Json whole = pass(key(64), 2);
  const auto open_with = [&](const char* section, const Json& rows) {
    Json file = header_of("A device");
    file["results"] = Json::array();
    file[section] = rows;
    write(to_text(file));
    const auto opened = Recordings::open(path_, header_of("A device"));
    if (!opened) {
      EXPECT_THAT(to_line(opened.error()), testing::HasSubstr("something is missing"));
    }
    EXPECT_EQ(*read_whole_file(path_), to_text(file));
    return static_cast<bool>(opened);
  };
  EXPECT_TRUE(open_with("results", Json::array({whole})));
  EXPECT_TRUE(open_with("passes", {{"name", Json::array({whole})}}));
  for (const char* part : {"kernel", "source", "size", "params", "seconds"}) {
    Json damaged = whole;
    damaged.erase(part);
    EXPECT_FALSE(open_with("results", Json::array({damaged}))) << part;
    EXPECT_FALSE(open_with("passes", {{"name", Json::array({damaged})}})) << part;
  }
  for (const char* part : {"median_seconds", "p10_seconds", "p90_seconds"}) {
    Json damaged = whole;
    damaged["gpu"]["timing"].erase(part);
    EXPECT_FALSE(open_with("results", Json::array({damaged}))) << part;
  }
  for (const char* part : {"seconds", "params", "size", "verified", "gflops", "tried", "passes"}) {
    Json damaged = whole;
    damaged[part] = "a word";
    EXPECT_FALSE(open_with("results", Json::array({damaged}))) << part;
  }
  EXPECT_FALSE(open_with("tuning", {{"name", Json::array({{{"seconds", 3}}})}}));
  EXPECT_FALSE(open_with("tuning", {{"name", 3}}));
}

TEST_F(RecordingsTest, TheOnesThatShipCanBeAddedTo) {
  const fs::path shipped = fs::path(source_path()) / "assets" / "recorded" / "h100.json";
  const auto opened = Recordings::open(shipped, Json::parse(*read_whole_file(shipped)));
  ASSERT_TRUE(opened) << to_line(opened.error());
  EXPECT_GT(opened->file()["results"].size(), 300u);
}

TEST_F(RecordingsTest, AFolderThatCannotBeWrittenIsSaid) {
  path_ = folder_ / "missing" / "bench.json";
  const Status saved = open().save();
  ASSERT_FALSE(saved);
  EXPECT_THAT(to_line(saved.error()), testing::HasSubstr("missing/bench.json"));
}

// The test vectors of the hash's authors: http://www.isthe.com/chongo/src/fnv/test_fnv.c
TEST(Fingerprint, IsThe64BitHashOfFowlerNollAndVo) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fingerprint("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace warplens::measured
