#include "viz/figures/access/tiled_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "engine/explain/reuse.hpp"
#include "viz/figures/access/extents.hpp"
#include "viz/figures/access/operand.hpp"

namespace warplens::figures {
namespace {

constexpr double kLabel = 42, kUnderB = 50, kBetween = 14, kMostCell = 26, kMostClassCell = 96;
constexpr double kClassLabel = 24, kClassUnderB = 38;  // a class reads one line of each label
constexpr double kLeastStrip = 34;                     // of A beside C, and of B above it
constexpr std::int64_t kSteep = 8;                     // or so many times as high as wide
constexpr std::size_t kLeastOwned = 4;   // elements of a thread from which its tile is worth a picture
constexpr std::int64_t kMostDepth = 32;  // columns of A that are shown
constexpr double kLeastTile = 88;        // width of a tile in the place of A

std::int64_t bin_of(double cell) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(2 / cell)));
}

AccessPanel panel_of(std::size_t face, Span rows, Span columns, scene::Size cell, Point at, double room) {
  AccessPanel panel{face, rows, columns, {bin_of(cell.height), bin_of(cell.width)}, cell};
  panel.rect = {at.x, at.y, static_cast<double>(columns.count) * cell.width,
                static_cast<double>(rows.count) * cell.height};
  panel.label_room = room;
  return panel;
}

// The columns of A, which are rows of B, that the newest access to either touches.
Span depth_of(const AccessView& view, std::size_t a, std::size_t b) {
  const auto& of_a = view.marks[a].extent;
  const auto& of_b = view.marks[b].extent;
  const std::int64_t size = view.story.faces()[a].columns;
  std::pair<std::int64_t, std::int64_t> extent{0, 0};
  if (of_a) extent = {of_a->first.column, of_a->second.column};
  if (of_b && (view.marks[b].now || !of_a)) extent = {of_b->first.row, of_b->second.row};
  std::int64_t reach = 8;
  while (reach < extent.second - extent.first + 1 && reach < kMostDepth) reach *= 2;
  return page_around(size, reach, extent.first, extent.second);
}

// A tile that is one row or column has others beside it.
Span at_least(std::int64_t low, std::int64_t high, std::int64_t size) {
  constexpr std::int64_t least = 8;
  if (high - low + 1 < least) return page_around(size, least, low, high);
  return {low, high - low + 1};
}

// What of the elements that a thread or warp writes, in the order in which it writes them.
std::vector<Cell> cells_of_thread(const AccessView& view, std::size_t c, std::uint32_t thread) {
  std::vector<Cell> cells;
  std::set<std::uint64_t> seen;
  for (const auto& owned : view.story.owned(c))
    if (owned.thread == thread && seen.insert(owned.element).second) cells.push_back(owned.cell);
  return cells;
}

using Box = std::pair<Cell, Cell>;  // the first and the last cell

// Neighbouring numbers together: {0, 1, 2, 8, 9} is 0 to 2 and 8 to 9.
std::vector<std::pair<std::int64_t, std::int64_t>> stretches(const std::set<std::int64_t>& numbers) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (const std::int64_t n : numbers) {
    if (found.empty() || found.back().second + 1 != n) found.emplace_back(n, n);
    found.back().second = n;
  }
  return found;
}

// What each warp writes: where that is in a few places, a box for each.
std::map<std::uint32_t, std::vector<Box>> warp_boxes(const AccessView& view, std::size_t c) {
  constexpr std::size_t most = 4;
  std::map<std::uint32_t, std::pair<std::set<std::int64_t>, std::set<std::int64_t>>> numbers;
  for (const auto& [element, thread, cell] : view.story.owned(c)) {
    auto& [rows, columns] = numbers[thread / 32];
    rows.insert(cell.row), columns.insert(cell.column);
  }
  std::map<std::uint32_t, std::vector<Box>> boxes;
  for (const auto& [warp, sides] : numbers) {
    auto rows = stretches(sides.first), columns = stretches(sides.second);
    if (rows.size() * columns.size() > most)
      rows = {{rows.front().first, rows.back().second}},
      columns = {{columns.front().first, columns.back().second}};
    for (const auto& [top, bottom] : rows)
      for (const auto& [left, right] : columns) boxes[warp].push_back({{top, left}, {bottom, right}});
  }
  return boxes;
}

