// Measurements as they are shipped, and files that are not right.
#include "engine/measured/recorded_speeds.hpp"

#include <gtest/gtest.h>

#include "engine/base/testing/places.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/catalog.hpp"

namespace warplens::measured {
namespace {

catalog::KernelSpec kernel(const std::string& id) {
  catalog::KernelSpec spec;
  spec.id = id;
  spec.code = "code of " + id;
  return spec;
}

std::string result(const std::string& id, int size, int tile, double gflops, bool tuned = false,
                   bool verified = true) {
  return R"({"kernel": ")" + id + R"(", "source": ")" + fingerprint("code of " + id) +
         R"(", "size": {"N": )" + std::to_string(size) + R"(}, "params": {"TILE": )" + std::to_string(tile) +
         R"(}, "verified": )" + (verified ? "true" : "false") + R"(, "tuned": )" +
         (tuned ? "true" : "false") + R"(, "seconds": 0.5, "gflops": )" + std::to_string(gflops) +
         R"(, "gpu": {"gb_per_second": 7, "timing": {"samples": 4, "launches_per_sample": 3, "uncertainty": 0.01},
             "cublas": {"gflops": 200, "verified": true, "version": "cuBLAS 13"}}})";
}

RecordedSpeeds speeds(const std::vector<std::string>& results) {
  std::string text =
      R"({"device": {"name": "NVIDIA H100 80GB HBM3"}, "driver": "1.2", "recorded": "2026-11-21", "results": [)";
  for (std::size_t i = 0; i < results.size(); ++i) text += (i == 0 ? "" : ",") + results[i];
  const auto read = RecordedSpeeds::parse(text + "]}", "device.json");
  EXPECT_TRUE(read);
  return read ? *read : RecordedSpeeds{};
}

TEST(RecordedSpeeds, FindsTheQuickestOrThatOfExactlyTheseValues) {
  const auto all =
      speeds({result("m/1", 512, 8, 100), result("m/1", 512, 16, 150), result("m/1", 1024, 8, 300)});
  EXPECT_EQ(all.find(kernel("m/1"), {{"N", 512}})->gflops, 150);
  const catalog::Values eight{{"TILE", 8}}, four{{"TILE", 4}};
  EXPECT_EQ(all.find(kernel("m/1"), {{"N", 512}}, &eight)->gflops, 100);
  EXPECT_EQ(all.find(kernel("m/1"), {{"N", 512}}, &four), nullptr);
  EXPECT_EQ(all.find(kernel("m/1"), {{"N", 64}}), nullptr);
  EXPECT_EQ(all.find(kernel("m/2"), {{"N", 512}}), nullptr);
}

TEST(RecordedSpeeds, AFileThatWasChangedSinceIsAnotherKernel) {
  const auto all = speeds({result("m/1", 512, 8, 100)});
  catalog::KernelSpec changed = kernel("m/1");
  changed.code += " ";
  EXPECT_NE(all.find(kernel("m/1"), {{"N", 512}}), nullptr);
  EXPECT_EQ(all.find(changed, {{"N", 512}}), nullptr);
}

TEST(RecordedSpeeds, HaveWhatTheTimeWasMadeOf) {
  const auto file = [](const std::string& timing) {
    const auto read = RecordedSpeeds::parse(
        R"({"results": [{"kernel": "m/1", "verified": true, "seconds": 0.5, "gflops": 1, "gpu": {"chip": "H100",
            "conditions": {"clock_mhz": 1980, "held_back_by": ["power cap"]}, "timing": {)" +
            timing + "}}}]}",
        "device.json");
    EXPECT_TRUE(read && read->results.size() == 1);
    return read && !read->results.empty() ? read->results[0].timing : nullptr;
  };
  const SharedTiming whole = file(
      R"("median_seconds": 0.5, "least_seconds": 0.4, "samples": 3, "launches_per_sample": 2, "sample_seconds": [0.6, 0.4, 0.5])");
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->seconds, (std::vector<double>{0.6, 0.4, 0.5})) << "in the order in which they were taken";
  EXPECT_EQ(whole->least, 0.4);
  EXPECT_EQ(whole->clock_mhz, 1980);
  EXPECT_EQ(whole->held_back_by, std::vector<std::string>{"power cap"});
  EXPECT_EQ(whole->device, "H100");
  const SharedTiming older = file(R"("median_seconds": 0.5, "samples": 3)");
  ASSERT_NE(older, nullptr);
  EXPECT_TRUE(older->seconds.empty());
  EXPECT_EQ(older->p90, 0.5);
  EXPECT_EQ(file(R"("samples": 3)"), nullptr);
}

TEST(RecordedSpeeds, LeavesOutWhatWasNotVerified) {
  EXPECT_TRUE(speeds({result("m/1", 512, 8, 100, false, false)}).results.empty());
}

TEST(RecordedSpeeds, PrefersSizesWithChosenValuesToThoseOfTheQuickest) {
  const auto all =
      speeds({result("m/1", 512, 8, 1, true), result("m/1", 1024, 8, 1), result("r/1", 300, 8, 1)});
  EXPECT_EQ(all.nearest_size("m", {{"N", 400}}), (catalog::Values{{"N", 1024}}));
  EXPECT_EQ(all.nearest_size("m", {{"N", 512}}), (catalog::Values{{"N", 512}}));
  EXPECT_EQ(all.nearest_size("x", {{"N", 512}}), std::nullopt);
  EXPECT_EQ(all.sizes("m").size(), 2u);
}

