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
constexpr double kSpeedPad = 11, kSpeedCaption = 20, kSpeedNumber = 44, kSpeedLine = 19, kSpeedTry = 20,
                 kSpeedButton = 32;
constexpr double kNumberSize = 34, kUnitSize = 16, kWordsHeight = 28;

plot::Provenance provenance_of(SpeedSource source) {
  return source == SpeedSource::live       ? plot::Provenance::live
         : source == SpeedSource::recorded ? plot::Provenance::recorded
                                           : plot::Provenance::modelled;
}

// "Recorded at 2,048": where the number is from; the longest form first. A size that has no room stands above.
std::vector<std::string> source_forms(const Ui& ui, const OneSpeed& speed) {
  const std::string size = measured::short_size(ui.state().size);
  const SpeedSource source = speed.source;
  if (speed.before) return {"Before, with " + figures::few_words(ui.state().params, *speed.before), "Before"};
  if (speed.is_about) return {"About, at " + size + "; predicting ...", "About; predicting ...", "About"};
  if (source == SpeedSource::live) return {"Measured here at " + size, "Measured here"};
  if (source == SpeedSource::recorded) return {"Recorded at " + size, "Recorded, this size", "Recorded"};
  return {"Predicted for " + size, "Predicted, this size", "Predicted"};
}

// In the place of the number where there is none.
struct NoSpeed {
  std::string headline = {};  // empty: it is on its way
  std::string why = {};
  Token color = Token::dim;
  std::string next_step = {};
};

// A model that does not know a kernel's instructions is no fault of the kernel.
NoSpeed not_predicted(const Error& why) {
  return {"Not predicted", sentence(why.message), Token::dim, sentence(why.next_step)};
}

// How fast a kernel is tells what a lesson asks of its accesses, too.
bool waits_for_answer(const Ui& ui) { return ui.hides_speed || ui.is_asked; }

NoSpeed why_no_speed(const Ui& ui, const SpeedsAhead& ahead) {
  if (ui.is_asked) return {"?", "Your guess first"};
  if (ui.hides_speed) return {"?", "Asked later"};
  const run::Run* run = ui.model.run();
  if (ui.model.error() && ui.model.is_cancelled()) return {"Stopped", "Before all was counted", Token::dim};
  if (ui.model.error()) return {"Nothing ran", "", Token::costly};
  if (run == nullptr) return {};
  if (const std::string missing = run::missing_instruction(*run); !missing.empty())
    return {"Cannot run", sentence(missing), Token::costly};
  if (const std::string doubt(explain::doubt(*run)); !doubt.empty())
    return {"No speed", sentence(doubt), Token::costly};
  if (run->complete && no_block_fits(ui, *run))
    return {"Cannot run", "No block fits on a multiprocessor", Token::costly};
  if (!ui.model.is_current() || !run->complete) return {};
  if (ui.model.device().sm_count <= 0) return {"Not predicted", "No model of this device"};
  return ahead.why_none() != nullptr ? not_predicted(*ahead.why_none()) : NoSpeed{};
}

// "0.49 to 0.51, 4 % more". Where the large number was or is a measured one, the model's own two are named as such.
std::string changed_words(const SpeedChange& change) {
  const auto [from, unit] = speed_words({change.from, change.unit});
  const auto [to, other] = speed_words({change.to, change.unit});
  const bool is_beside = !change.is_shown && change.source == SpeedSource::predicted;
  return fmt::format("{}{} to {}{}, {}", is_beside ? "By the model " : "",
                     unit == other ? from : from + " " + unit, change.is_about ? "about " : "", to,
                     change_words(change));
}

// "TILE = 24": what is set, where a number is of what was set before.
std::string set_words(const Ui& ui, const OneSpeed& speed) {
  return figures::few_words(*speed.before, ui.state().params);
}

// It is not where the run was cancelled.
bool is_on_its_way(const Ui& ui) { return ui.model.is_current() || ui.model.busy_seconds(); }

