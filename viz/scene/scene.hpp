// A scene: what a figure draws, as a value. Painters (viz/paint) turn it into the window, SVG, PDF, PNG or a
// film; every one of them shows the same picture. Items are drawn in order, later ones above. Units:
// viz/scene/geometry.hpp.
//
//   Scene scene{{320, 200}};
//   const Style panel{.fill = Token::panel, .stroke = Stroke{Token::line}};
//   scene.root.rect({8, 8, 304, 184}, panel, 6).named("card", "A card");
//   scene.root.text({24, 40}, "Global sectors", {.color = Token::dim, .weight = Weight::semibold});
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "viz/scene/color.hpp"
#include "viz/scene/path.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::scene {

struct Stroke {
  Color color = Token::text;
  double width = 1;
  std::vector<double> dash = {};  // lengths drawn and left out by turns; empty: solid
  bool round = false;             // round ends and corners
  bool operator==(const Stroke&) const = default;
};

struct Style {
  std::optional<Color> fill = {};
  std::optional<Stroke> stroke = {};
  bool operator==(const Style&) const = default;
};

enum class Family { text, code };  // Inter, JetBrains Mono
enum class Weight { regular = 400, medium = 500, semibold = 600, bold = 700 };
enum class Anchor { start, middle, end };
// What of the text stands at its position: the baseline, the middle of the capitals, the top of the capitals.
enum class Baseline { alphabetic, middle, top };

struct TextStyle {
  double size = theme::metric::kBody;
  Color color = Token::text;
  Weight weight = Weight::regular;
  Family family = Family::text;
  Anchor anchor = Anchor::start;
  Baseline baseline = Baseline::alphabetic;
  std::optional<double> max_width = {};  // longer text ends in an ellipsis
  bool italic = false;                   // of text; code has none
  bool operator==(const TextStyle&) const = default;
};

struct RectShape {
  Rect rect;
  double radius = 0;
  Style style;
};
struct LineShape {
  Point from, to;
  Stroke stroke;
};
struct PathShape {
  Path path;
  Style style;
};
struct TextShape {
  Point at;
  std::string text;  // UTF-8, one line
  TextStyle style;
};
// Nearest sampling: a cell stays a sharp rectangle at any scale.
struct ImageShape {
  Rect rect;
  SharedPixels pixels;  // not null
  double alpha = 1;
};

struct Item;

// Items drawn together. Those inside have the group's origin; `scale` enlarges them.
class Group {
 public:
  Point origin = {};
  double scale = 1;
  std::optional<Rect> clip = {};  // in the group's own coordinates; nothing shows outside
  double clip_radius = 0;
  std::vector<Item> items;

  // Each adds one item above the others and answers it until the next is added.
  Item& rect(const Rect& rect, Style style, double radius = 0);
  Item& line(Point from, Point to, Stroke stroke);
  Item& polyline(const std::vector<Point>& points, Stroke stroke);
  Item& polygon(const std::vector<Point>& points, Style style);
  Item& circle(Point center, double radius, Style style);
  Item& path(Path path, Style style);
  Item& arrow(Point from, Point to, Stroke stroke, double head = 8);
  Item& text(Point at, std::string text, TextStyle style = {});
  Item& image(const Rect& rect, SharedPixels pixels);  // a null image adds an empty group
  Item& group(Group group);
};

using Shape = std::variant<RectShape, LineShape, PathShape, TextShape, ImageShape, Group>;

struct Item {
  Shape shape;
  std::string id = {};     // what a hit test answers; empty: not to be hit by itself
  std::string title = {};  // shown as a tooltip
  Item& named(std::string new_id, std::string new_title = {});
};

struct Scene {
  Size size;
  Color background = Token::background;
  Group root = {};
  explicit Scene(Size s, Color ground = Token::background) : size(s), background(ground) {}
};

}  // namespace warplens::scene
