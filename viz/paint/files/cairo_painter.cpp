#include "viz/paint/files/cairo_painter.hpp"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>

#include <cmath>
#include <cstring>
#include <map>

#include "viz/scene/text_layout.hpp"

namespace warplens::paint {
namespace {

using namespace scene;

template <auto destroy>
struct Deleter {
  template <class T>
  void operator()(T* p) const {
    destroy(p);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Deleter<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Deleter<cairo_destroy>>;
using FontFace = std::unique_ptr<cairo_font_face_t, Deleter<cairo_font_face_destroy>>;

FontFace open_face(const FaceFile& file) {
  FcPattern* pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(file.path.c_str()));
  FcPatternAddInteger(pattern, FC_INDEX, file.index);
  FontFace face(cairo_ft_font_face_create_for_pattern(pattern));
  FcPatternDestroy(pattern);
  return face;
}

std::uint32_t premultiplied(theme::Rgba c) {
  const auto channel = [&](std::uint32_t v) { return (v * c.a + 127) / 255; };
  return std::uint32_t{c.a} << 24 | channel(c.r) << 16 | channel(c.g) << 8 | channel(c.b);
}

Surface image_surface(const Raster& raster) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, raster.width, raster.height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return surface;
  cairo_surface_flush(surface.get());
  unsigned char* rows = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x) {
      const std::uint32_t word =
          premultiplied(raster.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) +
                                      static_cast<std::size_t>(x)]);
      std::memcpy(rows + y * stride + x * 4, &word, 4);
    }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

