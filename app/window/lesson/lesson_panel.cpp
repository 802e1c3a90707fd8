#include "app/window/lesson/lesson_panel.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/lesson/grade.hpp"
#include "viz/lesson/prose.hpp"

namespace warplens::app {
namespace {

// Nothing where it is no number: what nobody typed is no answer.
std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

// Design pixels.
constexpr double kWide = 416, kLeast = 300, kShare = 0.27;
constexpr double kPad = 20, kFoot = 92, kGap = 14;
constexpr double kInset = 14, kChoicePad = 7, kChoiceLetter = 22;  // of a choice
constexpr double kLeastText = 60;  // above a question that has room for little else

bool is_shown_after_answer(const LessonPlayer& player, const lesson::Part& part, bool& behind_question) {
  if (std::holds_alternative<lesson::Ask>(part)) {
    behind_question = true;
    return true;
  }
  return !behind_question || player.guess().is_answered;
}

// How much of the answer is shown.
LessonPanel::Known known_now(const Guess& guess) {
  using enum LessonPanel::Known;
  if (guess.ask == nullptr || !guess.is_answered) return nothing;
  return guess.answer || guess.error ? all : on_its_way;
}

// The stops as short bars; a click goes there.
void draw_marks(const Ui& ui, const Rect& rect) {
  LessonPlayer& player = ui.lessons;
  const std::size_t count = player.lesson().stops.size();
  const double gap = ui.px(3),
               each = (rect.width - gap * static_cast<double>(count - 1)) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Rect bar{rect.x + static_cast<double>(i) * (each + gap), rect.y, each, rect.height};
    ui.mark(fmt::format("lesson/stop {}", i + 1), bar);
    ImGui::SetCursorScreenPos(corner(bar));
    ImGui::PushID(static_cast<int>(i));
    const bool by_mouse = ImGui::InvisibleButton("stop", extent(bar));
    if (clicked_by_key(ui, fmt::format("lesson/stop {}", i + 1), bar) || by_mouse) player.go_to(i);
    const bool hovered = ImGui::IsItemHovered();
    tooltip(ui, fmt::format("{}. {}", i + 1, player.lesson().stops[i].heading));
    ImGui::PopID();
    const bool seen = player.progress().seen.contains(i), marked = player.progress().bookmarks.contains(i);
    fill(ui, {bar.x, bar.center().y - ui.px(3), bar.width, ui.px(6)},
         i == player.stop() ? Token::accent
         : marked           ? Token::first_thread
         : seen             ? Token::dim
                            : Token::line,
         hovered ? 0.7 : 1, 3);
  }
}

// name: its mark is "overview/" with it.
bool overview_item(const Ui& ui, const std::string& name, const char* text, const char* sign, bool chosen) {
  return menu_item(ui, text, {.keys = sign, .chosen = chosen, .mark = "overview/" + name});
}

void draw_overview(const Ui& ui) {
  LessonPlayer& player = ui.lessons;
  for (std::size_t i = 0; i < player.lesson().stops.size(); ++i) {
    const LessonProgress& progress = player.progress();
    const char* sign = progress.right.contains(i)   ? "right"
                       : progress.wrong.contains(i) ? "guessed wrong"
                       : progress.done.contains(i)  ? "done"
                                                    : "";
    const std::string title = fmt::format("{}{}. {}", progress.bookmarks.contains(i) ? "• " : "", i + 1,
                                          player.lesson().stops[i].heading);
    if (overview_item(ui, std::to_string(i + 1), title.c_str(), sign, i == player.stop())) player.go_to(i);
  }
  ImGui::Separator();
  const bool is_marked = player.progress().bookmarks.contains(player.stop());
  if (overview_item(ui, "bookmark", "Bookmark this stop", nullptr, is_marked)) player.toggle_bookmark();
  if (overview_item(ui, "close", "Close the lesson", nullptr, false)) player.close();
}

void draw_foot(const Ui& ui, const Rect& rect) {
  LessonPlayer& player = ui.lessons;
  rule(ui, rect.x, rect.y, rect.right(), rect.y);
  const double x = rect.x + ui.px(kPad), width = rect.width - 2 * ui.px(kPad);
  draw_marks(ui, {x, rect.y + ui.px(10), width, ui.px(18)});
  const double y = rect.y + ui.px(40), height = ui.px(34), gap = ui.px(8);
  const double half = std::floor((width - gap) / 3);
  if (button(ui, "lesson/back", {x, y, half, height}, "Back",
             {.enabled = player.stop() > 0, .tip = "Page up"}))
    player.go_back();
  const bool last = player.stop() + 1 == player.lesson().stops.size();
  const LessonEntry* following = last ? player.following() : nullptr;
  const Rect onward{x + half + gap, y, width - half - gap, height};
  if (following != nullptr) {
    if (button(ui, "lesson/following", onward, "Next lesson",
               {.look = Look::primary, .tip = following->title}))
      if (const Status opened = player.open(following->name); !opened)
        ui.wishes.say = to_line(opened.error());
    return;
  }
  if (button(ui, "lesson/next", onward, last ? "That was the last stop" : "Next",
             {.look = Look::primary, .enabled = !last, .tip = "Page down"}))
    player.go_to(player.stop() + 1);
}

std::string times_words(double value) { return lesson::to_string(lesson::Value{value}); }

// How good that is: " · the best in all 48 sets of this kernel's parameters: 2.29"; where the goal is all
// there is to reach, " · 3 of all 48 sets of this kernel's parameters reach it".
std::string known_words(const lesson::Try& exercise, const Trial& trial) {
  const ExerciseReach& known = *trial.known;
  if (!known.best) return "";
  const std::string of =
      known.is_whole() ? fmt::format("all {}", known.sets) : fmt::format("{} of {}", known.tried, known.sets);
  if (exercise.best.is_empty())
    return fmt::format(" · {} of {} {} of this kernel’s parameters reach{} it", known.reached,
                       known.is_whole() ? known.sets : known.tried, known.sets == 1 ? "set" : "sets",
                       known.reached == 1 ? "es" : "");
  const double reached = trial.best.value_or(*known.best);
  if (reached >= *known.best - 1e-9 * std::abs(*known.best))
    return fmt::format(" · nothing is better in {} sets of this kernel’s parameters", of);
  return fmt::format(" · the best in {} sets of this kernel’s parameters: {}", of, times_words(*known.best));
}

}  // namespace