// Numbers without the gaps between them: rows 0 to 3 and 32 to 35 are eight neighbours.
std::map<std::int64_t, double> packed(const std::set<std::int64_t>& numbers, double cell, double gap) {
  std::map<std::int64_t, double> at;
  double next = 0;
  for (auto n = numbers.begin(); n != numbers.end(); ++n) {
    if (n != numbers.begin() && *std::prev(n) + 1 != *n) next += gap;
    at[*n] = next;
    next += cell;
  }
  return at;
}

// Heights above the first panel and between two of them.
struct Labels {
  double above, between;
};
Labels labels_of(const AccessView& view) {
  return is_large(view.options.look) ? Labels{kClassLabel, kClassUnderB} : Labels{kLabel, kUnderB};
}

std::pair<Span, Span> tile_of_c(const AccessView& view) {
  const std::size_t c = (*view.story.product())[2];
  const auto& [low, high] = *view.story.owned_area(c);
  const Face& face = view.story.faces()[c];
  return {at_least(low.row, high.row, face.covered_rows),
          at_least(low.column, high.column, face.covered_columns)};
}

// Flat or steep tiles need not have square cells.
scene::Size cell_of_c(const AccessView& view, Span rows, Span columns, scene::Size room) {
  const double wide = room.width / static_cast<double>(columns.count),
               tall = room.height / static_cast<double>(rows.count);
  const double most = is_large(view.options.look) ? kMostClassCell : kMostCell,
               flat = is_large(view.options.look) ? 24 : 12;
  return {std::min({wide, flat * tall, most}), std::min({tall, flat * wide, most})};
}

// The line from a word of B goes down beside the name of C, and how many it serves stands between them.
void shift_label(const Operand& operand, const scene::TextMeasure& measure, AccessPanel& c) {
  if (operand.is_above && !operand.served.empty())
    c.label_shift = c.cell.width / 2 + 8 + factor_width(operand, measure) + 10;
}

// Whether cells of a tile above C would be so flat that its shape is lost.
constexpr double kFlat = 3;
bool is_flat_above(const Face& tile, const Rect& picture, const Labels& labels, Span columns) {
  const double high = (picture.height - labels.above - labels.between) / 2 / static_cast<double>(tile.rows),
               wide = picture.width / static_cast<double>(std::max(columns.count, tile.columns));
  return tile.rows * 2 >= tile.columns && wide > kFlat * high;
}

// A tile whose words serve columns at the left of C, both with square cells; the line goes over them.
void place_side_by_side(const AccessView& view, const Rect& picture, const Operand& operand,
                        AccessLayout& layout) {
  const std::size_t c = (*view.story.product())[2];
  const Face& face = view.story.faces()[operand.face];
  const auto [rows, columns] = tile_of_c(view);
  constexpr double gap = 72;
  const double above = labels_of(view).above + (operand.served.empty() ? 0 : kAboveBoth - kClassLabel);
  const double side = std::floor(
      std::min({(picture.width - gap) / static_cast<double>(face.columns + columns.count),
                (picture.height - above) / static_cast<double>(std::max(face.rows, rows.count)), kMostCell}));
  const scene::Size cell{std::max(side, 1.0), std::max(side, 1.0)};
  const double wide = pixels(face.columns, cell.width), all = wide + gap + pixels(columns.count, cell.width);
  const Point at{picture.x + std::floor((picture.width - all) / 2), picture.y + above};
  layout.panels.push_back(panel_of(operand.face, {0, face.rows}, {0, face.columns}, cell, at, wide + gap));
  layout.panels.push_back(
      panel_of(c, rows, columns, cell, {at.x + wide + gap, at.y}, picture.right() - at.x - wide - gap));
  for (AccessPanel& panel : layout.panels)
    if (!operand.served.empty()) panel.label_shift = cell.width + 8;
}

