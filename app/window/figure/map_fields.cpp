// Above the speed map: over which parameters it goes, and what becomes of the others.
#include <algorithm>
#include <string>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "viz/figures/map/speed_map.hpp"

namespace warplens::app {
namespace {

constexpr double kHeight = 32;

// One that is chosen is left out where another stays; another takes the place of the one chosen first.
std::string toggled(std::vector<std::string> axes, const std::string& name) {
  const auto found = std::ranges::find(axes, name);
  if (found != axes.end() && axes.size() > 1)
    axes.erase(found);
  else if (found == axes.end()) {
    if (axes.size() > 1) axes.erase(axes.begin());
    axes.push_back(name);
  }
  std::string over;
  for (const std::string& axis : axes) over += (over.empty() ? "" : ",") + axis;
  return over;
}

}  // namespace

double draw_map_fields(const Ui& ui, const Rect& rect, const time::SpeedMap* map) {
  Drawing& drawing = ui.state().drawing;
  const double height = ui.px(kHeight), gap = ui.px(6);
  double x = rect.x;
  const auto place = [&](std::string_view text) {
    const Rect box{x, rect.y, text_width(ui, text, Type::strong) + ui.px(24), height};
    x += box.width + gap;
    return box;
  };
  const auto varied = map == nullptr ? std::vector<std::string>() : time::varied_parameters(*map);
  const auto axes = map == nullptr ? varied : figures::axes_of(*map, map_options(drawing));
  for (const std::string& name : varied) {
    const bool chosen = std::ranges::find(axes, name) != axes.end();
    if (varied.size() > 1 &&
        button(ui, "map/" + name, place(name), name,
               {.chosen = chosen, .tip = "Over this parameter; over one alone it is a curve"}))
      drawing.over = toggled(axes, name);
  }
  if (varied.size() > axes.size()) {
    const bool best = drawing.others != "now";
    const std::string_view text = best ? "Others at their best" : "Others as now";
    x += gap;
    if (const Rect box = place(text);
        box.right() <= rect.right() &&
        button(ui, "map/others", box, text,
               {.chosen = best, .tip = "The other parameters: the best for each cell, or as they are now"}))
      drawing.others = best ? "now" : "best";
  }
  return height + ui.px(8);
}

}  // namespace warplens::app