double lesson_panel_width(const Ui& ui, double window) {
  return ui.px(std::clamp(window / ui.scale * kShare, kLeast, kWide));
}

void LessonPanel::draw_menu_items(const Ui& ui) {
  LessonPlayer& player = ui.lessons;
  if (player.all().empty()) menu_item(ui, "There are no lessons here", {.enabled = false});
  for (const LessonEntry& entry : player.all()) {
    const LessonProgress* progress = player.progress_in(entry.name);
    const std::string far = progress == nullptr ? fmt::format("{} min", entry.minutes)
                                                : fmt::format("{} of {}", progress->seen.size(), entry.stops);
    const bool open = player.is_open() && player.lesson().name() == entry.name;
    if (menu_item(ui, entry.title,
                  {.keys = far.c_str(), .chosen = open, .mark = "item/lesson " + entry.name})) {
      if (const Status opened = player.open(entry.name); !opened) ui.wishes.say = to_line(opened.error());
    }
    tooltip(ui, entry.summary);
  }
  ImGui::Separator();
  if (menu_item(ui, "Start page with all lessons", {.chosen = ui.state().view.page == Page::start}))
    ui.state().view.page = Page::start;
  if (!player.is_open()) return;
  if (menu_item(ui, "On stage, for a class", {.keys = "P", .chosen = ui.state().view.presenter}))
    ui.state().view.presenter = !ui.state().view.presenter;
  if (menu_item(ui, "Close the lesson")) player.close();
}