// C with a tile of shared memory above it or at its left, as wide or high as C itself.
void place_with_tile(const AccessView& view, const Rect& picture, const Operand& operand,
                     AccessLayout& layout) {
  const std::size_t tile = operand.face;
  const std::size_t c = (*view.story.product())[2];
  const Face& face = view.story.faces()[tile];
  const auto [rows, columns] = tile_of_c(view);
  const Labels labels = labels_of(view);
  if (operand.is_above && is_flat_above(face, picture, labels, columns))
    return place_side_by_side(view, picture, operand, layout);
  const Span all_rows{0, face.rows}, all_columns{0, face.columns};
  if (operand.is_above) {
    const double high = std::clamp(static_cast<double>(face.rows) * 5, kLeastStrip,
                                   std::max(picture.height * 0.32, kLeastStrip));
    const double top = picture.y + labels.above + high + labels.between;
    const scene::Size cell = cell_of_c(view, rows, columns, {picture.width, picture.bottom() - top});
    const double wide = static_cast<double>(columns.count) * cell.width;
    layout.panels.push_back(
        panel_of(tile, all_rows, all_columns,
                 {wide / static_cast<double>(face.columns), high / static_cast<double>(face.rows)},
                 {picture.x, picture.y + labels.above}, picture.width));
    layout.panels.push_back(panel_of(c, rows, columns, cell, {picture.x, top}, picture.width));
    shift_label(operand, view.measure, layout.panels.back());
    return;
  }
  const double wide = std::clamp(static_cast<double>(face.columns) * 5, kLeastTile,
                                 std::max(picture.width * 0.4, kLeastTile));
  const double left = picture.x + wide + 2 * kBetween, top = picture.y + labels.above;
  const scene::Size cell = cell_of_c(view, rows, columns, {picture.right() - left, picture.bottom() - top});
  const double high = static_cast<double>(rows.count) * cell.height;
  layout.panels.push_back(
      panel_of(tile, all_rows, all_columns,
               {wide / static_cast<double>(face.columns), high / static_cast<double>(face.rows)},
               {picture.x, top}, wide + kBetween));
  layout.panels.push_back(panel_of(c, rows, columns, cell, {left, top}, picture.right() - left));
}

class Tiled {
 public:
  Tiled(const AccessView& view, const AccessLayout& layout) : view_(view), layout_(layout) {
    product_ = view.story.product().value();
    thread_ = view.place.warp * 32 + static_cast<std::uint32_t>(view.place.lane);
    cells_ = cells_of_thread(view, product_[2], thread_);
    thread_look_ = lane_look(view.options.colors, view.place.lane).color;
  }

  // A class sees few outlines: the colours of cells say the same.
  void draw(Group& group) {
    draw_warps(group);
    if (!is_sparse(view_.options.look)) draw_needed(group);
    if (layout_.overview && !is_sparse(view_.options.look)) draw_overview(group, *layout_.overview);
    if (layout_.fragment) draw_fragment(group, *layout_.fragment);
  }

 private:
  const AccessPanel* panel(std::size_t face) const {
    for (const AccessPanel& each : layout_.panels)
      if (each.face == face) return &each;
    return nullptr;
  }
  static Rect box_on(const AccessPanel& panel, const Box& box) {
    const Rect first = panel.rect_of(box.first), last = panel.rect_of(box.second);
    return {first.x, first.y, last.right() - first.x, last.bottom() - first.y};
  }

