// The sliders of the kernel file's parameters, the launch that they make, and what to watch.
#include <fmt/format.h>

#include "app/base/problem_words.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/run/device_needs.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

double draw_launch(const Ui& ui, double x, double y, double width) {
  const run::Run* run = ui.model.run();
  if (run == nullptr || run->plan().spec.id != ui.state().kernel) return y;
  const auto& launch = run->plan().launch;
  std::vector<std::string> lines = {
      fmt::format("Block {}, grid {}", figures::dimensions(launch.block), figures::dimensions(launch.grid)),
      !run->complete                             ? "Registers and occupancy not known yet"
      : ui.state().occupancy != OccupancyState{} ? "Registers and occupancy: of the calculator, set by hand"
      : run->report.device_registers == 0
          ? fmt::format("Registers not known for this device, occupancy at most {}",
                        plot::percent(run->report.occupancy))
          : fmt::format("{} registers, occupancy {}", run->report.device_registers,
                        plot::percent(run->report.occupancy))};
  if (run->report.shared_bytes > 0)
    lines.push_back(fmt::format("{} bytes of shared memory",
                                grouped(static_cast<std::uint64_t>(run->report.shared_bytes))));
  if (run->complete && !run->report.not_checked.empty())
    lines.push_back("Result not checked: " + run->report.not_checked);
  if (!run->plan().spec.guessed.empty())
    lines.push_back(
        fmt::format("The file has no front matter: it is taken {}. "
                    "“warplens new NAME --like {}” writes the guess into a copy, to be corrected",
                    problem_words(run->plan().spec), run->plan().spec.path));
  if (run->report.spill_bytes > 0) lines.push_back(fmt::format("{} bytes spilled", run->report.spill_bytes));
  for (const std::string& line : lines) {
    y += draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width), line,
                        {Type::caption, Token::dim});
  }
  return y + ui.px(10);
}

// Where other instructions stand in for those that the step is about it speaks of other devices.
std::string watch_on_device(const Ui& ui) {
  const run::Run* run = ui.model.run();
  const std::string& watch = ui.model.spec().watch;
  if (run == nullptr || run->kernel == nullptr || watch.empty()) return watch;
  const std::string replaced =
      run::replaced_instruction(run->plan().spec.code, run->kernel->function(), run->device());
  return replaced.empty() ? watch : sentence(replaced) + ". Elsewhere: " + watch;
}

// Returns where it and the room below it end.
double draw_watch(const Ui& ui, double x, double y, double width) {
  const std::string watch = watch_on_device(ui);
  if (watch.empty() || ui.is_asked || ui.lessons.leads()) return y;  // a lesson says itself what to watch
  const float inner = static_cast<float>(width) - ui.px(24);
  const Label body{Type::caption, Token::dim};
  // The text speaks of the file's own values: all of them are named, in as many lines as they need.
  const std::string own = run::changed_words(ui.state().params, catalog::default_values(ui.model.spec()));
  const std::string title = own.empty() ? "Watch" : "Watch, with " + own;
  const Label heading{Type::strong, Token::accent};
  const float head =
      std::max(draw_paragraph(ui, {0, 0}, inner, title, heading, false), ui.px(20)) + ui.px(14);
  const float height = draw_paragraph(ui, {0, 0}, inner, watch, body, false) + head + ui.px(10);
  fill(ui, {x, y, width, height}, Token::raised, 1, theme::metric::kCorner);
  draw_paragraph(ui, {static_cast<float>(x) + ui.px(12), static_cast<float>(y) + ui.px(8)}, inner, title,
                 heading);
  if (!own.empty()) ui.mark("watch/own values", {x, y, width, height});
  draw_paragraph(ui, {static_cast<float>(x) + ui.px(12), static_cast<float>(y) + head}, inner, watch, body);
  const ImVec2 panel = ImGui::GetWindowPos();  // where it is scrolled to, it can be seen
  if (y >= panel.y && y + height <= panel.y + ImGui::GetWindowHeight())
    ui.mark("watch", {x, y, width, height});
  return y + height + ui.px(14);
}

// Lower panels have no room for long texts above the sliders; design pixels.
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
  const float height = draw_paragraph(ui, {static_cast<float>(x + ui.px(12)), static_cast<float>(y)},
                                      static_cast<float>(inner), text, {Type::caption});
  fill(ui, {x, y, ui.px(3), height}, Token::accent);
  ui.mark("gave way", {x, y, width, height});
  return y + height + ui.px(12);
}

// Where the step is slower than the one before it: by how much, and why.
double draw_slower(const Ui& ui, double x, double y, double width, const LadderMarks& marks) {
  if (!marks.slower() || ui.is_asked || ui.hides_speed) return y;
  const std::optional<explain::Against>& said = marks.said();
  const std::string why = !said                 ? "Looking for the reason…"
                          : said->words.empty() ? "The model of time sees no reason."
                                                : sentence(said->words) + ".";
  const std::string at = marks.judged() ? " at " + marks.judged()->size : "";
  const std::string text = fmt::format("Recorded{}: {}. {}", at, marks.slower()->speeds, why);
  const float inner = static_cast<float>(width) - ui.px(24);
  const Label body{Type::caption, Token::text};
  const float height = draw_paragraph(ui, {0, 0}, inner, text, body, false) + ui.px(44);
  const Rect box{x, y, width, height};
  fill(ui, box, Token::raised, 1, theme::metric::kCorner);
  frame(ui, box, Token::costly, 1, theme::metric::kCorner);
  draw_text(ui, {x + ui.px(12), y + ui.px(8), inner, ui.px(20)},
            fmt::format("Slower than step {}", marks.slower()->than), {Type::strong, Token::costly});
  draw_paragraph(ui, {static_cast<float>(x) + ui.px(12), static_cast<float>(y) + ui.px(34)}, inner, text,
                 body);
  ui.mark("slower", box);
  return y + height + ui.px(14);
}

}  // namespace

void draw_parameters(const Ui& ui, const Rect& rect, const LadderMarks& marks) {
  begin_panel("parameters", rect);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double x = rect.x + ui.px(20), width = rect.width - ui.px(40);
  double y = at.y + ui.px(8);
  rule(ui, rect.x + ui.px(16), y, rect.right() - ui.px(16), y);
  const bool is_short = rect.height < ui.px(kShortPanel);
  y = draw_file_problems(ui, x, y + ui.px(12), width, is_short);
  y = draw_slower(ui, x - ui.px(4), y, width + ui.px(8), marks);
  y = draw_watch(ui, x - ui.px(4), y, width + ui.px(8));
  if (!ui.model.sliders().empty()) {
    draw_text(ui, {x, y, width, ui.px(22)}, "Parameters", {Type::strong, Token::dim});
    y = draw_gave_way(ui, x, y + ui.px(30), width);
  }
  // A copy: a slider that is moved makes the model compute all of them anew.
  const std::vector<Slider> sliders = ui.model.sliders();
  // Beside a lesson there is less to read: why a value is none is said of the one that is pointed at.
  const bool with_reasons = !ui.lessons.is_open();
  for (const Slider& slider : sliders) {
    const std::string& name = slider.parameter.name;
    y = draw_slider(
        ui, "param/" + name, slider, x, y, width,
        [&](std::int64_t value) { ui.model.set_parameter(name, value); }, with_reasons);
  }
  if (!ui.is_asked) y = draw_launch(ui, x, y + ui.px(4), width);
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(y)});
  ImGui::Dummy({1, ui.px(12)});
  end_fading_panel(ui, rect);
}

}  // namespace warplens::app