void LessonPanel::draw(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.right() - 1, rect.y, rect.right() - 1, rect.bottom());
  const std::string here = fmt::format("{} {} {}", ui.lessons.lesson().file, ui.lessons.stop(),
                                       reinterpret_cast<std::uintptr_t>(&ui.lessons.lesson()));
  if (here != of_)
    of_ = here, texts_.clear(), hint_ = false, typed_.clear(), had_hint_ = false, reveals_ = false,
    known_ = known_now(ui.lessons.guess());
  const double head = draw_head(ui, rect), foot = ui.px(kFoot);
  draw_stop(ui, {rect.x, rect.y + head, rect.width - 1, rect.height - head - foot});
  draw_foot(ui, {rect.x, rect.bottom() - foot, rect.width - 1, foot});
}

double LessonPanel::draw_head(const Ui& ui, const Rect& rect) {
  LessonPlayer& player = ui.lessons;
  const double x = rect.x + ui.px(kPad), width = rect.width - 2 * ui.px(kPad), menu = ui.px(84),
               stage = ui.px(64);
  draw_text(ui, {x, rect.y + ui.px(12), width - menu - stage - ui.px(16), ui.px(28)}, player.lesson().title,
            {Type::caption, Token::dim});
  const Rect stops{rect.right() - ui.px(kPad) - menu, rect.y + ui.px(12), menu, ui.px(28)};
  const std::string count = fmt::format("{} of {}", player.stop() + 1, player.lesson().stops.size());
  if (button(ui, "lesson/overview", stops, count, {.tip = "All stops of this lesson", .menu = true}))
    ImGui::OpenPopup("stops");
  if (button(ui, "lesson/stage", {stops.x - stage - ui.px(8), stops.y, stage, stops.height}, "Stage",
             {.tip = "For a class: one picture, one question (P)"}))
    ui.state().view.presenter = true;
  if (begin_menu("stops", stops)) {
    draw_overview(ui);
    ImGui::EndPopup();
  }
  double y = rect.y + ui.px(48);
  if (player.is_away()) {
    const Rect away{x, y, width, ui.px(30)};
    if (button(ui, "lesson/come back", away, "Back to the lesson’s picture",
               {.tip = "You changed what the window shows"}))
      player.come_back();
    y += ui.px(38);
  }
  return y - rect.y;
}

const scene::Scene& LessonPanel::laid_out(const Ui& ui, const std::string& key, double width, auto&& add) {
  const std::string full = fmt::format("{} {:.0f}", key, width / ui.scale);
  auto found = std::ranges::find(texts_, full, &Text::key);
  if (found == texts_.end()) {
    scene::Scene scene({std::floor(width / ui.scale), 0}, Token::panel);
    scene.size.height = add(scene.root, scene.size.width);
    texts_.push_back({full, std::move(scene)});
    found = texts_.end() - 1;
  }
  return found->scene;
}

double LessonPanel::draw_text_of(const Ui& ui, const std::string& key, scene::Point at, double width,
                                 auto&& add) {
  const scene::Scene& text = laid_out(ui, key, width, add);
  ui.mark("lesson/" + key, {at.x, at.y, width, text.size.height * ui.scale});
  ui.painter.paint(text, ui.theme, *ImGui::GetWindowDrawList(), {std::floor(at.x), std::floor(at.y)},
                   ui.scale);
  return text.size.height * ui.scale;
}

namespace {

auto adds_words(const Ui& ui, const std::string& words, Token color, bool strong) {
  return [&ui, &words, color, strong](scene::Group& group, double room) {
    const lesson_scene::ProseLook look{.color = color,
                                       .weight = strong ? scene::Weight::semibold : scene::Weight::regular};
    return lesson_scene::add_spans(group, {0, 0}, lesson::parse_spans(words), room, look, ui.painter.fonts());
  };
}

}  // namespace

