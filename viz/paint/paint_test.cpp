#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/files/export.hpp"
#include "viz/paint/files/svg.hpp"
#include "viz/paint/testing/decode_png.hpp"
#include "viz/paint/testing/paint_samples.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::paint {
namespace {

using testing::HasSubstr;
using namespace scene;

const Fonts& fonts() {
  static const std::shared_ptr<const Fonts> opened = *Fonts::open();
  return *opened;
}

TEST(Fonts, AreTheDesignsOwn) { EXPECT_THAT(fonts().missing(), testing::IsEmpty()); }

TEST(Fonts, MeasureInProportion) {
  const TextStyle ten{.size = 10}, twenty{.size = 20}, code{.size = 10, .family = Family::code};
  EXPECT_NEAR(fonts().width("Wavefronts", twenty), 2 * fonts().width("Wavefronts", ten), 1e-9);
  EXPECT_NEAR(fonts().width("iiii", code), fonts().width("WWWW", code), 1e-9);
  EXPECT_NEAR(fonts().width("a", code), 6.0, 0.01);  // JetBrains Mono is 0.6 of its size wide
  EXPECT_LT(fonts().width("iiii", ten), fonts().width("WWWW", ten));
  EXPECT_GT(fonts().width("text", {.size = 10, .weight = Weight::bold}), fonts().width("text", ten));
  EXPECT_NEAR(fonts().metrics(ten).cap_height, 7.27, 0.05);  // Inter: 2048 units, capitals of 1490
}

TEST(Fonts, HaveItalicsThatAreNoBold) {
  const TextStyle plain{.size = 10}, italic{.size = 10, .italic = true};
  EXPECT_NE(fonts().glyphs("a", plain).front().face, fonts().glyphs("a", italic).front().face);
  EXPECT_NEAR(fonts().width("stressed", italic), fonts().width("stressed", plain), 3);
  EXPECT_NE(fonts().glyphs("→", italic).front().index, 0u);
}

TEST(Fonts, FindCharactersOfOtherFonts) {
  const auto line = fonts().glyphs("a→中", {});
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[1].offset, 1u);
  EXPECT_EQ(line[2].offset, 4u);
  EXPECT_NE(line[1].index, 0u);
}

Raster raster_of(const Scene& scene, double scale = 1, const theme::Theme& theme = theme::dark()) {
  auto raster = to_raster(scene, theme, fonts(), scale);
  EXPECT_TRUE(raster.has_value());
  return raster ? *raster : Raster{};
}

theme::Rgba at(const Raster& raster, int x, int y) {
  return raster.pixels[static_cast<std::size_t>(y * raster.width + x)];
}

TEST(Png, WithAPaletteIsNearlyTheSamePictureInFewerBytes) {
  const auto png = to_png(samples::everything(), theme::dark(), fonts(), 1);
  ASSERT_TRUE(png);
  const auto all = decode_png(*png);
  const auto bytes = encode_palette_png(*all);
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), png->size());
  const auto few = decode_png(*bytes);
  ASSERT_TRUE(few);
  ASSERT_EQ(few->width, all->width);
  ASSERT_EQ(few->pixels.size(), all->pixels.size());
  std::set<std::uint32_t> colors;
  double off = 0;
  for (std::size_t i = 0; i < all->pixels.size(); ++i) {
    const theme::Rgba a = all->pixels[i], b = few->pixels[i];
    colors.insert(std::uint32_t{b.r} << 16 | std::uint32_t{b.g} << 8 | b.b);
    off += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
  }
  EXPECT_LE(colors.size(), 255u);
  EXPECT_LT(off / static_cast<double>(all->pixels.size()), 6);
}

TEST(Png, HasItsSizeAndItsColours) {
  for (const double scale : {1.0, 1.75, 3840.0 / 440}) {
    const auto png = to_png(samples::everything(), theme::dark(), fonts(), scale);
    ASSERT_TRUE(png);
    const auto raster = decode_png(*png);
    ASSERT_TRUE(raster);
    EXPECT_EQ(raster->width, std::lround(440 * scale));
    EXPECT_EQ(raster->height, std::lround(312 * scale));
    const auto here = [&](double x, double y) {
      return at(*raster, static_cast<int>(x * scale), static_cast<int>(y * scale));
    };
    EXPECT_EQ(here(4, 4), theme::dark()[Token::background]);
    EXPECT_EQ(here(120, 30), theme::dark()[Token::panel]);
    EXPECT_EQ(here(270, 32), theme::dark()[Token::accent]);
    EXPECT_EQ(here(60, 172), theme::dark()[Token::first_thread]);
    EXPECT_EQ(here(60, 200), theme::dark()[Token::first_warp]);
    EXPECT_EQ(here(20, 200), theme::dark()[Token::raised]);
    std::set<std::uint32_t> colors;
    for (const theme::Rgba c : raster->pixels)
      colors.insert(std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b);
    EXPECT_GT(colors.size(), 60u);
  }
}

