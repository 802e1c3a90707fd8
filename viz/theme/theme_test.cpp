#include "viz/theme/theme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "viz/theme/colormap.hpp"

namespace warplens::theme {
namespace {

struct Lab {
  double l, a, b;
};

double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

using Matrix = std::array<double, 9>;
// Machado, Oliveira, Fernandes (2009), severity 1.0, on linear RGB.
constexpr Matrix kProtan{0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                         0.099216, -0.003882, -0.048116, 1.051998};
constexpr Matrix kDeutan{0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                         0.047413, -0.011820, 0.042940,  0.968881};
constexpr Matrix kNone{1, 0, 0, 0, 1, 0, 0, 0, 1};

Lab lab(Rgba c, const Matrix& seen) {
  const double in[3] = {to_linear(c.r / 255.0), to_linear(c.g / 255.0), to_linear(c.b / 255.0)};
  double rgb[3];
  for (int i = 0; i < 3; ++i)
    rgb[i] = std::clamp(seen[3 * i] * in[0] + seen[3 * i + 1] * in[1] + seen[3 * i + 2] * in[2], 0.0, 1.0);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
  const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
  const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(Rgba p, Rgba q, const Matrix& seen) {
  const Lab a = lab(p, seen), b = lab(q, seen);
  return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b);
}

TEST(Theme, HasTheColoursOfTheDesign) {
  EXPECT_EQ(dark()[Token::background], rgb(0x0f1217));
  EXPECT_EQ(light()[Token::background], rgb(0xf3f5f8));
  EXPECT_EQ(dark()[Token::costly], rgb(0xff5c7c));
  EXPECT_EQ(light()[Token::first_block], rgb(0x17202b));
  EXPECT_EQ(name_of(Token::first_thread), "first_thread");
}

TEST(Theme, TextIsReadable) {
  for (const Theme* theme : {&dark(), &light()})
    for (const Token ground : {Token::background, Token::panel, Token::raised}) {
      EXPECT_GE(contrast((*theme)[Token::text], (*theme)[ground]), 7.0) << theme->name;
      EXPECT_GE(contrast((*theme)[Token::dim], (*theme)[ground]), 4.5) << theme->name;
    }
}

TEST(Theme, SeriesStandOutFromThePanel) {
  for (const Theme* theme : {&dark(), &light()})
    for (int n = 0; n < kSeriesCount; ++n)
      EXPECT_GE(contrast((*theme)[series(n)], (*theme)[Token::panel]), 3.0)
          << theme->name << " series " << n + 1;
}

// As a reader without one kind of cones sees it.
Rgba as_seen(Rgba c, const Matrix& seen) {
  const double in[3] = {to_linear(c.r / 255.0), to_linear(c.g / 255.0), to_linear(c.b / 255.0)};
  std::uint8_t out[3];
  for (int i = 0; i < 3; ++i) {
    const double v =
        std::clamp(seen[3 * i] * in[0] + seen[3 * i + 1] * in[1] + seen[3 * i + 2] * in[2], 0.0, 1.0);
    const double coded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    out[i] = static_cast<std::uint8_t>(std::lround(255 * coded));
  }
  return {out[0], out[1], out[2]};
}

// WCAG 2.1, 1.4.3 and 1.4.11: text 4.5, marks that mean something 3. For every reader.
TEST(Theme, MarksAndTextStandOutForColourBlindReadersToo) {
  const auto expect = [](const Theme& theme, Token token, double least) {
    for (const Token ground : {Token::background, Token::panel, Token::raised})
      for (const Matrix& seen : {kNone, kDeutan})
        EXPECT_GE(contrast(as_seen(theme[token], seen), as_seen(theme[ground], seen)), least)
            << theme.name << " " << name_of(token) << " on " << name_of(ground)
            << (seen == kDeutan ? ", deuteranopia" : "");
  };
  for (const Theme* theme : {&dark(), &light()}) {
    for (const Token text : {Token::text, Token::dim, Token::accent, Token::good, Token::costly})
      expect(*theme, text, 4.5);
    for (const Token mark : {Token::first_thread, Token::first_warp, Token::first_block})
      expect(*theme, mark, 3);
    for (int n = 0; n < kSeriesCount; ++n) expect(*theme, series(n), 3);
    EXPECT_GE(contrast((*theme)[Token::on_accent], (*theme)[Token::accent]), 4.5) << theme->name;
    // Numbers of lanes stand on their colours.
    for (const Token lane : {Token::first_thread, Token::first_warp, Token::good, Token::costly})
      EXPECT_GE(contrast((*theme)[Token::background], (*theme)[lane]), 4.5)
          << theme->name << " " << name_of(lane);
  }
}

TEST(Theme, FirstFourSeriesDifferForColourBlindReaders) {
  for (const Theme* theme : {&dark(), &light()})
    for (const Matrix& seen : {kNone, kProtan, kDeutan})
      for (int p = 0; p < 4; ++p)
        for (int q = 0; q < p; ++q)
          EXPECT_GE(distance((*theme)[series(p)], (*theme)[series(q)], seen), 11.0)
              << theme->name << " series " << q + 1 << " and " << p + 1;
}

// What a thread is and what a cost is stand beside each other.
TEST(Theme, CostsAreNoThreads) {
  for (const Theme* theme : {&dark(), &light()})
    for (const Token other : {Token::first_thread, Token::good})
      for (const Matrix& seen : {kNone, kDeutan})
        EXPECT_GE(distance((*theme)[Token::costly], (*theme)[other], seen), 20.0)
            << theme->name << " " << name_of(other);
}

TEST(Theme, AllEightSeriesDiffer) {
  for (const Theme* theme : {&dark(), &light()})
    for (int p = 0; p < kSeriesCount; ++p)
      for (int q = 0; q < p; ++q)
        EXPECT_GE(distance((*theme)[series(p)], (*theme)[series(q)], kNone), 15.0)
            << theme->name << " series " << q + 1 << " and " << p + 1;
}

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast(rgb(0xffffff), rgb(0x000000)), 21.0, 1e-9);
  EXPECT_NEAR(contrast(rgb(0x767676), rgb(0xffffff)), 4.54, 0.01);
}

TEST(Colormap, RisesInLightness) {
  for (const Colormap map : {Colormap::viridis, Colormap::cividis}) {
    double before = -1;
    for (const Rgba c : ramp(map, 33)) {
      const double now = lab(c, kNone).l;
      EXPECT_GT(now, before);
      before = now;
    }
  }
}

TEST(Colormap, ClampsItsArgument) {
  EXPECT_EQ(sample(Colormap::viridis, -3), sample(Colormap::viridis, 0));
  EXPECT_EQ(sample(Colormap::viridis, 7), sample(Colormap::viridis, 1));
  EXPECT_EQ(sample(Colormap::viridis, std::nan("")), sample(Colormap::viridis, 0));
  EXPECT_EQ(sample(Colormap::viridis, 0), rgb(0x440154));
  EXPECT_EQ(sample(Colormap::viridis, 1), rgb(0xfde725));
}

}  // namespace
}  // namespace warplens::theme
