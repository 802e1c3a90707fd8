#include "app/window/pages/start/start_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/base/text_table.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

// Design pixels.
constexpr double kWidest = 1408, kGap = 24, kCardGap = 10, kCardPad = 14, kPill = 34;
// A lesson's card is as high as lets the ladders below it in sight.
constexpr double kCardHeight = 62, kLeastCardHeight = 50, kCardTitle = 22, kCardNote = 20;
constexpr double kPictures = 250, kLeastPictures = 170, kBelowPictures = 20, kTitle = 38;
constexpr double kBelowTopics = 14;
// Of a row of buttons: beside the words of each, and between two of them. Closer where one row has them all then.
constexpr double kPillPad = 14, kPillGap = 8, kLeastPillPad = 7, kLeastPillGap = 6;
constexpr std::string_view kTopics = "Show", kLadders = "Ladders";
constexpr double kHeading = 38, kAboveLadders = 14, kBelow = 10;

void open_lesson(const Ui& ui, const std::string& name) {
  ui.state().view.page = Page::ladder;
  if (const Status opened = ui.lessons.open(name); !opened) ui.wishes.say = to_line(opened.error());
}

void draw_line(const Ui& ui, const Rect& rect, std::string_view text, const scene::TextStyle& style) {
  scene::Scene scene({rect.width / ui.scale, rect.height / ui.scale});
  scene.root.text({0, scene.size.height * 0.75}, std::string(text), style);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {std::floor(rect.x), std::floor(rect.y)},
                   ui.scale);
}

double draw_heading(const Ui& ui, const Rect& column, std::string_view text, std::string_view note) {
  draw_line(ui, {column.x, column.y, column.width, ui.px(28)}, text,
            {.size = 20, .weight = scene::Weight::bold});
  const double beside = text_width(ui, text, Type::number) + ui.px(4);
  draw_text(ui, {column.x + beside, column.y + ui.px(4), column.width - beside, ui.px(24)}, note,
            {Type::body, Token::dim});
  return column.y + ui.px(kHeading);
}

struct Card {
  std::string name;  // of its mark
  std::string number, title, note, minutes = {};
};

