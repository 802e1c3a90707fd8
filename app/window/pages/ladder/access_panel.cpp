// "This access": the chosen access of the chosen warp in numbers.
#include <fmt/format.h>

#include <bit>
#include <set>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/terms.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/explain/facts.hpp"
#include "engine/ptx/opcodes.hpp"
#include "engine/report/pieces.hpp"
#include "viz/figures/access/bank_words.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/figures/warp/lane_lines.hpp"

namespace warplens::app {
namespace {

struct TableRow {
  std::string label, value;
  bool costly = false;
};

std::string opcode_of(std::string text) {
  const std::size_t start = text.starts_with('@') ? text.find(' ') + 1 : 0;
  return text.substr(start, text.find_first_of(" \t;", start) - start);
}

// "ld.shared.f32", or "ld.shared.f32 as 16 bytes" where ptxas makes one access of several.
std::string words_of_access(const run::Run& run, const trace::Access& access) {
  const ptx::Instruction& i = run.kernel->function().code[access.pc];
  const std::string opcode = opcode_of(run.instructions[access.pc].text);
  const bool plain = access.kind == emulator::AccessKind::load || access.kind == emulator::AccessKind::store;
  const int own = ptx::size_in_bytes(i.type) * i.vector;
  return plain && access.space == ptx::Space::shared && own < access.width
             ? fmt::format("{} as {} bytes", opcode, access.width)
             : opcode;
}

std::size_t distinct_lines(const analysis::GlobalPieces& pieces) {
  std::set<std::uint64_t> lines;
  for (const auto& sector : pieces.sectors) lines.insert(sector.id / 4);  // 128-byte lines of four sectors
  return lines.size();
}

std::vector<TableRow> global_rows(const report::AccessPieces& pieces, int width) {
  int used = 0;
  for (const auto& sector : pieces.global.sectors) used += std::popcount(sector.used);
  const bool costly = pieces.units > pieces.ideal;
  return {{pieces.exact ? "Sectors asked for" : "Sectors, by a fit", std::to_string(pieces.units), costly},
          {fmt::format("Ideal for {} bytes a lane", width), std::to_string(pieces.ideal)},
          {"Moved bytes used",
           fmt::format("{} of {}", grouped(static_cast<std::uint64_t>(used)),
                       grouped(static_cast<std::uint64_t>(pieces.units) * 32)),
           costly},
          {"Lines of 128 bytes", std::to_string(distinct_lines(pieces.global))}};
}

std::vector<TableRow> constant_rows(const report::AccessPieces& pieces) {
  return {{"Turns of the constant cache", std::to_string(pieces.units), pieces.units > pieces.ideal},
          {"Where all lanes ask for one word", std::to_string(pieces.ideal)}};
}

// See figures::is_arrival().
std::vector<TableRow> cost_of_arrival(const report::AccessPieces& pieces) {
  const auto stored = analysis::counts_of(pieces.shared);
  return {
      {"Wavefronts", "none counted"},
      {"As a store of the lanes", fmt::format("{}, ideal {}", stored.wavefronts, stored.ideal_wavefronts)}};
}

std::vector<TableRow> cost_of_request(const report::AccessPieces& pieces) {
  return {{pieces.exact ? "Wavefronts" : "Wavefronts, by a fit", std::to_string(pieces.units),
           pieces.units > pieces.ideal},
          {"Ideal", std::to_string(pieces.ideal)}};
}

// "block 1 of the cluster" or "4 blocks of the cluster", by rank.
TableRow row_of_other_blocks(const trace::Access& access, const report::AccessPieces& pieces) {
  const std::vector<std::uint32_t> ranks = report::ranks_elsewhere(access);
  const int lanes = std::popcount(pieces.elsewhere);
  const std::string whose =
      ranks.size() == 1 ? fmt::format("block {}", ranks.front()) : fmt::format("{} blocks", ranks.size());
  return {lanes == std::popcount(access.active) ? "Shared memory of" : fmt::format("{} of them in", lanes),
          whose + " of the cluster"};
}

// As the strip below the picture has it.
TableRow row_of_busiest(const figures::BankWords& asked) {
  const std::string most = std::to_string(asked.most());
  if (!asked.by_halves) return {"Words in the busiest bank", most, asked.has_conflict()};
  return {fmt::format("Turns of the busiest of {} banks", asked.words.size()), most + " a half-warp",
          asked.has_conflict()};
}

std::vector<TableRow> shared_rows(const report::AccessPieces& pieces, const figures::BankWords& asked,
                                  bool arrives) {
  std::vector<TableRow> rows = arrives ? cost_of_arrival(pieces) : cost_of_request(pieces);
  rows.push_back(row_of_busiest(asked));
  rows.push_back({"Words read by several lanes", std::to_string(analysis::broadcast_words(pieces.shared))});
  return rows;
}

// Whether fewer warps could do what these lanes do: then they are what the picture's headline is about.
bool are_lanes_scattered(const Model& model, const trace::Access& access) {
  const Selection& now = model.state.selection;
  const auto facts = explain::facts_at(*model.run(), {model.trace_block(), now.warp, now.shown_step()});
  return facts && facts->access.pc == access.pc && facts->lane_ratio() >= 1.5;
}

std::vector<TableRow> rows_of(const Model& model, const trace::Access& access) {
  const run::Run& run = *model.run();
  const auto pieces = report::access_pieces(access, run.kernel->function().code[access.pc], run.device());
  std::vector<TableRow> rows = {{"Active lanes", fmt::format("{} of 32", std::popcount(access.active)),
                                 are_lanes_scattered(model, access)}};
  if (pieces.elsewhere != 0) {
    rows.push_back(row_of_other_blocks(access, pieces));
    if (pieces.elsewhere == access.active) {
      rows.push_back({"Wavefronts", "none counted"});
      return rows;
    }
  }
  for (TableRow& more : !pieces.turns.empty() ? constant_rows(pieces)
                        : pieces.is_shared    ? shared_rows(pieces, figures::words_by_bank(run, access),
                                                            figures::is_arrival(access))
                                              : global_rows(pieces, access.width))
    rows.push_back(std::move(more));
  return rows;
}

constexpr double kRowHeight = 24, kPictureHeight = 126, kPictureHead = 30;

// "32 lanes to memory": who goes where, below the numbers.
void draw_lane_lines(const Ui& ui, const Rect& rect, const run::Run& run, const trace::Access& access) {
  rule(ui, rect.x - ui.px(16), rect.y, rect.right() + ui.px(16), rect.y);
  const auto view = figures::view_of(run, access);
  draw_text(ui, {rect.x, rect.y, rect.width, ui.px(kPictureHead)},
            view.pieces.elsewhere != 0 && view.access.active == 0 ? "32 lanes to other blocks"
            : view.pieces.is_shared                               ? "32 lanes to banks"
                                                                  : "32 lanes to memory",
            {Type::strong, Token::dim});
  const Rect place{rect.x, rect.y + ui.px(kPictureHead), rect.width, ui.px(kPictureHeight)};
  const scene::Scene scene = figures::lane_lines_scene(
      view, {place.width / ui.scale, place.height / ui.scale}, access_options(ui.state().drawing).colors);
  ui.mark("lane lines", place);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {place.x, place.y}, ui.scale);
  show_lit(ui, scene, {place.x, place.y}, ui.scale, "lit/beside/");
  ImGui::SetCursorScreenPos(corner(place));
  ImGui::InvisibleButton("lane lines", extent(place));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemHovered())
    use_names(ui, scene, {(mouse.x - place.x) / ui.scale, (mouse.y - place.y) / ui.scale});
}

}  // namespace