  void draw_warps(Group& group) {
    const AccessPanel* c = panel(product_[2]);
    if (c == nullptr) return;
    for (const auto& [warp, boxes] : warp_boxes(view_, product_[2])) {
      const bool chosen = warp == view_.place.warp;
      if (is_sparse(view_.options.look) && is_thin(*c, boxes)) continue;
      Group one;
      for (const Box& box : boxes) {
        const Rect rect = box_on(*c, box);
        one.rect(rect.inset(0.5),
                 {.stroke = scene::Stroke{chosen ? Token::text : Token::dim,
                                          chosen && !is_large(view_.options.look) ? 2.0 : 1.0}});
        add_plate(one, {rect.right() - 4, rect.bottom() - 3}, rect,
                  fmt::format("{}{}", is_brief(view_.options.look) ? "" : "warp ", warp));
      }
      group.group(std::move(one))
          .named(fmt::format("warp:{}", warp), fmt::format("The tile of warp {}", warp));
    }
    if (is_sparse(view_.options.look)) return;
    const Rect block = box_on(*c, *view_.story.owned_area(product_[2]));
    group.rect(block.inset(-1), {.stroke = scene::Stroke{Token::first_block, 2}});
  }

  // Outlines would leave nothing of it to be seen.
  static bool is_thin(const AccessPanel& panel, const std::vector<Box>& boxes) {
    const Rect rect = box_on(panel, boxes.front());
    return std::min(rect.width, rect.height) < 8;
  }

  // A name that ends at a corner; left out where the area has no room for it.
  void add_plate(Group& group, Point corner, const Rect& area, const std::string& name) {
    const double wide = view_.measure.width(name, caption()) + 8, high = 18;
    if (area.width < wide + 8 || area.height < high + 4) return;
    const Rect plate{corner.x - wide, corner.y - high, wide, high};
    group.rect(plate, {.fill = Color{Token::background, 0.72}}, 3);
    group.text({plate.x + 4, plate.y + 13}, name, caption(Token::text));
  }

  // Beside A and below B, towards C: the rows and columns that the thread needs.
  void draw_needed(Group& group) {
    constexpr double away = 3, wide = 5;  // outside, so that no mark is taken for a cell
    Group needed;
    const AccessPanel *a = panel(product_[0]), *b = panel(product_[1]);
    for (const Cell& cell : cells_) {
      if (a != nullptr && a->rows.contains(cell.row)) {
        const Rect at = a->rect_of({cell.row, a->columns.first});
        needed.rect({a->rect.right() + away, at.y, wide, std::max(at.height, 1.5)}, {.fill = thread_look_});
      }
      if (b != nullptr && b->columns.contains(cell.column)) {
        const Rect at = b->rect_of({b->rows.first, cell.column});
        needed.rect({at.x, b->rect.bottom() + away, std::max(at.width, 1.5), wide}, {.fill = thread_look_});
      }
    }
    group.group(std::move(needed))
        .named("needed", fmt::format("The rows and columns that lane {} needs", view_.place.lane));
  }

  // All of C in little, and in it the block.
  void draw_overview(Group& group, const Rect& room) {
    const Face& c = view_.story.faces()[product_[2]];
    const auto& area = view_.story.owned_area(product_[2]);
    if (!area || c.rows <= 0 || c.columns <= 0) return;
    const double scale =
        std::min(room.width / static_cast<double>(c.columns), room.height / static_cast<double>(c.rows));
    const Rect whole{room.x, room.y, static_cast<double>(c.columns) * scale,
                     static_cast<double>(c.rows) * scale};
    const Rect block{whole.x + static_cast<double>(area->first.column) * scale,
                     whole.y + static_cast<double>(area->first.row) * scale,
                     std::max(static_cast<double>(area->second.column - area->first.column + 1) * scale, 3.0),
                     std::max(static_cast<double>(area->second.row - area->first.row + 1) * scale, 3.0)};
    Group one;
    one.rect(whole, {.fill = Token::raised, .stroke = scene::Stroke{edge()}});
    one.rect(block, {.fill = Token::first_block});
    one.text({whole.x, whole.y - 6}, "in " + c.name, caption());
    group.group(std::move(one))
        .named("overview",
               fmt::format("Where this block lies in {}, {}", c.name, rows_by_columns(c.rows, c.columns)));
  }

  // Room is kept for three, so that most threads' elements are as large.
  static double gaps_of(const std::set<std::int64_t>& numbers) {
    return std::max(3.0, static_cast<double>(stretches(numbers).size()) - 1);
  }

