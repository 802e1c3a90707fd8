// The numbers of the run that a class should remember. Each is marked with where it comes from: the counts
// are emulated, the speed is recorded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/base/verdict_words.hpp"
#include "app/window/kit/terms.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/ladder/cards.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

constexpr double kLeastCard = 122;  // design pixels across
constexpr double kWideCard = 320, kWideLeft = 140, kCardHeight = 92;
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

// With the words of its row.
Card card_of(std::string_view id, const run::Run& run) {
  const run::Quantity& row = *run::find_quantity(id);
  const bool is_counted = !std::holds_alternative<run::OfReport>(row.of);
  return {.title = std::string(row.card.title),
          .short_title = std::string(row.card.short_title),
          .value = "none",
          .tip = std::string(row.meaning) + (is_counted ? sample_note(run) : "")};
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

// What was counted beside what is ideal. best: the word for no more than that; kind: of the GPU's own counters.
Card cost_card(std::string_view id, const Ui& ui, const run::Run& run, std::uint64_t ideal, const char* best,
               std::string_view kind) {
  Card card = card_of(id, run);
  const double cost = run::number(id, run::sums_of(run.report));
  if (cost > 0) {
    const double times = ideal == 0 ? 1 : cost / static_cast<double>(ideal);
    card.value = short_count(cost);
    card.unit = sample_unit(run);
    card.costly = times > kClearlyMore;
    card.note = times < 1.005 ? best : fmt::format("{:.3g}× ideal", times);
    if (kind == "wavefronts" && is_guessed(run.report)) {
      card.value = std::string(kAbout) + card.value;
      card.tip += "\n" + capitalized(std::string(kGuessed));
    }
  }
  add_counted(card, ui, kind);
  return card;
}

Card bytes_card(const run::Run& run) {
  Card card = card_of("used_share", run);
  const run::Sums sums = sums_of(run.report);
  if (sums.global.sectors == 0) return card;
  const double share = run::number("used_share", sums);
  card.value = plot::percent(share);
  card.note = "of bytes moved";
  // Lanes that share a word use little of its sector, which nothing could spare them: as of the sectors.
  const bool is_more = static_cast<double>(sums.global.sectors) >
                       kClearlyMore * static_cast<double>(sums.global.ideal_sectors);
  card.costly = is_more && share * kClearlyMore < 1;
  return card;
}

// Below this share of working lanes they are what a class should see first.
constexpr double kFewLanes = 0.8;

double lanes_at_work(const run::Run& run) { return run::number("lane_efficiency", sums_of(run.report)); }

Card lanes_card(const run::Run& run) {
  Card card = card_of("lane_efficiency", run);
  const double share = lanes_at_work(run);
  card.value = plot::percent(share);
  card.note = fmt::format("{:.3g} of 32", 32 * share);
  card.costly = share < kFewLanes;
  return card;
}

Card occupancy_card(const Ui& ui, const run::Run& run, const LadderMarks& marks) {
  Card card = card_of("occupancy", run);
  card.is_of_launch = true;
  const OccupancyState& set = ui.state().occupancy;
  const bool by_hand = set != OccupancyState{};
  const device::ResourceUsage use = figures::occupancy_of(run, {set.threads, set.registers, set.shared}).use;
  const auto fit = device::occupancy(run.device(), use);
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
  const std::string& loses = marks.full_but_slowest();
  if (by_hand) {
    card.note = "as set by hand", card.short_note = "by hand";
    return card;
  }
  if (!loses.empty() && !ui.hides_speed) {
    card.note = "yet the slowest", card.short_note = "yet slowest", card.costly = true;
    card.tip +=
        ".\nFull, and yet the slowest step of its ladder: more warps only hide waiting. " + sentence(loses);
  }
  if (const std::string why = run::why_not_full(run.report); !why.empty() && !card.costly) {
    card.note = card.short_note = "of a full SM";
    card.tip += ".\nOf an SM that is full: " + why;
  }
  if (run.report.device_registers > 0) return card;
  card.tip +=
      ".\nThe registers of a thread are not known for this device, and not counted: at most so many fit";
  if (fit->blocks_per_sm > 0) card.note = "at most: " + limits, card.short_note = "at most";
  return card;
}

bool uses_shared_memory(const run::Run& run) {
  const auto& code = run.kernel->function().code;
  return std::any_of(code.begin(), code.end(),
                     [](const ptx::Instruction& i) { return i.space == ptx::Space::shared; });
}

// Of the rows that have a card and none of their own making here.
void add_plain_cards(std::vector<Card>& cards, const run::Run& run) {
  constexpr std::string_view own[] = {"all.sectors", "lane_efficiency", "used_share", "all.wavefronts",
                                      "occupancy"};
  for (const run::Quantity& row : run::quantities()) {
    if (row.card.title.empty() || std::ranges::find(own, row.id) != std::end(own)) continue;
    Card card = card_of(row.id, run);
    card.value = text_of({&row, run::number(row.id, run.report, run::Scope::counted)});
    if (row.adds_up()) card.unit = sample_unit(run);
    cards.push_back(std::move(card));
  }
}

// most: as find room beside the speed; those that matter least are left out first, and what remains stands in
// a fixed order.
std::vector<Card> cards_of(const Ui& ui, const run::Run& run, const LadderMarks& marks, std::size_t most) {
  const bool shared = uses_shared_memory(run);
  const run::Sums sums = sums_of(run.report);
  std::vector<Card> cards = {
      cost_card("all.sectors", ui, run, sums.global.ideal_sectors, "ideal", "sectors")};
  if (run.complete && lanes_at_work(run) < kFewLanes)
    cards.push_back(lanes_card(run));
  else if (most >= 3)
    cards.push_back(bytes_card(run));
  if (shared)
    cards.push_back(
        cost_card("all.wavefronts", ui, run, sums.shared.ideal_wavefronts, "no conflicts", "wavefronts"));
  if (!shared || most >= 4) cards.push_back(occupancy_card(ui, run, marks));
  add_plain_cards(cards, run);
  if (!run.complete) std::transform(cards.begin(), cards.end(), cards.begin(), pending);
  if (!explain::doubt(run).empty())
    for (Card& card : cards)
      if (!card.costly && !card.is_of_launch)
        card.note = card.short_note = run.fault                         ? "until it stopped"
                                      : step_count(run).missing.empty() ? "kernel is wrong"
                                                                        : "as emulated";
  while (cards.size() > std::max<std::size_t>(most, 1)) cards.pop_back();
  cards.push_back(speed_card(ui, run, marks.predicted()));
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
  const double x = rect.x + ui.px(14), top = rect.y + ui.px(8);
  const double width = rect.width - ui.px(card.is_wide ? 14 : 24);
  const double title_width = card.is_wide ? width : width - ui.px(std::max(14.0, marks_width(card)));
  const std::string& title =
      text_width(ui, card.title, Type::caption) <= title_width ? card.title : card.short_title;
  draw_with_terms(ui, {x, top, title_width, ui.px(20)}, title, {Type::caption, Token::dim});
  // Beside the number of a wide card, whose title has all of the room.
  const double mark = card.is_wide ? rect.y + ui.px(48) : top + ui.px(10);
  const double behind = text_width(ui, card.value, Type::number) + text_width(ui, card.unit, Type::caption);
  draw_marks(ui, card.is_wide ? std::min(x + behind + ui.px(16), rect.right()) : rect.right() - ui.px(14),
             mark, card);
  Card shown = card;  // a unit without room beside its number stands in the place of the note
  const double used = text_width(ui, card.value, Type::number) + text_width(ui, card.unit, Type::caption);
  if (used > width) shown.note = std::exchange(shown.unit, {});
  if (shown.note.empty()) shown.note = card.note;
  draw_value(ui, {x, rect.y + ui.px(30), width, ui.px(32)}, shown, alpha);
  if (!card.short_note.empty() && text_width(ui, shown.note, Type::caption) > width)
    shown.note = card.short_note;
  const bool cut = draw_with_terms(ui, {x, rect.y + ui.px(66), width, ui.px(20)}, shown.note,
                                   {Type::caption, card.costly ? Token::costly : Token::dim, alpha});
  if (cut) ui.mark("card/" + card.short_title + "/cut", rect);
}

constexpr double kLineHeight = 20;

const std::string& fitting(const Ui& ui, const Card::Line& line, double width) {
  const auto fits = [&](const std::string& text) { return text_width(ui, text, Type::caption) <= width; };
  if (fits(line.text)) return line.text;
  const auto found = std::ranges::find_if(line.shorter, fits);
  return found != line.shorter.end() ? *found : line.shorter.empty() ? line.text : line.shorter.back();
}

// What stands at the right of a wide card, or below its number without the lines that are left empty there.
void draw_lines(const Ui& ui, const Rect& rect, const Card& card, double alpha, bool is_stacked = false) {
  Rect line{rect.x, rect.y + ui.px(6), rect.width, ui.px(kLineHeight)};
  for (std::size_t i = 0; i < card.lines.size(); ++i, line.y += line.height) {
    if (is_stacked && card.lines[i].text.empty()) {
      line.y -= line.height;
      continue;
    }
    const auto color = card.lines[i].color;
    const auto provenance = card.lines[i].provenance;
    const double mark = provenance ? ui.px(14) : 0;
    const std::string& text = fitting(ui, card.lines[i], line.width - mark);
    ui.mark("card/line/" + text, line);
    if (provenance)
      draw_provenance(ui, {static_cast<float>(line.x) + ui.px(4), static_cast<float>(line.center().y)},
                      *provenance);
    if (draw_text(ui, {line.x + mark, line.y, line.width - mark, line.height}, text,
                  {Type::caption, color, alpha}))
      ui.mark("card/lines/cut", line);
  }
}

// Its lines stand below its number.
bool is_card_stacked(const Ui& ui, const Card& card, double width) {
  return card.is_wide && width < ui.px(kWideCard);
}

void draw_card(const Ui& ui, const Rect& rect, const Card& card, bool current) {
  const double alpha = current ? 1 : kOutdatedAlpha;
  fill(ui, rect, Token::panel, 1, theme::metric::kCorner);
  frame(ui, rect, Token::line, 1, theme::metric::kCorner);
  const bool is_stacked = is_card_stacked(ui, card, rect.width);
  const double left = card.is_wide && !is_stacked ? ui.px(kWideLeft) : rect.width;
  const std::string name = "card/" + (card.name.empty() ? card.short_title : card.name);
  ui.mark(name, rect);
  if (!card.unit.empty()) ui.mark(name + " " + card.unit, rect);
  if (card.costly) ui.mark(name + "/costly", rect);
  if (card.provenance == plot::Provenance::modelled) ui.mark(name + "/predicted", rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  const std::string source =
      card.provenance ? fmt::format(" ({})", plot::look_of(*card.provenance).word) : std::string();
  const std::string words = term_sentences(card.title + ", " + card.note);
  tooltip(ui, card.title + source + (card.note.empty() ? "" : ", " + card.note) + "\n" + card.tip +
                  (words.empty() ? "" : "\n\n" + words));
  draw_box(ui, {rect.x, rect.y, left, rect.height}, card, alpha);
  if (is_stacked)
    draw_lines(ui, {rect.x + ui.px(14), rect.y + ui.px(kCardHeight - 8), rect.width - ui.px(24), rect.height},
               card, alpha, true);
  else if (card.is_wide)
    draw_lines(ui, {rect.x + left + ui.px(6), rect.y, rect.width - left - ui.px(16), rect.height}, card,
               alpha);
}

}  // namespace

namespace {

// most: as in cards_of(). Returns whether the cards are those of the run on screen.
bool renew(const Ui& ui, const run::Run& run, const LadderMarks& marks, std::size_t most, LastCards& last) {
  const std::string& kernel = run.plan().spec.id;
  const bool is_last = !run.complete && last.kernel == kernel;
  if (!is_last) last = {kernel, cards_of(ui, run, marks, most)};
  if (!is_last && !run.complete) last.kernel.clear();
  return ui.model.is_current() && !is_last;
}

}  // namespace

double draw_number_grid(const Ui& ui, const Rect& room, const LadderMarks& marks, LastCards& last) {
  constexpr double kColumns = 2;
  constexpr std::size_t kAll = 16;
  const run::Run* run = ui.model.run();
  if (run == nullptr) return 0;
  const bool is_current = renew(ui, *run, marks, kAll, last);
  const double gap = ui.px(8), width = (room.width - gap) / kColumns;
  double x = room.x, y = room.y;
  for (const Card& card : last.cards) {
    if (card.is_wide && x > room.x) x = room.x, y += ui.px(kCardHeight) + gap;
    const double wide = card.is_wide ? room.width : width;
    const double below =
        is_card_stacked(ui, card, wide)
            ? kLineHeight * static_cast<double>(std::ranges::count_if(
                                card.lines, [](const Card::Line& line) { return !line.text.empty(); }))
            : 0;
    const Rect rect{x, y, wide, ui.px(kCardHeight + below)};
    ui.is_asked ? draw_cover(ui, rect) : draw_card(ui, rect, card, is_current);
    x = rect.right() + gap;
    if (x + width > room.right() + 1) x = room.x, y += rect.height + gap;
  }
  return (x > room.x ? y + ui.px(kCardHeight) + gap : y) - room.y;
}

void draw_number_cards(const Ui& ui, const Rect& rect, const LadderMarks& marks, LastCards& last) {
  const run::Run* run = ui.model.run();
  if (run == nullptr) return;
  const double gap = ui.px(8);
  const double room = rect.width - ui.px(kWideCard);  // beside the speed
  const bool is_current =
      renew(ui, *run, marks, static_cast<std::size_t>(std::max(1.0, room / (ui.px(kLeastCard) + gap))), last);
  const std::vector<Card>& cards = last.cards;
  const double others = static_cast<double>(cards.size() - 1);
  const double width = std::min(room / others - gap, rect.width * 0.3);
  const double speed = rect.width - others * (width + gap);
  for (std::size_t i = 0; i < cards.size(); ++i)
    draw_card(ui,
              {rect.x + static_cast<double>(i) * (width + gap), rect.y, cards[i].is_wide ? speed : width,
               rect.height},
              cards[i], is_current);
}

}  // namespace warplens::app
