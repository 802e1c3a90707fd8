#include "viz/paint/imgui/imgui_painter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/imgui/imgui_compat.hpp"
#include "viz/paint/imgui/rounded.hpp"
#include "viz/paint/imgui/strokes.hpp"
#include "viz/paint/testing/paint_samples.hpp"

namespace warplens::paint {
namespace {

using namespace scene;

// Textures in memory; the id is the key's number, from 2 (1 is ImGui's own font texture).
class Memory final : public TextureStore {
 public:
  std::optional<std::uint64_t> find(std::uint64_t key) override {
    const auto it = ids.find(key);
    return it == ids.end() ? std::nullopt : std::optional(it->second);
  }
  std::uint64_t create(std::uint64_t key, const Raster& pixels, TextureUse) override {
    ++created;
    textures[ids[key] = ids.size() + 2] = pixels;
    return ids[key];
  }
  void update(std::uint64_t key, const Raster& pixels, int first_row, int rows) override {
    const auto from = static_cast<std::ptrdiff_t>(first_row) * pixels.width,
               count = static_cast<std::ptrdiff_t>(rows) * pixels.width;
    std::copy_n(pixels.pixels.begin() + from, count, textures[ids.at(key)].pixels.begin() + from);
  }

  std::map<std::uint64_t, std::uint64_t> ids;
  std::map<std::uint64_t, Raster> textures;
  int created = 0;
};

// A plain rasterizer of ImGui's triangles, so that the picture can be compared without a GPU.
class SoftwareScreen {
 public:
  SoftwareScreen(int width, int height, const Memory& memory, const Raster& font)
      : raster{width, height,
               std::vector<theme::Rgba>(static_cast<std::size_t>(width * height), {0, 0, 0, 255})},
        memory_(memory),
        font_(font) {}

  void draw(const ImDrawData& data) {
    for (int n = 0; n < data.CmdListsCount; ++n) {
      const ImDrawList& list = *data.CmdLists[n];
      for (const ImDrawCmd& command : list.CmdBuffer)
        for (unsigned i = 0; i + 2 < command.ElemCount + 0u; i += 3) {
          const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset + i;
          const ImDrawVert* v = list.VtxBuffer.Data + command.VtxOffset;
          triangle(v[index[0]], v[index[1]], v[index[2]], command);
        }
    }
  }

  Raster raster;

