// The ladder: its steps, each with a bar of what the ladder is about beside the first one: its speed-up, recorded
// or predicted, how little it moves or executes, or how small its error is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "app/window/kit/widgets.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/ladder/one_speed.hpp"
#include "app/window/model/ladder/step_factors.hpp"
#include "app/window/pages/ladder/compared_words.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "app/window/pages/ladder/step_rows.hpp"
#include "engine/base/text.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

using Steps = std::vector<const catalog::KernelSpec*>;

constexpr double kHeadHeight = 40, kCaptionHeight = 20;  // design pixels

// What the bars compare, for every step: how many times the first one of its problem it is.
struct Bars {
  Compared by = Compared::sectors;
  std::vector<StepAmount> amounts = {};
  std::vector<StepFactor> factors = {};            // of these
  std::vector<std::string> why_not = {};           // a step does not run here; empty: it does
  std::vector<bool> unmeasured = {};               // that is why; empty: none
  std::vector<std::optional<Slower>> slower = {};  // than the step before; empty where nothing is compared
  std::vector<double> most = {};                   // of all steps of the same problem
  std::string where = {};                          // the device and size of recorded speeds
  std::vector<bool> predicted = {};                // among recorded ones; empty: none
  std::vector<bool> asked = {};  // a guess waits, or the lesson asks for it later: neither number nor bar
  std::string size = {};  // the same size in short where the run is at another one, with that; else empty
  // Where bars are speeds of one unit: in billions of it, 0: not known. Else empty, and factors are said.
  std::vector<double> speeds = {};
  std::string unit = {}, at = {};  // and the size in short
  std::string how_watched =
      {};  // how the speed on screen is known, where the chosen step's bar is that speed
  bool says_speeds() const { return !unit.empty(); }
};

bool any_recorded(const Ui& ui) { return ui.performance.recorded().has_steps_of(ui.model.ladder()); }

bool is_speed(Compared by) { return by == Compared::recorded || by == Compared::predicted; }
plot::Provenance source_of(Compared by) {
  return by == Compared::recorded    ? plot::Provenance::recorded
         : by == Compared::predicted ? plot::Provenance::modelled
                                     : plot::Provenance::emulated;
}

// Of the steps that were recorded; all have one.
std::string_view unit_of(const Ui& ui, const Steps& steps) {
  std::string_view unit;
  for (const auto* step : steps)
    if (const auto* speed = ui.performance.recorded_step(step->id)) {
      const std::string_view own = rate_of(*speed).unit;
      unit = unit.empty() ? own : common_unit(unit, own);
    }
  return unit;
}

bool is_set_by_hand(const Ui& ui, const catalog::KernelSpec& step) {
  return step.id == ui.state().kernel && !ui.performance.unmeasured().empty();
}

// Of a step of which nothing is recorded at this size, in the unit of the others; 0: not known. What the user
// set it to is another launch than that of its file, of which the list asks the model.
double predicted_rate(const Ui& ui, const catalog::KernelSpec& step, std::string_view unit) {
  const StepTraffic* traffic = ui.model.ladder_traffic().of(step.id);
  if (is_set_by_hand(ui, step) || traffic == nullptr || traffic->seconds <= 0 ||
      is_of_operations(traffic->count.unit) != is_of_operations(unit))
    return 0;
  return figures::predicted_speed(traffic->count, traffic->seconds).value;
}

// Of the values of its file.
bool lacks_a_recording(const Ui& ui, const Steps& steps) {
  return std::ranges::any_of(steps, [&](const auto* step) {
    return ui.performance.recorded_step(step->id) == nullptr && !is_set_by_hand(ui, *step);
  });
}

// The speed of the step on screen with the values that are set, where it is in the unit of the others.
double watched_rate(const std::optional<OneSpeed>& now, std::string_view unit) {
  return now && !now->before && is_of_operations(now->unit) == is_of_operations(unit) ? now->value : 0;
}

