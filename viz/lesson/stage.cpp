#include "viz/lesson/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/lesson/grade.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::lesson_scene {
namespace {

using scene::Group, scene::Point, scene::Rect, scene::TextMeasure, scene::TextStyle, scene::Weight,
    theme::Token;

// Of a stage of 1280 x 720.
constexpr double kWide = 1280, kMargin = 48, kSmall = 20, kHeadline = 32, kSentence = 22, kChoice = 30;
constexpr double kQuestionWidth = 252, kGap = 32, kMarks = 44, kTop = 26;
constexpr double kMostChoiceHeight = 84;
constexpr std::size_t kMostHeadLines = 2, kMostSentenceLines = 2;
constexpr std::size_t kMostAnswerLines = 3;  // of what explains an answer

// All of it grows and shrinks with the narrower side.
double zoom_of(const Stage& stage, scene::Size size) {
  return std::clamp(stage.type, kLeastType, kMostType) * std::min(size.width / kWide, size.height / 720);
}

TextStyle small(Token color = Token::dim) { return {.size = kSmall, .color = color}; }
TextStyle headline() { return {.size = kHeadline, .weight = Weight::bold}; }
TextStyle sentence() { return {.size = kSentence, .color = Token::dim}; }

TextStyle part_style(TextStyle style, bool is_code) {
  if (is_code) style.family = scene::Family::code;
  return style;
}

// The parts of a text, by turns plain and `code`: visit(part, is_code).
template <class Visit>
void for_each_part(std::string_view text, Visit&& visit) {
  for (bool is_code = false;; is_code = !is_code) {
    const std::size_t end = text.find('`');
    visit(text.substr(0, end), is_code);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// Of a text that has `code` in it.
class MarkedMeasure final : public TextMeasure {
 public:
  explicit MarkedMeasure(const TextMeasure& measure) : measure_(measure) {}
  double width(std::string_view text, const TextStyle& style) const override {
    double all = 0;
    for_each_part(text, [&](std::string_view part, bool is_code) {
      all += measure_.width(part, part_style(style, is_code));
    });
    return all;
  }
  scene::FontMetrics metrics(const TextStyle& style) const override { return measure_.metrics(style); }

 private:
  const TextMeasure& measure_;
};

void add_line(Group& group, Point at, const std::string& line, TextStyle style, const TextMeasure& measure) {
  const std::string text = scene::with_plain_spaces(line);
  if (style.anchor == scene::Anchor::middle) at.x -= MarkedMeasure(measure).width(text, style) / 2;
  style.anchor = scene::Anchor::start;
  for_each_part(text, [&](std::string_view part, bool is_code) {
    const TextStyle own = part_style(style, is_code);
    if (!part.empty()) group.text(at, std::string(part), own);
    at.x += measure.width(part, own);
  });
}

std::vector<std::string> lines_of(const std::string& text, double width, const TextStyle& style,
                                  std::size_t most, const TextMeasure& plain) {
  const MarkedMeasure measure(plain);
  auto lines = scene::wrapped(text, width, style, measure);
  if (lines.size() <= most) return lines;
  std::string rest = lines[most - 1];
  for (std::size_t i = most; i < lines.size(); ++i) rest += " " + lines[i];
  lines.resize(most);
  lines.back() = scene::shortened(rest, width, style, measure);
  return lines;
}

std::size_t most_lines(const Stage& stage) {
  return stage.prompt.empty() ? kMostSentenceLines : kMostAnswerLines;
}

// The sentence, with as many of those that follow it as there is room for, each of them whole.
std::vector<std::string> lines_below(const Stage& stage, double width, const TextMeasure& plain) {
  if (stage.sentence.empty()) return {};
  const std::size_t most = most_lines(stage);
  auto lines = lines_of(stage.sentence, width, sentence(), most, plain);
  std::string text = stage.sentence;
  for (const std::string& one : stage.more) {
    text += " " + one;
    auto longer = scene::wrapped(text, width, sentence(), MarkedMeasure(plain));
    if (longer.size() > most) break;
    lines = std::move(longer);
  }
  return lines;
}

// In the pixels of a stage that is kWide across, or higher.
struct Parts {
  double zoom = 1;
  scene::Size size;
  std::vector<std::string> head, below;
  Rect picture, question;
};

Parts parts_of(const Stage& stage, scene::Size size, const TextMeasure& measure) {
  Parts parts;
  parts.zoom = zoom_of(stage, size);
  parts.size = {size.width / parts.zoom, size.height / parts.zoom};
  const double width = parts.size.width - 2 * kMargin;
  parts.head = lines_of(stage.headline, width, headline(), kMostHeadLines, measure);
  const double top = kTop + kSmall + 26 + 40 * static_cast<double>(parts.head.size());
  double bottom = parts.size.height - kMarks;
  parts.below = lines_below(stage, width, measure);
  if (!parts.below.empty()) bottom -= 30 * static_cast<double>(parts.below.size()) + 6;
  const double beside =
      stage.choices.empty() && stage.prompt.empty() && !stage.has_column ? 0 : kQuestionWidth + kGap;
  parts.picture = {kMargin, top, width - beside, bottom - top};
  parts.question = {kMargin + width - kQuestionWidth, top, beside > 0 ? kQuestionWidth : 0, bottom - top};
  return parts;
}

constexpr double kChoicePad = 12, kKeyCap = 30, kChoiceKey = kKeyCap + 12, kVotes = 44;

// One size for all choices, so that none looks more important: the largest at which the longest fits.
double choice_size(const Stage& stage, const TextMeasure& measure) {
  const double width = kQuestionWidth - 2 * kChoicePad - kChoiceKey - kVotes;
  for (const double size : {kChoice, kSentence}) {
    const TextStyle style{.size = size, .weight = Weight::bold};
    const bool fit = std::ranges::all_of(
        stage.choices, [&](const StageChoice& choice) { return measure.width(choice.text, style) <= width; });
    if (fit) return size;
  }
  return kSmall;
}

// A key of the keyboard, which is no part of the choice beside it.
void add_key_cap(Group& group, const Rect& rect, char key) {
  group.rect(rect, {.fill = Token::panel, .stroke = scene::Stroke{Token::dim, 1.25}}, 5);
  group.text(rect.center(), std::string(1, key),
             {.size = kSmall,
              .color = Token::dim,
              .family = scene::Family::code,
              .anchor = scene::Anchor::middle,
              .baseline = scene::Baseline::middle});
}

void add_choice(Group& group, const Rect& rect, const StageChoice& choice, std::size_t index, int all,
                double size, const TextMeasure& measure) {
  const Token edge = choice.mark == Mark::right   ? Token::good
                     : choice.mark == Mark::wrong ? Token::costly
                                                  : Token::line;
  Group card;
  card.rect(rect, {.fill = Token::raised, .stroke = scene::Stroke{edge, choice.mark == Mark::none ? 1.0 : 3}},
            8);
  const double width = rect.width - 2 * kChoicePad - kChoiceKey - kVotes;
  const TextStyle style{.size = size, .weight = Weight::bold, .baseline = scene::Baseline::middle};
  const std::vector<std::string> lines = lines_of(choice.text, width, style, 3, measure);
  add_key_cap(card, {rect.x + kChoicePad, rect.center().y - kKeyCap / 2, kKeyCap, kKeyCap},
              lesson::letter_of(index));
  const double step = style.size * 1.25;
  double y = rect.center().y - step * static_cast<double>(lines.size() - 1) / 2;
  for (const std::string& line : lines)
    card.text({rect.x + kChoicePad + kChoiceKey, y}, line, style), y += step;
  if (choice.votes > 0) {
    card.text({rect.right() - 16, rect.center().y}, std::to_string(choice.votes),
              {.size = kSentence,
               .color = Token::dim,
               .anchor = scene::Anchor::end,
               .baseline = scene::Baseline::middle});
    card.rect({rect.x, rect.bottom() - 6, rect.width * choice.votes / std::max(1, all), 6},
              {.fill = Token::accent}, 3);
  }
  group.group(std::move(card)).named(fmt::format("choice:{}", index));
}

void add_question(Group& group, const Rect& rect, const Stage& stage, const TextMeasure& measure) {
  int all = 0;
  for (const StageChoice& choice : stage.choices) all += choice.votes;
  const auto prompt = lines_of(stage.prompt, rect.width, small(), 3, measure);
  const double below = 24 * static_cast<double>(prompt.size()) + 12;
  const auto count = static_cast<double>(std::max<std::size_t>(1, stage.choices.size()));
  const double each = std::min(kMostChoiceHeight, (rect.height - below - 12 * (count - 1)) / count);
  double y = rect.y;
  const double size = choice_size(stage, measure);
  for (std::size_t i = 0; i < stage.choices.size(); ++i) {
    add_choice(group, {rect.x, y, rect.width, each}, stage.choices[i], i, all, size, measure);
    y += each + 12;
  }
  for (const std::string& line : prompt) group.text({rect.x, y += 24}, line, small());
}

// A short bar a stop, the past ones lit.
void add_marks(Group& group, const Stage& stage, scene::Size size) {
  const double width = size.width - 2 * kMargin, count = static_cast<double>(stage.stops);
  const double gap = std::min(10.0, width / count / 4), each = (width - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < stage.stops; ++i) {
    const double x = kMargin + (each + gap) * static_cast<double>(i);
    Group mark;
    mark.rect({x, size.height - 34, each, 20}, {});
    mark.rect({x, size.height - 27, each, 6}, {.fill = i <= stage.stop ? Token::accent : Token::line}, 3);
    group.group(std::move(mark)).named(fmt::format("stop:{}", i), fmt::format("Stop {}", i + 1));
  }
}

}  // namespace

StageLayout stage_layout(const Stage& stage, scene::Size size, const TextMeasure& measure) {
  const Parts parts = parts_of(stage, size, measure);
  const auto scaled = [&](const Rect& r) {
    return Rect{r.x * parts.zoom, r.y * parts.zoom, r.width * parts.zoom, r.height * parts.zoom};
  };
  return {scaled(parts.picture), scaled(parts.question)};
}

bool says_all(const Stage& stage, scene::Size size, const TextMeasure& measure) {
  const double width = size.width / zoom_of(stage, size) - 2 * kMargin;
  std::string text = stage.sentence;
  for (const std::string& one : stage.more) text += " " + one;
  return scene::wrapped(text, width, sentence(), MarkedMeasure(measure)).size() <= most_lines(stage);
}

scene::Scene draw_stage(const Stage& stage, scene::Size size, const TextMeasure& measure) {
  const Parts parts = parts_of(stage, size, measure);
  const double right = parts.size.width - kMargin;
  Group all;
  all.scale = parts.zoom;
  TextStyle title = small(), count = small();
  title.max_width = parts.size.width - 2 * kMargin - 160;
  count.anchor = scene::Anchor::end;
  all.text({kMargin, kTop + kSmall},
           stage.heading.empty() || stage.heading == stage.headline ? stage.lesson
                                                                    : stage.lesson + " · " + stage.heading,
           title);
  if (stage.stops > 1)
    all.text({right, kTop + kSmall}, fmt::format("{} of {}", stage.stop + 1, stage.stops), count);
  double y = kTop + kSmall + 6;
  for (const std::string& line : parts.head) add_line(all, {kMargin, y += 40}, line, headline(), measure);
  y = parts.size.height - kMarks - 30 * static_cast<double>(parts.below.size()) - 8;
  for (const std::string& line : parts.below) add_line(all, {kMargin, y += 30}, line, sentence(), measure);
  if (parts.question.width > 0) add_question(all, parts.question, stage, measure);
  add_marks(all, stage, parts.size);
  scene::Scene scene(size);
  scene.root.group(std::move(all));
  return scene;
}

void add_cover(Group& group, const Rect& rect, const std::string& context, const TextMeasure& measure) {
  group.rect(rect, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, theme::metric::kCorner);
  const double zoom = rect.width / kWide * 1.3;
  const TextStyle style{.size = std::max(kSmall, kSentence * std::min(1.4, zoom)),
                        .color = Token::text,
                        .anchor = scene::Anchor::middle};
  const double width = std::min(rect.width - 64, 46 * style.size), step = 1.45 * style.size;
  const auto room = static_cast<std::size_t>(std::max(1.0, (rect.height - 140) / step));
  const auto lines =
      context.empty() ? std::vector<std::string>() : lines_of(context, width, style, room, measure);
  const double text = step * static_cast<double>(lines.size());
  const double mark = std::min(110.0, (rect.height - text) / 3);
  double y = rect.center().y - (text + mark) / 2;
  group.text({rect.center().x, y + mark / 2}, "?",
             {.size = mark,
              .color = Token::dim,
              .weight = Weight::bold,
              .anchor = scene::Anchor::middle,
              .baseline = scene::Baseline::middle});
  y += mark + step / 2;
  for (const std::string& line : lines) add_line(group, {rect.center().x, y += step}, line, style, measure);
}

}  // namespace warplens::lesson_scene