 private:
  void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawCmd& command) {
    const auto area = [](ImVec2 p, ImVec2 q, ImVec2 r) {
      return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    };
    const float whole = area(a.pos, b.pos, c.pos);
    if (whole == 0) return;
    const auto first = [](float v, float clip) { return static_cast<int>(std::floor(std::max(v, clip))); };
    const ImVec4& clip = command.ClipRect;
    const int x1 = std::min(
        raster.width, static_cast<int>(std::ceil(std::min(std::max({a.pos.x, b.pos.x, c.pos.x}), clip.z))));
    const int y1 = std::min(
        raster.height, static_cast<int>(std::ceil(std::min(std::max({a.pos.y, b.pos.y, c.pos.y}), clip.w))));
    for (int y = std::max(0, first(std::min({a.pos.y, b.pos.y, c.pos.y}), clip.y)); y < y1; ++y)
      for (int x = std::max(0, first(std::min({a.pos.x, b.pos.x, c.pos.x}), clip.x)); x < x1; ++x) {
        const ImVec2 p{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
        const float u = area(b.pos, c.pos, p) / whole, v = area(c.pos, a.pos, p) / whole, w = 1 - u - v;
        // Edges belong to one of two triangles: the bias takes the place of the top-left rule.
        if (u < -1e-6f || v < 0 || w < 0) continue;
        const theme::Rgba texel =
            sample(command, {u * a.uv.x + v * b.uv.x + w * c.uv.x, u * a.uv.y + v * b.uv.y + w * c.uv.y});
        shade(x, y, texel, {a.col, b.col, c.col}, {u, v, w});
      }
  }

  theme::Rgba sample(const ImDrawCmd& command, ImVec2 uv) const {
    const std::uint64_t id = (std::uint64_t)(std::intptr_t)command.GetTexID();
    const Raster& from = id == 1 ? font_ : memory_.textures.at(id);
    const int x = std::clamp(static_cast<int>(uv.x * static_cast<float>(from.width)), 0, from.width - 1);
    const int y = std::clamp(static_cast<int>(uv.y * static_cast<float>(from.height)), 0, from.height - 1);
    return from.pixels[static_cast<std::size_t>(y * from.width + x)];
  }

  void shade(int x, int y, theme::Rgba texel, std::array<ImU32, 3> colors, std::array<float, 3> weights) {
    const auto channel = [&](int shift, int texture) {
      float sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += weights[i] * static_cast<float>(colors[i] >> shift & 255);
      return static_cast<std::uint8_t>(std::clamp(sum * static_cast<float>(texture) / 255, 0.0f, 255.0f));
    };
    theme::Rgba& out = raster.pixels[static_cast<std::size_t>(y * raster.width + x)];
    out = theme::blend({channel(0, texel.r), channel(8, texel.g), channel(16, texel.b), channel(24, texel.a)},
                       out);
  }

  const Memory& memory_;
  const Raster& font_;
};

class ImGuiPainterTest : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    unsigned char* pixels = nullptr;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &font_.width, &font_.height);
    for (int i = 0; i < font_.width * font_.height; ++i)
      font_.pixels.push_back({pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2], pixels[4 * i + 3]});
    io.Fonts->SetTexID(compat::texture_id(1));
    fonts_ = *Fonts::open();
  }
  void TearDown() override { ImGui::DestroyContext(); }

  Raster paint(const Scene& scene, const theme::Theme& theme, double scale) {
    ImGuiPainter painter(fonts_, memory_);
    const Raster seen = paint(painter, scene, theme, scale);
    memory_.ids.clear(), memory_.textures.clear();
    return seen;
  }

  Raster paint(ImGuiPainter& painter, const Scene& scene, const theme::Theme& theme, double scale) {
    const int width = static_cast<int>(std::lround(scene.size.width * scale)),
              height = static_cast<int>(std::lround(scene.size.height * scale));
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    painter.begin_frame();
    painter.paint(scene, theme, *ImGui::GetBackgroundDrawList(), {0, 0}, scale);
    painter.end_frame();
    ImGui::Render();
    SoftwareScreen screen(width, height, memory_, font_);
    screen.draw(*ImGui::GetDrawData());
    return screen.raster;
  }

  Raster font_;
  Memory memory_;
  std::shared_ptr<const Fonts> fonts_;
};

// The share of pixels that differ by more than a quarter of the range in a channel.
double different(const Raster& a, const Raster& b) {
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  int count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const theme::Rgba p = a.pixels[i], q = b.pixels[i];
    count += std::max({std::abs(p.r - q.r), std::abs(p.g - q.g), std::abs(p.b - q.b)}) > 64;
  }
  return count / static_cast<double>(a.pixels.size());
}

TEST_F(ImGuiPainterTest, ShowsThePictureOfTheCairoPainter) {
  for (const theme::Theme* theme : {&theme::dark(), &theme::light()})
    for (const double scale : {1.0, 1.75}) {
      const Raster seen = paint(samples::everything(), *theme, scale);
      const Raster wanted = *to_raster(samples::everything(), *theme, *fonts_, scale);
      EXPECT_LT(different(seen, wanted), 0.006) << theme->name << " " << scale;
      // And the measure is no blind one: the other theme is another picture.
      EXPECT_GT(different(seen, *to_raster(samples::everything(),
                                           theme == &theme::dark() ? theme::light() : theme::dark(), *fonts_,
                                           scale)),
                0.5);
      if (const char* folder = std::getenv("WARPLENS_KEEP_PICTURES")) {
        const Bytes png = *encode_png(seen);
        std::ofstream(
            std::string(folder) + "/imgui-" + std::string(theme->name) + std::to_string(scale) + ".png",
            std::ios::binary)
            .write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
      }
    }
}

TEST_F(ImGuiPainterTest, KeepsItsTextures) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {440, 312};
  ImGuiPainter painter(fonts_, memory_);
  for (int frame = 0; frame < 3; ++frame) {
    io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    painter.begin_frame();
    painter.paint(samples::everything(), theme::dark(), *ImGui::GetBackgroundDrawList(), {0, 0});
    painter.end_frame();
    ImGui::Render();
    EXPECT_EQ(memory_.created, 3) << frame;  // two images and a page of glyphs
  }
}

