#include "app/window/pages/ladder/ladder_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/judged_steps.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/model/words.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/notice.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {
namespace {

constexpr double kTabsHeight = 27, kTransportHeight = 30;
// A low page whose picture is wide enough has one row for both, and a lower headline.
constexpr double kLow = 800, kTransportBesideTabs = 490, kLeastTabs = 310;
// Design pixels across. Below so many the code becomes a tab of the centre; a class looks at the picture.
constexpr double kThreeColumns = 1180, kThreeColumnsPresented = 1400;
constexpr double kLeastLeft = 150, kLeastRight = 240;
constexpr double kLeastCenter = 620, kLeastCenterAlone = 420;  // beside the code, without it
// Where they are open: of the column at the right, and below the code in the place of the picture.
constexpr double kDetailsShare = 0.58, kDetailsShareBelow = 0.36;

// The side panels as the window has room: from 1280 x 720 on the bare picture has 55 % of it, and 75 % without the source.
double own_left(double room) { return std::clamp(0.12 * room, 162.0, 320.0); }
double own_right(double room) { return std::clamp(0.215 * room, 280.0, 480.0); }

bool is_low(const Ui& ui, const Rect& center) {
  return center.height < ui.px(kLow) && center.width >= ui.px(kTransportBesideTabs + kLeastTabs);
}

// Returns by how much it is moved, design pixels: by the mouse, or by arrows where the keyboard is on it. Nothing: it goes back to where
// it was designed to be, by a double click or Enter.
std::optional<double> draw_splitter(const Ui& ui, const std::string& name, double x, double y,
                                    double height) {
  constexpr double kKeyStep = 16;
  const double half = ui.px(4);
  const Rect rect{x - half, y, 2 * half, height};
  ui.mark(name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::InvisibleButton(name.c_str(), extent(rect));
  const bool is_held = ImGui::IsItemActive(), lit = is_held || ImGui::IsItemHovered();
  if (lit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (lit)
    fill(ui, {x - ui.px(1), y, ui.px(2), height}, Token::accent);
  else
    rule(ui, x, y, x, y + height);
  const bool is_double = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  if (clicked_by_key(ui, name, rect) || is_double) return std::nullopt;
  double by = is_held ? ImGui::GetIO().MouseDelta.x / ui.scale : 0;
  if (ui.focus.is_on(name))
    by += kKeyStep * (compat::pressed(compat::Key::right) - compat::pressed(compat::Key::left));
  return by;
}

// What is left of the room of a picture that says nothing of the run itself.
Rect below_notice(const Ui& ui, const Rect& rect) {
  const double notice = draw_notice(ui, rect);
  return {rect.x, rect.y + notice, rect.width, rect.height - notice};
}

}  // namespace

LadderPage::LadderPage(Model& model, ScenePainter& painter, LivePage& live)
    : KernelPage(Page::ladder, model, painter), code_(model), live_(live) {}

// In a lesson a figure of no kernel stands alone: steps, code and counts beside it would be of another thing.
bool LadderPage::stands_alone(const Ui& ui) const {
  const figures::Figure* figure = figures::find_figure(model_.state.view.figure);
  return ui.lessons.leads() && figure != nullptr && figure->of == figures::Of::device;
}

// Without a GPU, Live has a message and no step: who chooses another one looks for its picture.
void LadderPage::leave_empty_live(const Ui& ui) {
  const std::string before = std::exchange(kernel_before_, model_.state.kernel);
  if (before.empty() || before == model_.state.kernel || !is_live() || ui.lessons.is_open()) return;
  if (!live_.button(ui).enabled) model_.state.view.figure = opening_figure(model_);
}

void LadderPage::draw(const Ui& ui, const Rect& rect) {
  leave_empty_live(ui);
  marks_.update(ui.performance);
  speeds_ahead_.update(marks_.shared_prediction());
  speed_.update(model_, ui.performance, speeds_ahead_);
  if (stands_alone(ui)) return draw_center(ui, rect, true);
  View& view = model_.state.view;
  const double room = rect.width / ui.scale, height = rect.height;
  const bool for_a_class = ui.state().lesson != LessonState{};
  const bool with_code = room < (for_a_class ? kThreeColumnsPresented : kThreeColumns);
  const double left_own = view.left_width > 0 ? view.left_width : own_left(room),
               right_own = view.right_width > 0 ? view.right_width : own_right(room);
  const double left_wanted = std::clamp(left_own, kLeastLeft, room * 0.36);
  const bool has_side = !with_code && view.source;
  const double right_design =
      !has_side
          ? 0
          : std::clamp(right_own, kLeastRight, std::max(kLeastRight, room - left_wanted - kLeastCenter));
  const double left_design =
      std::min(left_wanted, std::max(kLeastLeft, room - right_design - kLeastCenterAlone));
  const double left = ui.px(left_design), right = ui.px(right_design);
  const Rect side{rect.x, rect.y, left, height};
  fill(ui, side, Token::panel);
  draw_left(ui, side);
  draw_center(ui, {rect.x + left, rect.y, rect.width - left - right, height}, with_code);
  if (has_side) {
    const double x = rect.right() - right;
    draw_side(ui, {x, rect.y, right, height}, kDetailsShare);
    if (const auto by = draw_splitter(ui, "splitter/right", x, rect.y, height); !by)
      view.right_width = 0;
    else if (*by != 0)
      view.right_width = std::clamp(right_design - *by, kLeastRight, 4000.0);
  }
  if (const auto by = draw_splitter(ui, "splitter/left", rect.x + left, rect.y, height); !by)
    view.left_width = 0;
  else if (*by != 0)
    view.left_width = std::clamp(left_design + *by, kLeastLeft, 2000.0);
  const bool is_idle =
      !is_busy() && !model_.busy_seconds() && !model_.ladder_traffic().is_busy() && !model_.is_checking();
  if (is_idle) speeds_ahead_.look_ahead();
}

// Steps, sliders, and below them the speed, which is always there.
void LadderPage::draw_left(const Ui& ui, const Rect& rect) {
  const double speed = speed_panel_height(ui), rest = rect.height - speed;
  // Sliders have room for some before the list scrolls.
  constexpr double kSlider = 54, kFew = 2, kAround = 60;
  const double sliders = std::min(kFew, static_cast<double>(ui.model.sliders().size()));
  const double steps = steps_height(ui, rect.width, std::floor(rest - ui.px(sliders * kSlider + kAround)));
  draw_steps(ui, {rect.x, rect.y, rect.width, steps}, speed_.now());
  draw_parameters(ui, {rect.x, rect.y + steps, rect.width, rest - steps}, speed_.values_before());
  draw_speed_panel(ui, {rect.x, rect.bottom() - speed, rect.width, speed}, speed_, speeds_ahead_, live_);
}

// The source, and below it the drawer.
void LadderPage::draw_side(const Ui& ui, const Rect& rect, double share) {
  const double drawer = ui.state().view.details ? std::floor(rect.height * share) : details_head_height(ui);
  code_.draw(ui, {rect.x, rect.y, rect.width, rect.height - drawer}, marks_.shared_prediction());
  draw_details(ui, {rect.x, rect.bottom() - drawer, rect.width, drawer}, head_, canvas_.step(), marks_,
               last_cards_);
}

// The step's name and what is new in it, or the way from access to access; the tabs, and what opens and closes the source.
void LadderPage::draw_top_row(const Ui& ui, const Rect& rect, bool with_code, bool with_transport, bool low) {
  View& view = ui.state().view;
  double right = rect.right() - ui.px(8);
  if (!with_code) {
    const double width = view.source ? ui.px(30) : text_width(ui, "Source", Type::strong) + ui.px(24);
    const Rect place{right - width, rect.y + ui.px(4), width, rect.height - ui.px(8)};
    if (app::button(ui, "source", place, view.source ? "" : "Source",
                    {.icon = view.source ? Icon::next : Icon::none,
                     .tip = view.source ? "Close the source (Ctrl+B)" : "Open the source (Ctrl+B)"}))
      view.source = !view.source;
    right = place.x - ui.px(4);
  }
  if (with_transport) {
    const double from = right - ui.px(kTransportBesideTabs);
    draw_figure_tabs(ui, {rect.x, rect.y, from - rect.x, rect.height}, with_code);
    const Rect transport{from, rect.y, right - from, rect.height};
    return ui.is_covered ? draw_cover(ui, transport)
                         : draw_ladder_transport(ui, transport, TransportPlace::row);
  }
  constexpr double kMostTitle = 230, kLeastIdea = 120;
  const double most = std::min<double>(ui.px(kMostTitle), 0.3 * (right - rect.x));
  const double title = std::min<double>(text_width(ui, head_.title, Type::strong) + ui.px(2), most);
  const bool is_secret = ui.is_covered;
  // The tabs stay where they are, however long a title is, and on a low page whatever has a transport.
  const double beside = low ? ui.px(kTransportBesideTabs) : most + ui.px(16), room = right - rect.x - beside;
  const double tabs = draw_figure_tabs(ui, {rect.x, rect.y, room, rect.height}, with_code);
  if (is_secret) return;
  const double x = right - ui.px(12) - title;
  draw_text(ui, {x, rect.y, title, rect.height}, head_.title, {Type::strong});
  ui.mark("title/" + head_.title, {x, rect.y, title, rect.height});
  const Rect idea{tabs + ui.px(24), rect.y, x - tabs - ui.px(40), rect.height};
  if (idea.width >= ui.px(kLeastIdea) && !ui.is_asked)
    draw_text(ui, idea, head_.idea, {Type::caption, Token::dim}, Align::right);
  const Rect named{tabs + ui.px(12), rect.y, x + title - tabs - ui.px(12), rect.height};
  ImGui::SetCursorScreenPos(corner(named));
  ImGui::Dummy(extent(named));
  if (!ui.is_asked) tooltip(ui, head_.title + (head_.idea.empty() ? "" : ". " + head_.idea));
}

void LadderPage::draw_center(const Ui& ui, const Rect& rect, bool with_code) {
  ui.mark("center", rect);
  const bool low = is_low(ui, rect);
  const double gap = ui.px(4);
  double bottom = rect.bottom();
  const double x = rect.x + gap, width = rect.width - 2 * gap;
  // Where nothing ran there are no accesses: what is wrong has the room.
  const bool none = shows_only_error(ui), with_transport = has_transport(ui) && !none;
  const double tabs = ui.px(low ? kTransportHeight : kTabsHeight);
  if (with_transport && !low) {
    bottom -= ui.px(kTransportHeight);
    const Rect transport{x, bottom, width, ui.px(kTransportHeight)};
    fill(ui, {rect.x, bottom, rect.width, transport.height}, Token::panel);
    rule(ui, rect.x, bottom, rect.right(), bottom);
    ui.is_covered ? draw_cover(ui, transport) : draw_ladder_transport(ui, transport, TransportPlace::foot);
  }
  double top = rect.y + tabs;
  const bool has_head = shows_picture(ui, with_code) && !none;
  const HeadLook look{.beside = !with_code && !ui.state().view.source, .low = low};
  const Rect head{rect.x, top, rect.width, has_head ? page_head_height(ui, look) : 0};
  top = head.bottom();
  if (const double strip = gpu_strip_height(ui); strip > 0) {
    draw_gpu_strip(ui, {x, top, width, strip});
    top += strip + ui.px(8);
  }
  draw_middle(ui, {rect.x, top, rect.width, bottom - top}, with_code);
  draw_top_row(ui, {rect.x, rect.y, rect.width, tabs}, with_code, low && with_transport, low);
  if (has_head) draw_page_head(ui, head, head_, look);
}

// A class reads the source as a picture, in its own type; machine code needs the panel.
bool LadderPage::lists_code(const Ui& ui, bool with_code) const {
  const CodeView code = model_.state.view.code;
  const bool is_source = code == CodeView::source || code == CodeView::both;
  return shows_code(with_code) && !(ui.on_stage && is_source);
}

bool LadderPage::shows_picture(const Ui& ui, bool with_code) const {
  return !ui.is_covered && !is_live() && !lists_code(ui, with_code);
}

void LadderPage::draw_middle(const Ui& ui, const Rect& rect, bool with_code) {
  if (!shows_picture(ui, with_code)) canvas_.clear();  // nothing is said of a picture that is out of sight
  head_ = page_head(ui);
  if (rect.height < ui.px(24)) return;
  if (ui.on_stage) marks_.update(ui.performance);  // all that is drawn then
  if (ui.is_covered) return draw_cover(ui, rect);
  if (lists_code(ui, with_code)) {
    if (!ui.on_stage) return draw_side(ui, below_notice(ui, rect), kDetailsShareBelow);
    Ui larger = ui;
    larger.scale = stage_scale(ui);
    return code_.draw(larger, below_notice(ui, rect), marks_.shared_prediction());
  }
  if (is_live()) return live_.draw(ui, below_notice(ui, rect));
  draw_figure_canvas(ui, canvas_, rect, true, figures::Look::page);
  head_ = page_head(ui);  // the picture may be a new one from this frame on: what is said is of it
  // What was found stands in the picture, with what mends it.
  if (canvas_.shown() != nullptr && figures::notice_box(*canvas_.shown(), ui.painter.fonts()))
    head_.reason.clear(), head_.cost.clear(), head_.fix.clear();
  if (const run::Run* run = canvas_.run(); ui.on_stage && run != nullptr)
    ui.mark("stage/of " + run->plan().spec.id, rect);
}

void LadderPage::draw_sliders(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel, 1, 6);
  draw_parameters(ui, rect, speed_.values_before());
}

std::optional<scene::Scene> LadderPage::scene() const {
  if (is_live()) return live_.scene();
  return KernelPage::scene();
}

FigureSnapshot LadderPage::snapshot() const { return is_live() ? live_.snapshot() : KernelPage::snapshot(); }

std::string LadderPage::words(const Ui& ui) const {
  const PageHead head = page_head(ui);
  std::string text = ladder_title(model_.ladder()) + ": " + head.title + "\n";
  for (const std::string& line :
       {head.headline, head.why(), head.fix, speed_words(ui, speed_, speeds_ahead_)})
    if (!line.empty()) text += line + "\n";
  return text;
}

std::string LadderPage::file_name(const Model& model) const {
  const figures::Figure* figure = canvas_.figure();
  const bool is_of_ladder = figure != nullptr && is_plot(*figure);
  return (is_of_ladder ? file_part(model.ladder()) : file_part(model.state.kernel)) + "-" +
         model.state.view.figure;
}

}  // namespace warplens::app
