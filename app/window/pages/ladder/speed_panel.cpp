// The one speed of the launch on screen: large, always in the same place, with where it is from, what a moved
// slider made of it, what limits it, and what measures it.
#include <fmt/format.h>

#include <algorithm>

#include "app/gpu/time_text.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/terms.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/ladder/one_speed.hpp"
#include "app/window/pages/ladder/cards.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/recorded_launch.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/problem/recorded_problem.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/device_needs.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

using measured::SpeedSource;

// Design pixels.
constexpr double kSpeedPad = 14, kSpeedCaption = 20, kSpeedNumber = 44, kSpeedLine = 19, kSpeedTry = 20,
                 kSpeedButton = 32;
constexpr double kNumberSize = 34, kUnitSize = 16;

plot::Provenance provenance_of(SpeedSource source) {
  return source == SpeedSource::live       ? plot::Provenance::live
         : source == SpeedSource::recorded ? plot::Provenance::recorded
                                           : plot::Provenance::modelled;
}

// "Recorded at 2,048": where the number is from.
std::string source_words(const Ui& ui, const OneSpeed& speed) {
  const std::string size = measured::short_size(ui.state().size);
  const SpeedSource source = speed.source;
  if (speed.is_about) return "About, at " + size + "; predicting ...";
  return source == SpeedSource::live       ? "Measured here at " + size
         : source == SpeedSource::recorded ? "Recorded at " + size
                                           : "Predicted for " + size;
}

// Why there is no number; empty while it is on its way.
std::string no_speed_words(const Ui& ui, const SpeedsAhead& ahead) {
  if (ui.hides_speed) return "asked later";
  const run::Run* run = ui.model.run();
  if (ui.model.error() || run == nullptr) return ui.model.error() ? "nothing ran" : "";
  if (const std::string missing = run::missing_instruction(*run); !missing.empty()) return missing;
  if (const std::string doubt(explain::doubt(*run)); !doubt.empty()) return doubt;
  if (run->complete && no_block_fits(ui, *run)) return "no block fits";
  if (!ui.model.is_current() || !run->complete) return "";
  if (ui.model.device().sm_count <= 0) return "no model of this device";
  return ahead.why_none() != nullptr ? "not predicted" : "";
}

// "0.49 to 0.51, 4 % more"
std::string changed_words(const SpeedChange& change) {
  const auto [from, unit] = speed_words({change.from, change.unit});
  const auto [to, other] = speed_words({change.to, change.unit});
  return fmt::format("{} to {}{}, {}", unit == other ? from : from + " " + unit,
                     change.is_about ? "about " : "", to, change_words(change));
}

struct SpeedLine {
  std::string text;
  Token color = Token::dim;
  std::string mark = {};
};

// What holds it back: SMs without work, else what the model finds busy.
std::vector<SpeedLine> lines_of(const Ui& ui, const SpeedWatch& watch, const SpeedsAhead& ahead) {
  std::vector<SpeedLine> lines;
  if (ui.hides_speed) return lines;
  const std::optional<OneSpeed>& now = watch.now();
  if (const auto change = watch.change()) {
    const bool is_better = change->to >= change->from;
    lines.push_back({changed_words(*change), is_better ? Token::good : Token::costly, "speed/change"});
  } else if (now && now->of_cublas > 0) {
    lines.push_back({fmt::format("{:.2g} % of cuBLAS", 100 * now->of_cublas), Token::dim, "speed/cublas"});
  }
  if (const auto& idle = ui.performance.idle())
    lines.push_back(
        {fmt::format("{} of {} SMs have no block",
                     static_cast<std::uint64_t>(idle->multiprocessors) - idle->blocks, idle->multiprocessors),
         ui.state().lesson.file.empty() ? Token::costly : Token::text, "speed/idle"});
  else if (const time::Prediction* predicted = ahead.now(); predicted != nullptr && now)
    if (const std::string held = explain::what_holds(*predicted).text; !held.empty())
      lines.push_back({sentence(held), Token::dim, "speed/limit"});
  return lines;
}

