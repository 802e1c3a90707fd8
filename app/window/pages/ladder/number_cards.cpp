// The numbers of the run that a class should remember. Each is marked with where it comes from: the counts
// are emulated, the speed is recorded or modelled.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/device/roofline.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

struct Card {
  std::string title = {}, short_title = {}, value = {}, note = {};
  std::string short_note = {};  // where there is no room for the note
  bool costly = false;
  std::string tip = {};   // the formula behind the number
  std::string unit = {};  // small, behind the value
  std::optional<plot::Provenance> provenance = plot::Provenance::emulated;
  bool confirmed = false;  // the GPU's own counters say the same
};

// Of a run whose warps are still being counted.
Card pending(Card card) {
  return {.title = std::move(card.title),
          .short_title = std::move(card.short_title),
          .value = "…",
          .note = "not known yet",
          .tip = "The whole grid is still running"};
}

constexpr double kLeastCard = 122;     // design pixels across
constexpr double kClearlyMore = 1.25;  // than ideal: marked as costly

std::string sample_note(const run::Run& run) {
  return run.emulation.is_sampled()
             ? fmt::format("; {} of {} blocks ran", grouped(run.emulation.outcome.counters.blocks_run),
                           grouped(run.emulation.blocks_in_grid))
             : "";
}

// A number of a sample is never shown as if it were of the whole grid.
std::string sample_unit(const run::Run& run) {
  return run.emulation.is_sampled()
             ? fmt::format("in {} blocks", grouped(run.emulation.outcome.counters.blocks_run))
             : "";
}

// What was counted beside what is ideal. best: the word for no more than that.
void show_cost(Card& card, const run::Run& run, std::uint64_t cost, std::uint64_t ideal, const char* best) {
  if (cost == 0) return;
  const double times = ideal == 0 ? 1 : static_cast<double>(cost) / static_cast<double>(ideal);
  card.value = short_count(static_cast<double>(cost));
  card.unit = sample_unit(run);
  card.costly = times > kClearlyMore;
  card.note = times < 1.005 ? best : fmt::format("{:.3g}× ideal", times);
}

// With what this computer's GPU counted in the same run. kind: "sectors" or "wavefronts".
void add_counted(Card& card, const Ui& ui, std::string_view kind) {
  const GpuAnswer* answer = ui.model.gpu_answer();
  if (answer == nullptr || !answer->counters || !*answer->counters) return;
  std::uint64_t emulated = 0, counted = 0;
  const auto& pairs = **answer->counters;
  // Of the instructions themselves where they were counted: they are loads and stores together.
  const bool own = std::ranges::find(pairs, kOwnWavefronts, &CounterPair::name) != pairs.end();
  for (const CounterPair& pair : pairs) {
    if (!pair.name.ends_with(kind)) continue;
    if (kind == "wavefronts" && own != (pair.name == kOwnWavefronts)) continue;
    emulated += pair.emulated;
    counted += pair.counted;
  }
  card.confirmed = counted == emulated && counted > 0;
  card.tip += fmt::format("\n{} counted {} itself, {}", answer->report->gpu->device, grouped(counted),
                          counted == emulated ? "as emulated" : "and the emulator " + grouped(emulated));
}

Card sectors_card(const Ui& ui, const run::Run& run) {
  const auto& total = run.lines.total.traffic.global;
  Card card{.title = "Global sectors", .short_title = "Sectors", .value = "none"};
  card.tip =
      "32-byte units of global memory that all warps asked for, by the rule of the device" + sample_note(run);
  show_cost(card, run, total.sectors, total.ideal_sectors, "ideal");
  add_counted(card, ui, "sectors");
  return card;
}

Card bytes_card(const run::Run& run) {
  const auto& total = run.lines.total.traffic.global;
  Card card{.title = "Bytes used", .short_title = "Used", .value = "none"};
  card.tip = "Distinct bytes that each warp asked for, over 32 bytes for each sector moved";
  if (total.sectors == 0) return card;
  const double share = static_cast<double>(total.bytes_used) / (32.0 * static_cast<double>(total.sectors));
  card.value = plot::percent(share);
  card.note = "of bytes moved";
  card.costly = share * kClearlyMore < 1;
  return card;
}

