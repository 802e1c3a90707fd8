// The speed of the run: as it was measured with exactly its parameters, at the size of the list of steps
// beside it and at its own, and what its size leaves of the device without work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/window/kit/widgets.hpp"
#include "app/window/model/ladder/one_speed.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/pages/ladder/cards.hpp"
#include "engine/base/text.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/device/roofline.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/problem/work.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/time/why/stalls_by_line.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {

bool no_block_fits(const Ui& ui, const run::Run& run) {
  const OccupancyState& set = ui.state().occupancy;
  const auto use = figures::occupancy_of(run, {set.threads, set.registers, set.shared}).use;
  const auto fit = device::occupancy(run.device(), use);
  return fit && fit->blocks_per_sm == 0;
}

namespace {

std::string how_to_measure(const Ui& ui) {
  std::string size;
  for (const auto& [name, value] : ui.model.sizes())
    size += (size.empty() ? "" : "x") + std::to_string(value);
  return fmt::format("Measure it on a GPU: warplens bench {} --sizes {} --save FILE", ui.model.ladder(),
                     size);
}

Card recorded_card(const Ui& ui, const measured::RecordedSpeed& speed) {
  const measured::RecordedSpeeds& all = ui.performance.recorded();
  const std::string size = measured::short_size(speed.size);
  Card card{.title = "Recorded at " + size, .short_title = "At " + size, .name = "Recorded"};
  std::tie(card.value, card.unit) = speed_words(rate_of(speed));
  card.note = speed.cublas_gflops > 0
                  ? fmt::format("{:.2g} % of cuBLAS", 100 * speed.gflops / speed.cublas_gflops)
                  : "measured";
  card.tip = figures::measured_speed(all, speed).how;
  card.provenance = plot::Provenance::recorded;
  return card;
}

// Of the size and the values that a measured launch has and the chosen one has not, in fewer words.
std::vector<std::string> shorter_values(const State& state, const measured::RecordedSpeed& near) {
  const std::string size = near.size == state.size ? "" : "at " + measured::short_size(near.size);
  const std::string other = run::changed_words(state.params, near.params);
  std::vector<std::string> all;
  if (size.empty()) all.push_back(other);
  const auto count = std::ranges::count(other, '=');
  const std::string counted = fmt::format("with {} other value{}", count, count == 1 ? "" : "s");
  if (count > 0 && !size.empty()) all.push_back(size + ", " + counted.substr(5));
  all.push_back(size.empty() ? counted : size);
  return all;
}

// Of a launch that was not measured: no number stands in the place of one, and what comes nearest is named.
Card unmeasured_card(const Ui& ui, const measured::RecordedSpeed* near) {
  const State& state = ui.state();
  Card card{.title = "Speed at " + measured::short_size(state.size),
            .short_title = "Speed",
            .value = "not measured"};
  card.name = "Unmeasured";
  card.provenance.reset();
  card.tip = how_to_measure(ui);
  if (near == nullptr) {
    card.note = "on this device";
    return card;
  }
  const std::string set = run::changed_words(near->params, state.params);
  const std::string other = run::changed_words(state.params, near->params);
  card.note =
      near->size != state.size ? "at this size" : "with " + figures::few_words(near->params, state.params);
  card.short_note = "with these values";
  const auto [value, unit] = speed_words(rate_of(*near));
  std::string values = near->size == state.size ? "" : "at " + measured::short_size(near->size);
  if (!set.empty()) values += (values.empty() ? "with " : ", ") + other;
  // Number and values have a line each: cut short, nobody would know what the number is of.
  card.lines.push_back({fmt::format("{} {}", value, unit), Token::text, plot::Provenance::recorded});
  card.lines.push_back({values, Token::text, {}, shorter_values(state, *near)});
  card.tip = fmt::format("Not measured{} at {}. The nearest that was:\n{}\n{}",
                         set.empty() ? "" : " with " + set, ui.performance.words_of(state.size),
                         figures::measured_speed(ui.performance.recorded(), *near).how, card.tip);
  return card;
}

Card live_card(const Ui& ui, const PerformanceData::LiveSpeed& live) {
  const std::string size = measured::short_size(ui.state().size);
  Card card{.title = "Live at " + size, .short_title = "At " + size, .name = "Live"};
  std::tie(card.value, card.unit) = speed_words({live.speed.value, live.unit});
  card.note = "on this computer";
  card.tip = live.speed.how;
  card.provenance = plot::Provenance::live;
  return card;
}

// At the size of the list of steps, so that bars and number are of one launch; null where that is the run's
// own, or the list shows nothing that was recorded.
const measured::RecordedSpeed* recorded_in_list(const Ui& ui) {
  return ui.performance.listed_size() == ui.state().size ||
                 ui.performance.listed() != measured::SpeedSource::recorded
             ? nullptr
             : ui.performance.recorded_step(ui.state().kernel);
}

// What the model says of a launch that was not measured, with the nearest one that was.
Card predicted_card(const Ui& ui, const run::Run& run, const time::Prediction& predicted) {
  Card card = unmeasured_card(ui, ui.performance.recorded_near());
  const problem::Work work = problem::work_of(*run.job->instance);
  if (work.amount <= 0) return card;
  std::tie(card.value, card.unit) = speed_words({1e-9 * work.amount / predicted.seconds, work.unit});
  card.note = card.short_note = "predicted";
  card.provenance = plot::Provenance::modelled;
  for (Card::Line& line : card.lines)
    if (line.provenance == plot::Provenance::recorded) line.text = "recorded " + line.text;
  return card;
}

Card speed_alone(const Ui& ui, const run::Run& run, const time::Prediction* predicted) {
  const auto* live = ui.performance.live_now();
  const auto *listed = recorded_in_list(ui), *own = ui.performance.recorded_now();
  const auto* recorded = listed != nullptr ? listed : own;
  const bool may_predict = run.complete && predicted != nullptr && explain::doubt(run).empty();
  switch (measured::shown_source({.live = live != nullptr,
                                  .recorded = recorded != nullptr,
                                  .predicted = may_predict && !no_block_fits(ui, run)})) {
    case measured::SpeedSource::live:
      return live_card(ui, *live);
    case measured::SpeedSource::recorded:
      return recorded_card(ui, *recorded);
    case measured::SpeedSource::predicted:
      return predicted_card(ui, run, *predicted);
    case measured::SpeedSource::none:
      break;
  }
  return run.complete ? unmeasured_card(ui, ui.performance.recorded_near())
                      : pending({.title = "Speed", .short_title = "Speed"});
}

// Behind the two lines of add_idle(), while there is room.
void add_line(Card& card, Card::Line line) {
  constexpr std::size_t idle_lines = 2, most_lines = 4;
  if (card.lines.size() >= most_lines) return;
  card.lines.resize(std::max(card.lines.size(), idle_lines));
  card.lines.push_back(std::move(line));
}

// There is little room.
std::string own_size(const Ui& ui) {
  constexpr std::size_t most = 6;  // "16,384"
  const std::string size = measured::short_size(ui.state().size);
  return size.size() <= most ? "at " + size : "here";
}

// What was measured at the run's own size, where the number of the card is of another one.
void add_own_size(const Ui& ui, Card& card) {
  const auto* own = ui.performance.recorded_now();
  if (card.name != "Recorded" || recorded_in_list(ui) == nullptr) return;
  if (own == nullptr) return add_line(card, {own_size(ui) + ": not measured"});
  const auto [value, unit] = speed_words(rate_of(*own));
  add_line(card,
           {fmt::format("{}: {} {}", own_size(ui), value, unit), Token::text, plot::Provenance::recorded});
  card.tip += "\n" + figures::measured_speed(ui.performance.recorded(), *own).how;
}

// "16 blocks on 132 SMs:" and "116 idle", with a size at which none is. A lesson chose its size for what it
// shows there: that is no warning.
void add_idle(const Ui& ui, Card& card) {
  const auto& idle = ui.performance.idle();
  if (!idle) return;
  const std::string words = figures::idle_words(idle->blocks, idle->multiprocessors);
  const std::size_t colon = words.find(": ");
  card.lines.insert(card.lines.begin(), {{words.substr(0, colon + 1)},
                                         {words.substr(colon + 2),
                                          ui.state().lesson.file.empty() ? Token::costly : Token::text}});
  card.tip += "\n" + words;
  if (idle->fuller) card.tip += "; try " + measured::short_size(*idle->fuller);
}

// "busiest: the warp schedulers, 49 % of the kernel's cycles; of the warps' time: 32 % waits for global memory, ..."
std::string binding_words(const time::Prediction& predicted) {
  constexpr std::size_t most = 2;
  return fmt::format("busiest: {}, {:.0f} % of the kernel's cycles; of the warps' time: {}",
                     figures::unit_name(predicted.limiter, true), 100 * time::busiest(predicted.units).busy,
                     time::reason_words(time::reasons_of(predicted.stalls), most, &predicted));
}

// What the model says, and how far that is from what was measured.
void add_predicted(const Ui& ui, Card& card, const run::Run& run, const time::Prediction& predicted) {
  const problem::Work work = problem::work_of(*run.job->instance);
  if (work.amount <= 0 || !run.complete) return;
  const auto [value, unit] = speed_words({1e-9 * work.amount / predicted.seconds, work.unit});
  const auto* recorded = ui.performance.recorded_now();
  const double off = recorded == nullptr ? 0 : recorded->seconds / predicted.seconds - 1;
  const std::string alone = fmt::format("model {} {}", value, unit);
  Card::Line line{alone, Token::dim, plot::Provenance::modelled};
  if (ui.state().occupancy != OccupancyState{}) {
    line.text += ", not as set", line.shorter = {alone};
    card.tip += "\n\nThe prediction is of the kernel as it is, not of what is set by hand";
  } else if (recorded != nullptr) {
    const std::string share = fmt::format("{:.0f} % {}", 100 * std::abs(off), off < 0 ? "less" : "more");
    line.text = fmt::format("model {}, {}", unit == card.unit ? value : value + " " + unit, share);
    line.shorter = {"model: " + share, alone};
  }
  if (card.provenance != plot::Provenance::modelled) add_line(card, std::move(line));
  card.tip += fmt::format("\n\nPredicted by the model: {} {}; {}", value, unit, binding_words(predicted));
  if (recorded != nullptr)
    card.tip += fmt::format("; {:.1f} % {} than recorded", 100 * std::abs(off), off < 0 ? "less" : "more");
}

// What the device allows, where the model says nothing.
void add_bound(Card& card, const run::Run& run, bool is_predicted) {
  const auto roof = figures::roofline_of(run.device(), run.plan().problem->has_multiply_adds());
  if (!roof || !run.complete) return;
  const run::StepCount count = step_count(run);
  const figures::PerformanceInput input{.roofline = *roof, .unit = count.unit};
  const auto point = figures::performance_point(run.plan(), {}, nullptr, &count);
  const auto most = figures::bound_of(input, point);
  if (!most) return;
  const auto [value, unit] = speed_words({most->speed, count.unit});
  if (!is_predicted)
    add_line(card, {"at most " + value + " " + unit, Token::dim, plot::Provenance::modelled});
  card.tip += "\n\n" + figures::bound_formula(input, point);
}

Card asked_card() {
  return {.title = "Speed",
          .short_title = "Speed",
          .value = "?",
          .note = "asked later",
          .provenance = std::nullopt,
          .is_wide = true};
}

}  // namespace

Card pending(Card card) {
  return {.title = std::move(card.title),
          .short_title = std::move(card.short_title),
          .value = "…",
          .note = "not known yet",
          .tip = "The whole grid is still running"};
}

Card speed_card(const Ui& ui, const run::Run& run, const time::Prediction* predicted) {
  if (ui.hides_speed) return asked_card();
  if (const std::string missing = run::missing_instruction(run); !missing.empty())
    return {.title = "Speed",
            .short_title = "Speed",
            .value = "cannot run",
            .note = missing,
            .provenance = std::nullopt,
            .is_wide = true};
  if (!ui.model.is_current()) predicted = nullptr;  // it is of the run before, at another size perhaps
  Card card = speed_alone(ui, run, predicted);
  card.is_wide = true;
  add_idle(ui, card);
  if (!explain::doubt(run).empty()) return card;  // no speed of a kernel that is wrong
  add_own_size(ui, card);
  if (no_block_fits(ui, run)) {
    add_line(card, {"no prediction: no block fits", Token::costly, {}, {"no block fits"}});
    return card;
  }
  if (predicted != nullptr) add_predicted(ui, card, run, *predicted);
  add_bound(card, run, predicted != nullptr);
  return card;
}

}  // namespace warplens::app
