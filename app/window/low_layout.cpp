// The ladder where the window is low: controls and numbers at the side, so that the figure has the height.
#include <algorithm>
#include <cmath>

#include "app/window/kit/widgets.hpp"
#include "app/window/pages/live/live_panel.hpp"
#include "app/window/panels.hpp"

namespace warplens::app {
namespace {

constexpr double low_height = 600;
constexpr double bar_height = 44, transport_height = 48, control_height = 32, gap = 8;
constexpr double side_by_side = 216;      // ladder and device beside each other need this much
constexpr double least_parameters = 150;  // of the height, before more numbers are shown
constexpr double menu_width = 82;

// Ladder, device and sizes; answers where they end.
double draw_problem(const Ui& ui, double x, double y, double width) {
  const double height = ui.px(control_height), between = ui.px(gap);
  if (width >= ui.px(side_by_side)) {
    const double half = std::floor((width - between) / 2);
    draw_ladder_menu(ui, {x, y, half, height});
    draw_engine_menu(ui, {x + half + between, y, width - half - between, height});
  } else {
    draw_ladder_menu(ui, {x, y, width, height});
    y += height + between;
    draw_engine_menu(ui, {x, y, width, height});
  }
  y += height + between;
  const auto sizes = ui.model.sizes();
  const double each = (width + between) / static_cast<double>(sizes.size()) - between, label = ui.px(16);
  double at = x;
  for (const auto& [name, value] : sizes) {
    draw_text(ui, {at, y, label, height}, name, {Type::body, Token::dim}, Align::center);
    draw_size(ui, {at + label + ui.px(2), y, each - label - ui.px(2), height}, name, value);
    at += each + between;
  }
  return y + height + between;
}

// While a run takes long, in the place of the step's bar.
void draw_cancel(const Ui& ui, const Rect& rect) {
  const auto busy = ui.model.busy_seconds();
  if (!busy || *busy <= patience) return;
  fill(ui, rect, Token::panel);
  const double turn = ui.px(28);
  if (button(ui, "run", {rect.x, rect.y, rect.width - turn, rect.height}, "Cancel",
             {.icon = Icon::stop, .tip = "Stop this run (Esc)"}))
    ui.model.cancel();
  spinner(ui, {static_cast<float>(rect.right() - turn / 2), static_cast<float>(rect.center().y)}, ui.px(8));
}

void draw_side(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel);
  const double x = rect.x + ui.px(16), width = rect.width - ui.px(28);
  double y = draw_problem(ui, x, rect.y + ui.px(gap), width) + ui.px(2);
  const Rect picker{x, y, width, step_picker_height(ui)};
  draw_step_picker(ui, picker);
  draw_cancel(ui, step_picker_middle(ui, picker));
  y += step_picker_height(ui);
  const double left = rect.bottom() - y - ui.px(3);
  const double numbers = shows_only_error(ui) ? 0 : number_lines_height(ui, left - ui.px(least_parameters));
  draw_parameters(ui, {rect.x, y, rect.width, left - numbers - ui.px(gap)});
  rule(ui, rect.x, y + left - numbers - ui.px(gap), rect.right(), y + left - numbers - ui.px(gap));
  if (numbers > 0) draw_number_lines(ui, {x, rect.bottom() - ui.px(3) - numbers, width, numbers});
}

void draw_figure(const Ui& ui, const Rect& rect) {
  const std::string& open = ui.state().view.figure;
  if (open == "code") return draw_code(ui, rect);
  if (open == "live") return draw_live(ui, rect);
  draw_figure_canvas(ui, rect);
}

}  // namespace

bool is_low(const Ui& ui) { return ImGui::GetIO().DisplaySize.y < ui.px(low_height); }

void lay_out_low_ladder(const Ui& ui, const Rect& page, double side_width) {
  draw_side(ui, {page.x, page.y, side_width, page.height});
  const Rect center{page.x + side_width, page.y, page.width - side_width, page.height};
  const double bar = ui.px(bar_height), menu = ui.px(menu_width + gap + 4), between = ui.px(gap);
  draw_figure_tabs(ui, {center.x, center.y, center.width - menu, bar}, true);
  fill(ui, {center.right() - menu, center.y, menu, bar}, Token::panel);
  rule(ui, center.right() - menu, center.y + bar - 1, center.right(), center.y + bar - 1);
  draw_whole_menu(ui,
                  {center.right() - menu + ui.px(4), center.y + ui.px(4), ui.px(menu_width), bar - between});

  const double x = center.x + between, width = center.width - 2 * between;
  double top = center.y + bar + between, bottom = center.bottom() - between;
  if (const double strip = gpu_strip_height(ui); strip > 0) {
    draw_gpu_strip(ui, {x, top, width, strip});
    top += strip + between;
  }
  if (has_transport(ui) && !shows_only_error(ui)) {
    bottom -= ui.px(transport_height);
    draw_transport(ui, {x, bottom, width, ui.px(transport_height)});
    bottom -= between;
  }
  const Rect figure{x, top, width, bottom - top};
  if (figure.height < ui.px(24)) return;
  draw_figure(ui, figure);
}

}  // namespace warplens::app
