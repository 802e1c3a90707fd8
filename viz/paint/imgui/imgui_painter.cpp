#include "viz/paint/imgui/imgui_painter.hpp"

#include <algorithm>
#include <cmath>

#include "viz/paint/imgui/glyph_atlas.hpp"
#include "viz/paint/imgui/image_pictures.hpp"
#include "viz/paint/imgui/imgui_compat.hpp"
#include "viz/paint/imgui/line_pictures.hpp"
#include "viz/paint/imgui/rounded.hpp"
#include "viz/paint/imgui/strokes.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::paint {
namespace {

using namespace scene;

constexpr float least_radius = 0.5f;  // pixels; ImGui draws no smaller ones either

ImU32 packed(theme::Rgba c) { return IM_COL32(c.r, c.g, c.b, c.a); }

class Emitter {
 public:
  Emitter(ImDrawList& list, const theme::Theme& theme, const Fonts& fonts, ImGuiPainter::Atlas& atlas,
          ImGuiPainter::LinePictures& line_pictures, ImGuiPainter::ImagePictures& image_pictures)
      : list_(list),
        theme_(theme),
        fonts_(fonts),
        atlas_(atlas),
        line_pictures_(line_pictures),
        image_pictures_(image_pictures) {}

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
    for (std::size_t i = 0; i < g.items.size();) {
      const std::size_t lines = draw_upright_lines(std::span(g.items).subspan(i));
      if (lines == 0) std::visit([&](const auto& shape) { draw(shape); }, g.items[i].shape);
      i += std::max<std::size_t>(lines, 1);
    }
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

  struct Frame {
    ImVec2 a, b;  // the corners of the middle of its line
    float width = 0;
  };
  Frame middle_of_frame(const RectShape& s) const {
    const float w = snapped_width(s.style.stroke->width);
    return {on_pixels(out({s.rect.x, s.rect.y}), w), on_pixels(out({s.rect.right(), s.rect.bottom()}), w), w};
  }

  // An opaque fill in an opaque frame is two rectangles, one on the other, instead of five. False, and
  // nothing drawn, where it is not that.
  bool draw_framed(const RectShape& s) {
    if (!s.style.fill || !s.style.stroke || !s.style.stroke->dash.empty()) return false;
    const theme::Rgba fill = resolve(*s.style.fill, theme_), line = resolve(s.style.stroke->color, theme_);
    if (fill.a < 255 || line.a < 255) return false;
    const auto [a, b, w] = middle_of_frame(s);
    const float half = w / 2;
    list_.AddRectFilled({a.x - half, a.y - half}, {b.x + half, b.y + half}, packed(line));
    const ImVec2 low{a.x + half, a.y + half}, high{b.x - half, b.y - half};
    if (low.x < high.x && low.y < high.y) list_.AddRectFilled(low, high, packed(fill));
    return true;
  }

  void draw(const RectShape& s) {
    if (s.rect.width < 0 || s.rect.height < 0) return;
    const float radius = width(s.radius);
    if (radius < least_radius && draw_framed(s)) return;
    if (s.style.fill) {
      const auto [a, b] = snapped(s.rect);
      const float round = std::min({radius, (b.x - a.x) / 2, (b.y - a.y) / 2});
      const ImU32 c = color(*s.style.fill);
      if (round < least_radius || !add_rounded(list_, atlas_, a, b, round, 0, c))
        list_.AddRectFilled(a, b, c, round);
    }
    if (!s.style.stroke) return;
    if (!s.style.stroke->dash.empty())
      return outlines(flatten(rounded_rect_path(s.rect, s.radius), 0.2 / scale_), *s.style.stroke);
    const auto [a, b, w] = middle_of_frame(s);
    const ImVec2 low{a.x - w / 2, a.y - w / 2}, high{b.x + w / 2, b.y + w / 2};
    const ImU32 c = color(s.style.stroke->color);
    const float round = std::min({radius, (b.x - a.x) / 2, (b.y - a.y) / 2});
    if (round < least_radius) return add_frame(list_, low, high, w, c);
    if (add_rounded(list_, atlas_, low, high, round + w / 2, w, c)) return;
    list_.PathRect(a, b, radius);
    add({list_._Path.Data, static_cast<std::size_t>(list_._Path.Size)}, true, c, w);
    list_.PathClear();
  }

  void draw(const LineShape& s) {
    if (!s.stroke.dash.empty()) return outlines({{{s.from, s.to}, false}}, s.stroke);
    const ImVec2 ends[] = {out(s.from), out(s.to)};
    add(ends, false, color(s.stroke.color), width(s.stroke.width));
  }

  static bool is_upright(const LineShape& s) {
    return s.stroke.dash.empty() && (s.from.x == s.to.x || s.from.y == s.to.y);
  }

  // The pixels that it covers: it is whole pixels wide, so it needs no soft edges.
  ImGuiPainter::LinePictures::Line upright(const LineShape& s) const {
    const ImVec2 from = out(s.from), to = out(s.to);
    const float w = snapped_width(s.stroke.width);
    const ImVec2 p = on_pixels(from, w);
    const auto first = [](float edge) { return static_cast<int>(std::ceil(edge - 0.5f)); };
    const auto span = [&](float a, float b) {
      return std::pair(first(std::min(a, b)), first(std::max(a, b)));
    };
    const bool is_vertical = s.from.x == s.to.x;
    const auto [x0, x1] = is_vertical ? span(p.x - w / 2, p.x + w / 2) : span(from.x, to.x);
    const auto [y0, y1] = is_vertical ? span(from.y, to.y) : span(p.y - w / 2, p.y + w / 2);
    return {x0, y0, x1, y1, resolve(s.stroke.color, theme_)};
  }

