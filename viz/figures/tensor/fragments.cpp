#include "viz/figures/tensor/fragments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/tensor/shared_lines.hpp"
#include "viz/figures/tensor/tensor_view.hpp"

namespace warplens::figures {
namespace {

constexpr double kGap = 1.6;  // cells between the matrices

// Registers of a fragment by their number, pale enough for text.
Color register_color(int number) { return {theme::series(number), 0.30}; }

// Of one element. Bytes are half as long along k as wide: a register has four of them there.
struct CellSize {
  double width = 0, height = 0;
  Rect at(const Rect& grid, int row, int column) const {
    return {grid.x + column * width, grid.y + row * height, width, height};
  }
};

struct ProductLayout {
  CellSize of_a, of_b, of_c;
  Rect a, b, c;  // A at the left, B above, C where they meet
};

ProductLayout layout_product(const TensorView& view, const Rect& room) {
  constexpr double head = 20;
  const auto depth_of = [](const Factor& factor) { return factor.depth * (factor.bits < 16 ? 0.5 : 1.0); };
  const double a_depth = depth_of(view.a()), b_depth = depth_of(view.b());
  const double across = a_depth + kGap + view.columns(), down = b_depth + kGap + view.rows();
  const double cell = std::min(room.width / across, (room.height - 2 * head) / down);
  const double left = room.right() - across * cell, top = room.y + head, x = left + (a_depth + kGap) * cell;
  const double y = top + b_depth * cell + std::max(kGap * cell, head);
  ProductLayout layout;
  layout.of_a = {a_depth * cell / view.a().depth, cell},
  layout.of_b = {cell, b_depth * cell / view.b().depth};
  layout.of_c = {cell, cell};
  layout.b = {x, top, view.columns() * cell, b_depth * cell};
  layout.a = {left, y, a_depth * cell, view.rows() * cell};
  layout.c = {x, y, view.columns() * cell, view.rows() * cell};
  return layout;
}

struct FragmentsLayout {
  Rect shared;  // of memory's lines; no width where none are shown
  ProductLayout product;
  Rect way;  // of the followed element, in words: above A and left of B
  Rect strip;
};

struct Drawn {
  const Subject& subject;
  const TensorView& view;
  SharedLines lines;
  FragmentsLayout layout;
  std::vector<NumberCard> way;
  explain::Explanation said;
};

// ---- what is said of the followed element

std::vector<int> lanes_of_sums(const TensorView& view, int row, int column) {
  std::vector<int> lanes;
  for (int r = view.first_row(); r < view.first_row() + view.rows(); ++r)
    for (int c = 0; c < (view.of_group() ? 8 : view.columns()); ++c)
      if ((row < 0 || r == row) && (column < 0 || c == column % std::max(view.columns(), 1)))
        lanes.push_back(view.sum(r, c + view.first_column()).lane);
  return lanes;
}

std::string title_of(const TensorView& view, ElementNumber number, const Factor& factor, int line, int k) {
  std::string title = view.name(number);
  if (const Holder holder = factor.holder(line, k); holder.is_held()) {
    const RegisterName in = register_of(factor.is_a ? 'a' : 'b', holder.index, factor.bits);
    title += fmt::format(": lane {}, {}{}{}", holder.lane, in.name, in.part.empty() ? "" : ", ", in.part);
  } else {
    title += ": in no register";
  }
  if (const auto address = view.address(number))
    title += fmt::format("; byte {} of shared memory, bank {}", grouped(std::uint64_t{*address}),
                         *address / 4 % 32);
  return title;
}

std::vector<NumberCard> way_of(const TensorView& view, Look look) {
  const std::string name =
      fmt::format("{}[{}][{}]", view.followed().name, view.followed().row, view.followed().column);
  const auto found = view.in_product();
  const auto number = view.number(view.followed());
  if (!found || !number) return {{name, "not here", "this product does not multiply it"}};
  std::vector<NumberCard> cards;
  const bool brief = is_brief(look);
  if (const auto address = view.address(*number)) {
    cards.push_back({name + " in shared memory", fmt::format("byte {}", grouped(std::uint64_t{*address})),
                     fmt::format("bank {}", *address / 4 % 32)});
    if (const auto by = view.read_by(*address); by && !brief)
      cards.push_back({"Its 16 bytes are a row of 8 x 8", fmt::format("address from lane {}", by->lane), ""});
  } else {
    cards.push_back({name + " in shared memory", "in no byte", "at the first product"});
  }
  const Factor& factor = *found->factor;
  if (const Holder holder = factor.holder(found->line, found->k); holder.is_held()) {
    const RegisterName in = register_of(factor.is_a ? 'a' : 'b', holder.index, factor.bits);
    cards.push_back({"In a register", fmt::format("lane {}", holder.lane),
                     in.part.empty() ? in.name : fmt::format("{}, {}", in.name, in.part),
                     Token::first_thread});
  } else {
    cards.push_back({"In a register", "of no lane", "wgmma reads it in place"});
  }
  const bool is_a = factor.is_a;
  cards.push_back({is_a ? "Adds to a row of sums" : "Adds to a column of sums",
                   lanes_words(lanes_of_sums(view, is_a ? found->line : -1, is_a ? -1 : found->line)),
                   fmt::format("{} {} of this product", is_a ? "row" : "column", found->line)});
  return cards;
}

// ---- the grids

// Of one register of one lane: the box around its cells.
struct Box {
  Rect rect;
  int lane = 0, number = 0;
};

// holder(row, column) of a grid; elements a register side by side.
template <class HolderAt>
std::vector<Box> boxes_of(const Rect& rect, CellSize cell, int rows, int columns, int per_register,
                          HolderAt holder_at) {
  std::vector<Box> boxes;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const Holder holder = holder_at(row, column);
      if (!holder.is_held()) continue;
      const Rect at = cell.at(rect, row, column);
      const int number = holder.index / per_register;
      const auto same = std::ranges::find_if(
          boxes, [&](const Box& box) { return box.lane == holder.lane && box.number == number; });
      if (same == boxes.end()) {
        boxes.push_back({at, holder.lane, number});
      } else {
        const double right = std::max(same->rect.right(), at.right()),
                     bottom = std::max(same->rect.bottom(), at.bottom());
        same->rect.width = right - same->rect.x, same->rect.height = bottom - same->rect.y;
      }
    }
  return boxes;
}

void add_boxes(Group& group, const std::vector<Box>& boxes, double cell, int chosen, Look look) {
  const double type = std::min(is_large(look) ? 17.0 : 12.0, cell * (is_large(look) ? 0.95 : 0.8));
  for (const Box& box : boxes) {
    const bool is_chosen = box.lane == chosen;
    group.rect(box.rect.inset(0.5),
               {.fill = is_chosen ? Color{Token::first_thread} : register_color(box.number)}, 1.5);
    const double room = std::min(box.rect.height, box.rect.width / 1.3);
    if (const double size = std::min(type, room * 0.95); size >= 7)
      group.text({box.rect.x + box.rect.width / 2, box.rect.y + box.rect.height / 2},
                 std::to_string(box.lane), centred_code(size, is_chosen ? Token::background : Token::text));
  }
}

// A factor that no lane holds: which rows of shared memory it is.
void add_unheld(Group& group, const Rect& rect, CellSize cell, int rows, int columns) {
  group.rect(rect, {.fill = register_color(0), .stroke = scene::Stroke{theme::series(0), 1}});
  const scene::Stroke line{{Token::dim, 0.35}, 0.5};
  for (int row = 1; row < rows; ++row)
    group.line({rect.x, cell.at(rect, row, 0).y}, {rect.right(), cell.at(rect, row, 0).y}, line);
  for (int column = 1; column < columns; ++column)
    group.line({cell.at(rect, 0, column).x, rect.y}, {cell.at(rect, 0, column).x, rect.bottom()}, line);
}

std::string over_of(const Factor& factor, const TensorView& view) {
  const auto first = view.cell(factor.number(factor.is_a ? view.first_row() : view.first_column(), 0));
  if (!first) return factor.is_a ? "A" : "B";
  return fmt::format("{}[{}][{}]…", first->name, first->row, first->column);
}

void add_frame(Group& group, const Rect& box) {
  group.rect(box.inset(-1), {.stroke = scene::Stroke{Token::background, 4}}, 2);
  group.rect(box.inset(-1), {.stroke = scene::Stroke{Token::text, 2}}, 2);
}

Rect cell_in(const ProductLayout& layout, const TensorView& view, const TensorView::InFactor& at) {
  if (at.factor->is_a) return layout.of_a.at(layout.a, at.line - view.first_row(), at.k);
  return layout.of_b.at(layout.b, at.k, at.line - view.first_column());
}
bool is_shown(const TensorView& view, const TensorView::InFactor& at) {
  const int first = at.factor->is_a ? view.first_row() : view.first_column(),
            count = at.factor->is_a ? view.rows() : view.columns();
  return at.line >= first && at.line < first + count;
}

void add_product(Group& group, const Drawn& drawn) {
  const TensorView& view = drawn.view;
  const ProductLayout& layout = drawn.layout.product;
  const auto found = view.in_product();
  int chosen = drawn.subject.place.lane;
  if (found) {
    const Holder holder = found->factor->holder(found->line, found->k);
    chosen = holder.lane;  // of a factor in shared memory: none
  }
  const TextStyle over = caption(is_large(drawn.subject.look) ? Token::text : Token::dim);
  const auto head = [&](const Rect& rect, const std::string& text, double width) {
    TextStyle style = over;
    style.max_width = width;
    group.text({rect.x, rect.y - 6}, text, style);
  };
  const Look look = drawn.subject.look;
  for (const Factor* factor : {&view.a(), &view.b()}) {
    const bool is_a = factor->is_a;
    const Rect& rect = is_a ? layout.a : layout.b;
    const CellSize cell = is_a ? layout.of_a : layout.of_b;
    const int rows = is_a ? view.rows() : factor->depth, columns = is_a ? factor->depth : view.columns();
    if (factor->holders.empty())
      add_unheld(group, rect, cell, rows, columns);
    else
      add_boxes(group,
                boxes_of(rect, cell, rows, columns, std::max(32 / factor->bits, 1),
                         [&](int row, int column) {
                           return is_a ? factor->holder(row + view.first_row(), column)
                                       : factor->holder(column + view.first_column(), row);
                         }),
                layout.of_c.width, chosen, look);
    head(rect,
         is_brief(look) ? (factor->face.name.empty() ? (is_a ? "A" : "B") : factor->face.name)
                        : over_of(*factor, view),
         is_a ? layout.c.x - 8 - rect.x : layout.c.width);
  }
  const int sum_bits = 8 * ptx::size_in_bytes(view.instruction().matrix_types[0]);
  add_boxes(group,
            boxes_of(layout.c, layout.of_c, view.rows(), view.columns(), std::max(32 / sum_bits, 1),
                     [&](int row, int column) {
                       return view.sum(row + view.first_row(), column + view.first_column());
                     }),
            layout.of_c.width, -1, look);
  head(layout.c, "Sums", layout.c.width);
  if (!found || !is_shown(view, *found)) return;
  const bool is_a = found->factor->is_a;
  const Rect at = cell_in(layout, view, *found);
  // The sums that it adds to, and the element itself.
  const Rect sums = is_a ? Rect{layout.c.x, at.y, layout.c.width, at.height}
                         : Rect{at.x, layout.c.y, at.width, layout.c.height};
  group.rect(sums, {.stroke = scene::Stroke{Token::text, 1.5}}, 1);
  add_frame(group, at);
}

// ---- where everything stands

std::vector<std::uint8_t> colors_of_tile(const TensorView& view, const Factor& factor, const SharedTile& tile,
                                         const SharedLines& lines) {
  std::vector<std::uint8_t> colors(lines.cells(), shared_mark::kOther);
  for (std::int64_t line = tile.first_line; line < tile.first_line + tile.lines; ++line)
    for (std::int64_t e = tile.first_along; e < tile.first_along + tile.along; ++e)
      lines.mark(colors, tile.at(line, e), shared_mark::kTile);
  for (int line = 0; line < factor.lines; ++line)
    for (int k = 0; k < factor.depth; ++k) {
      const auto address = view.address(factor.number(line, k));
      if (!address) continue;
      const Holder holder = factor.holder(line, k);
      const bool is_others =
          factor.is_a && (line < view.first_row() || line >= view.first_row() + view.rows());
      if (is_others) continue;
      const int number = holder.is_held() ? holder.index / std::max(32 / factor.bits, 1) : 0;
      lines.mark(colors, *address, static_cast<std::uint8_t>(shared_mark::kFirst + number % 8));
    }
  return colors;
}

const Factor& shown_factor(const TensorView& view) {
  const auto found = view.in_product();
  return found ? *found->factor : view.a();
}

Drawn drawn_in(const Subject& subject, const TensorView& view, scene::Size size,
               const scene::TextMeasure& measure) {
  Drawn drawn{subject, view, {}, {}, {}, {}};
  Rect area = inner_area(size);
  if (is_brief(subject.look)) area = Rect{12, 8, size.width - 24, size.height - 16};
  if (has_words(subject.look)) drawn.said = explain::without_praise(fragments_words(subject), *subject.run);
  const double strip = explanation_height(drawn.said, {}, area.width, measure);
  drawn.layout.strip = {area.x, area.bottom() - strip, area.width, strip};
  const double bottom = area.bottom() - (strip > 0 ? strip + 10 : 0);
  drawn.way = way_of(view, subject.look);
  const double top = area.y + (is_brief(subject.look) ? 0 : 46);
  const auto tile = view.tile(shown_factor(view));
  Rect product{area.x, top, area.width, bottom - top};
  if (tile) {
    const double left = std::floor(area.width * 0.42);
    const auto address = view.address(view.number(view.followed()).value_or(trace::kNoElement));
    drawn.lines = SharedLines({area.x, top, left, bottom - top}, *tile, view.work(), address, subject.look);
    product.x += left + 24, product.width -= left + 24;
  }
  drawn.layout.product = layout_product(view, product);
  const ProductLayout& grids = drawn.layout.product;
  drawn.layout.way = {product.x, top, grids.b.x - 20 - product.x, grids.a.y - 30 - top};
  return drawn;
}

std::string title_of_product(const TensorView& view) {
  const ptx::Instruction& i = view.instruction();
  if (!view.of_group())
    return fmt::format("{} m{}n{}k{} of warp {}, {}", i.opcode == ptx::Opcode::mma ? "mma" : "wmma",
                       i.shape[0], i.shape[1], i.shape[2], view.product().warp,
                       place_of(view.run(), view.product().pc));
  return fmt::format("wgmma m64n{}k{}, {}: warp {} has rows {} to {} of 64; columns {} to {} of {} are shown",
                     view.b().lines, view.b().depth, place_of(view.run(), view.product().pc),
                     view.product().warp, view.first_row(), view.first_row() + 15, view.first_column(),
                     view.first_column() + 7, view.b().lines);
}

// The way of the followed element, one under the other.
void add_way(Group& group, const Drawn& drawn, const scene::TextMeasure& measure) {
  const Rect& room = drawn.layout.way;
  const bool large = is_large(drawn.subject.look);
  const double name = large ? 15 : 13, value = large ? 19 : 18;
  const double full = name + value + 34,
               each = std::min(room.height / static_cast<double>(drawn.way.size()), full + 8);
  double y = room.y;
  for (const NumberCard& step : drawn.way) {
    if (y + name + value + 8 > room.bottom() + 12) return;
    group.text({room.x, y + name}, step.title,
               within(sized(body(large ? Token::text : Token::dim), name), room.width));
    TextStyle style = within(sized(number(step.color), value), room.width);
    group.text({room.x, y + name + value + 5}, step.value, style);
    const double end = measure.width(step.value, style) + 10;
    if (!step.note.empty() && end + measure.width(step.note, body()) < room.width)
      group.text({room.x + end, y + name + value + 5}, step.note, body(large ? Token::text : Token::dim));
    else if (!step.note.empty() && each >= full)
      group.text({room.x, y + name + value + 23}, step.note, within(body(Token::dim), room.width));
    y += each;
  }
}

Group drawn_group(const Drawn& drawn, const scene::TextMeasure& measure) {
  Group group;
  const Look look = drawn.subject.look;
  if (!is_brief(look)) {
    const double width = drawn.layout.strip.width;
    group.text({drawn.layout.strip.x, kMargin + 12}, title_of_product(drawn.view), within(heading(), width));
    group.text({drawn.layout.strip.x, kMargin + 32},
               "A box is a register, its number the lane that has it; colours are the registers’ numbers",
               within(caption(), width));
  }
  const Factor& factor = shown_factor(drawn.view);
  if (drawn.lines.is_shown()) {
    if (const auto tile = drawn.view.tile(factor)) {
      std::vector<Color> palette = shared_mark::palette();
      drawn.lines.draw(group, colors_of_tile(drawn.view, factor, *tile, drawn.lines), palette,
                       is_brief(look)
                           ? "Shared memory"
                           : fmt::format("The tile of {} in shared memory, by banks", factor.face.name),
                       measure);
    }
  }
  add_product(group, drawn);
  if (drawn.lines.is_shown())
    if (const auto number = drawn.view.number(drawn.view.followed()))
      if (const auto address = drawn.view.address(*number))
        if (const auto at = drawn.lines.rect_of(*address)) add_frame(group, *at);
  add_way(group, drawn, measure);
  return group;
}

// The element under a point.
struct Under {
  ElementNumber number = trace::kNoElement;
  Rect rect;
  std::string title;
};

std::optional<Under> under(const Drawn& drawn, Point point) {
  const TensorView& view = drawn.view;
  const ProductLayout& layout = drawn.layout.product;
  for (const Factor* factor : {&view.a(), &view.b()}) {
    const Rect& rect = factor->is_a ? layout.a : layout.b;
    if (!rect.contains(point)) continue;
    const CellSize cell = factor->is_a ? layout.of_a : layout.of_b;
    const int column = static_cast<int>((point.x - rect.x) / cell.width),
              row = static_cast<int>((point.y - rect.y) / cell.height);
    const int line = factor->is_a ? row + view.first_row() : column + view.first_column(),
              k = factor->is_a ? column : row;
    if (line < 0 || line >= factor->lines || k < 0 || k >= factor->depth) return std::nullopt;
    const ElementNumber number = factor->number(line, k);
    return Under{number, cell.at(rect, row, column), title_of(view, number, *factor, line, k)};
  }
  const auto address = drawn.lines.is_shown() ? drawn.lines.address_at(point) : std::nullopt;
  if (!address) return std::nullopt;
  const std::size_t element = *address / view.work().element_bytes;
  if (element >= view.work().shared.size()) return std::nullopt;
  const ElementNumber number = view.work().shared[element];
  const auto cell = view.cell(number);
  if (!cell) return std::nullopt;
  const auto found = view.find(*cell);
  return Under{number, drawn.lines.rect_of(*address).value_or(Rect{}),
               found ? title_of(view, number, *found->factor, found->line, found->k)
                     : fmt::format("{}: byte {} of shared memory, bank {}; of another product",
                                   view.name(number), grouped(std::uint64_t{*address}), *address / 4 % 32)};
}

// Calls use(Drawn) where the picture has something to show.
template <class Use>
auto with_drawn(const Subject& subject, scene::Size size, const scene::TextMeasure& measure, Use use)
    -> decltype(use(std::declval<const Drawn&>())) {
  const auto work = tensor_work(subject);
  if (!work) return {};
  const TensorView view(subject, **work);
  return use(drawn_in(subject, view, size, measure));
}

}  // namespace