class Painter {
 public:
  // detail: pixels a scene pixel that images are worth; snap: whether edges are moved to whole pixels.
  Painter(cairo_t* context, const theme::Theme& theme, const Fonts& fonts, double detail, bool snap)
      : cr_(context), theme_(theme), fonts_(fonts), detail_(detail), snap_(snap) {
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr_, options);
    cairo_font_options_destroy(options);
  }

  void scene(const Scene& s) {
    set(resolve(s.background, theme_));
    cairo_paint(cr_);
    draw(s.root);
  }

 private:
  void set(theme::Rgba c) { cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0); }

  double scale() const {
    cairo_matrix_t m;
    cairo_get_matrix(cr_, &m);
    return m.xx;
  }

  // The nearest place where an edge falls between two pixels.
  Point on_edge(Point p) const {
    cairo_user_to_device(cr_, &p.x, &p.y);
    p = {std::round(p.x), std::round(p.y)};
    cairo_device_to_user(cr_, &p.x, &p.y);
    return p;
  }

  // The nearest place where a line of this width covers whole pixels.
  Point on_pixels(Point p, double width) const {
    const bool odd = static_cast<long>(std::max(1.0, std::round(width * scale()))) % 2 == 1;
    cairo_user_to_device(cr_, &p.x, &p.y);
    if (odd)
      p = {std::floor(p.x) + 0.5, std::floor(p.y) + 0.5};
    else
      p = {std::round(p.x), std::round(p.y)};
    cairo_device_to_user(cr_, &p.x, &p.y);
    return p;
  }

  double line_width(double width) const {
    return snap_ ? std::max(1.0, std::round(width * scale())) / scale() : width;
  }

  void stroke(const Stroke& s, double width) {
    set(resolve(s.color, theme_));
    cairo_set_line_width(cr_, width);
    cairo_set_line_cap(cr_, s.round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr_, s.round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
    cairo_set_dash(cr_, s.dash.data(), static_cast<int>(s.dash.size()), 0);
    cairo_stroke(cr_);
  }

  void trace(const Path& path) {
    cairo_new_path(cr_);
    for (const Segment& s : path.segments) {
      if (s.kind == Segment::Kind::move) cairo_move_to(cr_, s.to.x, s.to.y);
      if (s.kind == Segment::Kind::line) cairo_line_to(cr_, s.to.x, s.to.y);
      if (s.kind == Segment::Kind::cubic)
        cairo_curve_to(cr_, s.control_1.x, s.control_1.y, s.control_2.x, s.control_2.y, s.to.x, s.to.y);
      if (s.kind == Segment::Kind::close) cairo_close_path(cr_);
    }
  }

  void rect_path(const Rect& r, double radius) { trace(rounded_rect_path(r, radius)); }

  // Between whole pixels, and at least one pixel wide and high where it was not empty.
  Rect snapped(const Rect& r) const {
    const Point a = on_edge({r.x, r.y}), b = on_edge({r.right(), r.bottom()});
    const double pixel = 1 / scale();
    return {a.x, a.y, r.width > 0 ? std::max(b.x - a.x, pixel) : 0,
            r.height > 0 ? std::max(b.y - a.y, pixel) : 0};
  }

  void draw(const RectShape& s) {
    if (s.rect.width < 0 || s.rect.height < 0) return;
    if (s.style.fill) {
      rect_path(snap_ ? snapped(s.rect) : s.rect, s.radius);
      set(resolve(*s.style.fill, theme_));
      cairo_fill(cr_);
    }
    if (!s.style.stroke) return;
    Rect r = s.rect;
    const double width = line_width(s.style.stroke->width);
    if (snap_) {
      const Point a = on_pixels({r.x, r.y}, width), b = on_pixels({r.right(), r.bottom()}, width);
      r = {a.x, a.y, b.x - a.x, b.y - a.y};
    }
    rect_path(r, s.radius);
    stroke(*s.style.stroke, width);
  }

  void draw(const LineShape& s) {
    Point a = s.from, b = s.to;
    const bool straight = a.x == b.x || a.y == b.y;
    const double width = straight ? line_width(s.stroke.width) : s.stroke.width;
    if (snap_ && straight) {
      const Point p = on_pixels(a, width), q = on_pixels(b, width);
      if (a.x == b.x)
        a.x = b.x = p.x;
      else
        a.y = b.y = q.y;
    }
    cairo_new_path(cr_);
    cairo_move_to(cr_, a.x, a.y);
    cairo_line_to(cr_, b.x, b.y);
    stroke(s.stroke, width);
  }

  void draw(const PathShape& s) {
    trace(s.path);
    if (s.style.fill) {
      set(resolve(*s.style.fill, theme_));
      s.style.stroke ? cairo_fill_preserve(cr_) : cairo_fill(cr_);
    }
    if (s.style.stroke) stroke(*s.style.stroke, s.style.stroke->width);
    cairo_new_path(cr_);
  }

  void draw(const TextShape& s) {
    PlacedText placed = place(s, fonts_);
    if (snap_) placed.baseline.y = on_edge(placed.baseline).y;
    const auto line = fonts_.glyphs(placed.text, s.style);
    set(resolve(s.style.color, theme_));
    cairo_set_font_size(cr_, s.style.size);
    for (std::size_t from = 0; from < line.size();) {
      std::size_t to = from;
      while (to < line.size() && line[to].face == line[from].face) ++to;
      show_run(placed, std::span(line).subspan(from, to - from));
      from = to;
    }
  }

  // Glyphs of one face, with the text they stand for, which a PDF keeps.
  void show_run(const PlacedText& placed, std::span<const Glyph> run) {
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    for (const Glyph& g : run) {
      glyphs.push_back({g.index, placed.baseline.x + g.x, placed.baseline.y});
      clusters.push_back({static_cast<int>(g.length), 1});
    }
    auto [face, added] = faces_.try_emplace(run.front().face);
    if (added) face->second = open_face(fonts_.face_file(run.front().face));
    cairo_set_font_face(cr_, face->second.get());
    if (snap_) {
      // Outlines, not cairo's cached glyphs: those stand on whole pixels only, which spaces small text
      // unevenly.
      cairo_new_path(cr_);
      cairo_glyph_path(cr_, glyphs.data(), static_cast<int>(glyphs.size()));
      cairo_fill(cr_);
      return;
    }
    const std::size_t bytes = run.back().offset + run.back().length - run.front().offset;
    cairo_show_text_glyphs(cr_, placed.text.c_str() + run.front().offset, static_cast<int>(bytes),
                           glyphs.data(), static_cast<int>(glyphs.size()), clusters.data(),
                           static_cast<int>(clusters.size()), static_cast<cairo_text_cluster_flags_t>(0));
  }

  void draw(const ImageShape& s) {
    const Rect r = snap_ ? snapped(s.rect) : s.rect;
    const auto most = [&](double length) {
      return static_cast<int>(std::ceil(std::max(1.0, length * (snap_ ? scale() : detail_))));
    };
    const Raster raster = resolve(*s.pixels, theme_, most(r.width), most(r.height));
    const Surface surface = image_surface(raster);
    cairo_save(cr_);
    cairo_translate(cr_, r.x, r.y);
    cairo_scale(cr_, r.width / raster.width, r.height / raster.height);
    cairo_set_source_surface(cr_, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cr_, 0, 0, raster.width, raster.height);
    if (s.alpha < 1) {
      cairo_clip(cr_);
      cairo_paint_with_alpha(cr_, s.alpha);
    } else {
      cairo_fill(cr_);
    }
    cairo_restore(cr_);
  }

  void draw(const Group& g) {
    if (!(g.scale > 0)) return;
    cairo_save(cr_);
    cairo_translate(cr_, g.origin.x, g.origin.y);
    cairo_scale(cr_, g.scale, g.scale);
    if (g.clip) {
      rect_path(snap_ ? snapped(*g.clip) : *g.clip, g.clip_radius);
      cairo_clip(cr_);
    }
    for (const Item& item : g.items) std::visit([&](const auto& shape) { draw(shape); }, item.shape);
    cairo_restore(cr_);
  }

  cairo_t* cr_;
  const theme::Theme& theme_;
  const Fonts& fonts_;
  double detail_;
  bool snap_;
  std::map<int, FontFace> faces_;
};