// The cells that a warp reads: one row of a matrix, or none.
TEST_F(ImGuiPainterTest, OfAnImageIsDrawnWhatHoldsSomething) {
  const auto shown = [&](int row) {
    std::vector<std::uint8_t> cells(32 * 32, 1);
    for (int x = 4; x < 8 && row >= 0; ++x) cells[static_cast<std::size_t>(32 * row + x)] = 0;
    Scene scene({200, 200});
    scene.root.image({3.7, 5.2, 150, 170}, make_indexed_image(32, 32, cells, {Token::accent}));
    return scene;
  };
  for (const double scale : {1.0, 1.25, 1.75})
    for (const int row : {0, 9, 31, -1})
      EXPECT_LT(different(paint(shown(row), theme::dark(), scale),
                          *to_raster(shown(row), theme::dark(), *fonts_, scale)),
                0.001)
          << scale << " " << row;
  paint(shown(9), theme::dark(), 1);
  const auto& vertices = ImGui::GetDrawData()->CmdLists[0]->VtxBuffer;
  ASSERT_EQ(vertices.Size, 2 * 4);  // the background, and
  const ImVec2 low = vertices[4].pos, high = vertices[6].pos;
  EXPECT_LE(high.x - low.x, 4 * 150 / 32.0 + 2);
  EXPECT_LE(high.y - low.y, 170 / 32.0 + 2);
  memory_.created = 0;
  paint(shown(-1), theme::dark(), 1);
  EXPECT_EQ(ImGui::GetDrawData()->CmdLists[0]->VtxBuffer.Size, 4);
  EXPECT_EQ(memory_.created, 0);
}

TEST_F(ImGuiPainterTest, PagesOfGlyphsHaveAWhiteTexel) {
  ImGuiPainter painter(fonts_, memory_);
  paint(painter, samples::everything(), theme::dark(), 1);
  int pages = 0;
  for (const auto& [id, raster] : memory_.textures) {
    const auto white = painter.traits(id).white;
    if (!white) continue;
    ++pages;
    const auto x = static_cast<int>(white->x * raster.width), y = static_cast<int>(white->y * raster.height);
    EXPECT_EQ(raster.pixels[static_cast<std::size_t>(y * raster.width + x)],
              (theme::Rgba{255, 255, 255, 255}));
  }
  EXPECT_EQ(pages, 1);
  EXPECT_FALSE(painter.traits(1).white);
}

// Their rows alone go to the texture that is there.
TEST_F(ImGuiPainterTest, GlyphsOfALaterFrameJoinThoseOfBefore) {
  ImGuiPainter painter(fonts_, memory_);
  for (const double scale : {1.0, 1.75, 1.25, 1.0}) {
    const Raster seen = paint(painter, samples::everything(), theme::dark(), scale);
    const Raster wanted = *to_raster(samples::everything(), theme::dark(), *fonts_, scale);
    EXPECT_LT(different(seen, wanted), 0.006) << scale;
  }
}

TEST_F(ImGuiPainterTest, LongLinesStayBelowTheIndexLimit) {
  Scene scene({800, 200});
  std::vector<Point> points;
  for (int i = 0; i < 100000; ++i) points.push_back({i * 0.008, 100 + 90 * std::sin(i * 0.0003)});
  scene.root.polyline(points, {Token::accent, 2});
  const Raster seen = paint(scene, theme::dark(), 1);
  EXPECT_EQ(seen.pixels[static_cast<std::size_t>(5 * 800 + 5)], theme::dark()[Token::background]);
  EXPECT_LT(different(seen, *to_raster(scene, theme::dark(), *fonts_)), 0.01);
}

// Both ways of a picture: cards of all sizes, with outlines, at scales where their corners are whole and not.
TEST_F(ImGuiPainterTest, RoundedRectanglesLookAsThoseOfTheCairoPainter) {
  Scene scene({330, 150});
  for (int i = 0; i < 6; ++i) {
    const double x = 10 + 52 * i, radius = 1.5 * i;
    scene.root.rect({x, 10, 40, 30}, {.fill = Token::accent}, radius);
    scene.root.rect({x, 50, 40, 30}, {.stroke = Stroke{Token::text, 1}}, radius);
    scene.root.rect({x, 90, 41, 13}, {.fill = Color{Token::accent, 0.5}, .stroke = Stroke{Token::line, 2}},
                    radius);
    scene.root.line({x, 120}, {x + 40, 120}, {Token::text, 1 + 0.5 * i});
    scene.root.line({x, 125}, {x, 145}, {Token::text, 1 + 0.5 * i});
  }
  for (const double scale : {1.0, 1.25, 1.75, 2.0})
    EXPECT_LT(different(paint(scene, theme::dark(), scale), *to_raster(scene, theme::dark(), *fonts_, scale)),
              0.001)
        << scale;
}

