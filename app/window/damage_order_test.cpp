// Random frames, drawn over each other as Damage takes them apart, against the same frames drawn whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include "app/window/damage.hpp"
#include "viz/paint/imgui/imgui_compat.hpp"

namespace warplens::app {
namespace {

constexpr int width = 310, height = 285;  // tiles that the edges cut

const ImTextureID picture = paint::compat::texture_id(77);
const ImVec2 white_of_image{0.25f, 0.75f};

struct Rgb {
  float r = 0, g = 0, b = 0;
};

// Draws triangles as OpenGL does: at pixel centres, edges on 1/256 of a pixel, each pixel of a common side in
// one triangle only, clipped and blended. Textures are white, and opaque at one texel only.
class Canvas {
 public:
  Canvas() : pixels_(static_cast<std::size_t>(width * height)) {}

  void draw(const ImDrawData& data) {
    for (int l = 0; l < data.CmdListsCount; ++l) {
      const ImDrawList& list = *data.CmdLists[l];
      for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback != nullptr) continue;
        const ImDrawIdx* const index = list.IdxBuffer.Data + command.IdxOffset;
        const ImDrawVert* const v = list.VtxBuffer.Data + command.VtxOffset;
        for (unsigned i = 0; i < command.ElemCount; i += 3)
          triangle(v[index[i]], v[index[i + 1]], v[index[i + 2]], command);
      }
    }
  }

  // The largest difference of a channel.
  float distance(const Canvas& other) const {
    float most = 0;
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const Rgb a = pixels_[i], b = other.pixels_[i];
      most = std::max({most, std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
    }
    return most;
  }

 private:
  struct Fixed {
    std::int64_t x, y;
  };
  static Fixed fixed(ImVec2 p) { return {std::llround(p.x * 256.0f), std::llround(p.y * 256.0f)}; }
  // Positive to the left of ab; on it for one of the two directions only.
  static bool is_inside(Fixed a, Fixed b, Fixed p) {
    const std::int64_t side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    const bool takes_edge = a.y < b.y || (a.y == b.y && a.x < b.x);
    return side > 0 || (side == 0 && takes_edge);
  }

  static float opacity(const ImDrawVert& v, ImTextureID texture) {
    const ImVec2 white = texture == picture ? white_of_image : ImGui::GetFontTexUvWhitePixel();
    return v.uv.x == white.x && v.uv.y == white.y ? 1 : 0.6f;
  }

  void triangle(const ImDrawVert& u, const ImDrawVert& v, const ImDrawVert& w, const ImDrawCmd& command) {
    const ImVec4& clip = command.ClipRect;
    const float shown = opacity(u, command.GetTexID());
    Fixed a = fixed(u.pos), b = fixed(v.pos), c = fixed(w.pos);
    std::int64_t area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0) return;
    const ImDrawVert *second = &v, *third = &w;
    if (area < 0) std::swap(b, c), std::swap(second, third), area = -area;
    const auto low = [](std::int64_t least, float edge) {
      return std::max(static_cast<int>(edge), static_cast<int>(least >> 8));
    };
    const auto high = [](std::int64_t most, float edge) {
      return std::min(static_cast<int>(edge), static_cast<int>(most >> 8) + 1);
    };
    for (int y = low(std::min({a.y, b.y, c.y}), clip.y); y < high(std::max({a.y, b.y, c.y}), clip.w); ++y) {
      for (int x = low(std::min({a.x, b.x, c.x}), clip.x); x < high(std::max({a.x, b.x, c.x}), clip.z); ++x) {
        const Fixed p{x * 256 + 128, y * 256 + 128};
        if (!is_inside(a, b, p) || !is_inside(b, c, p) || !is_inside(c, a, p)) continue;
        const auto part = [&](Fixed from, Fixed to) {
          return static_cast<float>((to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x)) /
                 static_cast<float>(area);
        };
        blend(x, y, {u.col, second->col, third->col}, {part(b, c), part(c, a), part(a, b)}, shown);
      }
    }
  }

  void blend(int x, int y, std::array<ImU32, 3> colors, std::array<float, 3> weights, float shown) {
    const auto channel = [&](int shift) {
      float sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += weights[i] * static_cast<float>(colors[i] >> shift & 255);
      return sum;
    };
    Rgb& out = pixels_[static_cast<std::size_t>(y * width + x)];
    const float alpha = shown * channel(IM_COL32_A_SHIFT) / 255;
    out.r += alpha * (channel(IM_COL32_R_SHIFT) - out.r);
    out.g += alpha * (channel(IM_COL32_G_SHIFT) - out.g);
    out.b += alpha * (channel(IM_COL32_B_SHIFT) - out.b);
  }

