#include "viz/figures/parts/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::figures {

TextStyle at_end(TextStyle style) { return style.anchor = scene::Anchor::end, style; }
TextStyle centred(TextStyle style) {
  style.anchor = scene::Anchor::middle;
  return style;
}
TextStyle within(TextStyle style, double width) {
  style.max_width = std::max(width, 0.0);
  return style;
}
TextStyle sized(TextStyle style, double size) { return style.size = size, style; }

namespace {

constexpr const char* kMessageId = "message";

constexpr double kCardPadding = 16;

void add_empty_card(Group& group, const Rect& rect) {
  group.rect(rect, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, theme::metric::kCorner);
}

TextStyle card_title(double room) {
  TextStyle style = within(caption(), room);
  style.weight = scene::Weight::semibold;
  return style;
}

constexpr double kTitleBaseline = 26;

constexpr double kCardGap = 16, kNoteStep = 18;
constexpr double kCardHeight = 96;  // with a note of one line

std::vector<std::string> note_lines(const NumberCard& card, double width, const scene::TextMeasure& measure) {
  return scene::wrapped(card.note, width, caption(), measure);
}

double card_width(std::size_t cards, double width) {
  return (width - kCardGap * static_cast<double>(cards - 1)) / static_cast<double>(cards);
}

// Narrow cards keep their width for their text.
double padding_of(double card) { return card < 120 ? 10 : kCardPadding; }

// One, or more where it is longer than its card is wide: in smaller type a class could not read it.
std::vector<std::string> title_lines(const NumberCard& card, double room, const scene::TextMeasure& measure) {
  TextStyle style = caption();
  style.weight = scene::Weight::semibold;
  return scene::wrapped(card.title, room, style, measure);
}

// Below the top of a card, where its number begins; alike in all.
double titles_height(const std::vector<NumberCard>& cards, double room, const scene::TextMeasure& measure) {
  std::size_t lines = 1;
  for (const NumberCard& card : cards) lines = std::max(lines, title_lines(card, room, measure).size());
  return kTitleBaseline + 14 + kNoteStep * static_cast<double>(lines - 1);
}

// Wrapped into lines of about one length: no word alone on the last one.
std::vector<std::string> balanced(std::string_view text, double width, const TextStyle& style,
                                  const scene::TextMeasure& measure) {
  auto lines = scene::wrapped(text, width, style, measure);
  double narrow = width / static_cast<double>(std::max<std::size_t>(lines.size(), 1)), wide = width;
  for (int i = 0; i < 8 && lines.size() > 1; ++i) {
    const double middle = (narrow + wide) / 2;
    auto tried = scene::wrapped(text, middle, style, measure);
    if (tried.size() > lines.size()) {
      narrow = middle;
    } else {
      wide = middle;
      lines = std::move(tried);
    }
  }
  return lines;
}

}  // namespace

Rect add_card(Group& group, const Rect& rect, std::string_view title) {
  add_empty_card(group, rect);
  if (title.empty()) return rect.inset(kCardPadding);
  const double room = rect.width - 2 * kCardPadding;
  group.text({rect.x + kCardPadding, rect.y + kTitleBaseline}, std::string(title), card_title(room));
  return {rect.x + kCardPadding, rect.y + 40, room, rect.height - 56};
}

void add_patterned(Group& group, const Rect& box, Color color, Key::Pattern pattern, double radius) {
  if (pattern == Key::Pattern::hollow)
    return void(group.rect(box.inset(1), {.stroke = scene::Stroke{color, 1.5}}, radius));
  const bool framed = pattern == Key::Pattern::framed;
  group.rect(box, {.fill = framed ? Color{color.token, 0.3} : color}, radius);
  if (framed) return void(group.rect(box.inset(0.5), {.stroke = scene::Stroke{color}}, radius));
  if (color == Color{Token::raised})  // it hardly stands out from the ground
    group.rect(box.inset(0.5), {.stroke = scene::Stroke{edge()}}, radius);
  if (pattern == Key::Pattern::plain) return;
  const double width = std::clamp(box.width / 7, 0.8, 1.6);
  const Rect r = box.inset(width);
  const scene::Stroke stroke{Token::background, width};
  group.line({r.x, r.bottom()}, {r.right(), r.y}, stroke);
  if (pattern == Key::Pattern::crossed) group.line({r.x, r.y}, {r.right(), r.bottom()}, stroke);
}

