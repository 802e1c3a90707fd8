#include "viz/paint/imgui/imgui_painter.hpp"

#include <algorithm>
#include <cmath>

#include "viz/paint/imgui/glyph_atlas.hpp"
#include "viz/paint/imgui/imgui_compat.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::paint {
namespace {

using namespace scene;

ImU32 packed(theme::Rgba c) { return IM_COL32(c.r, c.g, c.b, c.a); }

class Emitter {
 public:
  Emitter(ImDrawList& list, const theme::Theme& theme, const Fonts& fonts, ImGuiPainter::Atlas& atlas,
          TextureStore& textures)
      : list_(list), theme_(theme), fonts_(fonts), atlas_(atlas), textures_(textures) {}

  void group(const Group& g, Point origin, double scale) {
    if (!(g.scale > 0)) return;
    const Point outer_origin = origin_;
    const double outer_scale = scale_;
    origin_ = origin + g.origin * scale;
    scale_ = scale * g.scale;
    if (g.clip) {
      const auto [a, b] = snapped(*g.clip);
      list_.PushClipRect(a, b, true);
    }
    for (const Item& item : g.items) std::visit([&](const auto& shape) { draw(shape); }, item.shape);
    if (g.clip) list_.PopClipRect();
    origin_ = outer_origin, scale_ = outer_scale;
  }

 private:
  ImVec2 out(Point p) const {
    return {static_cast<float>(origin_.x + p.x * scale_), static_cast<float>(origin_.y + p.y * scale_)};
  }
  ImU32 color(const Color& c) const { return packed(resolve(c, theme_)); }
  float width(double w) const { return static_cast<float>(w * scale_); }
  float snapped_width(double w) const { return std::max(1.0f, std::round(width(w))); }

  // Corners on whole pixels, as the cairo painter snaps them.
  std::pair<ImVec2, ImVec2> snapped(const Rect& r) const {
    ImVec2 a = out({r.x, r.y}), b = out({r.right(), r.bottom()});
    a = {std::round(a.x), std::round(a.y)}, b = {std::round(b.x), std::round(b.y)};
    if (r.width > 0) b.x = std::max(b.x, a.x + 1);
    if (r.height > 0) b.y = std::max(b.y, a.y + 1);
    return {a, b};
  }

  static ImVec2 on_pixels(ImVec2 p, float w) {
    const bool odd = static_cast<int>(w) % 2 == 1;
    return odd ? ImVec2{std::floor(p.x) + 0.5f, std::floor(p.y) + 0.5f}
               : ImVec2{std::round(p.x), std::round(p.y)};
  }

  void draw(const RectShape& s) {
    if (s.rect.width < 0 || s.rect.height < 0) return;
    // Of a corner that nobody sees: ImGui divides by its number of segments, which is 0 below 1e-6.
    const float radius = width(s.radius) < 0.1f ? 0 : width(s.radius);
    if (s.style.fill) {
      const auto [a, b] = snapped(s.rect);
      list_.AddRectFilled(a, b, color(*s.style.fill), std::min({radius, (b.x - a.x) / 2, (b.y - a.y) / 2}));
    }
    if (!s.style.stroke) return;
    if (!s.style.stroke->dash.empty())
      return outlines(flatten(rounded_rect_path(s.rect, s.radius), 0.2 / scale_), *s.style.stroke);
    const float w = snapped_width(s.style.stroke->width);
    const ImVec2 a = on_pixels(out({s.rect.x, s.rect.y}), w),
                 b = on_pixels(out({s.rect.right(), s.rect.bottom()}), w);
    list_.PathRect(a, b, radius);
    compat::add_polyline(list_, list_._Path.Data, list_._Path.Size, color(s.style.stroke->color), true, w);
    list_.PathClear();
  }

  void draw(const LineShape& s) {
    if (!s.stroke.dash.empty()) return outlines({{{s.from, s.to}, false}}, s.stroke);
    const ImVec2 ends[] = {out(s.from), out(s.to)};
    if (s.from.x == s.to.x || s.from.y == s.to.y) return draw_upright(s, ends[0], ends[1]);
    compat::add_polyline(list_, ends, 2, color(s.stroke.color), false, line_width(s.stroke.width));
  }

  // ImGui draws a line that is whole pixels wide as two triangles with soft edges from its texture, and any
  // other as six: where the eye hardly tells them apart, the former.
  float line_width(double scene_width) const {
    constexpr float hardly = 0.3f;
    const float exact = width(scene_width), whole = std::max(1.0f, std::round(exact));
    return std::abs(exact - whole) <= hardly ? whole : exact;
  }

  // Whole pixels wide, so that it is a rectangle without soft edges.
  void draw_upright(const LineShape& s, ImVec2 from, ImVec2 to) {
    const float w = snapped_width(s.stroke.width);
    const ImVec2 p = on_pixels(from, w);
    if (s.from.x == s.to.x)
      list_.AddRectFilled({p.x - w / 2, std::min(from.y, to.y)}, {p.x + w / 2, std::max(from.y, to.y)},
                          color(s.stroke.color));
    else
      list_.AddRectFilled({std::min(from.x, to.x), p.y - w / 2}, {std::max(from.x, to.x), p.y + w / 2},
                          color(s.stroke.color));
  }

  void draw(const PathShape& s) {
    const auto found = flatten(s.path, 0.2 / scale_);
    if (s.style.fill)
      for (const Outline& outline : found) fill(outline, color(*s.style.fill));
    if (s.style.stroke) outlines(found, *s.style.stroke);
  }

  static bool convex(const std::vector<Point>& p) {
    int left = 0, right = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Point a = p[i], b = p[(i + 1) % p.size()], c = p[(i + 2) % p.size()];
      const double turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
      left += turn > 1e-9, right += turn < -1e-9;
    }
    return left == 0 || right == 0;
  }