  // The elements of the thread, each with the number of its turn.
  void draw_fragment(Group& group, const Rect& area) {
    std::set<std::int64_t> rows, columns;
    for (const Cell& cell : cells_) rows.insert(cell.row), columns.insert(cell.column);
    if (cells_.size() < 2 || rows.size() > 64 || columns.size() > 64) return;
    constexpr double gap = 8, head = 22, edge = 40;
    const bool has_factors = reads_factors(rows.size(), columns.size());
    const double factors = has_factors ? 20 : 0;
    const double cell = std::min(
        {(area.width - edge - gap * gaps_of(columns)) / static_cast<double>(columns.size()),
         (area.height - head - factors - 18 - gap * gaps_of(rows)) / static_cast<double>(rows.size()), 30.0});
    if (cell < 3) return;
    const Face& c = view_.story.faces()[product_[2]];
    // A number for each where the longest has room and is legible.
    constexpr double kLeastType = 9, kApart = 5;
    const double wide =
        view_.measure.width(std::to_string(cells_.size()), centred_code(10, Token::background)) / 10;
    const double type = std::min(
        is_large(view_.options.look) && cell >= 20 ? theme::metric::kCaption : std::min(11.0, cell * 0.55),
        (cell - kApart) / wide);
    const bool has_numbers = type >= kLeastType;
    const std::string count =
        has_factors ? fmt::format("{} words, {} products", rows.size() + columns.size(), cells_.size())
                    : counted(cells_.size(), "element");
    std::vector<std::string> titles{count};
    if (!is_brief(view_.options.look))
      titles = {fmt::format("{} of {} by lane {}{}", count, c.name, view_.place.lane,
                            has_numbers ? ", in order" : ""),
                fmt::format("{} of lane {}", count, view_.place.lane), count};
    const auto fits = [&](const std::string& title) {
      return view_.measure.width(title, caption()) <= area.width;
    };
    if (const auto title = std::ranges::find_if(titles, fits); title != titles.end())
      group.text({area.x, area.y + 14}, *title, caption(Token::text));
    const auto x = packed(columns, cell, gap), y = packed(rows, cell, gap);
    const Point corner{area.x + edge, area.y + head + factors + 16};
    if (has_factors)
      draw_factors(group, corner, x, y, cell);
    else
      draw_numbers_of(group, corner, x, y);
    Group numbers;  // over all elements
    for (std::size_t n = 0; n < cells_.size(); ++n) {
      const Rect box{corner.x + x.at(cells_[n].column), corner.y + y.at(cells_[n].row), cell, cell};
      group.rect(box.inset(0.75), {.fill = thread_look_}, 2);
      if (has_numbers)
        numbers.text(box.center(), fmt::format("{}", n + 1), centred_code(type, Token::background));
    }
    group.group(std::move(numbers));
  }
  // For a class: whether a thread reads a word of A for each row of its elements and one of B for each
  // column, for one column of A, and nothing twice.
  bool reads_factors(std::size_t rows, std::size_t columns) const {
    if (!is_sparse(view_.options.look) || cells_.size() != rows * columns) return false;
    const auto serves = [&](std::size_t face, std::size_t wanted) {
      const double served = explain::multiply_adds_an_element(view_.run, view_.story, face);
      return std::abs(served - static_cast<double>(wanted)) < 0.05 * static_cast<double>(wanted);
    };
    std::vector<std::size_t> as_a, as_b;
    for (std::size_t f = 0; f < view_.story.faces().size(); ++f) {
      const bool is_shared = view_.story.faces()[f].is_shared;
      if ((is_shared || f == product_[0]) && serves(f, columns)) as_a.push_back(f);
      if ((is_shared || f == product_[1]) && serves(f, rows)) as_b.push_back(f);
    }
    return !as_a.empty() && !as_b.empty() &&
           (as_a.size() > 1 || as_b.size() > 1 || as_a.front() != as_b.front());
  }
  // Beside the elements the words of A, above them those of B; those that this access reads in its colour.
  void draw_factors(Group& group, Point corner, const std::map<std::int64_t, double>& x,
                    const std::map<std::int64_t, double>& y, double cell) {
    constexpr double away = 6;
    const double deep = std::min(cell, 22.0);
    const auto word = [&](const Rect& box, bool is_above) {
      const bool is_read = view_.operand && view_.operand->is_above == is_above;
      group.rect(box.inset(0.75), {.fill = is_read ? Token::accent : Token::dim}, 2);
    };
    for (const auto& [row, down] : y) word({corner.x - away - deep, corner.y + down, deep, cell}, false);
    for (const auto& [column, right] : x) word({corner.x + right, corner.y - away - deep, cell, deep}, true);
  }
  // The row and the column where each stretch of neighbours begins.
  static void draw_numbers_of(Group& group, Point corner, const std::map<std::int64_t, double>& x,
                              const std::map<std::int64_t, double>& y) {
    const TextStyle style{.size = 11, .color = Token::dim, .family = scene::Family::code};
    const auto begins = [](const auto& at, auto here) {
      return here == at.begin() || std::prev(here)->first + 1 != here->first;
    };
    for (auto row = y.begin(); row != y.end(); ++row)
      if (begins(y, row))
        group.text({corner.x - 6, corner.y + row->second + 11}, fmt::format("{}", row->first), at_end(style));
    for (auto column = x.begin(); column != x.end(); ++column)
      if (begins(x, column))
        group.text({corner.x + column->second, corner.y - 5}, fmt::format("{}", column->first), style);
  }