double LessonPanel::draw_words(const Ui& ui, const std::string& key, scene::Point at, double width,
                               const std::string& words, Token color, bool strong) {
  return draw_text_of(ui, key + " " + words, at, width, adds_words(ui, words, color, strong));
}

double LessonPanel::height_of(const Ui& ui, const std::string& key, double width, const std::string& words,
                              Token color, bool strong) {
  return laid_out(ui, key + " " + words, width, adds_words(ui, words, color, strong)).size.height * ui.scale;
}

// The first one, for who writes the lesson.
double LessonPanel::draw_mistakes(const Ui& ui, scene::Point at, double width) {
  Error first = ui.lessons.mistakes().front();
  first.place.file = std::filesystem::path(first.place.file).filename().string();
  const std::size_t more = ui.lessons.mistakes().size() - 1;
  return draw_words(ui, "mistake", at, width,
                    to_line(first) + (more == 0 ? "" : fmt::format(" (and {} more)", more)), Token::costly);
}

// What is asked is in sight however long the text before it is: until it is answered the text scrolls above it.
void LessonPanel::draw_stop(const Ui& ui, const Rect& rect) {
  const LessonPlayer& player = ui.lessons;
  const bool is_new = texts_.empty();
  if (player.guess().ask == nullptr || player.guess().is_answered) return void(draw_flow(ui, rect, is_new));
  const QuestionPlaces places = lay_out_question(ui, rect.width - 2 * ui.px(kPad));
  const double gap = ui.px(kGap), room = rect.height - places.height - gap,
               most = std::max(room, std::min<double>(ui.px(kLeastText), rect.height / 2));
  const double end = draw_flow(ui, {rect.x, rect.y, rect.width, most}, is_new);
  if (end <= most)
    return draw_open_question(ui, {rect.x, rect.y + end, rect.width, rect.height - end}, places);
  rule(ui, rect.x, rect.y + most, rect.right(), rect.y + most);
  const double y = most + std::floor(gap * 0.7);
  draw_open_question(ui, {rect.x, rect.y + y, rect.width, rect.height - y}, places);
}

// The parts of a stop below each other. Returns how high they are, up to a question that is open.
double LessonPanel::draw_flow(const Ui& ui, const Rect& rect, bool is_new) {
  LessonPlayer& player = ui.lessons;
  begin_panel("lesson text", rect);
  if (ImGui::IsWindowAppearing() || is_new) ImGui::SetScrollY(0);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const double x = start.x + ui.px(kPad), width = rect.width - 2 * ui.px(kPad);
  double y = start.y + ui.px(4);
  y += draw_text_of(ui, "heading", {x, y}, width, [&](scene::Group& group, double room) {
    return lesson_scene::add_spans(group, {0, 0}, {{player.here().heading, lesson::Style::plain}}, room,
                                   {.size = 21, .weight = scene::Weight::bold}, ui.painter.fonts());
  });
  y += ui.px(kGap - 4);
  if (!player.mistakes().empty()) y += draw_mistakes(ui, {x, y}, width) + ui.px(kGap);
  bool behind_question = false;
  Part asked, tried;
  const bool has_hint = hint_;
  for (std::size_t p = 0; p < player.here().parts.size(); ++p) {
    const lesson::Part& part = player.here().parts[p];
    if (!is_shown_after_answer(player, part, behind_question)) break;
    double height = 0;
    if (const auto* prose = std::get_if<lesson::Prose>(&part))
      height =
          draw_text_of(ui, fmt::format("prose {}", p), {x, y}, width, [&](scene::Group& group, double room) {
            return lesson_scene::add_prose(group, {0, 0}, prose->blocks, room, {}, ui.painter.fonts());
          });
    else if (std::holds_alternative<lesson::Ask>(part)) {
      if (!player.guess().is_answered) break;
      const QuestionPlaces places = lay_out_question(ui, width);
      draw_question(ui, {x, y}, places);
      height = places.height, asked = {y - start.y, y - start.y + height};
    } else if (std::holds_alternative<lesson::Try>(part))
      height = draw_exercise(ui, {x, y}, width), tried = {y - start.y, y - start.y + height};
    else if (std::holds_alternative<lesson::Write>(part))
      height = draw_writing(ui, {x, y}, width), tried = {y - start.y, y - start.y + height};
    if (height > 0) y += height + ui.px(kGap);
  }
  ImGui::SetCursorScreenPos({start.x, static_cast<float>(y)});
  ImGui::Dummy({1, 1});
  follow_answer(ui, asked, y - start.y, rect.height);
  if (std::exchange(had_hint_, has_hint) != has_hint && has_hint) scroll_to(tried, tried.bottom, rect.height);
  end_fading_panel(ui, rect);
  return y - start.y;
}

