#include "app/window/platform/picture_file.hpp"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

constexpr theme::Rgba kBlack{0, 0, 0, 255}, kWhite{255, 255, 255, 255};

TEST(Shrunk, AveragesThePixelsThatItCovers) {
  const scene::Raster wide{4, 2, {kWhite, kWhite, kBlack, kWhite, kBlack, kBlack, kBlack, kWhite}};
  const scene::Raster small = shrunk(wide, 2);
  ASSERT_EQ(small.width, 2);
  ASSERT_EQ(small.height, 1);
  EXPECT_EQ(small.pixels, (std::vector<theme::Rgba>{{128, 128, 128, 255}, {128, 128, 128, 255}}));
}

TEST(Shrunk, SharesThePixelsBetweenTwo) {
  const scene::Raster row{3, 1, {kWhite, kBlack, kWhite}};
  const scene::Raster small = shrunk(row, 2);  // each covers one pixel and half of the middle one
  ASSERT_EQ(small.pixels.size(), 2u);
  EXPECT_EQ(small.pixels[0], (theme::Rgba{170, 170, 170, 255}));
  EXPECT_EQ(small.pixels[1], small.pixels[0]);
}

TEST(Shrunk, MakesNothingLarger) {
  const scene::Raster row{3, 1, {kWhite, kBlack, kWhite}};
  EXPECT_EQ(shrunk(row, 9).pixels, row.pixels);
}

}  // namespace
}  // namespace warplens::app
