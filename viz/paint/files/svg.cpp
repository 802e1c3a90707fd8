#include "viz/paint/files/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "viz/paint/files/png.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::paint {
namespace {

using namespace scene;

// An image is never finer than this many pixels a scene pixel: beyond it a viewer would show the same.
constexpr double kImageDetail = 4;

// At most three decimals, none that are zero, no "-0".
std::string number(double v) {
  std::string text = fmt::format("{:.3f}", v);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML 1.0 has no control characters but these.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') out += c;
    }
  }
  return out;
}

std::string base64(const Bytes& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : letters[word >> (18 - 6 * k) & 63];
  }
  return out;
}

// Every pixel repeated as often as there is room: cells stay sharp where a viewer ignores image-rendering, as
// many do.
Raster magnified(const Raster& raster, int most_width, int most_height) {
  const int fx = std::clamp(most_width / raster.width, 1, 64),
            fy = std::clamp(most_height / raster.height, 1, 64);
  if (fx == 1 && fy == 1) return raster;
  Raster larger{raster.width * fx, raster.height * fy, {}};
  larger.pixels.reserve(static_cast<std::size_t>(larger.width) * static_cast<std::size_t>(larger.height));
  for (int y = 0; y < larger.height; ++y)
    for (int x = 0; x < larger.width; ++x)
      larger.pixels.push_back(
          raster.pixels[static_cast<std::size_t>(y / fy) * static_cast<std::size_t>(raster.width) +
                        static_cast<std::size_t>(x / fx)]);
  return larger;
}

class Writer {
 public:
  Writer(const theme::Theme& theme, const TextMeasure& measure) : theme_(theme), measure_(measure) {}

