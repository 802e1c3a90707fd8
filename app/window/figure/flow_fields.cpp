// Above the data flow: whose traffic it shows, and whether its packets move.
#include <array>
#include <string>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::app {
namespace {

constexpr double kHeight = 32;

struct Part {
  std::string_view name, title, short_title;
};
constexpr std::array kParts = {Part{"operation", "One operation", "Operation"},
                               Part{"block", "One block", "Block"}, Part{"kernel", "The kernel", "Kernel"}};

}  // namespace

double draw_flow_fields(const Ui& ui, const Rect& rect) {
  std::string& per = ui.state().drawing.per;
  const double height = ui.px(kHeight), gap = ui.px(6);
  const auto width_of = [&](std::string_view text) { return text_width(ui, text, Type::strong) + ui.px(28); };
  const std::string_view play = ui.is_playing() ? "Stop" : "Let it flow";
  double needed = width_of(play) + gap;
  for (const Part& part : kParts) needed += width_of(part.title) + gap;
  const bool is_short = needed > rect.width;
  double x = rect.x;
  for (const Part& part : kParts) {
    const std::string_view title = is_short ? part.short_title : part.title;
    const Rect place{x, rect.y, width_of(title), height};
    if (button(ui, "flow/" + std::string(part.name), place, title,
               {.chosen = per == part.name, .tip = "Whose traffic the pipes have"}))
      per = std::string(part.name);
    x += place.width + gap;
  }
  const Rect place{x, rect.y, width_of(play), height};
  if (place.right() <= rect.right() &&
      button(ui, "flow/play", place, play, {.look = Look::primary, .tip = "Moves the packets (space)"}))
    ui.playing_since = ui.is_playing() ? -1 : ImGui::GetTime();
  return height + ui.px(8);
}

}  // namespace warplens::app