Card shared_card(const Ui& ui, const run::Run& run) {
  const auto& total = run.lines.total.traffic.shared;
  Card card{.title = "Shared wavefronts", .short_title = "Wavefronts", .value = "none"};
  card.tip = "Turns that shared memory took to serve all warps" + sample_note(run);
  show_cost(card, run, total.wavefronts, total.ideal_wavefronts, "no conflicts");
  add_counted(card, ui, "wavefronts");
  return card;
}

Card occupancy_card(const run::Run& run) {
  Card card{.title = "Occupancy", .short_title = "Occupancy", .value = "none"};
  const auto fit = device::occupancy(
      run.device(), {threads_per_block(run.plan()), run.report.registers, run.report.shared_bytes});
  card.tip = "Warps that fit on one multiprocessor of " + run.device().name + ", of the most it holds";
  if (!fit) return card;
  card.value = plot::percent(fit->occupancy);
  std::string limits;
  for (const auto limiter : fit->limiters)
    limits += (limits.empty() ? "" : ", ") + std::string(device::to_string(limiter));
  card.costly = fit->blocks_per_sm == 0;
  card.note = fit->occupancy >= 1 ? fmt::format("{} warps", fit->warps_per_sm)
              : card.costly       ? "no block fits: " + limits
                                  : "limited by " + limits;
  if (fit->occupancy < 1) card.short_note = limits;
  return card;
}

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
  Card card{.title = "Recorded, " + measured::short_device_name(all.device), .short_title = "Recorded"};
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

Card live_card(const PerformanceData::LiveSpeed& live) {
  Card card{.title = "Live, " + measured::short_device_name(live.chip), .short_title = "Live"};
  std::tie(card.value, card.unit) = speed_words({live.speed.value, live.unit});
  card.note = "on this computer";
  card.tip = live.speed.how;
  card.provenance = plot::Provenance::live;
  return card;
}

Card speed_card(const Ui& ui, const run::Run& run) {
  if (const auto* live = ui.performance.live_now()) return live_card(*live);
  if (const measured::RecordedSpeed* speed = ui.performance.recorded_now()) return recorded_card(ui, *speed);
  if (!run.complete) return pending({.title = "Speed", .short_title = "Speed"});
  if (auto card = modelled_card(ui, run)) return *std::move(card);
  Card card{.title = "Speed", .short_title = "Speed", .value = "not recorded"};
  card.tip = how_to_measure(ui);
  card.provenance.reset();
  return card;
}

bool uses_shared_memory(const run::Run& run) {
  const auto& code = run.kernel->function().code;
  return std::any_of(code.begin(), code.end(),
                     [](const ptx::Instruction& i) { return i.space == ptx::Space::shared; });
}

// As many as find room, those that matter least left out first: what remains stands in a fixed order.
std::vector<Card> cards_of(const Ui& ui, const run::Run& run, std::size_t most) {
  std::vector<Card> cards = {sectors_card(ui, run), bytes_card(run)};
  const bool shared = uses_shared_memory(run);
  if (shared) cards.push_back(shared_card(ui, run));
  if (!shared || most > 4) cards.push_back(occupancy_card(run));
  if (!run.complete) std::transform(cards.begin(), cards.end(), cards.begin(), pending);
  while (cards.size() + 1 > most && cards.size() > 1) cards.pop_back();
  cards.push_back(speed_card(ui, run));
  return cards;
}

Token value_color(const Card& card) {
  return card.provenance == plot::Provenance::modelled ? Token::dim : Token::text;
}

