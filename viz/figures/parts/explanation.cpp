#include "viz/figures/parts/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"

namespace warplens::figures {
namespace {

constexpr double kPad = 14, kLabel = 20, kLine = 20, kColumnGap = 28;
// Of a strip in small type.
constexpr double kSmallPad = 10, kSmallLabel = 17, kSmallLine = 17;

// The reason that follows a colon is said elsewhere.
std::string as_step(std::string_view speed, std::string_view step) {
  return fmt::format("{} as {}", speed.substr(0, speed.find(':')), step);
}

struct Column {
  std::string label;
  std::string text;
  TextStyle style;
};

// What the step loses as a whole: of another reason than the access, and not beside one that is bad by
// itself, since two reproaches are none.
bool says_whole(const StepWords& step, const explain::Explanation& said) {
  const explain::Explanation& whole = step.whole;
  return whole.verdict == explain::Verdict::costly && said.verdict != explain::Verdict::costly &&
         whole.rule != said.rule && whole.why != said.why;
}

// "0.85 times as fast as step 4": what the head says at length.
std::string slower_words(const StepWords& step) {
  constexpr std::string_view against = "Against ";
  const std::string_view before = step.before;
  const std::size_t from = before.starts_with(against) ? against.size() : 0;
  return as_step(step.against.speed, before.substr(from, before.find(',') - from));
}

// Side by side; the first says the most and has the heaviest type. Where the access has nothing to fix, the
// step as a whole may have.
std::vector<Column> columns_of(const explain::Explanation& said, const StepWords& step,
                               std::string_view of = kOfAccess) {
  // A step that was measured to be slower is not praised for the access.
  const bool is_slower = step.against.verdict == explain::Verdict::costly && !step.against.speed.empty() &&
                         said.verdict == explain::Verdict::good;
  const explain::Verdict verdict = is_slower ? explain::Verdict::neutral : said.verdict;
  std::vector<Column> columns = {{std::string(of), sentence(said.what), heading(verdict_color(verdict))}};
  if (!said.why.empty()) columns.push_back({"Why", sentence(said.why), body()});
  const explain::Explanation& whole = step.whole;
  if (says_whole(step, said))
    columns.push_back({"The whole step", sentence(whole.what) + (whole.why.empty() ? "" : ": ") + whole.why,
                       body(Token::costly)});
  else if (is_slower)
    columns.push_back({"The whole step", slower_words(step), body(Token::costly)});
  else if (!said.fix.empty())
    columns.push_back({said.is_free ? "What it costs" : "Fix", sentence(said.fix), body()});
  return columns;
}

std::vector<std::string> lines_of(const Column& column, double width, const scene::TextMeasure& measure) {
  return scene::wrapped(column.text, width, column.style, measure);
}

std::size_t most_lines(const std::vector<Column>& columns, const std::vector<double>& widths,
                       const scene::TextMeasure& measure) {
  std::size_t lines = 1;
  for (std::size_t i = 0; i < columns.size(); ++i)
    lines = std::max(lines, lines_of(columns[i], widths[i], measure).size());
  return lines;
}

// The least width in which it takes no more lines; the room where there is none.
double width_for(const Column& column, std::size_t lines, double room, const scene::TextMeasure& measure) {
  double low = 0, high = room;
  for (std::size_t at = 0; at < column.text.size();) {  // no word is cut
    const std::size_t end = std::min(column.text.find(' ', at), column.text.size());
    low = std::max(low, measure.width(column.text.substr(at, end - at), column.style));
    at = end + 1;
  }
  while (high - low > 1) {
    const double middle = (low + high) / 2;
    (lines_of(column, middle, measure).size() <= lines ? high : low) = middle;
  }
  return high;
}

// All as wide as each other; in small type, where the height is needed above, as wide as what they say asks
// for if the row takes fewer lines then.
std::vector<double> widths_of(const std::vector<Column>& columns, double width,
                              const scene::TextMeasure& measure, bool small) {
  const auto count = static_cast<double>(columns.size());
  const double room = width - 2 * kPad - kColumnGap * (count - 1);
  std::vector<double> widths(columns.size(), room / count);
  const std::size_t most = small ? most_lines(columns, widths, measure) : 0;
  for (std::size_t lines = 1; lines < most; ++lines) {
    double left = room;
    std::vector<double> own;
    for (const Column& column : columns)
      own.push_back(width_for(column, lines, room, measure)), left -= own.back();
    if (left < 0) continue;
    for (double& each : own) each += left / count;
    return own;
  }
  return widths;
}

double row_height(const std::vector<Column>& columns, double width, const scene::TextMeasure& measure,
                  bool small) {
  const auto lines =
      static_cast<double>(most_lines(columns, widths_of(columns, width, measure, small), measure));
  return small ? kSmallLabel + kSmallLine * lines : kLabel + kLine * lines;
}

std::vector<Column> in_small_type(std::vector<Column> columns) {
  for (Column& column : columns) column.style.size = theme::metric::kCaption;
  return columns;
}

// "This access: costs 6 % of the time", "Costs 6 % of the time", "This access": never a part of a number.
std::string fitting_label(const std::string& label, double width, const scene::TextMeasure& measure) {
  constexpr std::string_view colon = ": ";
  const auto fits = [&](const std::string& form) {
    return measure.width(form, caption(Token::accent)) <= width;
  };
  const std::size_t at = label.find(colon);
  if (at == std::string::npos || fits(label)) return label;
  const std::string behind = sentence(label.substr(at + colon.size()));
  for (const std::string& form : {behind, behind.substr(0, behind.find(", "))})
    if (fits(form)) return form;
  return label.substr(0, at);
}

void add_row(Group& group, const std::vector<Column>& columns, const Rect& card, double top,
             const scene::TextMeasure& measure, bool small) {
  const std::vector<double> widths = widths_of(columns, card.width, measure, small);
  double x = card.x + kPad;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    double y = top + 9;
    group.text({x, y}, fitting_label(columns[i].label, widths[i], measure),
               within(caption(Token::accent), widths[i]));
    for (const std::string& line : lines_of(columns[i], widths[i], measure))
      group.text({x, y += small ? kSmallLine : kLine}, line, columns[i].style);
    x += widths[i] + kColumnGap;
  }
}

// "1.73 × step 2’s speed", "10 % slower than step 2 at 4,096", "2.8 × slower than step 2"
std::string speed_against(const explain::Against& against, std::string_view number, std::string_view at) {
  if (!at.empty()) return fmt::format("{} at {}", speed_against(against, number, {}), at);
  // Beside a predicted speed the other step may stand with a recorded one: then the two differ on screen.
  if (against.verdict == explain::Verdict::neutral)
    return fmt::format("{} step {}", against.is_measured ? "As fast as" : "Predicted to take as long as",
                       number);
  const double ratio = *against.times;
  constexpr double kFew = 2.0 / 3;  // below, a share of the speed says less than how many times the time is
  if (ratio >= 1) return fmt::format("{:.{}f} × step {}’s speed", ratio, ratio < 10 ? 2 : 0, number);
  return ratio > kFew ? fmt::format("{:.0f} % slower than step {}", 100 * (1 - ratio), number)
                      : fmt::format("{:.1f} × slower than step {}", 1 / ratio, number);
}

// The words of such a speed as claims.
explain::Claims speed_claims(const explain::Against& against, std::string_view number) {
  using explain::Quantity;
  const auto of_both = [](std::string words, Quantity quantity, double value) {
    return explain::claim::words(std::move(words), quantity, value, explain::Scope::two_steps);
  };
  const std::string step = fmt::format("step {}", number);
  explain::Claims claims = {
      of_both(step, Quantity::step_number, std::strtod(std::string(number).c_str(), nullptr))};
  if (!against.times) return claims;
  const std::string said = speed_against(against, number, {});
  const double ratio = *against.times;
  const std::string words = said.substr(0, said.find(" step"));
  const auto of_speed = against.verdict == explain::Verdict::neutral || ratio >= 1 ? Quantity::times_as_fast
                        : words.find('%') != std::string::npos                     ? Quantity::share_slower
                                                                                   : Quantity::times_slower;
  claims.push_back(of_both(words, of_speed,
                           of_speed == Quantity::times_as_fast  ? ratio
                           : of_speed == Quantity::share_slower ? 1 - ratio
                                                                : 1 / ratio));
  return claims;
}

// What changed is no reason for an equal speed.
std::string_view mark_after(const explain::Against& against, bool is_model) {
  if (is_model) return "; ";
  return against.verdict == explain::Verdict::neutral ? ", with " : ": ";
}

// ---- the head of a step

constexpr double kIdeaShare = 0.62;  // of the width, where the other step is known
constexpr std::size_t kMostIdeaLines = 3;

struct Line {
  std::string text;
  TextStyle style;
  double high = kLine;
};
struct Head {
  std::vector<Line> idea, against;
  double against_x = 0;
};

void add_lines(std::vector<Line>& lines, const std::string& text, double width, const TextStyle& style,
               const scene::TextMeasure& measure, double high = kLine) {
  for (std::string& line : scene::wrapped(text, width, style, measure))
    lines.push_back({std::move(line), style, high});
}

// In smaller type where it would be long.
void add_idea(std::vector<Line>& lines, const std::string& idea, double width,
              const scene::TextMeasure& measure) {
  const bool is_long = scene::wrapped(idea, width, body(), measure).size() > kMostIdeaLines;
  add_lines(lines, idea, width, is_long ? caption(Token::text) : body(), measure,
            is_long ? kSmallLine : kLine);
}

Head head_of(const StepWords& step, double width, const scene::TextMeasure& measure) {
  Head head;
  const explain::Against& against = step.against;
  const bool has_against = !step.before.empty() && !against.words.empty();
  const double wide = has_against ? kIdeaShare * (width - kColumnGap) : width;
  head.idea.push_back({step.title, heading()});
  add_idea(head.idea, step.idea, wide, measure);
  if (!has_against) return head;
  head.against_x = wide + kColumnGap;
  const double rest = width - head.against_x;
  head.against.push_back({step.before, caption(Token::accent)});
  const Color color = verdict_color(against.verdict);
  if (!against.speed.empty()) add_lines(head.against, sentence(against.speed), rest, heading(color), measure);
  add_lines(head.against, sentence(against.words), rest,
            against.speed.empty() ? body(color) : caption(Token::text), measure,
            against.speed.empty() ? kLine : kSmallLine);
  return head;
}

// To a step that pays. right: where it ends.
void add_link(Group& group, Point right, double room, const std::string& words, const explain::NextGain& to,
              const scene::TextMeasure& measure) {
  std::string text = words + " ▸";
  if (measure.width(text, heading()) > room) text = fmt::format("Step {} ▸", to.number);
  Group link;
  link.text({right.x - measure.width(text, heading()) - 2, right.y}, text, heading(Token::accent));
  group.group(std::move(link))
      .named("step:" + to.kernel, fmt::format("Step {} at the same place", to.number));
}

double height_of(const std::vector<Line>& lines) {
  double height = 0;
  for (const Line& line : lines) height += line.high;
  return height;
}

void add_lines(Group& group, Point at, const std::vector<Line>& lines) {
  for (const Line& line : lines) group.text({at.x, at.y += line.high}, line.text, line.style);
}

}  // namespace