// Chips of lanes and rectangles of sectors, of which a figure has hundreds.
TEST_F(ImGuiPainterTest, SmallRoundedRectanglesAndFramedOnesAreFewQuads) {
  const auto quads_of = [&](const Style& style, double radius) {
    Scene scene({100, 100});
    scene.root.rect({10, 10, 5, 22}, style, radius);
    paint(scene, theme::dark(), 1);
    return ImGui::GetDrawData()->CmdLists[0]->IdxBuffer.Size / 6 - 1;  // without the background
  };
  EXPECT_EQ(quads_of({.fill = Token::accent}, 3), 1);
  EXPECT_EQ(quads_of({.fill = Token::accent, .stroke = Stroke{Token::text, 1}}, 3), 2);
  EXPECT_EQ(quads_of({.fill = Token::accent, .stroke = Stroke{Token::text, 1}}, 0), 2);
  EXPECT_EQ(quads_of({.fill = Color{Token::accent, 0.5}, .stroke = Stroke{Token::text, 1}}, 0), 5);
}

TEST_F(ImGuiPainterTest, SmallRectanglesLookAsThoseOfTheCairoPainter) {
  Scene scene({330, 100});
  for (int i = 0; i < 10; ++i) {
    const double x = 10.3 + 32 * i, width = 2 + 2.5 * i;
    scene.root.rect({x, 10, width, 20}, {.fill = Token::accent, .stroke = Stroke{Token::text, 1}}, 3);
    scene.root.rect({x, 40, width, 20}, {.fill = Token::accent, .stroke = Stroke{Token::text, 1}});
    scene.root.rect({x, 70, width, 20}, {.fill = Token::accent, .stroke = Stroke{Token::line, 2}});
  }
  for (const double scale : {1.0, 1.25, 1.75, 2.0})
    EXPECT_LT(different(paint(scene, theme::dark(), scale), *to_raster(scene, theme::dark(), *fonts_, scale)),
              0.001)
        << scale;
}

// Corners and sides: a software renderer draws those quickest.
TEST_F(ImGuiPainterTest, RoundedRectanglesAndUprightLinesAreUprightQuads) {
  Scene scene({100, 100});
  scene.root.rect({10, 10, 40, 30}, {.fill = Token::accent, .stroke = Stroke{Token::text, 1}}, 5);
  scene.root.rect({10, 60, 40, 30}, {.stroke = Stroke{Token::text, 1}});
  scene.root.line({60, 10.3}, {60, 80.7}, {Token::text, 1});
  paint(scene, theme::dark(), 1);
  const ImDrawList& list = *ImGui::GetDrawData()->CmdLists[0];
  ASSERT_EQ(list.IdxBuffer.Size, 6 * (1 + 4 + 3 + 4 + 4 + 4 + 1));
  for (int i = 0; i < list.VtxBuffer.Size; i += 4) {
    const ImVec2 a = list.VtxBuffer[i].pos, b = list.VtxBuffer[i + 2].pos;
    EXPECT_EQ(list.VtxBuffer[i + 1].pos.x, b.x);
    EXPECT_EQ(list.VtxBuffer[i + 1].pos.y, a.y);
    EXPECT_EQ(list.VtxBuffer[i + 3].pos.x, a.x);
    EXPECT_EQ(list.VtxBuffer[i + 3].pos.y, b.y);
  }
}

TEST_F(ImGuiPainterTest, ASegmentOfALineIsOneQuad) {
  Scene scene({100, 100});
  scene.root.line({10, 10.3}, {60, 80.7}, {Token::text, 1.5});
  scene.root.polyline({{20, 20}, {40, 90}, {80, 30}, {90, 70}}, {Token::accent, 3});
  paint(scene, theme::dark(), 1);
  EXPECT_EQ(ImGui::GetDrawData()->CmdLists[0]->IdxBuffer.Size, 6 * (1 + 1 + 3));  // the first: the background
}