  Result<std::string> document(const Scene& scene, const PictureWords& words) {
    const std::string w = number(scene.size.width), h = number(scene.size.height);
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "width=\"{0}\" "
        "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"{2}\" "
        "style=\"font-kerning:none;font-variant-ligatures:none\"{3}>\n",
        w, h, css_families(Family::text), words.title.empty() ? "" : " role=\"img\"");
    if (!words.title.empty()) out_ += fmt::format("<title>{}</title>\n", escaped(words.title));
    if (!words.description.empty()) out_ += fmt::format("<desc>{}</desc>\n", escaped(words.description));
    const theme::Rgba ground = resolve(scene.background, theme_);
    if (ground.a > 0)
      out_ += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", w, h, paint("fill", ground));
    group(scene.root, "");
    out_ += "</svg>\n";
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view what, theme::Rgba c) {
    std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, c.r, c.g, c.b);
    if (c.a != 255) text += fmt::format(" {}-opacity=\"{}\"", what, number(c.a / 255.0));
    return text;
  }

  std::string stroke_of(const Stroke& stroke) {
    std::string text = paint("stroke", resolve(stroke.color, theme_));
    if (stroke.width != 1) text += fmt::format(" stroke-width=\"{}\"", number(stroke.width));
    if (stroke.round) text += " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    if (stroke.dash.empty()) return text;
    text += " stroke-dasharray=\"";
    for (std::size_t i = 0; i < stroke.dash.size(); ++i) text += (i ? " " : "") + number(stroke.dash[i]);
    return text + "\"";
  }

  std::string style_of(const Style& style) {
    std::string text = style.fill ? paint("fill", resolve(*style.fill, theme_)) : " fill=\"none\"";
    if (style.stroke) text += stroke_of(*style.stroke);
    return text;
  }

  // The item's id, legal and unique in the document.
  std::string id_of(const Item& item) {
    if (item.id.empty()) return "";
    std::string id;
    for (const char c : item.id) {
      const bool legal = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
      id += legal ? c : '_';
    }
    if (!std::isalpha(static_cast<unsigned char>(id.front()))) id = "i" + id;
    const int count = ++ids_[id];
    if (count > 1) id += fmt::format("-{}", count);
    const std::string own = id == item.id ? "" : fmt::format(" data-id=\"{}\"", escaped(item.id));
    return fmt::format(" id=\"{}\"{}", id, own);
  }

  // <name attributes>title content</name>
  void element(const Item& item, std::string_view name, const std::string& attributes,
               const std::string& content = "") {
    out_ += fmt::format("<{}{}{}", name, id_of(item), attributes);
    const std::string title = item.title.empty() ? "" : fmt::format("<title>{}</title>", escaped(item.title));
    if (title.empty() && content.empty())
      out_ += "/>\n";
    else
      out_ += fmt::format(">{}{}</{}>\n", title, content, name);
  }

  void item(const Item& it) {
    std::visit([&](const auto& shape) { draw(it, shape); }, it.shape);
  }

  void draw(const Item& it, const RectShape& s) {
    const Rect& r = s.rect;
    std::string a = fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x), number(r.y),
                                number(std::max(0.0, r.width)), number(std::max(0.0, r.height)));
    if (s.radius > 0) a += fmt::format(" rx=\"{}\"", number(s.radius));
    element(it, "rect", a + style_of(s.style));
  }

  void draw(const Item& it, const LineShape& s) {
    element(it, "line",
            fmt::format(" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", number(s.from.x), number(s.from.y),
                        number(s.to.x), number(s.to.y)) +
                stroke_of(s.stroke));
  }

  void draw(const Item& it, const PathShape& s) {
    std::string d;
    const auto at = [](Point p) { return number(p.x) + " " + number(p.y); };
    for (const Segment& g : s.path.segments) {
      if (g.kind == Segment::Kind::move) d += "M" + at(g.to);
      if (g.kind == Segment::Kind::line) d += "L" + at(g.to);
      if (g.kind == Segment::Kind::cubic) d += "C" + at(g.control_1) + " " + at(g.control_2) + " " + at(g.to);
      if (g.kind == Segment::Kind::close) d += "Z";
    }
    element(it, "path", " d=\"" + d + "\"" + style_of(s.style));
  }

  void draw(const Item& it, const TextShape& s) {
    const PlacedText placed = place(s, measure_);
    if (placed.text.empty()) return;
    std::string a = fmt::format(" x=\"{}\" y=\"{}\" font-size=\"{}\"", number(placed.baseline.x),
                                number(placed.baseline.y), number(s.style.size));
    if (s.style.weight != Weight::regular)
      a += fmt::format(" font-weight=\"{}\"", static_cast<int>(s.style.weight));
    if (s.style.italic) a += " font-style=\"italic\"";
    if (s.style.family == Family::code) a += fmt::format(" font-family=\"{}\"", css_families(Family::code));
    a += paint("fill", resolve(s.style.color, theme_));
    a += fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(placed.width));
    if (placed.text.front() == ' ' || placed.text.back() == ' ' ||
        placed.text.find("  ") != std::string::npos)
      a += " xml:space=\"preserve\"";
    element(it, "text", a, escaped(placed.text));
  }

  void draw(const Item& it, const ImageShape& s) {
    const auto most = [](double length) {
      return static_cast<int>(std::ceil(std::max(1.0, length * kImageDetail)));
    };
    const int most_width = most(s.rect.width), most_height = most(s.rect.height);
    const auto png =
        encode_png(magnified(resolve(*s.pixels, theme_, most_width, most_height), most_width, most_height));
    if (!png) {
      error_ = png.error();
      return;
    }
    const std::string faded = s.alpha < 1 ? fmt::format(" opacity=\"{}\"", number(s.alpha)) : "";
    element(it, "image",
            faded + fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
                                "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" "
                                "xlink:href=\"data:image/png;base64,{}\"",
                                number(s.rect.x), number(s.rect.y), number(s.rect.width),
                                number(s.rect.height), base64(*png)));
  }

  void draw(const Item& it, const Group& g) { group(g, id_of(it), it.title); }

  void group(const Group& g, const std::string& id, const std::string& title = "") {
    std::string a = id;
    if (g.origin != Point{} || g.scale != 1) {
      a += fmt::format(" transform=\"translate({} {})", number(g.origin.x), number(g.origin.y));
      a += g.scale != 1 ? fmt::format(" scale({})\"", number(g.scale)) : "\"";
    }
    if (g.clip) {
      const Rect& r = *g.clip;
      ++clips_;
      out_ += fmt::format(
          "<clipPath id=\"clip_{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/></clipPath>\n",
          clips_, number(r.x), number(r.y), number(r.width), number(r.height),
          g.clip_radius > 0 ? fmt::format(" rx=\"{}\"", number(g.clip_radius)) : "");
      a += fmt::format(" clip-path=\"url(#clip_{})\"", clips_);
    }
    out_ += "<g" + a + ">";
    if (!title.empty()) out_ += fmt::format("<title>{}</title>", escaped(title));
    out_ += "\n";
    for (const Item& it : g.items) item(it);
    out_ += "</g>\n";
  }

  const theme::Theme& theme_;
  const TextMeasure& measure_;
  std::string out_;
  std::map<std::string, int> ids_;
  int clips_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::string> to_svg(const Scene& scene, const theme::Theme& theme, const TextMeasure& measure,
                           const PictureWords& words) {
  return Writer(theme, measure).document(scene, words);
}

}  // namespace warplens::paint