// True where it was clicked.
bool draw_card(const Ui& ui, const Rect& rect, const Card& card) {
  ui.mark(card.name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(card.name.c_str());
  const bool by_mouse = ImGui::InvisibleButton("card", extent(rect)),
             clicked = clicked_by_key(ui, card.name, rect) || by_mouse;
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  fill(ui, rect, hovered ? Token::raised : Token::panel, 1, theme::metric::kCorner);
  frame(ui, rect, Token::line, 1, theme::metric::kCorner);
  const double number = card.number.empty() ? 0 : ui.px(34);
  draw_text(ui, {rect.x + ui.px(6), rect.y, number, rect.height}, card.number, {Type::strong, Token::dim},
            Align::center);
  const double x = rect.x + ui.px(kCardPad) + number, width = rect.right() - ui.px(kCardPad) - x;
  const double minutes = card.minutes.empty() ? 0 : text_width(ui, card.minutes, Type::caption) + ui.px(10);
  const double title = ui.px(kCardTitle), note = ui.px(kCardNote);
  const double y = rect.y + std::floor((rect.height - title - note) / 2);
  bool cut = draw_text(ui, {x, y, width - minutes, title}, card.title, {Type::strong});
  draw_text(ui, {x, y, width, title}, card.minutes, {Type::caption, Token::dim}, Align::right);
  cut |= draw_text(ui, {x, y + title, width, note}, card.note, {Type::caption, Token::dim});
  if (cut && hovered) show_tip(ui, card.title + "\n" + card.note);
  return clicked;
}

// A card has room for one.
std::string first_sentence(const std::string& text) {
  const std::size_t end = std::min({text.find(". "), text.find("? "), text.find("! ")});
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::size_t columns_of_lessons(const Ui& ui, double width) { return width >= ui.px(1000) ? 3 : 2; }

double rows_of_lessons(const Ui& ui, double width) {
  const std::size_t columns = columns_of_lessons(ui, width);
  return static_cast<double>((ui.lessons.all().size() + columns - 1) / columns);
}

// high: of a card.
double draw_lessons(const Ui& ui, const Rect& column, double high) {
  int minutes = 0;
  for (const LessonEntry& entry : ui.lessons.all()) minutes += entry.minutes;
  double y = draw_heading(ui, column, "Lessons",
                          fmt::format("they ask first, then show; {} hours of class", (minutes + 30) / 60));
  const std::size_t columns = columns_of_lessons(ui, column.width);
  const double width =
      (column.width - ui.px(kCardGap) * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  std::size_t n = 0;
  for (const LessonEntry& entry : ui.lessons.all()) {
    const LessonProgress* progress = ui.lessons.progress_in(entry.name);
    const bool is_done = progress != nullptr && progress->seen.size() >= entry.stops;
    const Card card{"start/lesson " + entry.name, fmt::format("{}", n + 1), entry.title,
                    first_sentence(entry.summary), is_done ? "done" : fmt::format("{} min", entry.minutes)};
    const double x = column.x + static_cast<double>(n % columns) * (width + ui.px(kCardGap));
    if (draw_card(ui, {x, y, width, high}, card)) open_lesson(ui, entry.name);
    if (++n % columns == 0) y += high + ui.px(kCardGap);
  }
  return n % columns == 0 ? y : y + high + ui.px(kCardGap);
}

// What the window was closed with comes first.
double draw_unsaved(const Ui& ui, const Rect& column) {
  double y = column.y;
  for (const auto& page : ui.pages) {
    const std::string unsaved = page->unsaved();
    if (unsaved.empty()) continue;
    // One line: lessons and ladders below stay in sight.
    const double words = text_width(ui, unsaved, Type::strong) + ui.px(12);
    draw_text(ui, {column.x, y, words, ui.px(kPill)}, unsaved, {Type::strong});
    const double wide = text_width(ui, "Continue editing", Type::strong) + ui.px(28);
    if (button(ui, "start/unsaved", {column.x + words, y, wide, ui.px(kPill)}, "Continue editing"))
      page->toggle(ui);
    y += ui.px(kPill + kCardGap);
  }
  return y;
}

struct Pill {
  std::string name;  // of its mark
  std::string words, tip;
  std::function<void(const Ui&)> act;
};

// Of all in one row, design pixels: as wide as there is room for. In several rows nothing is closer than it has to be.
struct PillRow {
  double pad = kPillPad, gap = kPillGap;
};
PillRow row_of(const Ui& ui, const std::vector<Pill>& pills, double width) {
  const auto count = static_cast<double>(pills.size());
  double words = 0;
  for (const Pill& pill : pills) words += text_width(ui, pill.words, Type::strong);
  const auto needed = [&](const PillRow& row) {
    return words + ui.scale * (2 * count * row.pad + (count - 1) * row.gap);
  };
  const PillRow widest, closest{kLeastPillPad, kLeastPillGap};
  const double most = needed(widest), least = needed(closest);
  if (most <= width || least > width) return widest;
  const double share = (width - least) / (most - least);
  return {std::lerp(closest.pad, widest.pad, share), std::lerp(closest.gap, widest.gap, share)};
}

// With draw = false it only measures. Returns where they end.
double draw_pills(const Ui& ui, const Rect& column, std::string_view heading, const std::vector<Pill>& pills,
                  bool draw = true) {
  if (pills.empty()) return column.y;
  const scene::TextStyle style{.size = 20, .weight = scene::Weight::bold};
  if (draw) draw_line(ui, {column.x, column.y, column.width, ui.px(28)}, heading, style);
  const double left = column.x + ui.painter.fonts().width(heading, style) * ui.scale + ui.px(16);
  const PillRow row = row_of(ui, pills, column.right() - left);
  double x = left, y = column.y;
  for (const Pill& pill : pills) {
    const double width = text_width(ui, pill.words, Type::strong) + ui.scale * 2 * row.pad;
    if (x + width > column.right() + 0.5 && x > left) x = left, y += ui.px(kPill + 8);
    if (draw && button(ui, pill.name, {x, y, width, ui.px(kPill)}, pill.words, {.tip = pill.tip}))
      pill.act(ui);
    x += width + ui.scale * row.gap;
  }
  return y + ui.px(kPill + 8);
}

std::vector<Pill> ladders_of(const Ui& ui) {
  std::vector<Pill> pills;
  for (const std::string& ladder : ui.model.ladders()) {
    const auto& kernels = ui.model.catalog().kernels();
    const auto count = std::ranges::count_if(
        kernels, [&](const catalog::KernelSpec& spec) { return spec.id.starts_with(ladder + "/"); });
    pills.push_back({"start/ladder " + ladder, fmt::format("{} {}", ladder_title(ladder), count), "",
                     [ladder](const Ui& then) {
                       then.state().view.page = Page::ladder;
                       then.model.choose_ladder(ladder);
                     }});
  }
  return pills;
}

void open_topic(const Ui& ui, const Topic& topic) {
  if (ui.lessons.is_open()) ui.lessons.close();
  if (const Status done = ui.model.adopt(looking_at(topic.state, ui.state())); !done)
    return void(ui.wishes.say = to_line(done.error()));
  if (!topic.slider.empty()) ui.focus.expect("param/" + topic.slider);
  if (!topic.hint.empty()) ui.wishes.say = topic.hint;
}

std::vector<Pill> pills_of(const std::vector<Topic>& topics) {
  std::vector<Pill> pills;
  for (const Topic& topic : topics)
    pills.push_back({"start/topic " + topic.title, topic.title, topic.hint,
                     [topic](const Ui& ui) { open_topic(ui, topic); }});
  return pills;
}

// How high pictures and cards are, so that lessons and ladders are in sight below each other in this height, if there is enough of it.
struct Heights {
  double pictures = 0, card = 0;
};
Heights heights_in(const Ui& ui, double width, double height, const std::vector<Pill>& topics) {
  const double rows = rows_of_lessons(ui, width);
  const double others = ui.px(kBelowPictures + kHeading + rows * kCardGap + kAboveLadders + kBelow) +
                        draw_pills(ui, {0, 0, width, 0}, kTopics, topics, false) + ui.px(kBelowTopics) +
                        draw_pills(ui, {0, 0, width, 0}, kLadders, ladders_of(ui), false);
  const double card = std::clamp<double>(std::floor((height - others - ui.px(kLeastPictures)) / rows),
                                         ui.px(kLeastCardHeight), ui.px(kCardHeight));
  return {std::clamp<double>(height - others - rows * card, ui.px(kLeastPictures), ui.px(kPictures)), card};
}

// Where one was: the lesson that was left last in the order of teaching.
void draw_go_on(const Ui& ui, const Rect& row) {
  const LessonEntry* left = nullptr;
  for (const LessonEntry& entry : ui.lessons.all())
    if (const LessonProgress* progress = ui.lessons.progress_in(entry.name);
        progress != nullptr && progress->seen.size() < entry.stops)
      left = &entry;
  if (left == nullptr) return;
  const std::string where =
      fmt::format("Last time: {}, stop {}", left->title, ui.lessons.progress_in(left->name)->stop + 1);
  const double width = std::min<double>(text_width(ui, where, Type::body) + ui.px(12), row.width - ui.px(64));
  draw_text(ui, {row.x, row.y, width, row.height}, where, {Type::body, Token::dim});
  if (button(ui, "start/go on", {row.x + width, row.y, ui.px(64), row.height}, "Go on", {.look = Look::flat}))
    open_lesson(ui, left->name);
}

// What the pictures show in words, and the two ways on from here.
void draw_words(const Ui& ui, const Rect& rect, const std::vector<StartPictures::Step>& steps) {
  double y = rect.y + ui.px(12);
  const auto paragraph = [&](const std::string& text, const Label& label) {
    y += draw_paragraph(ui, {static_cast<float>(rect.x), static_cast<float>(y)},
                        static_cast<float>(rect.width), text, label) +
         ui.px(6);
  };
  paragraph("The same problem, one step on", {Type::strong});
  if (steps.size() == 2)
    paragraph(fmt::format("{} A warp of 32 lanes reads 32 numbers: {} sectors there, {} here.",
                          sentence(steps[1].spec().idea), steps[0].sectors.size(), steps[1].sectors.size()),
              {Type::body, Token::dim});
  const double high = ui.px(42), bottom = rect.bottom() - high - ui.px(44);
  const double first = text_width(ui, "Walk the ladder →", Type::strong) + ui.px(44),
               second = text_width(ui, "Open my kernel…", Type::strong) + ui.px(36);
  y = std::max(y + ui.px(6), std::min(bottom, y + ui.px(30)));
  if (button(ui, "start/walk", {rect.x, y, first, high}, "Walk the ladder →", {.look = Look::primary})) {
    if (const Status done = ui.model.adopt(looking_at(State{}, ui.state())); !done)
      ui.wishes.say = to_line(done.error());
  }
  const bool beside = first + second + ui.px(12) <= rect.width;
  const Rect open{beside ? rect.x + first + ui.px(12) : rect.x, beside ? y : y + high + ui.px(8), second,
                  high};
  if (button(ui, "start/open", open, "Open my kernel…",
             {.tip = "A .cu file; it may also be dropped on the window"}))
    ui.wishes.choose_file = true;
  draw_go_on(ui, {rect.x, open.bottom() + ui.px(8), rect.width, ui.px(30)});
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

StartPage::StartPage(Model& model) : WindowPage(Page::start), model_(model), pictures_(model) {
  auto topics = read_topics(model.home(), {model.catalog(), model.device_table()});
  topics ? void(topics_ = *std::move(topics)) : model.note(to_line(topics.error()));
}

void StartPage::add_lasting_commands(std::vector<Command>& list) const {
  for (const Topic& topic : topics_)
    list.push_back({topic.title, "Show", "", [topic](const Ui& ui) { open_topic(ui, topic); }, topic.words});
}

FigureSnapshot StartPage::snapshot() const { return still_figure("start", std::nullopt); }

void StartPage::update() {
  if (is_open(model_.state.view)) pictures_.update();
}

double StartPage::draw_pictures(const Ui& ui, const Rect& column) {
  const double high = column.height, gap = ui.px(kGap);
  const std::vector<StartPictures::Step>& steps = pictures_.steps();
  const double words = std::max<double>(ui.px(330), column.width * 0.33);
  const double width = (column.width - words - 2 * gap) / 2;
  for (std::size_t i = 0; i < 2; ++i) {
    const Rect place{column.x + static_cast<double>(i) * (width + gap), column.y, width, high};
    if (i < steps.size())
      pictures_.draw(ui, place, steps[i]);
    else
      frame(ui, place, Token::line, 1, 8);
    if (place.contains({ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y}) && ImGui::IsMouseClicked(0))
      pictures_.show_again(ImGui::GetTime());
  }
  draw_words(ui, {column.right() - words, column.y, words, high}, steps);
  return column.y + high + ui.px(kBelowPictures);
}

void StartPage::draw(const Ui& ui, const Rect& rect) {
  begin_panel("start", rect);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double width = std::min<double>(rect.width - 2 * ui.px(kGap), ui.px(kWidest));
  const double x = std::floor(rect.center().x - width / 2);
  double y = at.y + ui.px(18);
  draw_line(ui, {x, y, width, ui.px(48)}, "See what every warp does to memory",
            {.size = kTitle, .weight = scene::Weight::bold});
  constexpr std::string_view kAbout = "Real kernels, executed here. Pictures and counts come from the run";
  const double about = text_width(ui, kAbout, Type::body) + ui.px(16);
  draw_text(ui, {x, y + ui.px(50), about, ui.px(24)}, kAbout, {Type::body, Token::dim});
  if (app::button(ui, "start/glossary", {x + about, y + ui.px(50), ui.px(84), ui.px(24)}, "Glossary",
                  {.look = Look::flat, .tip = "What the words mean (F1)"}))
    ui.wishes.help = true, ui.wishes.help_words = "";
  y = draw_unsaved(ui, {x, y + ui.px(92), width, 0});
  const std::vector<Pill> topics = pills_of(topics_);
  const Heights heights = heights_in(ui, width, at.y + rect.height - y, topics);
  y = draw_pictures(ui, {x, y, width, heights.pictures});
  y = draw_pills(ui, {x, y, width, 0}, kTopics, topics) + ui.px(kBelowTopics);
  y = draw_lessons(ui, {x, y, width, 0}, heights.card);
  y = draw_pills(ui, {x, y + ui.px(kAboveLadders), width, 0}, kLadders, ladders_of(ui));
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(y)});
  ImGui::Dummy({1, ui.px(kBelow)});
  end_fading_panel(ui, rect, Token::background);
}

}  // namespace warplens::app