  std::vector<Rgb> pixels_;
};

struct Shape {
  enum class Kind { rectangle, card, frame, line, disc, image, text } kind;
  ImVec2 at, size;
  ImU32 color;
  float radius;
  bool clipped;
};

class Shapes {
 public:
  explicit Shapes(unsigned seed) : random_(seed) {}

  Shape next() {
    Shape s{};
    s.kind = static_cast<Shape::Kind>(upto(7));
    const bool is_large = upto(5) == 0;
    // Half pixels, as the scaled window has them, and whole ones.
    s.at = {0.5f * static_cast<float>(upto(2 * width)), 0.5f * static_cast<float>(upto(2 * height))};
    s.size = {static_cast<float>(2 + upto(is_large ? 250 : 40)),
              static_cast<float>(2 + upto(is_large ? 220 : 30))};
    s.color = IM_COL32(upto(256), upto(256), upto(256), upto(2) == 0 ? 255 : upto(256));
    s.radius = static_cast<float>(2 + upto(9));
    s.clipped = upto(4) == 0;
    return s;
  }
  int upto(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

 private:
  std::mt19937 random_;
};

void draw(const Shape& s, ImDrawList& list) {
  const ImVec2 end{s.at.x + s.size.x, s.at.y + s.size.y};
  if (s.clipped)
    list.PushClipRect({std::floor(s.at.x) + 3, std::floor(s.at.y) + 5},
                      {std::floor(end.x) - 7, std::floor(end.y)}, true);
  switch (s.kind) {
    case Shape::Kind::rectangle:
      list.AddRectFilled(s.at, end, s.color);
      break;
    case Shape::Kind::card:
      list.AddRectFilled(s.at, end, s.color, s.radius);
      break;
    case Shape::Kind::frame:
      list.AddRect(s.at, end, s.color, s.radius);
      break;
    case Shape::Kind::line:
      list.AddLine(s.at, end, s.color, s.radius / 2);
      break;
    case Shape::Kind::disc:
      list.AddCircleFilled(s.at, s.size.x / 2, s.color);
      break;
    case Shape::Kind::image:
      list.AddImage(picture, s.at, end, {0, 0}, {1, 1}, s.color);
      break;
    case Shape::Kind::text:
      list.AddText({std::floor(s.at.x), std::floor(s.at.y)}, s.color, "128 bytes");
      break;
  }
  if (s.clipped) list.PopClipRect();
}

class DamageOrder : public ::testing::TestWithParam<unsigned> {
 protected:
  DamageOrder() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {width, height};
    unsigned char* pixels = nullptr;
    int unused = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &unused, &unused);
    // The renderer may not know of the texel, or know it.
    const auto traits = [](ImTextureID texture) {
      return GetParam() % 2 == 1 && texture == picture ? damage::TextureTraits{.white = white_of_image}
                                                       : damage::TextureTraits{};
    };
    damage_ = std::make_unique<Damage>(damage::Programs{}, traits);
  }
  ~DamageOrder() override {
    damage_.reset();
    ImGui::DestroyContext(context_);
  }

  ImGuiContext* context_;
  std::unique_ptr<Damage> damage_;
};

TEST_P(DamageOrder, FramesOverEachOtherLookAsFramesDrawnWhole) {
  Shapes shapes(GetParam());
  std::vector<Shape> shown;
  for (int i = 0; i < 60; ++i) shown.push_back(shapes.next());
  Canvas kept;
  double parts = 0;
  for (int frame = 0; frame < 12; ++frame) {
    for (int i = 0; i < 3; ++i) shown[static_cast<std::size_t>(shapes.upto(60))] = shapes.next();
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({0, 0}, {width, height}, IM_COL32(15, 18, 23, 255));
    for (const Shape& shape : shown) draw(shape, list);
    ImGui::Render();
    Canvas whole;
    whole.draw(*ImGui::GetDrawData());
    kept.draw(*damage_->of(*ImGui::GetDrawData()));
    EXPECT_LT(kept.distance(whole), 0.5f) << "frame " << frame;
    parts += frame > 0 ? damage_->share() : 0;
  }
  EXPECT_LT(parts, 11);  // it was not drawn whole each time
}

INSTANTIATE_TEST_SUITE_P(Seeds, DamageOrder, ::testing::Range(1u, 25u));

}  // namespace
}  // namespace warplens::app