  void fill(const Outline& outline, ImU32 c) {
    if (outline.points.size() < 3) return;
    std::vector<ImVec2> points;
    for (const Point p : outline.points) points.push_back(out(p));
    const int count = static_cast<int>(points.size());
    if (convex(outline.points)) return list_.AddConvexPolyFilled(points.data(), count, c);
    const auto triangles = triangulate(outline.points);
    // Without smoothing: seams between triangles would show in a translucent fill.
    for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
      list_.PrimReserve(3, 3);
      for (std::size_t k = 0; k < 3; ++k)
        list_.PrimVtx(points[static_cast<std::size_t>(triangles[i + k])], ImGui::GetFontTexUvWhitePixel(), c);
    }
  }

  void outlines(const std::vector<Outline>& found, const Stroke& stroke) {
    for (const Outline& outline : found)
      for (const Outline& piece : dashed(outline, stroke.dash)) polyline(piece, stroke);
  }

  // In pieces: ImGui's indices have 16 bits, and a thick line takes four vertices a point.
  void polyline(const Outline& outline, const Stroke& stroke) {
    constexpr std::size_t most = 8192;
    std::vector<ImVec2> points;
    for (const Point p : outline.points) points.push_back(out(p));
    if (points.size() < 2) return;
    const float w = std::max(line_width(stroke.width), 0.5f);
    const ImU32 c = color(stroke.color);
    const auto add = [&](std::size_t from, std::size_t count, bool closed) {
      compat::add_polyline(list_, points.data() + from, static_cast<int>(count), c, closed, w);
    };
    if (points.size() <= most) return add(0, points.size(), outline.closed);
    if (outline.closed) points.push_back(points.front());
    for (std::size_t from = 0; from + 1 < points.size(); from += most - 1)
      add(from, std::min(most, points.size() - from), false);
  }

  void draw(const TextShape& s) {
    const PlacedText placed = place(s, fonts_);
    const ImVec2 pen = out(placed.baseline);
    const float baseline = std::round(pen.y);
    const double size = s.style.size * scale_;
    const ImU32 c = color(s.style.color);
    constexpr int none = -1;
    constexpr float texel = 1.0f / ImGuiPainter::Atlas::kPageSize;
    int page = none;
    for (const Glyph& g : fonts_.glyphs(placed.text, s.style)) {
      const double x = pen.x + g.x * scale_, whole = std::floor(x);
      const auto& at = atlas_.find(g.face, g.index, size, x - whole);
      if (at.width == 0) continue;
      const float left = static_cast<float>(whole) + static_cast<float>(at.left),
                  top = baseline - static_cast<float>(at.top);
      const float u = static_cast<float>(at.x) * texel, v = static_cast<float>(at.y) * texel;
      const float w = static_cast<float>(at.width), h = static_cast<float>(at.height);
      if (at.page != page) {
        if (page != none) compat::pop_texture(list_);
        compat::push_texture(list_, atlas_.texture(page = at.page));
      }
      list_.PrimReserve(6, 4);
      list_.PrimRectUV({left, top}, {left + w, top + h}, {u, v}, {u + w * texel, v + h * texel}, c);
    }
    if (page != none) compat::pop_texture(list_);
  }

  void draw(const ImageShape& s) {
    const auto [a, b] = snapped(s.rect);
    // One texture serves a range of sizes, so that zooming does not make a new one each frame.
    const auto most = [](float length) {
      return static_cast<int>(std::exp2(std::ceil(std::log2(std::max(64.0f, length)))));
    };
    const int most_width = std::min(s.pixels->width, most(b.x - a.x)),
              most_height = std::min(s.pixels->height, most(b.y - a.y));
    std::uint64_t key = s.pixels->fingerprint;
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(most_width), static_cast<std::uint64_t>(most_height),
          static_cast<std::uint64_t>(theme_.name.size() + static_cast<unsigned char>(theme_.name[0]))})
      key = (key ^ part) * 0x9e3779b97f4a7c15ull, key ^= key >> 29;
    auto texture = textures_.find(key);
    if (!texture) texture = textures_.create(key, resolve(*s.pixels, theme_, most_width, most_height));
    const int alpha = static_cast<int>(255 * std::clamp(s.alpha, 0.0, 1.0) + 0.5);
    list_.AddImage(compat::texture_id(*texture), a, b, {0, 0}, {1, 1}, IM_COL32(255, 255, 255, alpha));
  }

  void draw(const Group& g) { group(g, origin_, scale_); }

  ImDrawList& list_;
  const theme::Theme& theme_;
  const Fonts& fonts_;
  ImGuiPainter::Atlas& atlas_;
  TextureStore& textures_;
  Point origin_ = {};
  double scale_ = 1;
};

}  // namespace

ImGuiPainter::ImGuiPainter(std::shared_ptr<const Fonts> fonts, TextureStore& textures)
    : fonts_(std::move(fonts)), textures_(textures), atlas_(std::make_unique<Atlas>(*fonts_, textures)) {}

ImGuiPainter::~ImGuiPainter() = default;

void ImGuiPainter::begin_frame() { atlas_->begin_frame(); }
void ImGuiPainter::end_frame() { atlas_->upload(); }

void ImGuiPainter::paint(const Scene& scene, const theme::Theme& theme, ImDrawList& list, Point origin,
                         double scale, bool with_background) {
  Group root;
  if (with_background) {
    root.rect({0, 0, scene.size.width, scene.size.height}, {.fill = scene.background});
    Emitter(list, theme, *fonts_, *atlas_, textures_).group(root, origin, scale);
  }
  Emitter(list, theme, *fonts_, *atlas_, textures_).group(scene.root, origin, scale);
}

}  // namespace warplens::paint