Bars recorded_bars(const Ui& ui, const Steps& steps, const std::optional<OneSpeed>& now) {
  Bars bars{.by = Compared::recorded};
  bars.unit = unit_of(ui, steps);
  bars.where = measured::short_device_name(ui.performance.recorded().device) + ", " +
               ui.performance.words_of(ui.performance.listed_size());
  if (ui.performance.listed_size() != ui.state().size)
    bars.size = fmt::format("at {}, the run at {}", measured::short_size(ui.performance.listed_size()),
                            measured::short_size(ui.state().size));
  const auto rate_of_speed = [](const measured::RecordedSpeed* speed) {
    return speed == nullptr ? 0 : rate_of(*speed).value;
  };
  for (const auto* step : steps) {
    bars.asked.push_back(ui.asked_later.contains(step->id));
    const double recorded = rate_of_speed(ui.performance.recorded_step(step->id));
    const bool has_own_size = ui.performance.listed_size() == ui.state().size;
    const bool is_set = is_set_by_hand(ui, *step);
    const double modelled = !has_own_size ? 0
                            : is_set      ? watched_rate(now, bars.unit)
                                          : predicted_rate(ui, *step, bars.unit);
    const auto source = measured::shown_source({.recorded = recorded > 0, .predicted = modelled > 0});
    bars.predicted.push_back(source == measured::SpeedSource::predicted);
    if (is_set && bars.predicted.back()) bars.how_watched = now->how;
    const double rate = bars.predicted.back() ? modelled : recorded;
    // What is set on the first step changes no factor of the others.
    const double as_first = is_set ? rate_of_speed(ui.performance.recorded_of_file()) : rate;
    bars.amounts.push_back({step->problem, bars.asked.back() ? 0 : rate, as_first});
    bars.speeds.push_back(bars.amounts.back().amount);
    const bool unmeasured = is_set && rate <= 0;
    bars.why_not.push_back(!unmeasured    ? ""
                           : has_own_size ? "being predicted"
                                          : "not measured with " + ui.performance.unmeasured());
    bars.unmeasured.push_back(unmeasured);
    bars.slower.push_back(
        bars.asked.back() ? std::nullopt : slower_than_before(ui.model, ui.performance, bars.slower.size()));
  }
  return bars;
}

std::string recorded_tip(const Ui& ui, const std::string& kernel, bool is_predicted) {
  const measured::RecordedSpeed* speed = ui.performance.recorded_step(kernel);
  const StepTraffic* traffic = ui.model.ladder_traffic().of(kernel);
  if (speed == nullptr && is_predicted && traffic != nullptr)
    return figures::predicted_speed(traffic->count, traffic->seconds).how;
  if (speed == nullptr)
    return "Not recorded at " + ui.performance.words_of(ui.performance.listed_size()) +
           (kernel == ui.state().kernel && !ui.performance.unmeasured().empty()
                ? " with " + ui.performance.unmeasured()
                : "");
  const measured::Rate rate = rate_of(*speed);
  return fmt::format("{} {}, recorded\n{}", plot::plain(rate.value, 5), rate.unit,
                     figures::measured_speed(ui.performance.recorded(), *speed).how);
}

std::string counted_tip(const StepTraffic& traffic, Compared by) {
  const std::string values = traffic.values.empty()
                                 ? "its own default values"
                                 : traffic.values + ", the nearest to its own values that the device takes";
  if (by == Compared::predicted)
    return fmt::format("{}, predicted by the model at this size with {}",
                       plot::si(traffic.seconds, 3, " ", "s"), values);
  if (by == Compared::error)
    return fmt::format("Largest relative error {:.2g}, emulated at this size with {}",
                       traffic.error.value_or(0), values);
  const bool of_instructions = by == Compared::instructions;
  return fmt::format("{} {}, emulated at this size with {}",
                     grouped(of_instructions ? traffic.instructions : traffic.global_sectors),
                     of_instructions ? "instructions of warps, of the PTX" : "sectors of global memory",
                     values);
}