struct SpeedLine {
  std::string text;
  Token color = Token::dim;
  std::string mark = {};
  std::string shorter = {};  // where one line is left; empty: the same
};

// What holds it back: SMs without work, else what the model finds busy.
void add_what_holds(const Ui& ui, const time::Prediction* predicted, std::vector<SpeedLine>& lines) {
  if (const auto& idle = ui.performance.idle())
    lines.push_back(
        {fmt::format("{} of {} SMs have no block",
                     static_cast<std::uint64_t>(idle->multiprocessors) - idle->blocks, idle->multiprocessors),
         ui.state().lesson.file.empty() ? Token::costly : Token::text, "speed/idle",
         fmt::format("{} of {} SMs idle", static_cast<std::uint64_t>(idle->multiprocessors) - idle->blocks,
                     idle->multiprocessors)});
  else if (predicted != nullptr)
    if (const std::string held = explain::what_holds(*predicted).text; !held.empty())
      lines.push_back({sentence(held), Token::dim, "speed/limit"});
}

// What moved it, and what holds it back.
std::vector<SpeedLine> lines_of(const Ui& ui, const SpeedWatch& watch, const SpeedsAhead& ahead) {
  std::vector<SpeedLine> lines;
  if (waits_for_answer(ui)) return lines;
  const std::optional<OneSpeed>& now = watch.now();
  if (now && now->before) {
    if (is_on_its_way(ui))
      lines.push_back({"Predicting " + set_words(ui, *now) + " ...", Token::dim, "speed/next"});
    return lines;
  }
  if (const auto change = watch.change()) {
    const bool is_better = change->to >= change->from;
    lines.push_back({changed_words(*change), is_better ? Token::good : Token::costly, "speed/change"});
  } else if (now && now->of_cublas > 0) {
    lines.push_back({fmt::format("{:.2g} % of cuBLAS", 100 * now->of_cublas), Token::dim, "speed/cublas"});
  }
  add_what_holds(ui, now ? ahead.now() : nullptr, lines);
  return lines;
}