namespace {

std::string for_stage(std::string words) {
  for (const auto& [from, to] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {" times ", " × "},
           {"sectors of global memory", "global sectors"},
           {"accesses to global memory", "global accesses"},
           {"wavefronts of shared memory", "shared wavefronts"}})
    for (std::size_t from_here = 0; (from_here = words.find(from, from_here)) != std::string::npos;
         from_here += to.size())
      words.replace(from_here, from.size(), to);
  return words;
}

}  // namespace

AgainstSaid against_said(const explain::Against& against, std::string_view number) {
  AgainstSaid said{against_forms(against, number)};
  if (said.texts.empty()) return said;
  said.claims = speed_claims(against, number);
  std::string all;
  for (const std::string& text : said.texts) all += text + "\n";
  for (explain::Claim claim : against.claims) {
    if (all.find(claim.shown) != std::string::npos) said.claims.push_back(claim);
    claim.shown = for_stage(claim.shown + " ");
    claim.shown.pop_back();
    if (all.find(claim.shown) != std::string::npos) said.claims.push_back(std::move(claim));
  }
  return said;
}

std::vector<std::string> against_forms(const explain::Against& against, std::string_view number,
                                       std::string_view at) {
  std::vector<std::string> forms{against_words(against, number, at)};
  if (forms.front().empty()) return {};
  if (!against.brief.empty() && against.times)
    forms.push_back(fmt::format("{}: {}", speed_against(against, number, at), against.brief));
  if (!against.about.empty()) forms.push_back(against.about);
  return forms;
}