std::string access_tsv(const Model& model) {
  const auto access = model.access();
  if (!access || access->pc >= model.run()->instructions.size()) return "";
  const auto& row = model.run()->instructions[access->pc];
  std::string text = fmt::format("\nthis access\t{}\nline\t{}\n", opcode_of(row.text), row.line);
  for (const TableRow& r : rows_of(model, *access)) text += fmt::format("{}\t{}\n", r.label, r.value);
  return text;
}

double access_table_height(const Ui& ui) {
  return ui.px(8 + 26 + 26 + 5 * kRowHeight + 8 + kPictureHead + kPictureHeight + 8);
}

void draw_access_table(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.y, rect.right(), rect.y);
  const double x = rect.x + ui.px(16), width = rect.width - ui.px(32);
  double y = rect.y + ui.px(8);
  draw_text(ui, {x, y, width, ui.px(26)}, "This access", {Type::strong, Token::dim});
  y += ui.px(26);
  const auto access = ui.model.access();
  const run::Run* run = ui.model.run();
  if (!access || access->pc >= run->instructions.size()) {
    draw_text(ui, {x, y, width, ui.px(26)},
              run != nullptr     ? "This warp makes no access"
              : ui.model.error() ? "Nothing ran"
                                 : "",
              {Type::body, Token::dim});
    return;
  }
  const std::string where = figures::place_of(*run, access->pc);
  const double wide = text_width(ui, where, Type::small_code) + ui.px(2);
  draw_text(ui, {x, y, width - wide - ui.px(8), ui.px(26)}, words_of_access(*run, *access), {Type::code});
  draw_text(ui, {x + width - wide, y, wide, ui.px(26)}, where, {Type::small_code, Token::dim}, Align::right);
  y += ui.px(26);
  for (const TableRow& r : rows_of(ui.model, *access)) {
    if (y + ui.px(kRowHeight) > rect.bottom() + 1) return;
    const double value = text_width(ui, r.value, Type::strong) + ui.px(4);
    draw_explained(ui, {x, y, width - value, ui.px(kRowHeight)}, r.label, {Type::body, Token::dim});
    draw_text(ui, {x, y, width, ui.px(kRowHeight)}, r.value,
              {Type::strong, r.costly ? Token::costly : Token::text}, Align::right);
    y += ui.px(kRowHeight);
  }
  y += ui.px(8);
  const double left = rect.bottom() - y;
  if (left >= ui.px(kPictureHead + kPictureHeight)) draw_lane_lines(ui, {x, y, width, left}, *run, *access);
}

}  // namespace warplens::app