  // Of those that the items begin with; answers how many there are.
  std::size_t draw_upright_lines(std::span<const Item> items) {
    lines_.clear();
    for (const Item& item : items) {
      const auto* line = std::get_if<LineShape>(&item.shape);
      if (line == nullptr || !is_upright(*line)) break;
      lines_.push_back(upright(*line));
    }
    if (line_pictures_.draw(list_, lines_)) return lines_.size();
    for (const auto& line : lines_)
      list_.AddRectFilled({static_cast<float>(line.x0), static_cast<float>(line.y0)},
                          {static_cast<float>(line.x1), static_cast<float>(line.y1)}, packed(line.color));
    return lines_.size();
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

  // In pieces: ImGui's indices have 16 bits, and its own thick lines take four vertices a point.
  void polyline(const Outline& outline, const Stroke& stroke) {
    constexpr std::size_t most = 8192;
    std::vector<ImVec2> points;
    for (const Point p : outline.points) points.push_back(out(p));
    if (points.size() < 2) return;
    const float w = std::max(width(stroke.width), 0.5f);
    const ImU32 c = color(stroke.color);
    if (points.size() <= most) return add(points, outline.closed, c, w);
    if (outline.closed) points.push_back(points.front());
    for (std::size_t from = 0; from + 1 < points.size(); from += most - 1)
      add(std::span(points).subspan(from, std::min(most, points.size() - from)), false, c, w);
  }

  void add(std::span<const ImVec2> points, bool closed, ImU32 c, float w) {
    add_stroke(list_, atlas_, points, closed, c, w);
  }

  void draw(const TextShape& s) {
    const PlacedText placed = place(s, fonts_);
    const ImVec2 pen = out(placed.baseline);
    const float baseline = std::round(pen.y);
    const double size = s.style.size * scale_;
    const ImU32 c = color(s.style.color);
    constexpr int none = -1;
    constexpr float texel = 1.0f / ImGuiPainter::Atlas::page_size;
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
    image_pictures_.draw(list_, *s.pixels, theme_, a, b);
  }

  void draw(const Group& g) { group(g, origin_, scale_); }

  ImDrawList& list_;
  const theme::Theme& theme_;
  const Fonts& fonts_;
  ImGuiPainter::Atlas& atlas_;
  ImGuiPainter::LinePictures& line_pictures_;
  ImGuiPainter::ImagePictures& image_pictures_;
  std::vector<ImGuiPainter::LinePictures::Line> lines_;
  Point origin_ = {};
  double scale_ = 1;
};

}  // namespace

ImGuiPainter::ImGuiPainter(std::shared_ptr<const Fonts> fonts, TextureStore& textures)
    : fonts_(std::move(fonts)),
      atlas_(std::make_unique<Atlas>(*fonts_, textures)),
      line_pictures_(std::make_unique<LinePictures>(textures)),
      image_pictures_(std::make_unique<ImagePictures>(textures)) {}

ImGuiPainter::~ImGuiPainter() = default;

bool ImGuiPainter::begin_frame() {
  line_pictures_->begin_frame();
  image_pictures_->begin_frame();
  return atlas_->begin_frame();
}
void ImGuiPainter::end_frame() { atlas_->upload(); }

ImGuiPainter::Traits ImGuiPainter::traits(std::uint64_t texture) const {
  constexpr double texel = 1.0 / Atlas::page_size;
  if (atlas_->is_page(texture))
    return {scene::Point{texel / 2, texel / 2}, scene::Point{texel, texel}, false};
  if (const auto size = line_pictures_->size_of(texture))
    return {std::nullopt, scene::Point{1 / size->width, 1 / size->height}, true};
  return {.is_image = image_pictures_->has(texture)};
}

bool ImGuiPainter::rounded(ImDrawList& list, const Rect& rect, double radius, double ring,
                           std::uint32_t color) {
  for (const double edge : {rect.x, rect.y, rect.right(), rect.bottom()})
    if (edge != std::round(edge)) return false;
  const ImVec2 a{static_cast<float>(rect.x), static_cast<float>(rect.y)};
  const ImVec2 b{static_cast<float>(rect.right()), static_cast<float>(rect.bottom())};
  if ((color & IM_COL32_A_MASK) == 0) return true;
  if (radius >= least_radius)
    return add_rounded(list, *atlas_, a, b, static_cast<float>(radius), static_cast<float>(ring), color);
  if (ring > 0) add_frame(list, a, b, static_cast<float>(ring), color);
  return ring > 0;
}

void ImGuiPainter::disc(ImDrawList& list, Point center, double radius, double ring, std::uint32_t color) {
  add_disc(list, *atlas_, {static_cast<float>(center.x), static_cast<float>(center.y)},
           static_cast<float>(radius), static_cast<float>(ring), color);
}

void ImGuiPainter::paint(const Scene& scene, const theme::Theme& theme, ImDrawList& list, Point origin,
                         double scale, bool with_background) {
  Group root;
  if (with_background) {
    root.rect({0, 0, scene.size.width, scene.size.height}, {.fill = scene.background});
    Emitter(list, theme, *fonts_, *atlas_, *line_pictures_, *image_pictures_).group(root, origin, scale);
  }
  Emitter(list, theme, *fonts_, *atlas_, *line_pictures_, *image_pictures_).group(scene.root, origin, scale);
}

}  // namespace warplens::paint