Result<scene::Scene> draw_fragments(const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  const TensorView view(subject, **work);
  const Drawn drawn = drawn_in(subject, view, size, measure);
  scene::Scene scene{size};
  scene.root = drawn_group(drawn, measure);
  if (drawn.layout.strip.height > 0)
    add_explanation(scene.root, drawn.layout.strip, drawn.said, {}, {}, measure, kOfPlot);
  return scene;
}

std::optional<Pick> pick_in_fragments(const Subject& subject, const scene::Scene& /*shown*/, scene::Size size,
                                      const scene::TextMeasure& measure, Point point) {
  return with_drawn(subject, size, measure, [&](const Drawn& drawn) -> std::optional<Pick> {
    const auto found = under(drawn, point);
    const auto cell = found ? drawn.view.cell(found->number) : std::nullopt;
    if (!cell) return std::nullopt;
    return Pick{cell_id(*cell), found->title, found->rect};
  });
}

std::vector<Rect> places_in_fragments(const Subject& subject, const scene::Scene& /*shown*/, scene::Size size,
                                      const scene::TextMeasure& measure, std::span<const CellId> cells) {
  return with_drawn(subject, size, measure, [&](const Drawn& drawn) {
    std::vector<Rect> places;
    for (const CellId& cell : cells) {
      const auto found = drawn.view.find(cell);
      if (found && is_shown(drawn.view, *found))
        places.push_back(cell_in(drawn.layout.product, drawn.view, *found));
      const auto number = drawn.view.number(cell);
      const auto address = number && drawn.lines.is_shown() ? drawn.view.address(*number) : std::nullopt;
      if (const auto rect = address ? drawn.lines.rect_of(*address) : std::nullopt) places.push_back(*rect);
    }
    return places;
  });
}