void draw_number(const Ui& ui, const Rect& rect, const std::string& value, const std::string& unit,
                 double alpha) {
  scene::Scene scene({rect.width / ui.scale, rect.height / ui.scale});
  const double base = scene.size.height * 0.8;
  constexpr double kBeforeUnit = 7;
  const scene::TextMeasure& fonts = ui.painter.fonts();
  const scene::TextStyle small{.size = kUnitSize, .color = scene::Color{Token::dim, alpha}};
  scene::TextStyle number{
      .size = kNumberSize, .color = scene::Color{Token::text, alpha}, .weight = scene::Weight::bold};
  const double room = scene.size.width - (unit.empty() ? 0 : kBeforeUnit + fonts.width(unit, small));
  number.size = std::floor(std::min(1.0, room / fonts.width(value, number)) * kNumberSize);
  scene.root.text({0, base}, value, number);
  scene.root.text({fonts.width(value, number) + kBeforeUnit, base}, unit, small);
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
  const double gap = ui.px(6), live_width = text_width(ui, "Live", Type::strong) + ui.px(16);
  const double wide = std::floor(std::min((row.width - gap) * 0.68, row.width - gap - live_width));
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

// A size that gives every multiprocessor a block; null where nobody is told of one.
const catalog::Values* fuller_size(const Ui& ui) {
  const auto& idle = ui.performance.idle();
  return !idle || !idle->fuller || waits_for_answer(ui) ? nullptr : &*idle->fuller;
}

void draw_fuller(const Ui& ui, const Rect& rect, const catalog::Values& size) {
  const std::string words = "Try " + measured::short_size(size);
  const double width = std::min<double>(text_width(ui, words, Type::strong) + ui.px(18), rect.width);
  if (!button(ui, "try size", {rect.x, rect.y, width, rect.height}, words,
              {.tip = "Runs this step at a size that gives every multiprocessor a block"}))
    return;
  const catalog::Values fuller = size;  // the other is gone with the first change
  for (const auto& [name, value] : fuller) ui.model.set_size(name, value);
}

void mark_source(const Ui& ui, const Rect& card, const OneSpeed& speed) {
  ui.mark(speed.before                            ? "speed/before"
          : speed.is_about                        ? "speed/about"
          : speed.source == SpeedSource::live     ? "speed/live"
          : speed.source == SpeedSource::recorded ? "speed/recorded"
                                                  : "speed/predicted",
          card);
}

// The number below the words that say where it is from; returns the height.
double draw_known(const Ui& ui, const Rect& rect, const Rect& card, const OneSpeed& speed) {
  const Rect caption{rect.x + ui.px(14), rect.y, rect.width - ui.px(14), ui.px(kSpeedCaption)};
  draw_provenance(ui, {static_cast<float>(rect.x) + ui.px(4), static_cast<float>(caption.center().y)},
                  provenance_of(speed.source));
  mark_source(ui, card, speed);
  draw_text(ui, caption, fitting(ui, source_forms(ui, speed), caption.width, Type::caption),
            {Type::caption, Token::dim});
  const Rect number{rect.x, caption.bottom(), rect.width, ui.px(kSpeedNumber)};
  const auto [value, unit] = speed_words({speed.value, speed.unit});
  if (!speed.before) ui.mark("speed/value " + value + " " + unit, number);
  draw_number(ui, number, value, unit, speed.is_about || speed.before ? kOutdatedAlpha : 1);
  ImGui::SetCursorScreenPos(corner(number));
  const bool is_measured = !speed.before && speed.source != SpeedSource::predicted;
  const bool by_mouse = ImGui::InvisibleButton("speed", extent(number));
  const std::string of = speed.before ? "Of " + run::value_words(*speed.before) + "\n" : "";
  tooltip(ui, of + speed.how + (is_measured ? "\nClick to see the samples behind it" : ""));
  if (is_measured && (clicked_by_key(ui, "speed/samples", number) || by_mouse))
    ui.state().view.figure = "timing";
  return ui.px(kSpeedCaption + kSpeedNumber);
}

// Of the same values at another size, or of others at the same.
std::optional<SpeedLine> recorded_elsewhere(const Ui& ui) {
  const auto* near = ui.performance.recorded_near();
  const State& state = ui.state();
  if (near == nullptr || (near->size != state.size && near->params != state.params)) return std::nullopt;
  const std::string where = near->size != state.size
                                ? "at " + measured::short_size(near->size)
                                : "with " + figures::few_words(state.params, near->params);
  const auto [value, unit] = speed_words(rate_of(*near));
  return SpeedLine{fmt::format("Recorded {}: {} {}", where, value, unit), Token::dim, "speed/near"};
}

// Words in its place, and why, first among the lines; returns the height.
double draw_none(const Ui& ui, const Rect& rect, const NoSpeed& none, std::vector<SpeedLine>& lines) {
  const bool is_awaited = none.headline.empty(), is_sign = is_awaited || waits_for_answer(ui);
  const Rect caption{rect.x, rect.y, rect.width, ui.px(kSpeedCaption)};
  draw_text(ui, caption, is_awaited && is_on_its_way(ui) ? "Speed, predicting ..." : "Speed",
            {Type::caption, Token::dim});
  const Rect place{rect.x, caption.bottom(), rect.width, ui.px(is_sign ? kSpeedNumber : kWordsHeight)};
  if (is_sign)
    draw_number(ui, place, is_awaited ? "…" : none.headline, "", 0.6);
  else
    draw_text(ui, place, none.headline, {Type::strong, none.color == Token::dim ? Token::text : none.color});
  ui.mark("speed/none/" + none.headline, place);
  ImGui::SetCursorScreenPos(corner(place));
  ImGui::Dummy(extent(place));
  tooltip(ui, none.why + (none.next_step.empty() ? "" : "\n" + none.next_step));
  if (const auto elsewhere = recorded_elsewhere(ui); elsewhere && !is_sign && none.color == Token::dim)
    lines.insert(lines.begin(), *elsewhere);
  if (!none.why.empty()) lines.insert(lines.begin(), {none.why, none.color, "speed/none"});
  return place.bottom() - rect.y;
}

void draw_lines(const Ui& ui, const Rect& rect, const std::vector<SpeedLine>& lines) {
  double y = rect.y;
  for (const SpeedLine& line : lines) {
    const int left = static_cast<int>((rect.bottom() - y) / ui.px(kSpeedLine - 1) + 0.5);
    if (left <= 0) return;
    const float high = draw_paragraph(ui, {static_cast<float>(rect.x), static_cast<float>(y)},
                                      static_cast<float>(rect.width),
                                      left == 1 && !line.shorter.empty() ? line.shorter : line.text,
                                      {Type::caption, line.color}, true, left);
    ui.mark(line.mark, {rect.x, y, rect.width, high});
    y += high;
  }
}

}  // namespace