// Slanted, thick and thin, bent and closed, at the width and in the places of the other painter.
TEST_F(ImGuiPainterTest, LinesLookAsThoseOfTheCairoPainter) {
  for (const double width : {1.0, 1.5, 2.0, 4.0, 9.0}) {
    Scene scene({300, 200});
    scene.root.line({20, 10.3}, {250, 80.7}, {Token::text, width});
    scene.root.polyline({{30, 180}, {90, 100}, {160, 185}, {280, 120}}, {Token::accent, width});
    const Raster wanted = *to_raster(scene, theme::dark(), *fonts_, 1);
    EXPECT_LT(different(paint(scene, theme::dark(), 1), wanted), 0.004) << width;
  }
}

// As between the cells of a matrix.
Scene grid_of_lines(int count, double apart) {
  Scene scene({300, 300});
  const double end = 20 + apart * (count + 1);
  for (int i = 1; i <= count; ++i)
    scene.root.line({20 + i * apart, 20}, {20 + i * apart, end}, {Color{Token::text, 0.6}, 1});
  for (int i = 1; i <= count; ++i)
    scene.root.line({20, 20 + i * apart}, {end, 20 + i * apart},
                    {i % 8 == 0 ? Color{Token::accent} : Color{Token::text, 0.6}, 1});
  return scene;
}

TEST_F(ImGuiPainterTest, ManyLinesCloseToEachOtherAreOnePicture) {
  const Scene close = grid_of_lines(31, 6);
  const Raster seen = paint(close, theme::light(), 1);
  EXPECT_EQ(ImGui::GetDrawData()->CmdLists[0]->IdxBuffer.Size, 6 * (1 + 1));
  EXPECT_LT(different(seen, *to_raster(close, theme::light(), *fonts_)), 0.001);
  EXPECT_EQ(memory_.created, 1);
  const Scene apart = grid_of_lines(6, 40);
  EXPECT_LT(different(paint(apart, theme::light(), 1), *to_raster(apart, theme::light(), *fonts_)), 0.001);
  EXPECT_EQ(ImGui::GetDrawData()->CmdLists[0]->IdxBuffer.Size, 6 * (1 + 12));
}

TEST_F(ImGuiPainterTest, PicturesOfLinesHaveATexelForEachPixel) {
  ImGuiPainter painter(fonts_, memory_);
  for (int frame = 0; frame < 3; ++frame) paint(painter, grid_of_lines(31, 6), theme::dark(), 1);
  EXPECT_EQ(memory_.created, 1);
  int pictures = 0;
  for (const auto& [id, raster] : memory_.textures) {
    const auto traits = painter.traits(id);
    if (!traits.texel || traits.white) continue;
    ++pictures;
    EXPECT_DOUBLE_EQ(traits.texel->x * raster.width, 1);
    EXPECT_DOUBLE_EQ(traits.texel->y * raster.height, 1);
  }
  EXPECT_EQ(pictures, 1);
}

// Of panels: what is not on whole pixels is left to ImGui.
TEST_F(ImGuiPainterTest, ShapesOfPanelsAreUprightQuads) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {100, 100};
  io.DeltaTime = 1.0f / 60;
  ImGuiPainter painter(fonts_, memory_);
  ImGui::NewFrame();
  painter.begin_frame();
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  EXPECT_TRUE(painter.rounded(list, {10, 10, 40, 30}, 6, 0, IM_COL32_WHITE));
  EXPECT_TRUE(painter.rounded(list, {10, 10, 40, 30}, 6, 1, IM_COL32_WHITE));
  painter.disc(list, {20.3, 70.8}, 4, 0, IM_COL32_WHITE);
  EXPECT_EQ(list.IdxBuffer.Size, 6 * (4 + 3 + 4 + 4 + 1));
  EXPECT_FALSE(painter.rounded(list, {10.5, 10, 40, 30}, 6, 0, IM_COL32_WHITE));
  EXPECT_FALSE(painter.rounded(list, {10, 10, 60, 11}, 6, 0, IM_COL32_WHITE));
  EXPECT_EQ(list.IdxBuffer.Size, 6 * (4 + 3 + 4 + 4 + 1));
  painter.end_frame();
  ImGui::Render();
  SoftwareScreen screen(100, 100, memory_, font_);
  screen.draw(*ImGui::GetDrawData());
  const auto at = [&](int x, int y) { return screen.raster.pixels[static_cast<std::size_t>(y * 100 + x)].r; };
  EXPECT_EQ(at(30, 25), 255);
  EXPECT_LT(at(10, 10), 64);
  EXPECT_EQ(at(20, 70), 255);
  EXPECT_EQ(at(27, 70), 0);
}