void draw_number(const Ui& ui, const Rect& rect, const std::string& value, const std::string& unit,
                 double alpha) {
  scene::Scene scene({rect.width / ui.scale, rect.height / ui.scale});
  const double base = scene.size.height * 0.8;
  const scene::TextStyle number{
      .size = kNumberSize, .color = scene::Color{Token::text, alpha}, .weight = scene::Weight::bold};
  scene.root.text({0, base}, value, number);
  scene.root.text({ui.painter.fonts().width(value, number) + 8, base}, unit,
                  {.size = kUnitSize, .color = scene::Color{Token::dim, alpha}});
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, ui.scale);
}

// Run and what it waits for, in the room of one button.
void draw_run(const Ui& ui, const Rect& rect) {
  const auto busy = ui.model.busy_seconds();
  if (busy && *busy > kBusyAfter) {
    const double turn = ui.px(24);
    if (button(ui, "run", {rect.x, rect.y, rect.width - turn, rect.height}, "Cancel",
               {.tip = "Stop this run (Esc)"}))
      ui.model.cancel();
    return spinner(ui, {static_cast<float>(rect.right() - turn / 2), static_cast<float>(rect.center().y)},
                   ui.px(8));
  }
  const GpuRuns& gpus = ui.model.gpus();
  const bool on_gpu = ui.state().engine == Engine::gpu, has_gpu = !gpus.devices().empty();
  const std::string_view words = has_gpu && !on_gpu ? "Run on GPU" : "Run again";
  constexpr double kAroundWords = 46;  // the sign and the edges
  const bool fits = text_width(ui, words, Type::caption) + ui.px(kAroundWords) <= rect.width;
  if (!button(ui, "run", rect, fits ? words : "Run",
              {.icon = Icon::run,
               .tip = has_gpu ? "Verifies and times this kernel on the GPU (F5)"
                              : "Runs this kernel again on the emulator: no GPU was found (F5)"}))
    return;
  has_gpu && !on_gpu ? ui.model.choose_gpu(0) : ui.model.run_again();
}

void draw_buttons(const Ui& ui, const Rect& row, WindowPage& live) {
  const double gap = ui.px(8), wide = std::floor((row.width - gap) * 0.68);
  draw_run(ui, {row.x, row.y, wide, row.height});
  const PageButton look = live.button(ui);
  if (button(ui, "live", {row.x + wide + gap, row.y, row.width - wide - gap, row.height}, "Live",
             {.look = look.primary ? Look::primary : Look::plain, .enabled = look.enabled, .tip = look.tip}))
    live.toggle(ui);
}

// Of one that is wrong it counts for nothing, as a speed.
bool has_time_of_launch(const Ui& ui) {
  const run::Run* run = ui.model.run();
  return ui.model.launch() != nullptr && run != nullptr && !ui.model.error() && explain::doubt(*run).empty();
}

// A launch of a program has a time: of what it has a speed, only the program knows.
std::string time_of_launch(const Ui& ui) {
  const catalog::RecordedLaunch& launch = *problem::recorded_launch(*ui.model.launch());
  const bool is_of_device = launch.arch == ui.model.device().compute_capability;
  return is_of_device && launch.predicted_seconds > 0 ? time_words(launch.predicted_seconds) : "none";
}

void draw_time_of_launch(const Ui& ui, const Rect& caption, const Rect& number) {
  const std::string time = time_of_launch(ui);
  const std::size_t space = std::min(time.find(' '), time.size());
  draw_text(ui, caption, "Time, predicted", {Type::caption, Token::dim});
  ui.mark("speed/time " + time, number);
  draw_number(ui, number, time.substr(0, space), time.substr(std::min(space + 1, time.size())), 1);
}

// Runs at a size that gives every multiprocessor a block.
void draw_fuller(const Ui& ui, const Rect& rect) {
  const auto& idle = ui.performance.idle();
  if (!idle || !idle->fuller || ui.hides_speed) return;
  const std::string words = "Try " + measured::short_size(*idle->fuller);
  const double width = text_width(ui, words, Type::strong) + ui.px(18);
  if (!button(ui, "try size", {rect.x, rect.y, width, rect.height}, words,
              {.tip = "Runs this step at a size that gives every multiprocessor a block"}))
    return;
  const catalog::Values fuller = *idle->fuller;
  for (const auto& [name, value] : fuller) ui.model.set_size(name, value);
}

}  // namespace