// All steps of the arithmetic ladder read and write what others of their problem do, and differ in what they
// compute.
bool move_the_same(const Ui& ui, const Steps& steps) {
  constexpr double kSame = 0.02;
  std::map<std::string, double> first;  // by problem
  std::size_t compared = 0;
  for (const auto* step : steps) {
    const StepTraffic* traffic = ui.model.ladder_traffic().of(step->id);
    if (traffic == nullptr || traffic->global_sectors == 0) continue;
    const auto sectors = static_cast<double>(traffic->global_sectors);
    const auto [known, is_first] = first.try_emplace(step->problem, sectors);
    if (std::abs(sectors / known->second - 1) > kSame) return false;
    compared += is_first ? 0 : 1;
  }
  return compared > 0;
}

// Whether the model says nothing of any step, all of which it was asked for.
bool is_model_silent(const Ui& ui, const Steps& steps) {
  return std::ranges::all_of(steps, [&](const auto* step) {
    const StepTraffic* traffic = ui.model.ladder_traffic().of(step->id);
    return traffic != nullptr && traffic->seconds <= 0;
  });
}

// What bars compare where nothing was recorded: speeds by the model, or what the ladder is about where that is
// none.
Compared compared_of(const Ui& ui, const Steps& steps, bool asks_for_sectors) {
  const catalog::Measure measure = ui.model.taught().of(ui.model.ladder()).measure;
  if (!asks_for_sectors && measure == catalog::Measure::error) return Compared::error;
  const bool is_of_time = measure == catalog::Measure::time || measure == catalog::Measure::sectors;
  if (!asks_for_sectors && is_of_time && ui.model.device().sm_count > 0 && !is_model_silent(ui, steps))
    return Compared::predicted;
  return measure == catalog::Measure::instructions || move_the_same(ui, steps) ? Compared::instructions
                                                                               : Compared::sectors;
}

// How little of it a step has, for as much work: where a parameter sets how much there is to do, for a turn of
// the ladder's or an operation. 0: not known.
double little_of(const Ui& ui, const StepTraffic& traffic, Compared by, std::size_t index) {
  if (by == Compared::error) return traffic.error && *traffic.error > 0 ? 1 / *traffic.error : 0;
  const auto turns = catalog::turns_of(ui.model.taught().of(ui.model.ladder()), index + 1,
                                       traffic.count.parameters, ui.state().size);
  const double operations = traffic.count.share > 0 ? traffic.count.operations / traffic.count.share : 0;
  const double work = turns ? turns->count : operations > 0 ? operations : 1;
  const double cost = by == Compared::predicted      ? traffic.seconds
                      : by == Compared::instructions ? static_cast<double>(traffic.instructions)
                                                     : static_cast<double>(traffic.global_sectors);
  return cost > 0 ? work / cost : 0;
}

// Where all steps that are known do one kind of work, and as much of it: their predicted speeds.
void add_speeds(const Ui& ui, const Steps& steps, const std::optional<OneSpeed>& now, Bars& bars) {
  std::string_view unit;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const StepTraffic* traffic = ui.model.ladder_traffic().of(steps[at]->id);
    const bool is_known = traffic != nullptr && traffic->seconds > 0;
    // Steps of a ladder that is about turns of a loop are compared by these.
    if (is_known && catalog::turns_of(ui.model.taught().of(ui.model.ladder()), at + 1,
                                      traffic->count.parameters, ui.state().size))
      return;
    if (is_known && unit.empty()) unit = traffic->count.unit;
    if (is_known && unit != traffic->count.unit) return;
  }
  if (unit.empty()) return;
  bars.unit = std::string(unit);
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const StepTraffic* traffic = ui.model.ladder_traffic().of(steps[at]->id);
    const bool is_known = traffic != nullptr && traffic->seconds > 0 && !bars.asked[at];
    double speed = is_known ? figures::predicted_speed(traffic->count, traffic->seconds).value : 0;
    if (steps[at]->id == ui.state().kernel && !bars.asked[at] && watched_rate(now, unit) > 0) {
      speed = watched_rate(now, unit);
      bars.how_watched = now->how;
    }
    bars.speeds.push_back(speed);
    bars.amounts[at].amount = speed;
  }
}

