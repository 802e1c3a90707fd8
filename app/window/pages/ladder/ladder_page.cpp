#include "app/window/pages/ladder/ladder_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/model/words.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {
namespace {

constexpr double kTabsHeight = 42, kCardsHeight = 92, kTransportHeight = 82;
// Design pixels across. Below so many the code becomes a tab of the centre; a class looks at the picture.
constexpr double kThreeColumns = 1180, kThreeColumnsPresented = 1400;
// Design pixels of the page. Lower than this, larger type leaves the picture no room beside the numbers.
constexpr double kNumbersFrom = 700;
constexpr double kLeastLeft = 190, kLeastRight = 240;
constexpr double kLeastCenter = 620, kLeastCenterAlone = 420;  // beside the code, without it

// Returns by how much it is moved, design pixels.
double draw_splitter(const Ui& ui, const char* name, double x, double y, double height) {
  const double half = ui.px(4);
  const Rect rect{x - half, y, 2 * half, height};
  ui.mark(name, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::InvisibleButton(name, extent(rect));
  const bool lit = ImGui::IsItemActive() || ImGui::IsItemHovered();
  if (lit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (lit)
    fill(ui, {x - ui.px(1), y, ui.px(2), height}, Token::accent);
  else
    rule(ui, x, y, x, y + height);
  return ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta.x / ui.scale : 0;
}

// What is left of the room of a picture that says nothing of the run itself.
Rect below_notice(const Ui& ui, const Rect& rect) {
  const double notice = draw_notice(ui, rect);
  return {rect.x, rect.y + notice, rect.width, rect.height - notice};
}

}  // namespace

LadderPage::LadderPage(Model& model, ScenePainter& painter, LivePage& live)
    : KernelPage(Page::ladder, model, painter), live_(live) {}

// In a lesson a figure of no kernel stands alone: steps, code and counts beside it would be of another thing.
bool LadderPage::stands_alone(const Ui& ui) const {
  const figures::Figure* figure = figures::find_figure(model_.state.view.figure);
  return ui.lessons.leads() && figure != nullptr && figure->of_transfers;
}

void LadderPage::draw(const Ui& ui, const Rect& rect) {
  marks_.update(ui.performance);
  if (stands_alone(ui)) return draw_center(ui, rect, true);
  View& view = model_.state.view;
  const double room = rect.width / ui.scale, height = rect.height;
  const bool for_a_class = ui.state().lesson != LessonState{};
  const bool with_code = room < (for_a_class ? kThreeColumnsPresented : kThreeColumns);
  const double left_wanted = std::clamp(view.left_width, kLeastLeft, room * 0.36);
  const double right_design = with_code
                                  ? 0
                                  : std::clamp(view.right_width, kLeastRight,
                                               std::max(kLeastRight, room - left_wanted - kLeastCenter));
  const double left_design =
      std::min(left_wanted, std::max(kLeastLeft, room - right_design - kLeastCenterAlone));
  const double left = ui.px(left_design), right = ui.px(right_design);
  const Rect side{rect.x, rect.y, left, height};
  fill(ui, side, Token::panel);
  const double steps = steps_height(ui, std::floor(height * 0.56));
  draw_steps(ui, {side.x, side.y, side.width, steps});
  draw_parameters(ui, {side.x, side.y + steps, side.width, height - steps}, marks_);
  draw_center(ui, {rect.x + left, rect.y, rect.width - left - right, height}, with_code);
  if (!with_code) {
    const double x = rect.right() - right, table = access_table_height(ui, height);
    code_.draw(ui, {x, rect.y, right, height - table}, marks_.shared_prediction());
    const Rect access{x, rect.bottom() - table, right, table};
    ui.is_asked ? draw_cover(ui, access) : draw_access_table(ui, access);
    view.right_width =
        std::clamp(right_design - draw_splitter(ui, "right edge", x, rect.y, height), kLeastRight, 4000.0);
  }
  view.left_width = std::clamp((with_code ? view.left_width : left_design) +
                                   draw_splitter(ui, "left edge", rect.x + left, rect.y, height),
                               kLeastLeft, 2000.0);
}

void LadderPage::draw_center(const Ui& ui, const Rect& rect, bool with_code) {
  const double gap = ui.px(12), tabs = ui.px(kTabsHeight);
  draw_figure_tabs(ui, {rect.x, rect.y, rect.width, tabs}, with_code);
  double bottom = rect.bottom() - gap;
  const double x = rect.x + gap, width = rect.width - 2 * gap;
  // Where nothing ran there are no numbers and no accesses: what is wrong has the room.
  const bool none = shows_only_error(ui);
  const View& view = model_.state.view;
  const bool has_larger_type = view.text_scale > 1;
  if (!none && !stands_alone(ui) && (!has_larger_type || rect.height >= ui.px(kNumbersFrom))) {
    bottom -= ui.px(kCardsHeight);
    const Rect cards{x, bottom, width, ui.px(kCardsHeight)};
    ui.is_asked ? draw_cover(ui, cards) : draw_number_cards(ui, cards, marks_, last_cards_);
    bottom -= ui.px(8);
  }
  if (has_transport(ui) && !none) {
    bottom -= ui.px(kTransportHeight);
    const Rect transport{x, bottom, width, ui.px(kTransportHeight)};
    ui.is_covered ? draw_cover(ui, transport) : draw_ladder_transport(ui, transport);
    bottom -= ui.px(8);
  }
  double top = rect.y + tabs + ui.px(8);
  if (const double strip = gpu_strip_height(ui); strip > 0) {
    draw_gpu_strip(ui, {x, top, width, strip});
    top += strip + ui.px(8);
  }
  draw_middle(ui, {x, top, width, bottom - top}, with_code);
}

void LadderPage::draw_middle(const Ui& ui, const Rect& rect, bool with_code) {
  if (rect.height < ui.px(24)) return;
  if (ui.on_stage) marks_.update(ui.performance);  // all that is drawn then
  // A class reads the source as a picture, in its own type; machine code needs the panel.
  const bool is_source =
      model_.state.view.code == CodeView::source || model_.state.view.code == CodeView::both;
  if (with_code && model_.state.view.figure == "code" && !(ui.on_stage && is_source)) {
    if (ui.is_covered) return draw_cover(ui, rect);
    Ui larger = ui;
    if (ui.on_stage) larger.scale = stage_scale(ui);
    return code_.draw(larger, below_notice(ui, rect), marks_.shared_prediction());
  }
  if (ui.is_covered) return draw_cover(ui, rect);
  if (is_live()) return live_.draw(ui, below_notice(ui, rect));
  draw_figure_canvas(ui, canvas_, rect);
  if (const run::Run* run = canvas_.run(); ui.on_stage && run != nullptr)
    ui.mark("stage/of " + run->plan().spec.id, rect);
}

void LadderPage::draw_sliders(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel, 1, 6);
  draw_parameters(ui, rect, marks_);
}

std::optional<scene::Scene> LadderPage::scene() const {
  if (is_live()) return live_.scene();
  return KernelPage::scene();
}

FigureSnapshot LadderPage::snapshot() const { return is_live() ? live_.snapshot() : KernelPage::snapshot(); }

std::string LadderPage::file_name(const Model& model) const {
  const figures::Figure* figure = canvas_.figure();
  const bool is_of_ladder = figure != nullptr && figure->reads == figures::Reads::ladder;
  return (is_of_ladder ? file_part(model.ladder()) : file_part(model.state.kernel)) + "-" +
         model.state.view.figure;
}

}  // namespace warplens::app