Result<std::string> fragments_table(const Subject& subject) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  const TensorView view(subject, **work);
  std::string csv = "matrix,row,column,byte,lane,register,part\n";
  for (const Factor* factor : {&view.a(), &view.b()})
    for (int line = 0; line < factor->lines; ++line)
      for (int k = 0; k < factor->depth; ++k) {
        const ElementNumber number = factor->number(line, k);
        const auto cell = view.cell(number);
        if (!cell) continue;
        const auto address = view.address(number);
        csv += fmt::format("{},{},{},{}", cell->name, cell->row, cell->column,
                           address ? std::to_string(*address) : "");
        if (const Holder holder = factor->holder(line, k); holder.is_held()) {
          const RegisterName in = register_of(factor->is_a ? 'a' : 'b', holder.index, factor->bits);
          csv += fmt::format(",{},{},{}\n", holder.lane, in.name, in.part);
        } else {
          csv += ",,,\n";
        }
      }
  const int bits = 8 * ptx::size_in_bytes(view.instruction().matrix_types[0]);
  for (int row = view.first_row(); row < view.first_row() + view.rows(); ++row)
    for (int column = view.first_column(); column < view.first_column() + view.columns(); ++column) {
      const Holder holder = view.sum(row, column);
      const RegisterName in = register_of('d', holder.index, bits);
      csv += fmt::format("sums,{},{},,{},{},{}\n", row, column, holder.lane, in.name, in.part);
    }
  return csv;
}