Bars counted_bars(const Ui& ui, const Steps& steps, Compared by) {
  Bars bars{.by = by};
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const StepTraffic* traffic = ui.model.ladder_traffic().of(steps[at]->id);
    const bool known = traffic != nullptr && traffic->why_not.empty();
    bars.asked.push_back(is_speed(by) && ui.asked_later.contains(steps[at]->id));
    bars.amounts.push_back(
        {steps[at]->problem, known && !bars.asked.back() ? little_of(ui, *traffic, by, at) : 0});
    bars.why_not.push_back(traffic == nullptr ? "" : sentence(traffic->why_not));
  }
  return bars;
}

Bars bars_of(const Ui& ui, const Steps& steps, const std::optional<OneSpeed>& now) {
  if (ui.is_asked)  // a guess shall not be read off the bars
    return {.amounts = std::vector<StepAmount>(steps.size()),
            .factors = std::vector<StepFactor>(steps.size()),
            .why_not = std::vector<std::string>(steps.size()),
            .most = std::vector<double>(steps.size(), 1),
            .asked = std::vector<bool>(steps.size(), true)};
  const bool asks_for_sectors = ui.state().view.steps_by == StepsBy::sectors;
  const Compared counted = compared_of(ui, steps, asks_for_sectors);
  const bool recorded = !asks_for_sectors && counted != Compared::error &&
                        ui.performance.listed() == measured::SpeedSource::recorded;
  const bool lacks = recorded && lacks_a_recording(ui, steps);
  const bool with_time = lacks || (!asks_for_sectors && ui.model.device().sm_count > 0);
  ui.model.count_steps(!recorded || lacks, with_time);
  Bars bars = recorded ? recorded_bars(ui, steps, now) : counted_bars(ui, steps, counted);
  if (bars.by == Compared::predicted) add_speeds(ui, steps, now, bars);
  bars.factors = step_factors(bars.amounts);
  std::map<std::string, double> most;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    double& known = most.try_emplace(steps[s]->problem, 1).first->second;
    known = std::max(known, bars.factors[s].times);
  }
  for (const auto* step : steps) bars.most.push_back(most[step->problem]);
  bars.at = measured::short_size(recorded ? ui.performance.listed_size() : ui.state().size);
  return bars;
}

// With which step it is compared, where that is not the first one.
std::string base_words(const Bars& bars, std::size_t index) {
  const std::size_t base = bars.factors[index].base;
  const bool is_other = bars.amounts[index].problem != bars.amounts.front().problem;
  if (base == 0 || bars.factors[index].times <= 0) return "";
  const std::string problem = is_other ? "Another problem than that of step 1" : "Nothing is known of step 1";
  return base == index ? problem : fmt::format("{}: compared with step {}", problem, base + 1);
}

// The numbers behind the bar of a step.
std::string numbers_of(const Ui& ui, const Bars& bars, std::size_t index, const std::string& kernel) {
  if (index < bars.asked.size() && bars.asked[index]) return "";
  const bool slower = index < bars.slower.size() && bars.slower[index].has_value();
  if (slower)
    return fmt::format("Slower than step {}; open this step to see why\n{}", bars.slower[index]->than,
                       recorded_tip(ui, kernel, false));
  // The list may not have counted the step yet whose speed is known.
  if (kernel == ui.state().kernel && !bars.how_watched.empty()) return bars.how_watched;
  if (bars.by == Compared::recorded)
    return recorded_tip(ui, kernel, index < bars.predicted.size() && bars.predicted[index]);
  const StepTraffic* traffic = ui.model.ladder_traffic().of(kernel);
  return traffic != nullptr && bars.factors[index].times > 0 ? counted_tip(*traffic, bars.by)
                                                             : bars.why_not[index];
}

std::string tip_of(const Ui& ui, const Bars& bars, std::size_t index, const std::string& kernel) {
  std::string numbers = numbers_of(ui, bars, index, kernel);
  if (index < bars.asked.size() && bars.asked[index]) return numbers;
  const std::string times = bars.says_speeds() ? factor_words(bars.factors, index) : "";
  if (!times.empty() && index > 0 && bars.factors[index].times > 0)
    numbers = fmt::format("{} step {}’s speed\n{}", times.substr(0, times.find(' ')),
                          bars.factors[index].base + 1, numbers);
  const std::string base = base_words(bars, index);
  return base.empty() || numbers.empty() ? numbers + base : numbers + "\n" + base;
}