Raster read_back(cairo_surface_t* surface, int width, int height) {
  cairo_surface_flush(surface);
  const unsigned char* rows = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  Raster raster{width, height, {}};
  raster.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::uint32_t word;
      std::memcpy(&word, rows + y * stride + x * 4, 4);
      const std::uint32_t a = word >> 24;
      const auto channel = [&](int shift) {
        return static_cast<std::uint8_t>(a == 0 ? 0 : ((word >> shift & 255) * 255 + a / 2) / a);
      };
      raster.pixels.push_back({channel(16), channel(8), channel(0), static_cast<std::uint8_t>(a)});
    }
  return raster;
}

Error cairo_error(cairo_status_t status) {
  return {std::string("cairo cannot draw this: ") + cairo_status_to_string(status), "try a smaller scale"};
}

cairo_status_t append(void* to, const unsigned char* data, unsigned length) {
  static_cast<Bytes*>(to)->insert(static_cast<Bytes*>(to)->end(), data, data + length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<Raster> to_raster(const Scene& scene, const theme::Theme& theme, const Fonts& fonts, double scale) {
  const double w = std::round(scene.size.width * scale), h = std::round(scene.size.height * scale);
  if (!(scale > 0) || !(w >= 1) || !(h >= 1) || w > 32767 || h > 32767)
    return Error{fmt::format("a picture of {} x {} pixels cannot be drawn", w, h),
                 "choose a scale that gives 1 to 32767 pixels a side"};
  const int width = static_cast<int>(w), height = static_cast<int>(h);
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  const Context context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  Painter(context.get(), theme, fonts, scale, true).scene(scene);
  if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS)
    return cairo_error(status);
  return read_back(surface.get(), width, height);
}

Result<Bytes> to_png(const Scene& scene, const theme::Theme& theme, const Fonts& fonts, double scale) {
  const auto raster = to_raster(scene, theme, fonts, scale);
  if (!raster) return raster.error();
  return encode_png(*raster);
}

Result<Bytes> to_pdf(const Scene& scene, const theme::Theme& theme, const Fonts& fonts) {
  return to_pdf(std::span(&scene, 1), theme, fonts);
}

Result<Bytes> to_pdf(std::span<const Scene> pages, const theme::Theme& theme, const Fonts& fonts) {
  constexpr double points = 0.75, detail = 4;
  Bytes bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, pages.front().size.width * points,
                                                            pages.front().size.height * points));
  // No clock: the same scenes, the same file.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Warplens");
  for (const Scene& page : pages) {
    cairo_pdf_surface_set_size(surface.get(), page.size.width * points, page.size.height * points);
    const Context context(cairo_create(surface.get()));
    cairo_scale(context.get(), points, points);
    Painter(context.get(), theme, fonts, detail, false).scene(page);
    cairo_show_page(context.get());
    if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS)
      return cairo_error(status);
  }
  cairo_surface_finish(surface.get());
  if (const auto status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
    return cairo_error(status);
  return bytes;
}

}  // namespace warplens::paint
