// The part of a lesson's panel that is beside the editor: what to write, hints, and the verdict line by line.
#include <fmt/format.h>

#include <algorithm>

#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/lesson/lesson_panel.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

constexpr double kButton = 32, kBetween = 8, kSign = 20;

Token color_of(exercise::Mark mark) {
  return mark == exercise::Mark::passed   ? Token::good
         : mark == exercise::Mark::failed ? Token::costly
                                          : Token::dim;
}

const char* sign_of(exercise::Mark mark) {
  return mark == exercise::Mark::passed ? "✓" : mark == exercise::Mark::failed ? "✗" : "·";
}

// What failed is not said as if it had not.
std::string what_words(const exercise::Line& line) {
  if (line.mark != exercise::Mark::failed) return sentence(line.what);
  return line.otherwise.empty() ? "Not yet: " + line.what : sentence(line.otherwise);
}

std::string why_words(const exercise::Line& line) {
  std::string words = line.line > 0 ? fmt::format("Line {}: {}", line.line, line.why) : sentence(line.why);
  if (!line.next_step.empty()) words += ". " + sentence(line.next_step);
  return words;
}

}  // namespace

double LessonPanel::draw_hints(const Ui& ui, scene::Point at, double width) {
  const Writing& writing = ui.lessons.writing();
  double y = at.y;
  for (std::size_t i = 0; i < writing.hints && i < writing.assignment->hints.size(); ++i)
    y += draw_words(ui, fmt::format("writing hint {}", i + 1), {at.x, y}, width,
                    fmt::format("**Hint {}.** {}", i + 1, writing.assignment->hints[i])) +
         ui.px(6);
  return y - at.y;
}

double LessonPanel::draw_writing_buttons(const Ui& ui, scene::Point at, double width) {
  LessonPlayer& player = ui.lessons;
  const Writing& writing = player.writing();
  const double height = ui.px(kButton), gap = ui.px(kBetween), third = std::floor((width - 2 * gap) / 3);
  const auto place = [&](int column) { return Rect{at.x + column * (third + gap), at.y, third, height}; };
  const auto text = ui.page().text();
  if (button(
          ui, "writing/check", place(0), "Check",
          {.look = Look::primary, .enabled = text.has_value() && !player.is_judging(), .tip = "Ctrl+Enter"}))
    player.judge(*text);
  if (!writing.shows_all_hints()) {
    const std::string name =
        fmt::format("Hint {} of {}", writing.hints + 1, writing.assignment->hints.size());
    if (button(ui, "writing/hint", place(1), name, {.tip = "Ctrl+H"})) player.show_hint();
  }
  const bool may_look = writing.may_look();
  if (button(ui, "writing/solution", place(2), "Solution",
             {.enabled = may_look && text.has_value(),
              .tip = may_look ? "It takes the place of your text; Ctrl+Z takes it back"
                              : "Behind the last hint"}))
    ui.page().put_text(writing.assignment->solution);
  return height;
}

double LessonPanel::draw_lines(const Ui& ui, scene::Point at, double width) {
  const exercise::Verdict& verdict = **ui.lessons.writing().verdict;
  double y = at.y;
  for (std::size_t i = 0; i < verdict.lines.size(); ++i) {
    const exercise::Line& line = verdict.lines[i];
    const Token color = color_of(line.mark);
    const std::string key = fmt::format("verdict {}", i + 1);
    draw_words(ui, key + " sign", {at.x, y}, ui.px(kSign), sign_of(line.mark), color, true);
    const double x = at.x + ui.px(kSign), room = width - ui.px(kSign);
    y += draw_words(ui, key, {x, y}, room, what_words(line),
                    line.mark == exercise::Mark::not_judged ? Token::dim : Token::text);
    if (line.mark == exercise::Mark::failed)
      y += draw_words(ui, key + " why", {x, y}, room, why_words(line), color);
    y += ui.px(4);
  }
  return y - at.y;
}

double LessonPanel::draw_writing(const Ui& ui, scene::Point at, double width) {
  const Writing& writing = ui.lessons.writing();
  if (writing.error)
    return draw_words(ui, "writing mistake", at, width, sentence(to_line(*writing.error)), Token::costly);
  if (writing.assignment == nullptr) return 0;
  const double inset = ui.px(14), pad = ui.px(10), x = at.x + inset, room = width - 2 * inset;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  double y = at.y + pad;
  y += draw_words(ui, "write", {x, y}, room, "Write it: " + writing.assignment->title, Token::accent, true) +
       ui.px(4);
  y += draw_words(ui, "writing task", {x, y}, room, writing.assignment->task) + ui.px(8);
  y += draw_hints(ui, {x, y}, room);
  y += draw_writing_buttons(ui, {x, y}, room) + ui.px(8);
  if (ui.lessons.is_judging()) {
    y += draw_words(ui, "writing busy", {x, y}, room, "Running it at several sizes…", Token::dim);
  } else if (writing.verdict && !*writing.verdict) {
    y += draw_words(ui, "writing mistake", {x, y}, room, sentence(to_line(writing.verdict->error())),
                    Token::costly);
  } else if (writing.verdict) {
    y += draw_lines(ui, {x, y}, room);
    const bool is_of_this = ui.page().text() == writing.judged;
    // Elsewhere the key is a shortcut; in a text it scrolls, of which nobody has need once it is done.
    if (writing.is_done() && is_of_this && ui.page().is_typing() && compat::pressed(compat::Key::page_down))
      ui.lessons.advance();
    if (writing.is_done() && is_of_this)
      y += draw_words(ui, "writing done", {x, y}, room, "Done: the answer is right", Token::good, true);
    if (!is_of_this)
      y +=
          draw_words(ui, "writing changed", {x, y}, room, "You changed it since: check it again", Token::dim);
  }
  const Rect rect{at.x, at.y, width, y + pad - at.y};
  list.ChannelsSetCurrent(0);
  fill(ui, rect, Token::raised, 0.6, theme::metric::kCorner);
  frame(ui, rect, writing.is_done() ? Token::good : Token::line, 1, theme::metric::kCorner);
  list.ChannelsMerge();
  ui.mark("lesson/writing", rect);
  if (writing.is_done()) ui.mark("lesson/writing passed", rect);
  return rect.height;
}

}  // namespace warplens::app