explain::Explanation fragments_words(const Subject& subject) {
  const TensorView view(subject, *subject.known.tensor->work);
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  said.verdict = explain::Verdict::neutral;
  const auto found = view.in_product();
  if (!found) return said;
  const std::string name =
      fmt::format("{}[{}][{}]", view.followed().name, view.followed().row, view.followed().column);
  const auto address = view.address(view.number(view.followed()).value_or(trace::kNoElement));
  const Holder holder = found->factor->holder(found->line, found->k);
  const bool is_a = found->factor->is_a;
  namespace claim = explain::claim;
  using explain::Quantity;
  const auto of_element = [&](std::string words, Quantity quantity, double number) {
    return claim::of(claim::words(std::move(words), quantity, number, explain::Scope::block), name);
  };
  const explain::Claim element = claim::of(claim::name(name), "element");
  explain::Said what, why;
  if (holder.is_held()) {
    const RegisterName in = register_of(is_a ? 'a' : 'b', holder.index, found->factor->bits);
    what =
        explain::say("lane {} holds {} in register {}",
                     {of_element(std::to_string(holder.lane), Quantity::element_lane, holder.lane), element,
                      of_element(in.name, Quantity::element_register,
                                 holder.index / std::max(32 / found->factor->bits, 1))});
    if (address)
      why = explain::say(
          "it came from byte {} of shared memory, bank {}",
          {of_element(grouped(std::uint64_t{*address}), Quantity::element_byte, *address),
           of_element(std::to_string(*address / 4 % 32), Quantity::element_bank, *address / 4 % 32)});
    else
      why = explain::say("{} of shared memory had it when the block’s first product was given",
                         {of_element("no byte", Quantity::bytes_with_element, 0)});
  } else {
    const auto lanes = lanes_of_sums(view, is_a ? found->line : -1, is_a ? -1 : found->line);
    what = explain::say("{} holds {}: wgmma reads it in shared memory",
                        {of_element("no lane", Quantity::lanes_with_element, 0), element});
    why = explain::say(
        is_a ? "lanes hold the sums alone: {} those of its row"
             : "lanes hold the sums alone: {} those of its column",
        {of_element(lanes_words(lanes), Quantity::first_lane_of_sums, *std::ranges::min_element(lanes))});
  }
  said.what = std::move(what.text), said.why = std::move(why.text);
  said.claims = std::move(what.claims);
  explain::add(said.claims, std::move(why.claims));
  return said;
}

}  // namespace warplens::figures