std::string against_words(const explain::Against& against, std::string_view number, std::string_view at) {
  // A reason of the model's is cut whole or not at all.
  constexpr std::string_view by_model = "by the model of time, ";
  std::string words = against.words;
  const bool is_model = words.starts_with(by_model);
  if (is_model) words.replace(0, by_model.size(), "by the model, ");
  words = for_stage(std::move(words));
  // Cut anywhere, it is a whole sentence.
  if (!against.times) return words.empty() ? "" : fmt::format("{}, against step {}", sentence(words), number);
  std::string said = speed_against(against, number, at);
  if (!against.is_measured && against.verdict != explain::Verdict::neutral) said += " by the model";
  return words.empty() ? said : said.append(mark_after(against, is_model)) + words;
}

Color verdict_color(explain::Verdict verdict) {
  switch (verdict) {
    case explain::Verdict::good:
      return Token::good;
    case explain::Verdict::costly:
      return Token::costly;
    case explain::Verdict::neutral:
      break;
  }
  return Token::text;
}

double head_height(const StepWords& step, double width, const scene::TextMeasure& measure) {
  if (step.idea.empty()) return 0;
  const Head head = head_of(step, width, measure);
  return std::max(height_of(head.idea), height_of(head.against));
}

void add_head(Group& group, const Rect& rect, const StepWords& step, const scene::TextMeasure& measure) {
  const Head head = head_of(step, rect.width, measure);
  constexpr double kDescent = 6;  // of the last line
  add_lines(group, {rect.x, rect.y - kDescent}, head.idea);
  add_lines(group, {rect.x + head.against_x, rect.y - kDescent}, head.against);
}

