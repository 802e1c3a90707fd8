// The sliders of the kernel file's parameters, the launch that they make, and what to watch.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/problem_words.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

// "32 × 32 threads, 100 % occupancy": what the sliders make of the launch.
double draw_launch(const Ui& ui, double x, double y, double width) {
  const run::Run* run = ui.model.run();
  if (run == nullptr || run->plan().spec.id != ui.state().kernel) return y;
  const auto paragraph = [&](const std::string& text, bool draw) {
    return draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width), text,
                          {Type::caption, Token::dim}, draw);
  };
  const auto line = [&](const std::string& text) { y += paragraph(text, true); };
  const std::string threads = figures::dimensions(run->plan().launch.block) + " threads";
  const bool is_known = run->complete && ui.state().occupancy == OccupancyState{};
  const std::string_view bound = run->report.device_registers == 0 ? "at most " : "";
  std::string share = plot::percent(run->report.occupancy);  // in one line
  if (const std::size_t space = share.find(' '); space != std::string::npos)
    share.replace(space, 1, "\u00a0");
  const std::string_view of = run::why_not_full(run->report).empty() ? "" : " of a full SM";
  // As high as it can be: while the occupancy is on its way, a panel that is scrolled to its end stays there.
  const double end =
      y + paragraph(fmt::format("{}, {}100\u00a0% occupancy of a full SM", threads, bound), false);
  line(is_known ? fmt::format("{}, {}{} occupancy{}", threads, bound, share, of) : threads);
  y = std::max(y, end);
  if (!run->plan().spec.guessed.empty()) {
    const double top = y;
    line(guess_words(run->plan().spec));
    ImGui::SetCursorScreenPos(corner({x, top, 0, 0}));
    ImGui::Dummy({static_cast<float>(width), static_cast<float>(y - top)});
    tooltip(ui, fmt::format(
                    "The file does not say at what size its kernel runs, on which data, and what is right. "
                    "The editor (F2) shows the guess and writes it into the file; “warplens new NAME --like "
                    "{}” writes it into a copy",
                    run->plan().spec.path));
  }
  return y + ui.px(10);
}

// Lower panels have no room for a title and long texts above the sliders; design pixels.
constexpr double kShortPanel = 340;

// Kernel files that cannot be read: they are missing among the steps.
// brief: a line or two of each, so that the sliders stay in sight; the pointer shows all.
double draw_file_problems(const Ui& ui, double x, double y, double width, bool brief) {
  const double top = y;
  std::string all;
  for (const Error& problem : ui.model.catalog().problems()) {
    const std::string line = to_line(without_home(ui, problem));
    y += draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width), line,
                        {Type::caption, Token::costly}, true, brief ? 2 : 1000) +
         ui.px(8);
    all += (all.empty() ? "" : "\n\n") + line;
  }
  if (all.empty()) return y;
  const Rect lines{x, top, width, y - top};
  ui.mark("file problems", lines);
  ImGui::SetCursorScreenPos(corner(lines));
  ImGui::Dummy(extent(lines));
  if (brief) tooltip(ui, all);
  return y;
}

// Why the sliders stand elsewhere than they were put, on a device that does not take what they had.
double draw_gave_way(const Ui& ui, double x, double y, double width) {
  const std::string& text = ui.model.gave_way();
  if (text.empty()) return y;
  const double inner = width - ui.px(12);
  constexpr int kMostLines = 3;  // the sliders stay in sight; the pointer shows all
  const float height = draw_paragraph(ui, {static_cast<float>(x + ui.px(12)), static_cast<float>(y)},
                                      static_cast<float>(inner), text, {Type::caption}, true, kMostLines);
  const Rect note{x, y, width, height};
  fill(ui, {x, y, ui.px(3), height}, Token::accent);
  ui.mark("gave way", note);
  ImGui::SetCursorScreenPos(corner(note));
  ImGui::Dummy(extent(note));
  tooltip(ui, text);
  return y + height + ui.px(12);
}

}  // namespace

void draw_parameters(const Ui& ui, const Rect& rect, const catalog::Values& before) {
  begin_panel("parameters", rect);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double side = ui.px(rect.width < ui.px(kNarrowColumn) ? 14 : 20);
  const double x = rect.x + side, width = rect.width - 2 * side;
  double y = at.y + ui.px(8);
  rule(ui, rect.x + ui.px(16), y, rect.right() - ui.px(16), y);
  const bool is_short = rect.height < ui.px(kShortPanel);
  y = draw_file_problems(ui, x, y + ui.px(12), width, is_short);
  if (!ui.model.sliders().empty()) {
    if (!is_short) {
      draw_text(ui, {x, y, width, ui.px(22)}, "Parameters", {Type::strong, Token::dim});
      y += ui.px(30);
    }
    y = draw_gave_way(ui, x, y, width);
  }
  // A copy: a slider that is moved makes the model compute all of them anew.
  const std::vector<Slider> sliders = ui.model.sliders();
  for (const Slider& slider : sliders) {
    const std::string& name = slider.parameter.name;
    const auto was = before.find(name);
    y = draw_slider(
        ui, "param/" + name, slider, x, y, width,
        [&](std::int64_t value) { ui.model.set_parameter(name, value); },
        was == before.end() ? std::nullopt : std::optional(was->second));
  }
  if (ui.model.launch() != nullptr)
    for (const auto& page : ui.pages) y = page->draw_values(ui, {x, y, width, 0});
  if (!ui.is_asked) y = draw_launch(ui, x, y + ui.px(4), width);
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(y)});
  ImGui::Dummy({1, ui.px(12)});
  end_fading_panel(ui, rect);
}

}  // namespace warplens::app