// Recorded bars are full, emulated and predicted ones pale with an outline, as in plots.
void draw_bar(const Ui& ui, const Rect& track, double share, bool best, Compared by) {
  const plot::Look look = plot::look_of(source_of(by));
  const Rect bar{track.x, track.y, track.width * std::clamp(share, 0.008, 1.0), track.height};
  const Token color = best ? Token::good : Token::first_warp;
  fill(ui, bar, color, look.bar_opacity, 2);
  if (look.bar_outlined && bar.width > 2) frame(ui, bar, color, 1, 2);
}

// In place of a bar. unmeasured: with the values that are set.
void draw_why_not(const Ui& ui, const Rect& rect, const std::string& why_not, bool chosen,
                  bool unmeasured = false) {
  std::vector<std::string> forms{why_not};
  if (unmeasured) forms.insert(forms.end(), {"not measured with these values", "not measured"});
  draw_text(
      ui, rect, fitting(ui, forms, rect.width, Type::caption),
      {Type::caption, chosen && ui.model.error() && !ui.model.is_cancelled() ? Token::costly : Token::dim});
}

// To make a tip takes longer than to draw its step.
bool is_pointed_at() { return ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled); }

// Before the number of a step that is slower than the one before it: an arrow down.
void draw_slower_mark(const Ui& ui, const Rect& rect, const std::string& number, const std::string& step) {
  const double right = rect.right() - text_width(ui, number, Type::small_code) - ui.px(3), wide = ui.px(8);
  const float x = static_cast<float>(right - wide), y = static_cast<float>(rect.center().y);
  const float w = static_cast<float>(wide), h = ui.px(3);
  ImGui::GetWindowDrawList()->AddTriangleFilled({x, y - h}, {x + w, y - h}, {x + w / 2, y + h},
                                                ui.color(Token::costly));
  ui.mark("slower/" + step, rect);
}

// What stands beside the bar of a step.
std::string value_words(const Bars& bars, std::size_t index) {
  if (!bars.says_speeds()) return factor_words(bars.factors, index);
  const double speed = bars.speeds[index];
  return speed > 0 ? speed_in(speed_unit(bars.speeds, bars.unit), speed) : "";
}