double whole(const GlyphBitmap& mask) {
  double sum = 0;
  for (const std::uint8_t c : mask.coverage) sum += c / 255.0;
  return sum;
}

TEST(StrokeProfile, CoversTheWidthOfTheLine) {
  for (const double width : {1.0, 1.5, 4.0}) {
    const GlyphBitmap profile = stroke_profile(width);
    EXPECT_EQ(profile.height, 1);
    EXPECT_NEAR(whole(profile) * (width + 1) / profile.width, width, 0.01);
    EXPECT_LT(profile.coverage.front(), 8);
    EXPECT_GT(profile.coverage[profile.coverage.size() / 2], 247);
  }
}

TEST(CornerMask, CoversItsPartOfTheCorner) {
  constexpr double quarter = 3.14159265358979 / 4;
  for (const double radius : {1.0, 2.0, 5.0, 9.0}) {
    const GlyphBitmap disc = corner_mask(radius, 0);
    EXPECT_EQ(disc.width, radius);
    EXPECT_NEAR(whole(disc), quarter * radius * radius, 0.02 * radius * radius);
    const double inner = std::max(0.0, radius - 1);
    EXPECT_NEAR(whole(corner_mask(radius, 1)), quarter * (radius * radius - inner * inner), 0.05 * radius);
  }
  EXPECT_NEAR(whole(disc_mask(4, 0)), 4 * quarter * 16, 0.3);
  EXPECT_NEAR(whole(disc_mask(4.5, 1)), 4 * quarter * (4.5 * 4.5 - 3.5 * 3.5), 0.3);
  // What reaches beyond the rounding is straight.
  EXPECT_NEAR(whole(corner_mask(2.5, 0)), 9 - (1 - quarter) * 2.5 * 2.5, 0.1);
}

TEST(RoundedMask, IsARectangleWithoutItsCorners) {
  constexpr double corners = 4 - 3.14159265358979;
  const auto area_of = [&](double w, double h, double radius) { return w * h - corners * radius * radius; };
  for (const double radius : {0.0, 1.0, 2.5, 5.0}) {
    EXPECT_NEAR(whole(rounded_mask(10, 22, radius, 0)), area_of(10, 22, radius), 0.3);
    EXPECT_NEAR(whole(rounded_mask(10, 22, radius, 1)),
                area_of(10, 22, radius) - area_of(8, 20, std::max(0.0, radius - 1)), 0.5);
  }
  const GlyphBitmap narrow = rounded_mask(5, 9, 2.5, 0);  // its corners meet
  EXPECT_NEAR(whole(narrow), area_of(5, 9, 2.5), 0.2);
  EXPECT_EQ(narrow.coverage[4 * 5], 255);
}

double area(const std::vector<Point>& p, const std::vector<int>& t) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < t.size(); i += 3) {
    const Point a = p[static_cast<std::size_t>(t[i])], b = p[static_cast<std::size_t>(t[i + 1])],
                c = p[static_cast<std::size_t>(t[i + 2])];
    sum += std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
  }
  return sum;
}

TEST(Triangulate, CoversThePolygonOnce) {
  const std::vector<Point> notch{{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}};
  EXPECT_DOUBLE_EQ(area(notch, triangulate(notch)), 10);
  std::vector<Point> turned(notch.rbegin(), notch.rend());
  EXPECT_DOUBLE_EQ(area(turned, triangulate(turned)), 10);
  std::vector<Point> band;
  for (int i = 0; i < 200; ++i) band.push_back({static_cast<double>(i), 10 + 5 * std::sin(i * 0.3)});
  for (int i = 199; i >= 0; --i) band.push_back({static_cast<double>(i), 5 * std::sin(i * 0.3)});
  EXPECT_NEAR(area(band, triangulate(band)), 1990, 1e-6);
  EXPECT_TRUE(triangulate({{0, 0}, {1, 1}}).empty());
}

}  // namespace
}  // namespace warplens::paint