TEST(RecordedSpeeds, TheMainSizeIsWhereMostWasRecorded) {
  const auto size_of = [](std::int64_t n) { return catalog::Values{{"N", n}}; };
  EXPECT_EQ(
      speeds({result("m/1", 512, 8, 1), result("m/2", 512, 8, 1), result("m/1", 1024, 8, 1)}).main_size("m"),
      size_of(512));
  EXPECT_EQ(speeds({result("m/1", 1024, 8, 1), result("m/1", 512, 8, 1)}).main_size("m"), size_of(1024));
  EXPECT_EQ(speeds({result("m/1", 512, 8, 1)}).main_size("x"), std::nullopt);
}

TEST(RecordedSpeeds, BytesCountWhereThereAreNoOperations) {
  const auto all = speeds({result("t/1", 512, 8, 0)});
  ASSERT_EQ(all.results.size(), 1u);
  EXPECT_EQ(rate_of(all.results[0]).value, 7);
  EXPECT_EQ(rate_of(all.results[0]).unit, "GB/s");
}

TEST(RecordedSpeeds, BytesCountWhereTheyAreMoreThanTheOperations) {
  const auto all = speeds({result("t/1", 512, 8, 2), result("t/1", 1024, 8, 9)});
  ASSERT_EQ(all.results.size(), 2u);
  EXPECT_EQ(rate_of(all.results[0]).unit, "GB/s");
  EXPECT_EQ(rate_of(all.results[1]).unit, "GFLOP/s");
}

TEST(RecordedSpeeds, RefusesWhatIsNoJsonWithItsFile) {
  for (const std::string text : {"", "[", "[]", "3"}) {
    const auto read = RecordedSpeeds::parse(text, "device.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().place.file, "device.json");
  }
  EXPECT_TRUE(RecordedSpeeds::parse(R"({"results": [3, {"verified": true}, null]})", "x")->results.empty());
}

TEST(RecordedSpeeds, TheShippedOnesAreOfTheKernelsThatAreShipped) {
  const std::string root = source_path();
  const auto all = RecordedSpeeds::read(root + "/assets/recorded", "h100");
  ASSERT_TRUE(all);
  const auto catalog = catalog::Catalog::open(root + "/kernels");
  ASSERT_TRUE(catalog);
  int found = 0;
  for (const RecordedSpeed& speed : all->results) {
    const auto spec = catalog->find(speed.kernel);
    ASSERT_TRUE(spec) << speed.kernel;
    found += all->find(*spec, speed.size, &speed.params) != nullptr ? 1 : 0;
  }
  EXPECT_GE(found, 20);  // a kernel that was edited must be measured again
  EXPECT_TRUE(RecordedSpeeds::read(root + "/assets/recorded", "no-such-device")->results.empty());
}

TEST(SizeWords, JoinsEqualSizes) {
  const std::vector<std::string> names = {"M", "N", "K"};
  EXPECT_EQ(size_words({{"M", 4096}, {"N", 4096}, {"K", 4096}}, names), "M = N = K = 4,096");
  EXPECT_EQ(size_words({{"M", 512}, {"N", 64}, {"K", 64}}, names), "M = 512, N = K = 64");
}

TEST(ShortChip, IsTheNumberPeopleSay) {
  EXPECT_EQ(short_device_name("NVIDIA H100 80GB HBM3"), "H100");
  EXPECT_EQ(short_device_name("NVIDIA Tesla V100 SXM2"), "V100");
  EXPECT_EQ(short_device_name("NVIDIA GeForce 8800 GTX"), "8800 GTX");
  EXPECT_EQ(short_device_name("NVIDIA GeForce RTX 2080 Ti"), "RTX 2080 Ti");
}

TEST(RecordedSpeeds, TheNearestIsAtTheSameSizeWithTheFewestOtherValues) {
  const auto all = RecordedSpeeds::read(source_path() + "/assets/recorded", "h100");
  const auto catalog = catalog::Catalog::open(source_path() + "/kernels");
  ASSERT_TRUE(all && catalog);
  const auto spec = catalog->find("transpose/02_tiled");
  ASSERT_TRUE(spec);
  const catalog::Values size{{"M", 4096}, {"N", 4096}};
  const RecordedSpeed* near = all->nearest(*spec, size, {{"TILE", 32}, {"ROWS", 8}, {"PAD", 0}});
  ASSERT_NE(near, nullptr);
  EXPECT_EQ(near->params, (catalog::Values{{"TILE", 32}, {"ROWS", 8}, {"PAD", 1}}));
  EXPECT_EQ(near->size, size);
  near = all->nearest(*spec, {{"M", 4000}, {"N", 4000}}, {{"TILE", 64}, {"ROWS", 8}, {"PAD", 1}});
  ASSERT_NE(near, nullptr);
  EXPECT_EQ(near->size, size);
  EXPECT_EQ(near->params.at("TILE"), 64);
  catalog::KernelSpec changed = *spec;
  changed.code += "\n";
  EXPECT_EQ(all->nearest(changed, size, {{"TILE", 32}}), nullptr);
}

TEST(SizeWords, AreShortWhereThereIsLittleRoom) {
  EXPECT_EQ(short_size({{"M", 4096}, {"N", 4096}, {"K", 4096}}), "4,096");
  EXPECT_EQ(short_size({{"M", 512}, {"N", 64}, {"K", 8}}), "512 × 64 × 8");
  EXPECT_EQ(short_size({{"N", 1 << 20}}), "1,048,576");
  const catalog::Values cube{{"M", 8}, {"N", 8}, {"K", 8}};
  EXPECT_EQ(size_words(cube, size_names(cube)), "M = N = K = 8");
}

}  // namespace
}  // namespace warplens::measured