// Down to `end`, but not so far that what begins at `part.top` leaves, unless its own end asks for that.
void LessonPanel::scroll_to(const Part& part, double end, double height) {
  const double bottom = std::min(end, std::max(part.top + height, part.bottom)), scroll = bottom - height;
  if (scroll > ImGui::GetScrollY()) ImGui::SetScrollY(static_cast<float>(std::ceil(scroll)));
}

// An answer that appears is scrolled to, with as much as there is room for of what comes behind it.
void LessonPanel::follow_answer(const Ui& ui, const Part& asked, double end, double height) {
  const Known before = std::exchange(known_, known_now(ui.lessons.guess()));
  if (before == known_) return;
  reveals_ |= before == Known::nothing;
  if (reveals_ && known_ != Known::nothing) scroll_to(asked, end, height);
  if (known_ != Known::on_its_way) reveals_ = false;
}

// ---- questions

namespace {

struct Said {
  std::string key, words;
  Token color = Token::dim;
  bool strong = false;
};

// What stands below a question.
Said verdict_of(const LessonPlayer& player) {
  const Guess& guess = player.guess();
  const lesson::Ask& ask = *guess.ask;
  if (!guess.is_answered)
    return {"prompt", player.is_covering() ? "Guess first: the picture waits" : "Guess first"};
  if (guess.error) return {"verdict", sentence(to_line(*guess.error)), Token::costly};
  if (!guess.answer) return {"verdict", "Running the kernel…"};
  Result<lesson::Grade> grade = lesson::Grade{};
  if (guess.chosen) grade = lesson::grade(ask, *guess.answer, *guess.chosen);
  if (guess.typed) grade = lesson::grade_number(ask, *guess.answer, *guess.typed);
  if (!grade) return {"verdict", sentence(to_line(grade.error())), Token::costly};
  const bool guessed = guess.chosen || guess.typed;
  const std::string is = lesson::answer_words(ask, *guess.answer, guess.right);
  if (!guessed) return {"verdict", "The answer: " + is, Token::text, true};
  const std::string words = grade->right            ? "Right. " + is
                            : grade->reason.empty() ? "No. " + is
                                                    : "No. " + grade->reason + " " + is;
  return {"verdict", words, grade->right ? Token::good : Token::costly, true};
}

std::string key_of_choice(std::size_t index) { return fmt::format("choice {}", index); }

}  // namespace

LessonPanel::QuestionPlaces LessonPanel::lay_out_question(const Ui& ui, double width) {
  const lesson::Ask& ask = *ui.lessons.guess().ask;
  QuestionPlaces places;
  places.width = width;
  double y = height_of(ui, "question", width, ask.question, Token::text, true) + ui.px(10);
  y = lay_out_choices(ui, y, width, places.choices);
  if (ask.choices.empty()) places.field = {0, y, ui.px(140), ui.px(34)}, y += ui.px(34 + 6);
  places.verdict = y + ui.px(4);
  const Said said = verdict_of(ui.lessons);
  places.height =
      places.verdict + height_of(ui, said.key, width, said.words, said.color, said.strong) + ui.px(4);
  return places;
}