  const AccessView& view_;
  const AccessLayout& layout_;
  std::array<std::size_t, 3> product_{};
  std::uint32_t thread_ = 0;
  std::vector<Cell> cells_;
  Color thread_look_ = Token::text;
};

}  // namespace

bool is_tiled(const AccessView& view) {
  const auto product = view.story.product();
  if (!product || view.options.whole || !view.story.owned_area((*product)[2])) return false;
  if (stands_in(view)) return true;
  const auto& [low, high] = *view.story.owned_area((*product)[2]);
  const std::int64_t rows = high.row - low.row + 1, columns = high.column - low.column + 1;
  if (rows >= kSteep * columns || columns >= kSteep * rows) return true;
  const std::size_t threads = 32 * std::size_t{view.story.accesses().warps()};
  return view.story.owned((*product)[2]).size() >= kLeastOwned * threads;
}

void place_tiled(const AccessView& view, const Rect& picture, const Rect& beside, AccessLayout& layout) {
  layout.is_tiled = true, layout.fragment = beside;
  if (stands_in(view)) return place_with_tile(view, picture, *view.operand, layout);
  const auto [a, b, c] = view.story.product().value();
  const auto [rows, columns] = tile_of_c(view);
  const Labels labels = labels_of(view);
  const Span depth = depth_of(view, a, b);
  const double strip = std::clamp(static_cast<double>(depth.count) * 5, kLeastStrip,
                                  std::max(picture.width * 0.22, kLeastStrip));
  const scene::Size cell =
      cell_of_c(view, rows, columns,
                {picture.width - strip - kBetween, picture.height - labels.above - labels.between - strip});
  const double deep = strip / static_cast<double>(depth.count);
  const Point corner{std::round(picture.x + strip + kBetween),
                     std::round(picture.y + labels.above + strip + labels.between)};
  const double room = picture.right() - corner.x;
  layout.panels.push_back(
      panel_of(b, depth, columns, {cell.width, deep}, {corner.x, corner.y - labels.between - strip}, room));
  layout.panels.push_back(
      panel_of(a, rows, depth, {deep, cell.height}, {corner.x - kBetween - strip, corner.y}, strip));
  layout.panels.push_back(panel_of(c, rows, columns, cell, corner, room));
  if (view.operand) shift_label(*view.operand, view.measure, layout.panels.back());
  layout.overview = Rect{picture.x, picture.y + labels.above, strip, strip};
}

void draw_tiled(Group& group, const AccessView& view, const AccessLayout& layout) {
  Tiled(view, layout).draw(group);
}

}  // namespace warplens::figures
