// The sliders of the kernel file's parameters, the launch that they make, and what to watch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

double dot_x(const Rect& track, std::size_t index, std::size_t count) {
  return count < 2 ? track.center().x
                   : track.x + track.width * static_cast<double>(index) / static_cast<double>(count - 1);
}

std::size_t nearest_dot(const Rect& track, std::size_t count, double x) {
  if (count < 2 || track.width <= 0) return 0;
  const double at = (x - track.x) / track.width * static_cast<double>(count - 1);
  return static_cast<std::size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(count - 1)));
}

void draw_dots(const Ui& ui, const Rect& track, const Slider& slider) {
  for (std::size_t i = 0; i < slider.choices.size(); ++i) {
    const auto& choice = slider.choices[i];
    const scene::Point at{dot_x(track, i, slider.choices.size()), track.center().y};
    if (choice.value == slider.value) {
      draw_disc(ui, at, ui.px(8), choice.legal ? Token::accent : Token::costly);
    } else if (choice.legal) {
      draw_disc(ui, at, ui.px(3.5), Token::dim);
    } else {
      const double ring = std::max(1.0f, ui.px(1.5));
      draw_disc(ui, at, ui.px(4) + ring / 2, Token::panel);
      draw_disc(ui, at, ui.px(4) + ring / 2, Token::dim, ring);
    }
  }
}

}  // namespace

double draw_slider(const Ui& ui, std::string_view mark, const Slider& slider, double x, double y,
                   double width, const std::function<void(std::int64_t)>& choose, bool with_reason) {
  const std::string& name = slider.parameter.name;
  const Rect head{x, y, width, ui.px(20)};
  draw_text(ui, head, name, {Type::code});
  draw_text(ui, head, std::to_string(slider.value), {Type::code}, Align::right);
  ImGui::PushID(mark.data(), mark.data() + mark.size());
  ImGui::SetCursorScreenPos(corner(head));
  ImGui::Dummy(extent(head));
  tooltip(ui, slider.parameter.meaning);

  const Rect track{x + ui.px(6), head.bottom() + ui.px(2), width - ui.px(12), ui.px(20)};
  const Rect hit{x, track.y, width, track.height};
  ui.mark(std::string(mark), track);
  ImGui::SetCursorScreenPos(corner(hit));
  ImGui::InvisibleButton("slider", extent(hit));
  const std::size_t near = nearest_dot(track, slider.choices.size(), ImGui::GetIO().MousePos.x);
  const bool pointed = ImGui::IsItemActive() || ImGui::IsItemHovered();
  if (ImGui::IsItemActive() && near < slider.choices.size() && slider.choices[near].legal)
    choose(slider.choices[near].value);
  ImGui::PopID();

  const double middle = track.center().y;
  fill(ui, {track.x, middle - ui.px(1.5), track.width, ui.px(3)}, Token::line, 1, 1.5);
  draw_dots(ui, track, slider);
  const auto illegal = [&](const catalog::Choice& c) { return !c.legal; };
  const auto first = std::find_if(slider.choices.begin(), slider.choices.end(), illegal);
  double bottom = track.bottom() + ui.px(2);
  if (first == slider.choices.end()) return bottom + ui.px(6);
  if (!with_reason) {
    if (pointed && near < slider.choices.size() && !slider.choices[near].legal)
      show_tip(ui, fmt::format("{} = {}: {}", name, slider.choices[near].value, slider.choices[near].reason));
    return bottom + ui.px(6);
  }
  // Said quietly until somebody wants such a value.
  const auto chosen = std::find_if(slider.choices.begin(), slider.choices.end(),
                                   [&](const catalog::Choice& c) { return c.value == slider.value; });
  const bool is_wrong = chosen != slider.choices.end() && !chosen->legal;
  const bool points = pointed && !slider.choices[near].legal, wanted = points || is_wrong;
  const catalog::Choice& told = points ? slider.choices[near] : is_wrong ? *chosen : *first;
  const std::string reason = fmt::format("{}: {}", told.value, told.reason);
  const float height =
      draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(bottom)}, static_cast<float>(width),
                     reason, {Type::caption, wanted ? Token::costly : Token::dim});
  return bottom + height + ui.px(8);
}

namespace {

double draw_launch(const Ui& ui, double x, double y, double width) {
  const run::Run* run = ui.model.run();
  if (run == nullptr || run->plan().spec.id != ui.state().kernel) return y;
  const auto& launch = run->plan().launch;
  std::vector<std::string> lines = {
      fmt::format("Block {}, grid {}", figures::dimensions(launch.block), figures::dimensions(launch.grid)),
      run->complete ? fmt::format("{} registers, occupancy {}", run->report.registers,
                                  plot::percent(run->report.occupancy))
                    : "Registers and occupancy not known yet"};
  if (run->report.shared_bytes > 0)
    lines.push_back(fmt::format("{} bytes of shared memory",
                                grouped(static_cast<std::uint64_t>(run->report.shared_bytes))));
  if (run->report.spill_bytes > 0) lines.push_back(fmt::format("{} bytes spilled", run->report.spill_bytes));
  for (const std::string& line : lines) {
    y += draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width), line,
                        {Type::caption, Token::dim});
  }
  return y + ui.px(10);
}