// Beside each other where all of them fit so. Returns where they end.
double LessonPanel::lay_out_choices(const Ui& ui, double top, double width, std::vector<Rect>& places) {
  const auto& choices = ui.lessons.guess().ask->choices;
  const double gap = ui.px(6);
  std::size_t columns = choices.size();
  const auto room = [&] { return (width + gap) / static_cast<double>(columns) - gap; };
  const auto fits = [&](const lesson::Choice& choice) {
    return text_width(ui, choice.text, Type::strong) + ui.px(2 * kInset + kChoiceLetter) <= room();
  };
  while (columns > 1 && !std::ranges::all_of(choices, fits)) --columns;
  // As many in each line: two and two of four, not three and one.
  const std::size_t lines = columns > 0 ? (choices.size() + columns - 1) / columns : 0;
  if (lines > 0) columns = (choices.size() + lines - 1) / lines;
  double y = top, height = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::size_t column = i % columns;
    if (column == 0) y += std::exchange(height, 0);
    const double x = static_cast<double>(column) * (room() + gap);
    const double text =
        height_of(ui, key_of_choice(i), room() - ui.px(2 * kInset + kChoiceLetter), choices[i].text);
    places.push_back({x, y, room(), text + 2 * ui.px(kChoicePad)});
    height = std::max(height, places.back().height + gap);
  }
  return y + height;
}

void LessonPanel::draw_question(const Ui& ui, scene::Point at, const QuestionPlaces& places) {
  const lesson::Ask& ask = *ui.lessons.guess().ask;
  const auto here = [&](const Rect& place) {
    return Rect{at.x + place.x, at.y + place.y, place.width, place.height};
  };
  draw_words(ui, "question", at, places.width, ask.question, Token::text, true);
  for (std::size_t i = 0; i < places.choices.size(); ++i) draw_choice(ui, here(places.choices[i]), i);
  if (ask.choices.empty()) draw_number_field(ui, here(places.field));
  const Said said = verdict_of(ui.lessons);
  draw_words(ui, said.key, {at.x, at.y + places.verdict}, places.width, said.words, said.color, said.strong);
}

void LessonPanel::draw_open_question(const Ui& ui, const Rect& rect, const QuestionPlaces& places) {
  begin_panel("lesson question", rect);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_question(ui, {start.x + ui.px(kPad), start.y}, places);
  ImGui::SetCursorScreenPos({start.x, static_cast<float>(start.y + places.height)});
  ImGui::Dummy({1, 1});
  end_fading_panel(ui, rect);
}