std::string speed_words(const Ui& ui, const SpeedWatch& watch, const SpeedsAhead& ahead) {
  if (has_time_of_launch(ui)) return "Time, predicted: " + time_of_launch(ui);
  const std::optional<OneSpeed>& now = watch.now();
  if (!now || ui.hides_speed) return sentence(no_speed_words(ui, ahead));
  const auto [value, unit] = speed_words({now->value, now->unit});
  std::string text = fmt::format("{}: {} {}", source_words(ui, *now), value, unit);
  for (const SpeedLine& line : lines_of(ui, watch, ahead)) text += "\n" + line.text;
  return text;
}

double speed_panel_height(const Ui& ui) {
  return ui.px(kSpeedPad + kSpeedCaption + kSpeedNumber + 3 * kSpeedLine + kSpeedTry + 16 + kSpeedButton +
               kSpeedPad);
}

void draw_speed_panel(const Ui& ui, const Rect& rect, const SpeedWatch& watch, const SpeedsAhead& ahead,
                      WindowPage& live) {
  const Rect card{rect.x + ui.px(12), rect.y, rect.width - ui.px(24), rect.height - ui.px(12)};
  ui.mark("speed panel", card);
  fill(ui, card, Token::background, 1, theme::metric::kCorner);
  frame(ui, card, Token::line, 1, theme::metric::kCorner);
  const double x = card.x + ui.px(kSpeedPad), width = card.width - 2 * ui.px(kSpeedPad);
  double y = card.y + ui.px(8);
  const Rect buttons{x, card.bottom() - ui.px(kSpeedButton + 10), width, ui.px(kSpeedButton)};
  if (has_time_of_launch(ui)) {
    draw_time_of_launch(ui, {x, y, width, ui.px(kSpeedCaption)},
                        {x, y + ui.px(kSpeedCaption), width, ui.px(kSpeedNumber)});
    return draw_buttons(ui, buttons, live);
  }
  const std::optional<OneSpeed>& now = watch.now();
  const std::string why_not = now && !ui.hides_speed ? "" : no_speed_words(ui, ahead);
  const bool is_known = now && !ui.hides_speed;
  if (is_known) {
    draw_provenance(ui, {static_cast<float>(x) + ui.px(4), static_cast<float>(y) + ui.px(kSpeedCaption / 2)},
                    provenance_of(now->source));
    ui.mark(now->is_about                          ? "speed/about"
            : now->source == SpeedSource::live     ? "speed/live"
            : now->source == SpeedSource::recorded ? "speed/recorded"
                                                   : "speed/predicted",
            card);
  }
  draw_text(ui, {x + (is_known ? ui.px(14) : 0), y, width, ui.px(kSpeedCaption)},
            is_known ? source_words(ui, *now) : "Speed", {Type::caption, Token::dim});
  y += ui.px(kSpeedCaption);
  const Rect number{x, y, width, ui.px(kSpeedNumber)};
  ImGui::SetCursorScreenPos(corner(number));
  ImGui::Dummy(extent(number));
  if (is_known) {
    const auto [value, unit] = speed_words({now->value, now->unit});
    ui.mark("speed/value " + value + " " + unit, number);
    draw_number(ui, number, value, unit, now->is_about ? kOutdatedAlpha : 1);
    tooltip(ui, now->how);
  } else {
    draw_number(ui, number, ui.hides_speed ? "?" : why_not.empty() ? "…" : "none", "", 0.6);
    tooltip(ui, why_not.empty() ? "It is being predicted" : sentence(why_not));
  }
  y += ui.px(kSpeedNumber);
  std::vector<SpeedLine> lines = lines_of(ui, watch, ahead);
  if (!is_known && !why_not.empty())
    lines.insert(lines.begin(), {sentence(why_not), Token::costly, "speed/none"});
  int left = 3;
  for (const SpeedLine& line : lines) {
    if (left <= 0) break;
    const float high =
        draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width),
                       line.text, {Type::caption, line.color}, true, left);
    ui.mark(line.mark, {x, y, width, high});
    y += high;
    left -= static_cast<int>(high / ui.px(kSpeedLine - 1) + 0.5);
  }
  draw_fuller(ui, {x, card.bottom() - ui.px(kSpeedButton + 40), width, ui.px(24)});
  draw_buttons(ui, buttons, live);
}

}  // namespace warplens::app
