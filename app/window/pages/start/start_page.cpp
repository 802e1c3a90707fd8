#include "app/window/pages/start/start_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/text_table.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/explain/glossary.hpp"

namespace warplens::app {
namespace {

// Design pixels.
constexpr double kWidest = 1180, kGap = 32, kCardGap = 8, kCardPad = 14, kCardHeight = 58;

// Of the glossary, those that pictures cannot do without; Help has all.
constexpr std::array<std::string_view, 6> kWords = {"Warp",      "Sector", "Bank",
                                                    "Wavefront", "Ideal",  "Occupancy"};

void open_lesson(const Ui& ui, const std::string& name) {
  ui.state().view.page = Page::ladder;
  if (const Status opened = ui.lessons.open(name); !opened) ui.wishes.say = to_line(opened.error());
}

struct Card {
  std::string name;  // of its mark
  std::string title, note, below = {};
  bool first = false;
};

// True where it was clicked.
bool draw_card(const Ui& ui, const Rect& rect, const Card& card) {
  ui.mark(card.name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(card.name.c_str());
  const bool clicked = ImGui::InvisibleButton("card", extent(rect));
  const bool hovered = ImGui::IsItemHovered();
  if (!card.below.empty()) tooltip(ui, card.below);
  ImGui::PopID();
  fill(ui, rect, hovered ? Token::raised : Token::panel, 1, theme::metric::kCorner);
  frame(ui, rect, card.first ? Token::accent : Token::line, 1, theme::metric::kCorner);
  const double x = rect.x + ui.px(kCardPad), width = rect.width - 2 * ui.px(kCardPad);
  const double badge = card.first ? ui.px(84) : 0;
  draw_text(ui, {x, rect.y + ui.px(8), width - badge, ui.px(22)}, card.title, {Type::strong});
  if (card.first)
    draw_text(ui, {rect.right() - ui.px(kCardPad) - badge, rect.y + ui.px(8), badge, ui.px(22)}, "Start here",
              {Type::strong, Token::accent}, Align::right);
  draw_text(ui, {x, rect.y + ui.px(30), width, ui.px(20)}, card.note, {Type::caption, Token::dim});
  return clicked;
}

std::string note_of(const LessonEntry& entry, const LessonProgress* progress) {
  std::string note =
      fmt::format("{} minutes, {} stops, {} questions", entry.minutes, entry.stops, entry.questions);
  if (progress == nullptr) return note;
  if (progress->seen.size() >= entry.stops) return note + " · done";
  return note + fmt::format(" · at stop {}", progress->stop + 1);
}

double draw_heading(const Ui& ui, const Rect& column, std::string_view text) {
  draw_text(ui, {column.x, column.y, column.width, ui.px(24)}, text, {Type::strong, Token::dim});
  return column.y + ui.px(32);
}

double draw_lessons(const Ui& ui, const Rect& column) {
  double y = draw_heading(ui, column, "Lessons: they ask first, then show");
  for (const LessonEntry& entry : ui.lessons.all()) {
    const LessonProgress* progress = ui.lessons.progress_in(entry.name);
    const Card card{"start/lesson " + entry.name, entry.title, note_of(entry, progress), entry.summary,
                    &entry == &ui.lessons.all().front() && progress == nullptr};
    if (draw_card(ui, {column.x, y, column.width, ui.px(kCardHeight)}, card)) open_lesson(ui, entry.name);
    y += ui.px(kCardHeight + kCardGap);
  }
  return y;
}

// What the window was closed with comes first.
double draw_unsaved(const Ui& ui, const Rect& column) {
  double y = column.y;
  for (const auto& page : ui.pages) {
    const std::string unsaved = page->unsaved();
    if (unsaved.empty()) continue;
    if (draw_card(ui, {column.x, y, column.width, ui.px(kCardHeight)},
                  {"start/unsaved", unsaved, "Go on with it in the editor"}))
      page->toggle(ui);
    y += ui.px(kCardHeight + 2 * kCardGap);
  }
  return y;
}

double draw_ladders(const Ui& ui, const Rect& column) {
  double y = draw_heading(ui, column, "Ladders: kernels, step by step");
  for (const std::string& ladder : ui.model.ladders()) {
    const auto& kernels = ui.model.catalog().kernels();
    const auto is_step = [&](const catalog::KernelSpec& spec) { return spec.id.starts_with(ladder + "/"); };
    const auto first = std::ranges::find_if(kernels, is_step);
    if (first == kernels.end()) continue;
    const auto last = std::find_if(kernels.rbegin(), kernels.rend(), is_step);
    const auto count = std::ranges::count_if(kernels, is_step);
    const Card card{"start/ladder " + ladder, ladder_title(ladder),
                    fmt::format("{} steps, from “{}” to “{}”", count, first->title, last->title)};
    if (draw_card(ui, {column.x, y, column.width, ui.px(kCardHeight)}, card)) {
      ui.state().view.page = Page::ladder;
      ui.model.choose_ladder(ladder);
    }
    y += ui.px(kCardHeight + kCardGap);
  }
  return y;
}

double draw_words(const Ui& ui, const Rect& column) {
  double y = draw_heading(ui, column, "Words");
  const double label = ui.px(92);
  for (const std::string_view word : kWords) {
    const std::string_view meaning = explain::term(word).meaning;
    draw_text(ui, {column.x, y, label, ui.px(20)}, word, {Type::strong});
    y += std::max(ui.px(20), draw_paragraph(ui, {static_cast<float>(column.x + label), static_cast<float>(y)},
                                            static_cast<float>(column.width - label), meaning,
                                            {Type::body, Token::dim})) +
         ui.px(6);
  }
  const double width = text_width(ui, "All words, and all keys", Type::body) + ui.px(28);
  if (button(ui, "start/words", {column.x, y + ui.px(4), width, ui.px(32)}, "All words, and all keys"))
    ui.wishes.help = ui.wishes.help_words = true;
  return y + ui.px(40);
}

// A lesson in front of a class, in the type of the stage: scale has its pixels of the screen.
void draw_class_card(const Ui& ui, const Rect& rect, const LessonEntry& entry, double scale) {
  ui.mark("start/lesson " + entry.name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(entry.name.c_str());
  if (ImGui::InvisibleButton("card", extent(rect))) open_lesson(ui, entry.name);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  scene::Scene card({rect.width / scale, rect.height / scale});
  const double middle = card.size.height / 2, pad = kCardPad;
  card.root.rect({0, 0, card.size.width, card.size.height},
                 {.fill = hovered ? Token::raised : Token::panel, .stroke = scene::Stroke{Token::line}},
                 theme::metric::kCorner);
  scene::TextStyle title{.size = 17, .weight = scene::Weight::semibold, .baseline = scene::Baseline::middle};
  scene::TextStyle minutes{.size = theme::metric::kCaption,
                           .color = Token::dim,
                           .anchor = scene::Anchor::end,
                           .baseline = scene::Baseline::middle};
  const std::string length = fmt::format("{} min", entry.minutes);
  title.max_width = card.size.width - 3 * pad - ui.painter.fonts().width(length, minutes);
  card.root.text({pad, middle}, entry.title, title);
  card.root.text({card.size.width - pad, middle}, length, minutes);
  ui.painter.paint(card, ui.theme, *ImGui::GetWindowDrawList(), {std::floor(rect.x), std::floor(rect.y)},
                   scale);
}

}  // namespace

// The lessons alone, all of them in sight.
void StartPage::draw_for_a_class(const Ui& ui, const Rect& rect) {
  const double scale = stage_scale(ui), gap = kCardGap * scale, between = kGap * scale / 2;
  const auto& lessons = ui.lessons.all();
  const std::size_t rows = std::max<std::size_t>(1, (lessons.size() + 1) / 2);
  const double width = (rect.width - between) / 2,
               height = std::min(50 * scale, rect.height / static_cast<double>(rows) - gap);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const auto row = static_cast<double>(i % rows), column = static_cast<double>(i / rows);
    draw_class_card(ui, {rect.x + column * (width + between), rect.y + row * (height + gap), width, height},
                    lessons[i], scale);
  }
}

FigureSnapshot StartPage::snapshot() const { return still_figure("start", std::nullopt); }

void StartPage::draw(const Ui& ui, const Rect& rect) {
  begin_panel("start", rect);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double width = std::min<double>(rect.width - 2 * ui.px(kGap), ui.px(kWidest));
  const double x = std::floor(rect.center().x - width / 2);
  double y = at.y + ui.px(24);
  draw_text(ui, {x, y, width, ui.px(34)}, "See what every warp does to memory", {Type::number});
  draw_text(ui, {x, y + ui.px(34), width, ui.px(24)},
            "Every picture and number comes from running the very kernel that is on screen",
            {Type::body, Token::dim});
  y += ui.px(76);
  const double half = std::floor((width - ui.px(kGap)) / 2);
  y = draw_unsaved(ui, {x, y, width, 0});
  const Rect left{x, y, half, 0}, right{x + half + ui.px(kGap), y, width - half - ui.px(kGap), 0};
  double below = draw_lessons(ui, left);
  const double ladders = draw_ladders(ui, right) + ui.px(12);
  below = std::max(below, draw_words(ui, {right.x, ladders, right.width, 0}));
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(below)});
  ImGui::Dummy({1, ui.px(24)});
  end_fading_panel(ui, rect, Token::background);
}

}  // namespace warplens::app
