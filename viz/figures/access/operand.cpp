#include "viz/figures/access/operand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "engine/explain/reuse.hpp"

namespace warplens::figures {
namespace {

// The threads of the block whose access at this turn begins with this address.
std::set<std::uint32_t> readers_of(const AccessView& view, std::uint64_t address) {
  std::set<std::uint32_t> readers;
  for (const trace::Access& access : view.story.accesses().together(view.place.warp, view.place.access))
    for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t first = access.address[static_cast<std::size_t>(lane)];
      if (first <= address && address < first + access.width)
        readers.insert(access.warp * 32 + static_cast<std::uint32_t>(lane));
    }
  return readers;
}

std::vector<Cell> cells_of(const AccessView& view, const std::set<std::uint32_t>& threads) {
  std::vector<Cell> cells;
  for (const auto& owned : view.story.owned((*view.story.product())[2]))
    if (threads.contains(owned.thread)) cells.push_back(owned.cell);
  return cells;
}

std::int64_t count_of(const std::vector<Cell>& cells, std::int64_t Cell::*side) {
  std::set<std::int64_t> seen;
  for (const Cell& cell : cells) seen.insert(cell.*side);
  return static_cast<std::int64_t>(seen.size());
}

constexpr double kFactorSize = 18, kFactorHeight = 26;

// From the word to what it serves, and the factor beside the line, where it covers no cell.
struct Way {
  Rect word, served, panel;  // panel: of what it serves
};
Rect draw_way(Group& group, const Operand& operand, const Way& way, double factor) {
  constexpr double head = 8, above = 34;  // of the names of both
  const scene::Stroke stroke{Token::accent, 2.5};
  const auto& [word, served, panel] = way;
  const Point from = word.center(), to = served.center();
  if (!operand.is_above) {
    group.arrow({word.right(), from.y}, {served.x, to.y}, stroke, head);
    return {served.right() + 6, served.y + 4, factor, kFactorHeight};
  }
  if (word.bottom() <= panel.y) {
    group.arrow({from.x, word.bottom()}, {to.x, served.y}, stroke, head);
    return {std::max(from.x, to.x) + 8, panel.y - kFactorHeight - 4, factor, kFactorHeight};
  }
  const double over = panel.y - above;  // both stand side by side
  group.polyline({{from.x, word.y}, {from.x, over}, {to.x, over}, {to.x, served.y - 12}}, stroke);
  group.arrow({to.x, served.y - 14}, {to.x, served.y}, stroke, head);
  return {(from.x + to.x - factor) / 2, over - kFactorHeight / 2, factor, kFactorHeight};
}

// Threads that share a word of B make a column of C, those that share one of A a row.
bool is_above(const AccessView& view, std::size_t face, const std::vector<Cell>& cells) {
  const auto [a, b, c] = *view.story.product();
  if (face == a || face == b) return face == b;
  const auto& [low, high] = *view.story.owned_area(c);
  const std::int64_t rows = high.row - low.row + 1, columns = high.column - low.column + 1;
  const std::int64_t down = count_of(cells, &Cell::row) * columns,
                     across = count_of(cells, &Cell::column) * rows;
  return down == across ? rows > columns : down > across;
}

// Of these cells those that the word serves: of a matrix the row or column of its element.
void find_served(Operand& operand, const AccessView& view, std::vector<Cell> cells) {
  const bool is_shared = view.story.faces()[operand.face].is_shared;
  if (!is_shared)
    std::erase_if(cells, [&](const Cell& cell) {
      return operand.is_above ? cell.column != operand.word.column : cell.row != operand.word.row;
    });
  if (cells.size() < 2 || count_of(cells, operand.is_above ? &Cell::column : &Cell::row) != 1) return;
  const auto along = operand.is_above ? &Cell::row : &Cell::column;
  std::ranges::sort(cells, {}, along);
  for (const Cell& cell : cells) {
    if (!operand.served.empty() && operand.served.back().second.*along + 1 >= cell.*along)
      operand.served.back().second = cell;
    else
      operand.served.emplace_back(cell, cell);
  }
  operand.count = cells.size();
}

}  // namespace

std::optional<Operand> operand_of(const AccessView& view) {
  const bool is_load = view.access && view.access->kind == emulator::AccessKind::load;
  if (!is_sparse(view.options.look) || view.options.whole || view.options.all_arrays || !is_load ||
      !view.story.product() || !view.story.owned_area((*view.story.product())[2]))
    return std::nullopt;
  const auto facts = explain::facts_at(view.run, {view.place.block, view.place.warp, view.place.access});
  if (!facts || facts->face == nullptr || facts->face->is_output) return std::nullopt;
  const std::uint64_t address =
      view.access->address[static_cast<std::size_t>(std::countr_zero(view.access->active))];
  Operand operand{explain::face_of(*facts)};
  operand.word = cell_of(*facts->face, *element_of(*facts->face, address));
  auto readers = readers_of(view, address);
  operand.is_above = is_above(view, operand.face, cells_of(view, readers));
  // What a thread keeps in a register serves this thread.
  const explain::RuleId rule = explain::explain_use(*facts).rule;
  const bool is_of_thread = rule == explain::RuleId::register_reuse || rule == explain::RuleId::register_tile;
  if (is_of_thread)
    readers = {view.place.warp * 32 + static_cast<std::uint32_t>(std::countr_zero(view.access->active))};
  if (is_of_thread || rule == explain::RuleId::tile_reuse)
    find_served(operand, view, cells_of(view, readers));
  return operand;
}

double factor_width(const Operand& operand, const scene::TextMeasure& measure) {
  return measure.width(fmt::format("× {}", operand.count), sized(number(Token::accent), kFactorSize)) + 12;
}

bool stands_in(const AccessView& view) {
  return view.operand && view.story.faces()[view.operand->face].is_shared;
}

void draw_served(Group& group, const AccessView& view, const AccessLayout& layout) {
  const auto& operand = view.operand;
  if (!operand || operand->served.empty()) return;
  const AccessPanel *from = nullptr, *to = nullptr;
  for (const AccessPanel& panel : layout.panels) {
    if (panel.face == operand->face) from = &panel;
    if (panel.face == (*view.story.product())[2]) to = &panel;
  }
  const bool shows_word = from != nullptr && from->rows.contains(operand->word.row) &&
                          from->columns.contains(operand->word.column);
  if (!shows_word || to == nullptr) return;
  const scene::Stroke stroke{Token::accent, 2.5};
  const Rect word = from->rect_of(operand->word).inset(-2);
  const auto ring = [&](const std::pair<Cell, Cell>& cells) {
    const Rect first = to->rect_of(cells.first), last = to->rect_of(cells.second);
    return Rect{first.x, first.y, last.right() - first.x, last.bottom() - first.y}.inset(-2);
  };
  const Rect served = ring(operand->served.front());
  Group one;
  one.rect(word, {.stroke = stroke}, 2);
  for (const auto& cells : operand->served) one.rect(ring(cells), {.stroke = stroke}, 2);
  const std::string times = fmt::format("× {}", operand->count);
  const TextStyle style = sized(number(Token::accent), kFactorSize);
  const Rect plate = draw_way(one, *operand, {word, served, to->rect}, factor_width(*operand, view.measure));
  one.rect(plate, {.fill = Token::background}, 4);
  one.text({plate.x + 6, plate.y + 19}, times, style);
  group.group(std::move(one))
      .named("served", fmt::format("One word of {} serves {} elements",
                                   view.story.faces()[operand->face].name, operand->count));
}

}  // namespace warplens::figures
