#include "viz/scene/pixels.hpp"

#include <gtest/gtest.h>

namespace warplens::scene {
namespace {

TEST(Pixels, RefusesSizesThatDoNotMatch) {
  EXPECT_EQ(make_indexed_image(2, 2, std::vector<std::uint8_t>(3), {}), nullptr);
  EXPECT_EQ(make_indexed_image(0, 0, {}, {}), nullptr);
  EXPECT_EQ(make_indexed_image(1, 1, {0}, std::vector<Color>(257, Color(Token::text))), nullptr);
  EXPECT_NE(make_indexed_image(2, 2, std::vector<std::uint8_t>(4), {}), nullptr);
}

TEST(Pixels, FollowTheTheme) {
  const auto image = make_indexed_image(2, 1, {0, 1}, {Token::first_thread, Color(Token::first_warp, 0.5)});
  const Raster dark = resolve(*image, theme::dark(), 8, 8), light = resolve(*image, theme::light(), 8, 8);
  EXPECT_EQ(dark.pixels[0], theme::rgb(0xff9f1c));
  EXPECT_EQ(light.pixels[0], theme::rgb(0xa45a00));
  EXPECT_EQ(dark.pixels[1].a, 128);
}

TEST(Pixels, AnIndexBeyondThePaletteIsTransparent) {
  const auto image = make_indexed_image(1, 1, {9}, {Token::text});
  EXPECT_EQ(resolve(*image, theme::dark(), 1, 1).pixels[0].a, 0);
}

TEST(Pixels, ShrinkByWholeBlocksAndKeepALoneCell) {
  std::vector<std::uint8_t> cells(100 * 60, 0);
  cells[99 + 59 * 100] = 1;
  const auto image = make_indexed_image(100, 60, cells, {theme::rgb(0x000000), theme::rgb(0xffffff)});
  const Raster raster = resolve(*image, theme::dark(), 30, 30);
  EXPECT_EQ(raster.width, 25);
  EXPECT_EQ(raster.height, 30);
  EXPECT_EQ(raster.pixels.size(), 25u * 30u);
  EXPECT_EQ(raster.pixels.back(), theme::rgb(0x202020));  // one of 4 x 2 cells: 255 / 8 = 31.9
  EXPECT_EQ(raster.pixels.front(), theme::rgb(0x000000));
}

TEST(Pixels, FingerprintTellsContentsApart) {
  const auto a = make_indexed_image(3, 1, {0, 1, 0}, {Token::text, Token::dim});
  EXPECT_EQ(a->fingerprint, make_indexed_image(3, 1, {0, 1, 0}, {Token::text, Token::dim})->fingerprint);
  EXPECT_NE(a->fingerprint, make_indexed_image(3, 1, {0, 1, 1}, {Token::text, Token::dim})->fingerprint);
  EXPECT_NE(a->fingerprint, make_indexed_image(1, 3, {0, 1, 0}, {Token::text, Token::dim})->fingerprint);
  EXPECT_NE(a->fingerprint, make_indexed_image(3, 1, {0, 1, 0}, {Token::text, Token::good})->fingerprint);
}

}  // namespace
}  // namespace warplens::scene