TEST(Png, EdgesAndHairlinesAreSharp) {
  Scene scene({40, 40});
  scene.root.rect({10.3, 10.3, 20, 20}, {.fill = Token::text});
  scene.root.line({0, 5.2}, {40, 5.2}, {Token::text, 1});
  for (const double scale : {1.0, 1.5, 1.75}) {
    const Raster raster = raster_of(scene, scale);
    for (const theme::Rgba c : raster.pixels)
      EXPECT_TRUE(c == theme::dark()[Token::text] || c == theme::dark()[Token::background]) << scale;
  }
}

TEST(Png, CellsOfAGridAreSharpAtAnyScale) {
  Scene scene({64, 64});
  std::vector<std::uint8_t> cells(64);
  for (std::size_t i = 0; i < 64; ++i) cells[i] = (i + i / 8) % 2;
  scene.root.image({8, 8, 48, 48}, make_indexed_image(8, 8, cells, {Token::first_warp, Token::first_thread}));
  const Raster raster = raster_of(scene, 10);
  for (int y = 80; y < 560; ++y)
    for (int x = 80; x < 560; ++x) {
      const bool odd = ((x - 80) / 60 + (y - 80) / 60) % 2 == 1;
      ASSERT_EQ(at(raster, x, y), theme::dark()[odd ? Token::first_thread : Token::first_warp])
          << x << " " << y;
    }
}

TEST(Png, AHugeGridIsDrawnOnce) {
  Scene scene({512, 512});
  std::vector<std::uint8_t> cells(8192u * 8192u, 0);
  for (std::size_t i = 0; i < 8192u * 4096u; ++i) cells[i] = 1;
  scene.root.image({0, 0, 512, 512}, make_indexed_image(8192, 8192, std::move(cells),
                                                        {Token::first_warp, Token::first_thread}));
  const Raster raster = raster_of(scene);
  EXPECT_EQ(at(raster, 256, 100), theme::dark()[Token::first_thread]);
  EXPECT_EQ(at(raster, 256, 400), theme::dark()[Token::first_warp]);
  const auto svg = to_svg(scene, theme::dark(), fonts());
  ASSERT_TRUE(svg);
  EXPECT_LT(svg->size(), 200000u);
}

TEST(Png, RefusesWhatCannotBeDrawn) {
  EXPECT_FALSE(to_png(Scene({100, 100}), theme::dark(), fonts(), 1000));
  EXPECT_FALSE(to_png(Scene({100, 100}), theme::dark(), fonts(), 0));
  EXPECT_FALSE(to_png(Scene({0, 100}), theme::dark(), fonts(), 1));
  EXPECT_FALSE(decode_png(Bytes{1, 2, 3}));
}

TEST(Text, StaysInItsMeasuredBox) {
  Scene scene({600, 60}, Token::panel);
  scene.root.text({20, 40}, "Register tile, 128 × 256, WAVE gjpqy", {.size = 24, .weight = Weight::bold});
  const Raster raster = raster_of(scene);
  const double right =
      20 + fonts().width("Register tile, 128 × 256, WAVE gjpqy", {.size = 24, .weight = Weight::bold});
  int first = 600, last = 0;
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x)
      if (!(at(raster, x, y) == theme::dark()[Token::panel]))
        first = std::min(first, x), last = std::max(last, x);
  EXPECT_NEAR(first, 21, 3);
  EXPECT_LE(last, right + 1);
  EXPECT_GE(last, right - 4);
}

TEST(Pdf, EmbedsFontsAndRepeats) {
  const auto pdf = to_pdf(samples::everything(), theme::light(), fonts());
  ASSERT_TRUE(pdf);
  const std::string text(pdf->begin(), pdf->end());
  EXPECT_THAT(text, testing::StartsWith("%PDF-1."));
  EXPECT_THAT(text, HasSubstr("/FontFile"));
  EXPECT_THAT(text, HasSubstr("Inter-Bold"));
  EXPECT_THAT(text, HasSubstr("JetBrainsMono-Regular"));
  EXPECT_THAT(text, HasSubstr("/ToUnicode"));
  EXPECT_THAT(text, HasSubstr("/MediaBox [ 0 0 330 234 ]"));
  EXPECT_EQ(*pdf, *to_pdf(samples::everything(), theme::light(), fonts()));
}

