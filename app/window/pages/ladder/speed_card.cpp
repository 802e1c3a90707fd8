// The speed of the run: as it was measured with exactly its parameters at its size, and what that size leaves
// of the device without work.
#include <fmt/format.h>

#include <tuple>

#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/pages/ladder/cards.hpp"
#include "engine/device/roofline.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

// "498 GFLOP/s" as "498" and "GFLOP/s"
std::pair<std::string, std::string> speed_words(measured::Rate rate) {
  const std::string unit = std::string(rate.unit.substr(1));  // behind the G
  const std::string text = plot::si(1e9 * rate.value, 3, " ", unit);
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), space == std::string::npos ? "" : text.substr(space + 1)};
}

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

// What the sectors of this run allow without caches; nothing where there is no chip or nothing was counted.
std::optional<Card> modelled_card(const Ui& ui, const run::Run& run) {
  const auto roof = device::roofline(run.device(), run.plan().problem->has_multiply_adds());
  if (!roof) return std::nullopt;
  const run::StepCount count = step_count(run);
  const figures::PerformanceInput input{.roofline = *roof, .unit = count.unit};
  const auto point = figures::performance_point(run.plan(), {}, nullptr, &count);
  const auto speed = figures::modelled_speed(input, point);
  const bool fills_chip = figures::fills_chip(input, point);
  if (!speed && fills_chip) return std::nullopt;
  Card card{.title = "Modelled, " + measured::short_device_name(run.device().name),
            .short_title = "Modelled"};
  card.provenance = plot::Provenance::modelled;
  if (!fills_chip) {
    card.value = "none";
    card.note = fmt::format("{} of {} SMs", point.blocks, roof->multiprocessors);
    card.tip = "The model holds for grids that give every multiprocessor a block. " + how_to_measure(ui);
    return card;
  }
  std::tie(card.value, card.unit) = speed_words({*speed, count.unit});
  card.note = "without caches";
  card.tip = figures::modelled_formula(input, point) + "\nNot recorded for these values and this size. " +
             how_to_measure(ui);
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

Card speed_alone(const Ui& ui, const run::Run& run) {
  if (const auto* live = ui.performance.live_now()) return live_card(ui, *live);
  if (const measured::RecordedSpeed* speed = ui.performance.recorded_now()) return recorded_card(ui, *speed);
  if (!run.complete) return pending({.title = "Speed", .short_title = "Speed"});
  if (auto card = modelled_card(ui, run)) return *std::move(card);
  Card card{.title = "Speed", .short_title = "Speed", .value = "not recorded"};
  card.tip = how_to_measure(ui);
  card.provenance.reset();
  return card;
}

// "16 blocks on 132 SMs:" and "116 idle", with a size at which none is.
void add_idle(const Ui& ui, Card& card) {
  const auto& idle = ui.performance.idle();
  if (!idle) return;
  const std::string words = figures::idle_words(idle->blocks, idle->multiprocessors);
  const std::size_t colon = words.find(": ");
  card.lines.push_back({words.substr(0, colon + 1)});
  card.lines.push_back({words.substr(colon + 2), Token::costly});
  card.size = idle->fuller;
  card.tip += "\n" + words;
  if (idle->fuller) card.tip += "; try " + measured::short_size(*idle->fuller);
}

}  // namespace

Card pending(Card card) {
  return {.title = std::move(card.title),
          .short_title = std::move(card.short_title),
          .value = "…",
          .note = "not known yet",
          .tip = "The whole grid is still running"};
}

Card speed_card(const Ui& ui, const run::Run& run) {
  Card card = speed_alone(ui, run);
  card.is_wide = true;
  add_idle(ui, card);
  return card;
}

}  // namespace warplens::app
