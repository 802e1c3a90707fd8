// The four numbers of the run that a class should remember.
#include <fmt/format.h>

#include <array>

#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"
#include "engine/device/occupancy.hpp"

namespace warplens::app {
namespace {

struct Card {
  std::string title = {}, short_title = {}, value = {}, note = {};
  bool costly = false;
  std::string tip = {};  // the formula behind the number
};

constexpr double clearly_more = 1.25;  // than ideal: marked as costly

std::string sample_note(const KernelRun& run) {
  return run.emulation.sampled
             ? fmt::format("; {} of {} blocks ran", grouped(run.emulation.outcome.counters.blocks_run),
                           grouped(run.emulation.blocks_in_grid))
             : "";
}

Card sectors_card(const KernelRun& run) {
  const auto& total = run.lines.total.traffic.global;
  Card card{.title = run.emulation.sampled ? "Global sectors, sampled" : "Global sectors",
            .short_title = "Sectors",
            .value = "none"};
  card.tip =
      "32-byte units of global memory that all warps asked for, by the rule of the device" + sample_note(run);
  if (total.cost == 0) return card;
  const double times =
      total.ideal == 0 ? 1 : static_cast<double>(total.cost) / static_cast<double>(total.ideal);
  card.value = short_count(static_cast<double>(total.cost));
  card.costly = times > clearly_more;
  card.note = times < 1.005 ? "ideal" : fmt::format("{:.3g}× ideal", times);
  return card;
}

Card bytes_card(const KernelRun& run) {
  const auto& total = run.lines.total.traffic.global;
  Card card{.title = "Bytes used", .short_title = "Used", .value = "none"};
  card.tip = "Distinct bytes that each warp asked for, over 32 bytes for each sector moved";
  if (total.cost == 0) return card;
  const double share = static_cast<double>(total.bytes_used) / (32.0 * static_cast<double>(total.cost));
  card.value = fmt::format("{:.3g} %", 100 * share);
  card.note = "of bytes moved";
  card.costly = share * clearly_more < 1;
  return card;
}

Card shared_card(const KernelRun& run) {
  const auto& total = run.lines.total.traffic.shared;
  Card card{.title = "Shared wavefronts", .short_title = "Wavefronts", .value = "none"};
  card.tip = "Turns that shared memory took to serve all warps" + sample_note(run);
  if (total.cost == 0) return card;
  const double times =
      total.ideal == 0 ? 1 : static_cast<double>(total.cost) / static_cast<double>(total.ideal);
  card.value = short_count(static_cast<double>(total.cost));
  card.costly = times > clearly_more;
  card.note = times < 1.005 ? "no conflicts" : fmt::format("{:.3g}× ideal", times);
  return card;
}

Card occupancy_card(const KernelRun& run) {
  Card card{.title = "Occupancy", .short_title = "Occupancy", .value = "none"};
  const auto fit = device::occupancy(
      run.job.device, {threads_per_block(run.job.plan), run.report.registers, run.report.shared_bytes});
  card.tip = "Warps that fit on one multiprocessor of " + run.job.device.name + ", of the most it holds";
  if (!fit) return card;
  card.value = fmt::format("{:.0f} %", 100 * fit->occupancy);
  std::string limits;
  for (const auto limiter : fit->limiters)
    limits += (limits.empty() ? "" : ", ") + std::string(device::to_string(limiter));
  card.note = fit->occupancy >= 1 ? fmt::format("{} warps", fit->warps_per_sm) : "limited by " + limits;
  return card;
}

void draw_card(const Ui& ui, const Rect& rect, const Card& card, bool compact, bool current) {
  fill(ui, rect, Token::panel, 1, theme::metric::corner);
  frame(ui, rect, Token::line, 1, theme::metric::corner);
  const double x = rect.x + ui.px(14), width = rect.width - ui.px(22);
  const std::string& title =
      text_width(ui, card.title, Type::caption) <= width ? card.title : card.short_title;
  const double alpha = current ? 1 : 0.45;  // an older run's number, until the new one is there
  if (compact) {
    draw_text(ui, {x, rect.y + ui.px(4), width, ui.px(18)}, title, {Type::caption, Token::dim});
    draw_text(ui, {x, rect.y + ui.px(22), width, ui.px(20)}, card.value,
              {Type::strong, card.costly ? Token::costly : Token::text, alpha});
  } else {
    draw_text(ui, {x, rect.y + ui.px(8), width, ui.px(20)}, title, {Type::caption, Token::dim});
    draw_text(ui, {x, rect.y + ui.px(30), width, ui.px(32)}, card.value, {Type::number, Token::text, alpha});
    draw_text(ui, {x, rect.y + ui.px(66), width, ui.px(20)}, card.note,
              {Type::caption, card.costly ? Token::costly : Token::dim, alpha});
  }
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  tooltip(ui, compact && !card.note.empty() ? card.note + ". " + card.tip : card.tip);
}

// Of a run whose warps are still being counted.
std::array<Card, 4> pending_cards() {
  const auto card = [](std::string title, std::string short_title) {
    return Card{.title = std::move(title),
                .short_title = std::move(short_title),
                .value = "…",
                .note = "not known yet",
                .tip = "The whole grid is still running"};
  };
  return {card("Global sectors", "Sectors"), card("Bytes used", "Used"),
          card("Shared wavefronts", "Wavefronts"), card("Occupancy", "Occupancy")};
}

}  // namespace

void draw_number_cards(const Ui& ui, const Rect& rect, bool compact) {
  std::array<Card, 4> cards;
  if (const KernelRun* run = ui.model.run(); run != nullptr && !run->complete)
    cards = pending_cards();
  else if (run != nullptr)
    cards = {sectors_card(*run), bytes_card(*run), shared_card(*run), occupancy_card(*run)};
  const double gap = ui.px(8), width = (rect.width - gap * 3) / 4;
  for (std::size_t i = 0; i < cards.size(); ++i)
    draw_card(ui, {rect.x + static_cast<double>(i) * (width + gap), rect.y, width, rect.height}, cards[i],
              compact, ui.model.is_current());
}

}  // namespace warplens::app