void LessonPanel::draw_choice(const Ui& ui, const Rect& rect, std::size_t index) {
  LessonPlayer& player = ui.lessons;
  const std::string name = fmt::format("choice/{}", index);
  ui.mark(name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(static_cast<int>(index));
  const bool by_mouse = ImGui::InvisibleButton("choice", extent(rect));
  const bool is_clicked = clicked_by_key(ui, name, rect) || by_mouse;
  if (is_clicked && !player.guess().is_answered) player.choose(index);
  const Guess& guess = player.guess();
  const bool hovered = ImGui::IsItemHovered() && !guess.is_answered;
  ImGui::PopID();
  fill(ui, rect, hovered ? Token::line : Token::raised, 1, theme::metric::kCorner);
  if (guess.is_answered && guess.right) {
    const bool right = index == *guess.right, wrong = guess.chosen == index && !right;
    if (right || wrong) {
      const Token color = right ? Token::good : Token::costly;
      frame(ui, rect, color, 1, theme::metric::kCorner);
      fill(ui, {rect.x, rect.y, ui.px(4), rect.height}, color);
    }
  }
  const double letter = ui.px(kInset + kChoiceLetter), top = rect.y + ui.px(kChoicePad);
  draw_words(ui, fmt::format("letter {}", index), {rect.x + ui.px(kInset), top}, ui.px(kChoiceLetter),
             std::string(1, lesson::letter_of(index)), Token::dim);
  draw_words(ui, key_of_choice(index), {rect.x + letter, top}, rect.width - letter - ui.px(kInset),
             guess.ask->choices[index].text);
}

// A number that is typed while nothing else has the keyboard belongs into the field. True where Enter ends it.
bool LessonPanel::take_typed(const Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  constexpr ImGuiPopupFlags any = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  const bool is_taken = io.WantTextInput || ui.page().is_typing() || ImGui::IsPopupOpen("", any);
  if (is_taken || ui.lessons.guess().is_answered) return false;
  for (const ImWchar c : io.InputQueueCharacters)
    if ((c >= '0' && c <= '9') || c == '.') typed_ += static_cast<char>(c);
  if (compat::pressed(compat::Key::backspace) && !typed_.empty()) typed_.pop_back();
  return compat::pressed(compat::Key::enter) && ui.focus.name().empty() && !typed_.empty();
}

void LessonPanel::draw_number_field(const Ui& ui, const Rect& field) {
  LessonPlayer& player = ui.lessons;
  ui.mark("lesson/number", field);
  ImGui::SetCursorScreenPos(corner(field));
  ImGui::SetNextItemWidth(static_cast<float>(field.width));
  if (const auto& given = player.guess().typed; given && typed_.empty() && !ImGui::IsAnyItemActive())
    typed_ = fmt::format("{:g}", *given);
  ui.mark("lesson/number " + typed_, field);
  const bool entered_beside = take_typed(ui);
  const bool entered = ImGui::InputText(
      "##number", &typed_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsScientific);
  if (clicked_by_key(ui, "lesson/number", field)) ImGui::SetKeyboardFocusHere(-1);
  const Rect check{field.right() + ui.px(8), field.y, ui.px(84), field.height};
  if (button(ui, "lesson/check", check, "Check", {.look = Look::primary}) || entered || entered_beside)
    if (const auto number = number_in(typed_)) player.type(*number);
}

// ---- exercises

double LessonPanel::draw_exercise(const Ui& ui, scene::Point at, double width) {
  const lesson::Try& exercise = *ui.lessons.here().find<lesson::Try>();
  const std::optional<Trial>& trial = ui.lessons.trial();
  const double inset = ui.px(14), pad = ui.px(10);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  double y = at.y + pad;
  const double x = at.x + inset, room = width - 2 * inset;
  y += draw_words(ui, "try", {x, y}, room, "Try it", Token::accent, true);
  y += draw_words(ui, "task", {x, y}, room, exercise.task) + ui.px(6);
  const bool reached = trial && trial->is_reached;
  std::string words = !trial              ? "Change the sliders; this says when it is done"
                      : trial->error      ? sentence(to_line(*trial->error))
                      : trial->is_reached ? "Done"
                                          : "Not yet";
  if (trial && trial->value) words += fmt::format(" · {} now", times_words(*trial->value));
  if (trial && trial->best) words += fmt::format(", best so far {}", times_words(*trial->best));
  if (trial && trial->known) words += known_words(exercise, *trial);
  y += draw_words(ui, "status", {x, y}, room, words, reached ? Token::good : Token::dim, reached);
  if (!exercise.hint.empty() && !reached) {
    if (hint_) {
      y += draw_words(ui, "hint", {x, y + ui.px(4)}, room, exercise.hint) + ui.px(4);
    } else {
      if (button(ui, "lesson/hint", {x, y + ui.px(6), ui.px(72), ui.px(28)}, "Hint")) hint_ = true;
      y += ui.px(38);
    }
  }
  const Rect rect{at.x, at.y, width, y + pad - at.y};
  list.ChannelsSetCurrent(0);
  fill(ui, rect, Token::raised, 0.6, theme::metric::kCorner);
  frame(ui, rect, reached ? Token::good : Token::line, 1, theme::metric::kCorner);
  list.ChannelsMerge();
  ui.mark("lesson/exercise", rect);
  return rect.height;
}

}  // namespace warplens::app