double explanation_height(const explain::Explanation& said, const StepWords& step, double width,
                          const scene::TextMeasure& measure, StripType type) {
  if (said.what.empty()) return 0;
  const std::vector<Column> columns = columns_of(said, step);
  return type == StripType::small
             ? 2 * kSmallPad + row_height(in_small_type(columns), width, measure, true) - 4
             : 2 * kPad + row_height(columns, width, measure, false) - 4;
}

void add_explanation(Group& group, const Rect& card, const explain::Explanation& said, const StepWords& step,
                     const NextSteps& next, const scene::TextMeasure& measure, std::string_view of,
                     StripType type) {
  group.rect(card, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, 6);
  const bool small = type == StripType::small;
  const std::vector<Column> columns =
      small ? in_small_type(columns_of(said, step, of)) : columns_of(said, step, of);
  const double pad = small ? kSmallPad : kPad;
  add_row(group, columns, card, card.y + pad, measure, small);
  const explain::NextGain* target = explain::next_for(next, said.cost);
  if (target == nullptr || (said.verdict != explain::Verdict::costly && !said.is_free)) return;
  const double room = widths_of(columns, card.width, measure, small).back() -
                      measure.width(columns.back().label, caption(Token::accent)) - kPad;
  const std::string words = sentence(explain::next_words(*target).text);
  const Point right{card.right() - kPad, card.y + pad + 9};
  if (explain::mends(*target, said.cost) || (explain::pays(*target) && said.cost == explain::CostKind::none))
    add_link(group, right, room, words, *target, measure);
  else if (const double wide = measure.width(words, caption()); wide <= room)
    group.text({right.x - wide, right.y}, words, caption());
}

}  // namespace warplens::figures
