// What figures are put together from: cards, headings, keys of a legend, tables of name and value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {

using scene::Color, scene::Group, scene::Point, scene::Rect, scene::TextStyle, scene::Token;

inline constexpr double kMargin = 24;
// What a figure of this size draws in.
inline Rect inner_area(scene::Size size) { return Rect{0, 0, size.width, size.height}.inset(kMargin); }

inline TextStyle body(Color color = Token::text) { return {.size = theme::metric::kBody, .color = color}; }
inline TextStyle caption(Color color = Token::dim) {
  return {.size = theme::metric::kCaption, .color = color};
}
inline TextStyle heading(Color color = Token::text) {
  return {.size = theme::metric::kBody, .color = color, .weight = scene::Weight::semibold};
}
inline TextStyle code(Color color = Token::text) {
  return {.size = theme::metric::kCode, .color = color, .family = scene::Family::code};
}
inline TextStyle number(Color color = Token::text) {
  return {.size = theme::metric::kNumber, .color = color, .weight = scene::Weight::bold};
}
// The edge of what is empty: a contrast of 3 on the grounds of both themes, so that a projector shows it.
inline Color edge() { return {Token::dim, 0.75}; }
// In the middle of a cell.
inline TextStyle centred_code(double size, Color color) {
  return {.size = size,
          .color = color,
          .family = scene::Family::code,
          .anchor = scene::Anchor::middle,
          .baseline = scene::Baseline::middle};
}
// The style, standing elsewhere or cut at a width.
TextStyle at_end(TextStyle style);
TextStyle centred(TextStyle style);
TextStyle within(TextStyle style, double width);
TextStyle sized(TextStyle style, double size);

// A panel with a title; answers what is free inside.
Rect add_card(Group& group, const Rect& rect, std::string_view title);

struct Key {
  // More than colour tells them apart; what is framed is pale inside, what is hollow has nothing there.
  enum class Pattern : std::uint8_t { plain, crossed, hatched, framed, hollow };
  Color color;
  std::string text;
  Pattern pattern = Pattern::plain;
  std::optional<Color> also = {};  // another shade of the same, in the right half
};
// A box filled with the colour, and its pattern in the ground's colour.
void add_patterned(Group& group, const Rect& box, Color color, Key::Pattern pattern, double radius = 0);

// One alone.
void add_key_at(Group& group, Point at, const Key& key, double width);
// One under another; answers the height used.
double add_keys(Group& group, Point at, const std::vector<Key>& keys, double width);
// In a row from `at`, going on below where the width ends; answers the height used.
double add_key_row(Group& group, Point at, const std::vector<Key>& keys, double width,
                   const scene::TextMeasure& measure);

// Cards side by side, each with one large number and a note under it; notes that are too long for their card
// go on in further lines.
struct NumberCard {
  std::string title, value, note;
  Color color = Token::text;
};
double number_cards_height(const std::vector<NumberCard>& cards, double width,
                           const scene::TextMeasure& measure);
// They fill the top of the rectangle, as high as number_cards_height() says.
void add_number_cards(Group& group, const Rect& rect, const std::vector<NumberCard>& cards,
                      const scene::TextMeasure& measure);

// "3 sectors", "1 sector".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});
// "8,192 × 4,096". Precondition: neither is negative.
std::string rows_by_columns(std::int64_t rows, std::int64_t columns);
// Costly where more is paid than needed, good where not.
Color cost_color(double cost, double ideal);

// A figure that cannot be drawn says why in its middle, and what to do about it.
scene::Scene message_scene(scene::Size size, std::string_view message, std::string_view hint,
                           const scene::TextMeasure& measure);
bool is_message(const scene::Scene& scene);

// One cell of a CSV (RFC 4180).
std::string csv_cell(std::string_view text);

}  // namespace warplens::figures