std::string speed_words(const Ui& ui, const SpeedWatch& watch, const SpeedsAhead& ahead) {
  if (has_time_of_launch(ui)) return "Time, predicted: " + time_of_launch(ui);
  const std::optional<OneSpeed>& now = watch.now();
  if (!now || waits_for_answer(ui)) {
    const NoSpeed none = why_no_speed(ui, ahead);
    return none.headline + (none.why.empty() ? "" : ": " + none.why);
  }
  const auto [value, unit] = speed_words({now->value, now->unit});
  std::string text = fmt::format("{}: {} {}", source_forms(ui, *now).front(), value, unit);
  for (const SpeedLine& line : lines_of(ui, watch, ahead)) text += "\n" + line.text;
  return text;
}

double speed_panel_height(const Ui& ui) {
  return ui.px(kSpeedPad + kSpeedCaption + kSpeedNumber + 3 * kSpeedLine + kSpeedTry + 22 + kSpeedButton +
               kSpeedPad);
}

void draw_speed_panel(const Ui& ui, const Rect& rect, const SpeedWatch& watch, const SpeedsAhead& ahead,
                      WindowPage& live) {
  const bool is_narrow = rect.width < ui.px(kNarrowColumn);
  const double margin = ui.px(is_narrow ? 6 : 12), pad = ui.px(is_narrow ? 8 : kSpeedPad);
  const Rect card{rect.x + margin, rect.y, rect.width - 2 * margin, rect.height - ui.px(12)};
  ui.mark("speed panel", card);
  fill(ui, card, Token::background, 1, theme::metric::kCorner);
  frame(ui, card, Token::line, 1, theme::metric::kCorner);
  const double x = card.x + pad, width = card.width - 2 * pad;
  double y = card.y + ui.px(8);
  const Rect buttons{x, card.bottom() - ui.px(kSpeedButton + 10), width, ui.px(kSpeedButton)};
  if (has_time_of_launch(ui)) {
    draw_time_of_launch(ui, {x, y, width, ui.px(kSpeedCaption)},
                        {x, y + ui.px(kSpeedCaption), width, ui.px(kSpeedNumber)});
    return draw_buttons(ui, buttons, live);
  }
  const bool is_known = watch.now() && !waits_for_answer(ui);
  std::vector<SpeedLine> lines = lines_of(ui, watch, ahead);
  if (is_known)
    y += draw_known(ui, {x, y, width, card.bottom() - y}, card, *watch.now());
  else
    y += draw_none(ui, {x, y, width, card.bottom() - y}, why_no_speed(ui, ahead), lines);
  const catalog::Values* const fuller = fuller_size(ui);
  const double below = kSpeedButton + 22 + (fuller != nullptr ? kSpeedTry : 0);
  draw_lines(ui, {x, y, width, card.bottom() - y - ui.px(below)}, lines);
  if (fuller != nullptr)
    draw_fuller(ui, {x, card.bottom() - ui.px(kSpeedButton + 40), width, ui.px(24)}, *fuller);
  draw_buttons(ui, buttons, live);
}

}  // namespace warplens::app