void draw_step(const Ui& ui, const Rect& rect, const catalog::KernelSpec& spec, std::size_t index,
               const StepRows& rows, const Bars& bars) {
  ui.mark("step/" + spec.id, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(spec.id.c_str());
  const bool by_mouse = ImGui::InvisibleButton("step", extent(rect));
  if (clicked_by_key(ui, "step/" + spec.id, rect) || by_mouse) ui.model.choose_kernel(spec.id);
  const bool hovered = ImGui::IsItemHovered();
  const bool chosen = spec.id == ui.state().kernel;
  // A name such as "Broadcast from shared memory" is the answer to what the class shall guess.
  const bool is_secret = chosen && ui.is_covered;
  if (is_pointed_at() && !is_secret) {
    const std::string tip = tip_of(ui, bars, index, spec.id);
    show_tip(ui,
             spec.title + (spec.idea.empty() ? "" : ". " + spec.idea) + (tip.empty() ? "" : "\n\n" + tip));
  }
  ImGui::PopID();
  if (chosen || hovered) fill(ui, rect, Token::raised, chosen ? 1 : 0.6, theme::metric::kCorner);
  if (chosen) fill(ui, {rect.x, rect.y, ui.px(3), rect.height}, Token::accent);

  const StepColumns& columns = rows.columns;
  const double top = rect.y + ui.px(2);
  // What is being edited stands among the steps, and is none of them.
  const bool is_step = ui.model.edited() == nullptr || &spec != &ui.model.edited()->spec;
  draw_text(ui, {rect.x, top, columns.number, ui.px(22)}, is_step ? std::to_string(index + 1) : "·",
            {Type::small_code, Token::dim}, Align::right);
  const double title_x = rect.x + columns.title, right = rect.right() - ui.px(8);
  // A speed stands beside the title, as columns of numbers do; a factor, which may name a step, beside the bar.
  const bool is_beside = bars.says_speeds() && columns.has_speeds_beside;
  const std::vector<std::string> hidden{"?"}, &title = is_secret ? hidden : rows.titles[index];
  for (std::size_t line = 0; line < title.size(); ++line)
    draw_text(
        ui, {title_x, top + line * ui.px(kTitleLine), columns.title_width, ui.px(22)}, title[line],
        {rows.type == Type::body && chosen ? Type::strong : rows.type, chosen ? Token::text : Token::dim});
  const StepFactor& factor = bars.factors[index];
  const double below = rect.bottom() - ui.px(14);
  if (const std::string& why_not = bars.why_not[index]; !why_not.empty())
    return draw_why_not(ui, {title_x, below - ui.px(2), right - title_x, ui.px(16)}, why_not, chosen,
                        index < bars.unmeasured.size() && bars.unmeasured[index]);
  if (index < bars.asked.size() && bars.asked[index]) {
    if (!is_secret)
      draw_text(ui, {title_x, below - ui.px(2), right - title_x, ui.px(16)}, "?",
                {Type::caption, Token::dim});
    return;
  }
  const bool slower = index < bars.slower.size() && bars.slower[index].has_value();
  const bool is_other = bars.amounts[index].problem != bars.amounts.front().problem;
  if (is_other && factor.is_alone && factor.times > 0)
    return draw_why_not(ui, {title_x, below - ui.px(2), right - title_x, ui.px(16)}, "new problem", false);
  const double value_width = ui.px(bars.says_speeds() ? kSpeedWidth : factor.base == 0 ? 44 : 92);
  const double times = factor.times;
  const Rect value = is_beside ? Rect{right - value_width, top, value_width, ui.px(22)}
                               : Rect{right - value_width, below, value_width, ui.px(16)};
  const std::string words = value_words(bars, index);
  if (words.empty() && is_other && times > 0)
    draw_text(ui, value, "new problem", {Type::caption, Token::dim}, Align::right);
  draw_text(ui, value, words, {Type::small_code, slower ? Token::costly : Token::dim}, Align::right);
  if (slower) draw_slower_mark(ui, value, words, spec.id);
  const double beside = is_beside ? 0 : value_width + ui.px(4);
  const Rect track{title_x, below + ui.px(5), right - title_x - beside, ui.px(5)};
  fill(ui, track, chosen ? Token::line : Token::raised, 1, 2);
  // Fewer sectors alone win nothing.
  const bool best = (is_speed(bars.by) || bars.by == Compared::error) && times >= bars.most[index];
  const bool is_predicted = index < bars.predicted.size() && bars.predicted[index];
  if (times > 0)
    draw_bar(ui, track, times / bars.most[index], best, is_predicted ? Compared::predicted : bars.by);
}

std::string at_main_size(const Ui& ui) {
  const auto size = ui.performance.recorded().main_size(ui.model.ladder());
  return "Speed-up, recorded at " + ui.performance.words_of(size.value_or(ui.state().size));
}

// What the bars may compare.
void draw_steps_by_items(const Ui& ui) {
  StepsBy& by = ui.state().view.steps_by;
  const Compared own = compared_of(ui, ui.model.steps(), false),
                 counted = compared_of(ui, ui.model.steps(), true);
  const bool can = any_recorded(ui) && own != Compared::error;
  const auto item = [&](const char* words, StepsBy value) {
    if (menu_item(ui, words, {.chosen = by == value})) by = value;
  };
  if (can) item("Speed-up at this size, recorded or predicted", StepsBy::speed);
  if (can) item("Speed-up, recorded nearest to this size", StepsBy::speed_here);
  if (can) item(at_main_size(ui).c_str(), StepsBy::speed_most);
  if (!can && own == counted)
    menu_item(ui, "Speed-up: nothing is recorded for this device", {.enabled = false});
  if (!can && own != counted) item(words_of(own).item.data(), StepsBy::speed);
  if (menu_item(ui, std::string(words_of(counted).item),
                {.chosen = by == StepsBy::sectors || (!can && own == counted)}))
    by = StepsBy::sectors;
}

// At which size bars were recorded, and the run's where it is another one. is_sized: the head says it.
std::string source_words(const Ui& ui, const Bars& bars, double width, bool is_sized) {
  const std::string at = is_sized ? "" : " at " + bars.at;
  std::vector<std::string> forms;
  if (bars.by == Compared::recorded) {
    const std::string device =
        "recorded" + at + ", " + measured::short_device_name(ui.performance.recorded().device);
    const bool any = std::ranges::find(bars.predicted, true) != bars.predicted.end();
    forms = {any ? device + "; hollow: predicted" : device, device, "recorded" + at,
             is_sized ? "recorded" : at.substr(1)};
    if (!bars.size.empty()) forms.insert(forms.begin(), {"recorded " + bars.size, "recorded, " + bars.where});
  } else {
    const std::string how = bars.by == Compared::predicted ? "predicted" : "emulated";
    const std::string more = ui.model.ladder_traffic().is_busy() ? ", counting…" : "";
    const std::string longer(words_of(bars.by).longer);
    forms = bars.says_speeds() ? std::vector{how + at + more, how}
            : longer.empty()   ? std::vector{how + ", this size", how}
                               : std::vector{how + "; " + longer, longer};
  }
  return fitting(ui, forms, width, Type::caption);
}

// What the bars mean, and the menu to change it. True where that says at which size.
bool draw_head(const Ui& ui, const Rect& rect, const Bars& bars) {
  const std::string unit(bars.says_speeds() ? speed_unit(bars.speeds, bars.unit).name : "");
  const std::string of = bars.says_speeds() ? unit + " at " + bars.at : "Steps";
  // Speeds say themselves what they are, and the line below that they are counted.
  const bool is_bare = bars.says_speeds();
  const bool counting = !is_bare && bars.by != Compared::recorded && ui.model.ladder_traffic().is_busy();
  const ComparedWords& words = words_of(bars.by);
  const std::string name(counting ? "counting…" : words.name);
  const std::array names{name, counting ? name : std::string(words.short_name)};
  const std::string now = is_bare ? "" : fitting(ui, names, rect.width - ui.px(44), Type::strong);
  const double width = is_bare ? ui.px(kMenuArrowWidth) : text_width(ui, now, Type::strong) + ui.px(44);
  const Rect place{rect.right() - width, rect.y, width, rect.height};
  const Rect title{rect.x, rect.y, place.x - rect.x - ui.px(4), rect.height};
  const Type type = text_width(ui, of, Type::strong) <= title.width ? Type::strong : Type::caption;
  const std::string said = fitting(ui, std::array{of, unit}, title.width, type);
  draw_text(ui, title, said, {type, Token::dim});
  if (!now.empty()) ui.mark("steps by/" + now, place);
  if (button(ui, "steps by", place, now, {.tip = words.tip, .menu = true})) ImGui::OpenPopup("steps by menu");
  if (begin_menu("steps by menu", place)) {
    draw_steps_by_items(ui);
    ImGui::EndPopup();
  }
  return bars.says_speeds() && said == of;
}

// A kernel file that is a step of no ladder: its title, and where it is.
void draw_own_file(const Ui& ui, const Rect& rect) {
  const std::filesystem::path path = ui.model.spec().path;
  ui.mark("own file", rect);
  double y = rect.y;
  const auto line = [&](const std::string& text, const Label& label) {
    draw_text(ui, {rect.x, y, rect.width, ui.px(20)}, text, label);
    y += ui.px(20);
  };
  const float inner = static_cast<float>(rect.width);
  y += draw_paragraph(ui, corner({rect.x, y + ui.px(1), 0, 0}), inner, ui.model.spec().title,
                      {Type::strong, Token::text}, true, 2);
  line(path.filename().string(), {Type::small_code, Token::dim});
  if (y + ui.px(20) <= rect.bottom()) line(path.parent_path().string(), {Type::caption, Token::dim});
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  tooltip(ui, path.string());
}

// Where another step was chosen, or the list has just come: scrolls no further than its row needs, and by
// whole rows. height: of the list.
void keep_in_sight(const std::string& kernel, std::size_t index, const StepRows& rows, double height) {
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID last = ImGui::GetID("last chosen");
  const int now = static_cast<int>(ImGui::GetID(kernel.c_str()));
  if (storage.GetInt(last) == now && !ImGui::IsWindowAppearing()) return;
  storage.SetInt(last, now);
  const double bottom = rows.tops[index + 1] - height;
  if (rows.tops[index] < ImGui::GetScrollY()) ImGui::SetScrollY(static_cast<float>(rows.tops[index]));
  if (bottom <= ImGui::GetScrollY()) return;
  const double top = *std::ranges::lower_bound(rows.tops, std::min(bottom, rows.tops[index]));
  ImGui::SetScrollY(static_cast<float>(top));
}

}  // namespace