namespace {

void add_swatch(Group& group, Point at, const Key& key) {
  constexpr double side = 12;
  // Beside each other: one over the other would be neither shade.
  const double wide = key.also ? side / 2 : side;
  add_patterned(group, {at.x, at.y, wide, side}, key.color, key.pattern, 2);
  if (key.also) add_patterned(group, {at.x + wide, at.y, wide, side}, *key.also, key.pattern, 2);
}

}  // namespace

void add_key_at(Group& group, Point at, const Key& key, double width) {
  add_swatch(group, at, key);
  group.text({at.x + 20, at.y + 11}, key.text, within(caption(), width - 20));
}

double add_keys(Group& group, Point at, const std::vector<Key>& keys, double width) {
  double y = at.y;
  for (const Key& key : keys) {
    add_key_at(group, {at.x, y}, key, width);
    y += 24;
  }
  return y - at.y;
}

double add_key_row(Group& group, Point at, const std::vector<Key>& keys, double width,
                   const scene::TextMeasure& measure) {
  double x = at.x, y = at.y;
  for (const Key& key : keys) {
    const double wide = 20 + measure.width(key.text, caption()) + 24;
    if (x > at.x && x + wide - 24 > at.x + width) x = at.x, y += 22;
    add_swatch(group, {x, y}, key);
    group.text({x + 20, y + 11}, key.text, within(caption(), at.x + width - x - 20));
    x += wide;
  }
  return y + 22 - at.y;
}

double number_cards_height(const std::vector<NumberCard>& cards, double width,
                           const scene::TextMeasure& measure) {
  std::size_t lines = 1;
  const double wide = card_width(cards.size(), width), room = wide - 2 * padding_of(wide);
  for (const NumberCard& card : cards) lines = std::max(lines, note_lines(card, room, measure).size());
  return kCardHeight - 40 + titles_height(cards, room, measure) + kNoteStep * static_cast<double>(lines - 1);
}

void add_number_cards(Group& group, const Rect& rect, const std::vector<NumberCard>& cards,
                      const scene::TextMeasure& measure) {
  const double wide = card_width(cards.size(), rect.width),
               high = number_cards_height(cards, rect.width, measure), padding = padding_of(wide),
               room = wide - 2 * padding, top = titles_height(cards, room, measure);
  double x = rect.x;
  for (const NumberCard& card : cards) {
    Group one;
    add_empty_card(one, {x, rect.y, wide, high});
    double baseline = rect.y + kTitleBaseline;
    for (const std::string& line : title_lines(card, room, measure)) {
      one.text({x + padding, baseline}, line, card_title(room));
      baseline += kNoteStep;
    }
    const Rect inside{x + padding, rect.y + top, room, high - top - 16};
    TextStyle value = number(card.color);
    if (const double width = measure.width(card.value, value); width > inside.width)
      value.size *= inside.width / width;
    one.text({inside.x, inside.y + 18}, card.value, within(value, inside.width + 1));
    double y = inside.y + 42;
    for (const std::string& line : note_lines(card, inside.width, measure)) {
      one.text({inside.x, y}, line, within(caption(), inside.width));
      y += kNoteStep;
    }
    group.group(std::move(one)).named("number:" + card.title, card.note);
    x += wide + kCardGap;
  }
}

std::string rows_by_columns(std::int64_t rows, std::int64_t columns) {
  return grouped(static_cast<std::uint64_t>(rows)) + " × " + grouped(static_cast<std::uint64_t>(columns));
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", grouped(count), one)
                      : fmt::format("{} {}", grouped(count), many);
}

Color cost_color(double cost, double ideal) { return cost > ideal ? Token::costly : Token::good; }

bool is_message(const scene::Scene& scene) {
  return !scene.root.items.empty() && scene.root.items.front().id == kMessageId;
}

scene::Scene message_scene(scene::Size size, std::string_view message, std::string_view hint,
                           const scene::TextMeasure& measure) {
  constexpr double step = 20, between = 6, widest = 560;
  scene::Scene scene{size};
  const double width = std::min(size.width - 2 * kMargin, widest);
  const auto lines = balanced(message, width, heading(), measure);
  const auto hints = hint.empty() ? std::vector<std::string>() : balanced(hint, width, caption(), measure);
  double y = size.height / 2 - 8 - step * static_cast<double>(lines.size() - 1);
  for (const std::string& line : lines) {
    scene.root.text({size.width / 2, y}, line, centred(heading())).named(kMessageId);
    y += step;
  }
  y += between;
  for (const std::string& line : hints) {
    scene.root.text({size.width / 2, y}, line, centred(caption()));
    y += step;
  }
  return scene;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace warplens::figures