TEST(Svg, HasRealTextTitlesIdsAndFallbacks) {
  const auto svg = to_svg(samples::everything(), theme::dark(), fonts());
  ASSERT_TRUE(svg);
  EXPECT_THAT(*svg, HasSubstr(">17.3 M</text>"));
  EXPECT_THAT(*svg, HasSubstr("<title>A card &amp; its &lt;title&gt;</title>"));
  EXPECT_THAT(*svg, HasSubstr("id=\"lane_0\" data-id=\"lane/0\""));
  EXPECT_THAT(*svg, HasSubstr("'JetBrains Mono', 'DejaVu Sans Mono'"));
  EXPECT_THAT(*svg, HasSubstr("stroke-dasharray=\"6 4\""));
  EXPECT_THAT(*svg, HasSubstr("clip-path=\"url(#clip_1)\""));
  EXPECT_EQ(*svg, *to_svg(samples::everything(), theme::dark(), fonts()));
}

TEST(Svg, SaysWhatThePictureShows) {
  const scene::Scene scene({10, 10});
  const auto plain = to_svg(scene, theme::dark(), fonts());
  ASSERT_TRUE(plain);
  EXPECT_THAT(*plain, testing::Not(HasSubstr("<title>")));
  const auto said = to_svg(scene, theme::dark(), fonts(), {"32 sectors, 4 < 32", "It walks down the rows."});
  ASSERT_TRUE(said);
  EXPECT_THAT(*said, HasSubstr("<title>32 sectors, 4 &lt; 32</title>"));
  EXPECT_THAT(*said, HasSubstr("<desc>It walks down the rows.</desc>"));
  EXPECT_THAT(*said, HasSubstr("role=\"img\""));
}

TEST(Svg, IdsAreUniqueAndTextIsLegal) {
  Scene scene({10, 10});
  for (int i = 0; i < 3; ++i) scene.root.rect({0, 0, 1, 1}, {.fill = Token::text}).named("a b");
  scene.root.text({0, 0},
                  "a\x01"
                  "b <&> \"",
                  {});
  const auto svg = to_svg(scene, theme::dark(), fonts());
  EXPECT_THAT(*svg, HasSubstr("id=\"a_b\""));
  EXPECT_THAT(*svg, HasSubstr("id=\"a_b-2\""));
  EXPECT_THAT(*svg, HasSubstr("id=\"a_b-3\""));
  EXPECT_THAT(*svg, HasSubstr(">ab &lt;&amp;&gt; &quot;</text>"));
}

TEST(Svg, EmbedsTheImagesCells) {
  Scene scene({16, 8});
  scene.root.image({0, 0, 16, 8}, make_indexed_image(2, 1, {0, 1}, {Token::text, Token::costly}));
  const std::string svg = *to_svg(scene, theme::light(), fonts());
  const std::string mark = "base64,";
  const std::size_t from = svg.find(mark) + mark.size(), to = svg.find('"', from);
  Bytes bytes;
  std::uint32_t word = 0, bits = 0;
  for (const char c : svg.substr(from, to - from)) {
    const std::size_t v =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (v == std::string_view::npos) break;
    word = word << 6 | static_cast<std::uint32_t>(v), bits += 6;
    if (bits >= 8) bits -= 8, bytes.push_back(static_cast<std::uint8_t>(word >> bits));
  }
  const auto raster = decode_png(bytes);
  ASSERT_TRUE(raster);
  ASSERT_EQ(raster->width, 64);  // each cell magnified: no viewer blurs it
  ASSERT_EQ(raster->height, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 64; ++x)
      ASSERT_EQ(at(*raster, x, y), theme::light()[x < 32 ? Token::text : Token::costly]);
}

// Measured by a fixed width, so that no font decides the bytes. WARPLENS_WRITE_GOLDEN=1 writes them anew.
TEST(Svg, GoldenPictures) {
  for (const theme::Theme* theme : {&theme::dark(), &theme::light()}) {
    const std::string svg = *to_svg(samples::everything(false), *theme, FixedMeasure());
    const std::string path = source_path("viz/testdata/shapes-") + std::string(theme->name) + ".svg";
    if (std::getenv("WARPLENS_WRITE_GOLDEN")) {
      ASSERT_TRUE(write_whole_file(path, svg));
    }
    std::ifstream file(path, std::ios::binary);
    std::stringstream golden;
    golden << file.rdbuf();
    EXPECT_TRUE(svg == golden.str()) << path << " differs";
  }
}

TEST(Export, ChoosesByTheEndingAndNamesTheFile) {
  const TestFolder folder;
  const Scene scene = samples::everything();
  for (const char* name : {"p.svg", "p.PDF", "p.png"})
    EXPECT_TRUE(export_picture((folder / name).string(), scene, theme::dark(), fonts()).has_value()) << name;
  const auto wrong = export_picture((folder / "p.bmp").string(), scene, theme::dark(), fonts());
  ASSERT_FALSE(wrong);
  EXPECT_THAT(to_line(wrong.error()), HasSubstr("p.bmp: no picture is written as '.bmp'; name it"));
  const auto nowhere = export_picture((folder / "none/p.svg").string(), scene, theme::dark(), fonts());
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(to_line(nowhere.error()), HasSubstr("No such file"));
}

}  // namespace
}  // namespace warplens::paint