// below: what is left free under it. Answers where that ends.
double draw_watch(const Ui& ui, double x, double y, double width, double below) {
  const std::string& watch = ui.model.spec().watch;
  if (watch.empty()) return y;
  const float inner = static_cast<float>(width) - ui.px(24);
  const Label body{Type::caption, Token::dim};
  const float height = draw_paragraph(ui, {0, 0}, inner, watch, body, false) + ui.px(44);
  fill(ui, {x, y, width, height}, Token::raised, 1, theme::metric::corner);
  draw_text(ui, {x + ui.px(12), y + ui.px(8), inner, ui.px(20)}, "Watch", {Type::strong, Token::accent});
  draw_paragraph(ui, {static_cast<float>(x) + ui.px(12), static_cast<float>(y) + ui.px(34)}, inner, watch,
                 body);
  const ImVec2 panel = ImGui::GetWindowPos();  // where it is scrolled to, it can be seen
  if (y >= panel.y && y + height <= panel.y + ImGui::GetWindowHeight())
    ui.mark("watch", {x, y, width, height});
  return y + height + below;
}

// At the right of the head of the sliders: says what to watch, and goes there.
void draw_watch_button(const Ui& ui, const Rect& head) {
  const std::string& watch = ui.model.spec().watch;
  if (watch.empty()) return;
  const double wide = text_width(ui, "Watch", Type::strong) + ui.px(20);
  if (button(ui, "watch/show", {head.right() - wide, head.y - ui.px(3), wide, head.height + ui.px(6)},
             "Watch", {.tip = watch}))
    ImGui::SetScrollY(ImGui::GetScrollMaxY());
}

// Lower panels have no room for long texts above the sliders; design pixels.
constexpr double short_panel = 340;

// Kernel files that cannot be read: they are missing among the steps.
// brief: a line or two of each, so that the sliders stay in sight; the pointer shows all.
double draw_file_problems(const Ui& ui, double x, double y, double width, bool brief) {
  const double top = y;
  std::string all;
  for (const Error& problem : ui.model.file_problems()) {
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

// Why the sliders stand elsewhere than they were put, on a chip that does not take what they had.
double draw_gave_way(const Ui& ui, double x, double y, double width) {
  const std::string& text = ui.model.gave_way();
  if (text.empty()) return y;
  const double inner = width - ui.px(12);
  const float height = draw_paragraph(ui, {static_cast<float>(x + ui.px(12)), static_cast<float>(y)},
                                      static_cast<float>(inner), text, {Type::caption});
  fill(ui, {x, y, ui.px(3), height}, Token::accent);
  ui.mark("gave way", {x, y, width, height});
  return y + height + ui.px(12);
}

}  // namespace

void draw_parameters(const Ui& ui, const Rect& rect) {
  begin_panel("parameters", rect);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double x = rect.x + ui.px(20), width = rect.width - ui.px(40);
  double y = at.y + ui.px(8);
  rule(ui, rect.x + ui.px(16), y, rect.right() - ui.px(16), y);
  // What to look at comes first; where the window is low the sliders do, and a button leads to it.
  const bool low = is_low(ui);
  const bool is_short = rect.height < ui.px(short_panel);
  y = draw_file_problems(ui, x, y + ui.px(12), width, low || is_short);
  if (!low) y = draw_watch(ui, x - ui.px(4), y, width + ui.px(8), ui.px(14));
  if (!ui.model.sliders().empty()) {
    draw_text(ui, {x, y, width, ui.px(22)}, "Parameters", {Type::strong, Token::dim});
    if (low) draw_watch_button(ui, {x, y, width, ui.px(22)});
    y = draw_gave_way(ui, x, y + ui.px(30), width);
  }
  // A copy: a slider that is moved makes the model compute all of them anew.
  const std::vector<Slider> sliders = ui.model.sliders();
  for (const Slider& slider : sliders) {
    const std::string& name = slider.parameter.name;
    y = draw_slider(
        ui, "param/" + name, slider, x, y, width,
        [&](std::int64_t value) { ui.model.set_parameter(name, value); },
        !low);  // where room is short, the reason comes with the pointer, or by Ctrl+K
  }
  y = draw_launch(ui, x, y + ui.px(4), width);
  if (low) y = draw_watch(ui, x - ui.px(4), y, width + ui.px(8), 0);
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(y)});
  ImGui::Dummy({1, ui.px(12)});
  end_fading_panel(ui, rect);
}

}  // namespace warplens::app