void draw_value(const Ui& ui, const Rect& rect, const Card& card, double alpha) {
  // Words are no number: in smaller type where they would be cut.
  const bool fits = text_width(ui, card.value, Type::number) <= rect.width;
  draw_text(ui, rect, card.value, {fits ? Type::number : Type::strong, value_color(card), alpha});
  if (card.unit.empty()) return;
  const double after = text_width(ui, card.value, Type::number) + ui.px(6);
  draw_text(ui, {rect.x + after, rect.y + ui.px(4), rect.width + ui.px(8) - after, rect.height}, card.unit,
            {Type::caption, Token::dim, alpha});
}

constexpr double kMarkPitch = 16;  // design pixels from one mark to the next

// Where the number comes from, and before it that the GPU's counters say the same.
void draw_marks(const Ui& ui, double right, double y, const Card& card) {
  if (!card.provenance) return;
  const auto at = [&](double x) { return ImVec2{static_cast<float>(x), static_cast<float>(y)}; };
  draw_provenance(ui, at(right), *card.provenance);
  if (!card.confirmed) return;
  draw_provenance(ui, at(right - ui.px(kMarkPitch)), plot::Provenance::live);
  ui.mark("card/" + card.short_title + " counted", {right - ui.px(20), y - ui.px(4), ui.px(8), ui.px(8)});
}

double marks_width(const Card& card) {
  return (card.provenance ? 14 : 0) + (card.confirmed ? kMarkPitch : 0);
}

void draw_box(const Ui& ui, const Rect& rect, const Card& card, double alpha) {
  const double x = rect.x + ui.px(14), width = rect.width - ui.px(24), top = rect.y + ui.px(8);
  const double title_width = width - ui.px(std::max(14.0, marks_width(card)));
  const std::string& title =
      text_width(ui, card.title, Type::caption) <= title_width ? card.title : card.short_title;
  draw_text(ui, {x, top, title_width, ui.px(20)}, title, {Type::caption, Token::dim});
  draw_marks(ui, rect.right() - ui.px(14), top + ui.px(10), card);
  Card shown = card;  // a unit without room beside its number stands in the place of the note
  const double used = text_width(ui, card.value, Type::number) + text_width(ui, card.unit, Type::caption);
  if (used > width) shown.note = std::exchange(shown.unit, {});
  if (shown.note.empty()) shown.note = card.note;
  draw_value(ui, {x, rect.y + ui.px(30), width, ui.px(32)}, shown, alpha);
  if (!card.short_note.empty() && text_width(ui, shown.note, Type::caption) > width)
    shown.note = card.short_note;
  const bool cut = draw_text(ui, {x, rect.y + ui.px(66), width, ui.px(20)}, shown.note,
                             {Type::caption, card.costly ? Token::costly : Token::dim, alpha});
  if (cut) ui.mark("card/" + card.short_title + "/cut", rect);
}

void draw_card(const Ui& ui, const Rect& rect, const Card& card, bool current) {
  fill(ui, rect, Token::panel, 1, theme::metric::kCorner);
  frame(ui, rect, Token::line, 1, theme::metric::kCorner);
  draw_box(ui, rect, card, current ? 1 : kOutdatedAlpha);
  ui.mark("card/" + card.short_title, rect);
  if (!card.unit.empty()) ui.mark("card/" + card.short_title + " " + card.unit, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  const std::string source =
      card.provenance ? fmt::format(" ({})", plot::look_of(*card.provenance).word) : std::string();
  tooltip(ui, card.title + source + (card.note.empty() ? "" : ", " + card.note) + "\n" + card.tip);
}

}  // namespace

void draw_number_cards(const Ui& ui, const Rect& rect) {
  const run::Run* run = ui.model.run();
  if (run == nullptr) return;
  const double gap = ui.px(8);
  const auto most = static_cast<std::size_t>(std::max(2.0, (rect.width + gap) / (ui.px(kLeastCard) + gap)));
  const std::vector<Card> cards = cards_of(ui, *run, std::min<std::size_t>(most, 5));
  const double count = static_cast<double>(cards.size());
  const double width = (rect.width - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < cards.size(); ++i)
    draw_card(ui, {rect.x + static_cast<double>(i) * (width + gap), rect.y, width, rect.height}, cards[i],
              ui.model.is_current());
}

}  // namespace warplens::app