double steps_height(const Ui& ui, double width, double most) {
  const double above = ui.px(kHeadHeight + kCaptionHeight), below = ui.px(8);
  const auto steps = ui.model.steps();
  if (steps.empty()) return std::min(above + ui.px(2 * 38) + below, most);
  const StepRows rows = step_rows(ui, steps, width);
  if (above + rows.height() + below <= most) return above + rows.height() + below;
  return above + rows.whole_rows(most - above);
}

void draw_steps(const Ui& ui, const Rect& rect, const std::optional<OneSpeed>& now) {
  const auto steps = ui.model.steps();
  const Bars bars = bars_of(ui, steps, now);
  const bool is_narrow = rect.width < ui.px(kNarrowColumn);
  const double inner_x = rect.x + ui.px(is_narrow ? 14 : 20), inner = rect.width - ui.px(is_narrow ? 26 : 36);
  if (steps.empty()) {
    draw_text(ui, {inner_x, rect.y + ui.px(8), inner, ui.px(28)}, "Kernel file", {Type::strong, Token::dim});
    return draw_own_file(ui, {inner_x, rect.y + ui.px(kHeadHeight), inner, rect.height - ui.px(kHeadHeight)});
  }
  const bool is_sized = draw_head(ui, {inner_x, rect.y + ui.px(8), inner, ui.px(28)}, bars);
  const double caption = rect.y + ui.px(kHeadHeight - 4);
  draw_provenance(ui, {static_cast<float>(inner_x) + ui.px(4), static_cast<float>(caption) + ui.px(9)},
                  source_of(bars.by));
  const Rect source_at{inner_x + ui.px(14), caption, inner - ui.px(14), ui.px(18)};
  const std::string source = source_words(ui, bars, source_at.width, is_sized);
  draw_text(ui, source_at, source, {Type::caption, Token::dim});
  ui.mark("steps source/" + source, source_at);
  ui.mark(bars.size.empty() ? "steps/same size" : "steps/other size", source_at);
  ui.mark(fmt::format("steps/{}", words_of(bars.by).mark), source_at);
  const double above = ui.px(kHeadHeight + kCaptionHeight);
  const Rect list{rect.x, rect.y + above, rect.width, rect.height - above};
  ui.mark("steps list", list);
  begin_panel("steps", list);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const StepRows rows = step_rows(ui, steps, rect.width);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double y = at.y + rows.tops[i], high = rows.tops[i + 1] - rows.tops[i] - ui.px(2);
    draw_step(ui, {rect.x + rows.columns.margin, y, rows.columns.width, high}, *steps[i], i, rows, bars);
    if (steps[i]->id == ui.state().kernel) keep_in_sight(steps[i]->id, i, rows, list.height);
  }
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(at.y + rows.height())});
  ImGui::Dummy({1, 0});
  ImGui::EndChild();
}

}  // namespace warplens::app
