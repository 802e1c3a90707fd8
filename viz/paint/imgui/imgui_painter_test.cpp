#include "viz/paint/imgui/imgui_painter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/imgui/imgui_compat.hpp"
#include "viz/paint/testing/paint_samples.hpp"

namespace warplens::paint {
namespace {

theme::Rgba blend(theme::Rgba over, theme::Rgba under) {
  const auto mix = [&](int o, int u) {
    return static_cast<std::uint8_t>((o * over.a + u * (255 - over.a) + 127) / 255);
  };
  return {mix(over.r, under.r), mix(over.g, under.g), mix(over.b, under.b), mix(255, under.a)};
}

using namespace scene;

// Textures in memory; the id is the key's number, from 2 (1 is ImGui's own font texture).
class Memory final : public TextureStore {
 public:
  std::optional<std::uint64_t> find(std::uint64_t key) override {
    const auto it = ids.find(key);
    return it == ids.end() ? std::nullopt : std::optional(it->second);
  }
  std::uint64_t create(std::uint64_t key, const Raster& pixels) override {
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
  // In 1/256 of a pixel, as GPUs count.
  struct Place {
    std::int64_t x, y;
  };
  static Place place(ImVec2 p) { return {std::lround(p.x * 256), std::lround(p.y * 256)}; }

  // How far s is to the right of the edge from p to q; what is on the edge belongs to the triangle whose
  // upper or left edge it is.
  static std::int64_t right_of(Place p, Place q, Place s) {
    return (q.x - p.x) * (s.y - p.y) - (q.y - p.y) * (s.x - p.x);
  }
  static bool is_in(std::int64_t right, Place p, Place q) {
    const bool is_upper_or_left = q.y < p.y || (q.y == p.y && q.x > p.x);
    return right > 0 || (right == 0 && is_upper_or_left);
  }

  void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawCmd& command) {
    const Place pa = place(a.pos), pb = place(b.pos), pc = place(c.pos);
    const std::int64_t whole = right_of(pa, pb, pc);
    if (whole < 0) return triangle(a, c, b, command);
    if (whole == 0) return;
    const auto first = [](float v, float clip) { return static_cast<int>(std::floor(std::max(v, clip))); };
    const ImVec4& clip = command.ClipRect;
    const int x1 = std::min(
        raster.width, static_cast<int>(std::ceil(std::min(std::max({a.pos.x, b.pos.x, c.pos.x}), clip.z))));
    const int y1 = std::min(
        raster.height, static_cast<int>(std::ceil(std::min(std::max({a.pos.y, b.pos.y, c.pos.y}), clip.w))));
    for (int y = std::max(0, first(std::min({a.pos.y, b.pos.y, c.pos.y}), clip.y)); y < y1; ++y)
      for (int x = std::max(0, first(std::min({a.pos.x, b.pos.x, c.pos.x}), clip.x)); x < x1; ++x) {
        const Place p{256 * std::int64_t{x} + 128, 256 * std::int64_t{y} + 128};
        const std::int64_t of_a = right_of(pb, pc, p), of_b = right_of(pc, pa, p), of_c = right_of(pa, pb, p);
        if (!is_in(of_a, pb, pc) || !is_in(of_b, pc, pa) || !is_in(of_c, pa, pb)) continue;
        const auto share = [&](std::int64_t part) {
          return static_cast<float>(part) / static_cast<float>(whole);
        };
        const float u = share(of_a), v = share(of_b), w = share(of_c);
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
    out = blend({channel(0, texel.r), channel(8, texel.g), channel(16, texel.b), channel(24, texel.a)}, out);
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
    io.Fonts->Flags |= ImFontAtlasFlags_NoBakedLines;  // as the window has it
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

// The cells that a warp reads: one row of a matrix, or none; the rest is clear.
TEST_F(ImGuiPainterTest, ImagesLookAsThoseOfTheCairoPainter) {
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

// On its way from a sharp corner to a round one a rectangle has any radius.
TEST_F(ImGuiPainterTest, ACornerMayBeAsSmallAsCanBe) {
  Scene round({100, 60}), sharp({100, 60});
  for (const auto& [scene, radius] : {std::pair(&round, 1e-9), std::pair(&sharp, 0.0)})
    scene->root.rect({10, 10, 60, 30}, {.fill = Token::accent, .stroke = Stroke{Token::text, 1}}, radius);
  EXPECT_EQ(different(paint(round, theme::dark(), 1), paint(sharp, theme::dark(), 1)), 0);
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

// As between the cells of a matrix: whole pixels, however they are scaled.
TEST_F(ImGuiPainterTest, UprightLinesAreCrisp) {
  Scene scene({300, 300});
  for (int i = 1; i <= 31; ++i) {
    const double at = 20 + 6.0 * i;
    scene.root.line({at, 20}, {at, 212}, {Color{Token::text, 0.6}, 1});
    scene.root.line({20, at}, {212, at}, {i % 8 == 0 ? Color{Token::accent} : Color{Token::text, 0.6}, 1});
  }
  for (const double scale : {1.0, 1.25})
    EXPECT_LT(
        different(paint(scene, theme::light(), scale), *to_raster(scene, theme::light(), *fonts_, scale)),
        0.001)
        << scale;
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
