#include "viz/figures/tensor/boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/hatching.hpp"
#include "viz/figures/tensor/shared_lines.hpp"
#include "viz/figures/tensor/tensor_view.hpp"

namespace warplens::figures {
namespace {

using trace::BoxCopy, trace::TensorWork;

constexpr const char* kNoBox = "this kernel copies no box by the tensor memory accelerator";
constexpr std::int64_t kBoxesAcross = 8;  // of the part of a matrix that is shown, where it is larger

// In elements of the map: columns run along dimension 0.
struct Area {
  std::int64_t column = 0, row = 0, columns = 0, rows = 0;
  std::int64_t right() const { return column + columns; }
  std::int64_t bottom() const { return row + rows; }
};

Area area_of(const BoxCopy& box) {
  return {box.at[0], box.map.dimensions > 1 ? box.at[1] : 0, box.map.box[0],
          box.map.dimensions > 1 ? static_cast<std::int64_t>(box.map.box[1]) : 1};
}
Area matrix_of(const BoxCopy& box) {
  return {0, 0, static_cast<std::int64_t>(box.map.extent[0]),
          box.map.dimensions > 1 ? static_cast<std::int64_t>(box.map.extent[1]) : 1};
}

std::uint64_t bytes_inside(const BoxCopy& box) {
  std::uint64_t inside = 0;
  for (std::uint64_t r = 0; r < tensor::box_rows(box.map); ++r) {
    const tensor::BoxRow row = tensor::box_row(box.map, box.at, r);
    inside += row.last - row.first;
  }
  return inside;
}

bool has_outside(const BoxCopy& box) { return bytes_inside(box) < tensor::box_bytes(box.map); }

// Where an element of the box lies in shared memory, of those that the map brings.
std::uint32_t address_in(const BoxCopy& box, std::int64_t column, std::int64_t row) {
  const auto bytes = static_cast<std::uint32_t>(tensor::size_in_bytes(box.map.type));
  const Area area = area_of(box);
  const auto plain =
      static_cast<std::uint32_t>(((row - area.row) * area.columns + column - area.column) * bytes);
  return tensor::swizzled(box.shared + plain, box.map.swizzle);
}

// The element of the picture's matrix at a place of the map: both count from the buffer's first byte.
struct BoxView {
  const TensorView& view;
  const BoxCopy& box;
  std::size_t number = 0;  // among the block's boxes, from 0
  Face face;
  bool is_followed = false;
  std::int64_t column = 0, row = 0;  // of the followed element, or the first one inside of the box

  std::optional<CellId> cell(std::int64_t at_column, std::int64_t at_row) const {
    const Area all = matrix_of(box);
    if (at_column < 0 || at_row < 0 || at_column >= all.columns || at_row >= all.rows) return std::nullopt;
    const auto bytes = static_cast<std::uint64_t>(tensor::size_in_bytes(box.map.type));
    const std::uint64_t offset = box.map.address - face.address +
                                 static_cast<std::uint64_t>(at_row) * box.map.stride[1] +
                                 static_cast<std::uint64_t>(at_column) * bytes;
    const report::Cell cell = report::cell_of(face, offset / face.element_bytes);
    return CellId{face.name, cell.row, cell.column};
  }
  // Column and row by the map.
  std::optional<std::pair<std::int64_t, std::int64_t>> place(const CellId& cell) const {
    if (cell.name != face.name) return std::nullopt;
    const auto element = report::element_at(face, {cell.row, cell.column});
    if (!element || box.map.stride[1] == 0) return std::nullopt;
    const std::uint64_t offset = *element * face.element_bytes;
    return std::pair{
        static_cast<std::int64_t>(offset % box.map.stride[1] / tensor::size_in_bytes(box.map.type)),
        static_cast<std::int64_t>(offset / box.map.stride[1])};
  }
};

bool holds(const BoxCopy& box, std::int64_t column, std::int64_t row) {
  const Area area = area_of(box);
  return column >= area.column && column < area.right() && row >= area.row && row < area.bottom();
}

// The first box that has the followed element, else the block's first one.
std::optional<BoxView> box_of(const Subject& subject, const TensorView& view) {
  const TensorWork& work = view.work();
  const auto face_of = [&](const BoxCopy& box) { return report::face_of(view.run().buffers[box.buffer]); };
  const auto is_plane = [](const BoxCopy& box) { return box.map.dimensions <= 2; };
  if (const auto wanted = followed_cell(subject.element))
    for (std::size_t b = 0; b < work.boxes.size(); ++b) {
      if (!is_plane(work.boxes[b])) continue;
      BoxView found{.view = view, .box = work.boxes[b], .number = b, .face = face_of(work.boxes[b])};
      const auto at = found.place(*wanted);
      if (!at || !holds(found.box, at->first, at->second)) continue;
      found.is_followed = true, found.column = at->first, found.row = at->second;
      return found;
    }
  for (std::size_t b = 0; b < work.boxes.size(); ++b)
    if (is_plane(work.boxes[b])) {
      const Area area = area_of(work.boxes[b]);
      return BoxView{.view = view,
                     .box = work.boxes[b],
                     .number = b,
                     .face = face_of(work.boxes[b]),
                     .is_followed = false,
                     .column = std::max<std::int64_t>(area.column, 0),
                     .row = std::max<std::int64_t>(area.row, 0)};
    }
  return std::nullopt;
}

// ---- the picture

struct BoxesLayout {
  Area shown;       // part of the matrix, and beyond it
  Rect matrix;      // where it stands
  double cell = 0;  // pixels of an element
  Rect cards, strip, title;
};

struct BoxesDrawn {
  const Subject& subject;
  const BoxView& view;
  SharedLines lines;
  BoxesLayout layout;
  std::vector<NumberCard> cards;
  explain::Explanation said;

  Rect rect_of(const Area& area) const {
    return {layout.matrix.x + static_cast<double>(area.column - layout.shown.column) * layout.cell,
            layout.matrix.y + static_cast<double>(area.row - layout.shown.row) * layout.cell,
            static_cast<double>(area.columns) * layout.cell, static_cast<double>(area.rows) * layout.cell};
  }
};

std::vector<NumberCard> cards_of(const BoxView& view) {
  const BoxCopy& box = view.box;
  const Area area = area_of(box);
  const std::uint64_t bytes = tensor::box_bytes(box.map), outside = bytes - bytes_inside(box);
  std::vector<NumberCard> cards;
  cards.push_back({"The box", rows_by_columns(area.rows, area.columns),
                   fmt::format("of {}, from row {} and column {}: {} bytes", view.face.name, area.row,
                               area.column, grouped(bytes))});
  cards.push_back({"Asked for by", "1 thread", fmt::format("lane {} of warp {}", box.lane, box.warp)});
  if (!box.is_store)
    cards.push_back({"Outside of the matrix", grouped(outside),
                     outside > 0 ? "bytes that come as zeros" : "bytes: nothing is filled in",
                     outside > 0 ? Color{Token::first_thread} : Color{Token::text}});
  if (const auto cell = view.cell(view.column, view.row)) {
    const std::uint32_t address = address_in(box, view.column, view.row);
    cards.push_back({fmt::format("{}[{}][{}]", cell->name, cell->row, cell->column),
                     fmt::format("byte {}", grouped(std::uint64_t{address})),
                     fmt::format("of shared memory, bank {}; swizzle {}", address / 4 % 32,
                                 tensor::row_of(box.map.swizzle).name)});
  }
  return cards;
}

// The part of a matrix around a box, as far as both sides of it are worth a picture.
Area part_of(const Area& matrix, const Area& box) {
  const auto side = [](std::int64_t extent, std::int64_t first, std::int64_t count) {
    const std::int64_t wanted = std::min(extent, kBoxesAcross * count);
    const std::int64_t low = std::clamp<std::int64_t>(first / std::max<std::int64_t>(wanted, 1) * wanted, 0,
                                                      std::max<std::int64_t>(extent - wanted, 0));
    const std::int64_t begin = std::min(low, first), end = std::max(low + wanted, first + count);
    return std::pair{begin, end - begin};
  };
  const auto [column, columns] = side(matrix.columns, box.column, box.columns);
  const auto [row, rows] = side(matrix.rows, box.row, box.rows);
  return {column, row, columns, rows};
}

BoxesDrawn drawn_in(const Subject& subject, const BoxView& view, scene::Size size,
                    const scene::TextMeasure& measure) {
  BoxesDrawn drawn{subject, view, {}, {}, {}, {}};
  const Look look = subject.look;
  const Rect area = is_brief(look) ? Rect{12, 8, size.width - 24, size.height - 16} : inner_area(size);
  if (has_words(look)) drawn.said = explain::without_praise(boxes_words(subject), *subject.run);
  const double strip = explanation_height(drawn.said, {}, area.width, measure);
  drawn.layout.strip = {area.x, area.bottom() - strip, area.width, strip};
  double bottom = area.bottom() - (strip > 0 ? strip + 10 : 0);
  if (!is_brief(look)) {  // a class hears the numbers
    drawn.cards = cards_of(view);
    const double cards = number_cards_height(drawn.cards, area.width, measure);
    drawn.layout.cards = {area.x, bottom - cards, area.width, cards};
    bottom -= cards + 10;
  }
  const double top = area.y + (is_brief(look) ? 0 : 26), left = std::floor(area.width * 0.5);
  drawn.layout.title = {area.x, area.y, area.width, 20};
  drawn.layout.shown = part_of(matrix_of(view.box), area_of(view.box));
  constexpr double head = 22;
  const Rect room{area.x, top + head, left, bottom - top - head};
  drawn.layout.cell = std::min(room.width / static_cast<double>(drawn.layout.shown.columns),
                               room.height / static_cast<double>(drawn.layout.shown.rows));
  drawn.layout.matrix = {room.x, room.y, static_cast<double>(drawn.layout.shown.columns) * drawn.layout.cell,
                         static_cast<double>(drawn.layout.shown.rows) * drawn.layout.cell};
  SharedTile tile;
  const std::uint32_t last =
      view.box.shared + static_cast<std::uint32_t>(tensor::box_bytes(view.box.map)) - 1;
  tile.address = {view.box.shared, last};
  drawn.lines = SharedLines({area.x + left + 24, top, area.width - left - 24, bottom - top}, tile,
                            view.view.work(), address_in(view.box, view.column, view.row), look);
  return drawn;
}

void add_matrix(Group& group, const BoxesDrawn& drawn) {
  const BoxView& view = drawn.view;
  const Area matrix = matrix_of(view.box), shown = drawn.layout.shown;
  const Look look = drawn.subject.look;
  const auto clip = [&](const Area& area) {
    const std::int64_t column = std::max(area.column, shown.column), row = std::max(area.row, shown.row);
    return Area{column, row, std::min(area.right(), shown.right()) - column,
                std::min(area.bottom(), shown.bottom()) - row};
  };
  group.rect(drawn.rect_of(clip(matrix)), {.fill = Token::raised, .stroke = scene::Stroke{edge(), 1}});
  // The block's other boxes of this matrix.
  for (const BoxCopy& other : view.view.work().boxes) {
    if (&other == &view.box || other.buffer != view.box.buffer || other.is_store != view.box.is_store)
      continue;
    const Area part = clip(area_of(other));
    if (part.columns <= 0 || part.rows <= 0) continue;
    group.rect(drawn.rect_of(part).inset(0.5), {.fill = Color{Token::first_warp, 0.18},
                                                .stroke = scene::Stroke{{Token::first_warp, 0.7}, 1}});
  }
  const Area box = area_of(view.box);
  const Area inside{std::max<std::int64_t>(box.column, 0), std::max<std::int64_t>(box.row, 0),
                    std::min(box.right(), matrix.columns) - std::max<std::int64_t>(box.column, 0),
                    std::min(box.bottom(), matrix.rows) - std::max<std::int64_t>(box.row, 0)};
  if (has_outside(view.box)) add_hatched(group, drawn.rect_of(box), Token::first_thread);
  if (inside.columns > 0 && inside.rows > 0) group.rect(drawn.rect_of(inside), {.fill = Token::first_warp});
  group.rect(drawn.rect_of(box).inset(-1), {.stroke = scene::Stroke{Token::text, 2}}, 1);
  const bool is_part = shown.columns < matrix.columns || shown.rows < matrix.rows;
  std::string head = fmt::format("{} in global memory", view.face.name);
  if (!is_brief(look))
    head += is_part
                ? fmt::format(", rows {} to {} and columns {} to {} of {}", shown.row, shown.bottom() - 1,
                              shown.column, shown.right() - 1, rows_by_columns(matrix.rows, matrix.columns))
                : fmt::format(", {}", rows_by_columns(matrix.rows, matrix.columns));
  group.text({drawn.layout.matrix.x, drawn.layout.matrix.y - 8}, head,
             within(caption(Token::text), drawn.layout.title.width * 0.5));
}

// Chunks of 16 bytes by their place in the row of the box, zeros apart.
std::vector<std::uint8_t> colors_of_box(const BoxesDrawn& drawn) {
  const BoxView& view = drawn.view;
  const Area box = area_of(view.box), matrix = matrix_of(view.box);
  const auto bytes = static_cast<std::int64_t>(tensor::size_in_bytes(view.box.map.type));
  std::vector<std::uint8_t> colors(drawn.lines.cells(), shared_mark::kOther);
  for (std::int64_t row = box.row; row < box.bottom(); ++row)
    for (std::int64_t column = box.column; column < box.right(); ++column) {
      const bool is_inside = row >= 0 && column >= 0 && row < matrix.rows && column < matrix.columns;
      const auto chunk = (column - box.column) * bytes / tensor::kChunkBytes;
      drawn.lines.mark(
          colors, address_in(view.box, column, row),
          is_inside ? static_cast<std::uint8_t>(shared_mark::kFirst + chunk % 8) : shared_mark::kTile);
    }
  return colors;
}

void draw_all(Group& group, const BoxesDrawn& drawn, const scene::TextMeasure& measure) {
  const BoxView& view = drawn.view;
  const Look look = drawn.subject.look;
  if (!is_brief(look))
    group.text({drawn.layout.title.x, kMargin + 12},
               fmt::format("Box {} of this block, {}: the accelerator {}", view.number + 1,
                           place_of(view.view.run(), view.box.pc),
                           view.box.is_store ? "takes each row from where the map says"
                                             : "puts each row where the map says"),
               within(heading(), drawn.layout.title.width));
  add_matrix(group, drawn);
  std::vector<Color> palette = shared_mark::palette();
  palette[shared_mark::kTile] = Color{Token::first_thread, 0.35};
  drawn.lines.draw(group, colors_of_box(drawn), palette,
                   is_brief(look)          ? "Shared memory"
                   : has_outside(view.box) ? "Shared memory: a colour is 16 bytes of a row; orange, zeros"
                                           : "Shared memory: a colour is 16 bytes of a row",
                   measure);
  const auto frame = [&](const Rect& box) {
    group.rect(box.inset(-1), {.stroke = scene::Stroke{Token::background, 4}}, 2);
    group.rect(box.inset(-1), {.stroke = scene::Stroke{Token::text, 2}}, 2);
  };
  if (const auto at = drawn.lines.rect_of(address_in(view.box, view.column, view.row))) frame(*at);
  if (holds(view.box, view.column, view.row)) {
    const Rect at = drawn.rect_of({view.column, view.row, 1, 1});
    const double least = std::max(at.width, 5.0);
    frame({at.x, at.y, least, least});
  }
  if (!drawn.cards.empty()) add_number_cards(group, drawn.layout.cards, drawn.cards, measure);
}

template <class Use>
auto with_box(const Subject& subject, scene::Size size, const scene::TextMeasure& measure, Use use)
    -> decltype(use(std::declval<const BoxesDrawn&>())) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  const TensorView view(subject, **work);
  const auto box = box_of(subject, view);
  if (!box) return Error{kNoBox, "choose a step that does, such as tensor/09_wgmma_tma"};
  return use(drawn_in(subject, *box, size, measure));
}

std::string title_of(const BoxView& view, std::int64_t column, std::int64_t row) {
  const auto cell = view.cell(column, row);
  const std::uint32_t address = address_in(view.box, column, row);
  const std::string name =
      cell ? fmt::format("{}[{}][{}]", cell->name, cell->row, cell->column) : "outside: a zero";
  return holds(view.box, column, row) ? fmt::format("{}: byte {} of shared memory, bank {}", name,
                                                    grouped(std::uint64_t{address}), address / 4 % 32)
                                      : name;
}

}  // namespace

Result<scene::Scene> draw_boxes(const Subject& subject, scene::Size size, const scene::TextMeasure& measure) {
  return with_box(subject, size, measure, [&](const BoxesDrawn& drawn) -> Result<scene::Scene> {
    scene::Scene scene{size};
    draw_all(scene.root, drawn, measure);
    if (drawn.layout.strip.height > 0)
      add_explanation(scene.root, drawn.layout.strip, drawn.said, {}, {}, measure, kOfPlot);
    return scene;
  });
}

std::optional<Pick> pick_in_boxes(const Subject& subject, const scene::Scene& /*shown*/, scene::Size size,
                                  const scene::TextMeasure& measure, Point point) {
  std::optional<Pick> pick;
  (void)with_box(subject, size, measure, [&](const BoxesDrawn& drawn) -> Status {
    const BoxView& view = drawn.view;
    if (drawn.layout.matrix.contains(point)) {
      const auto column = drawn.layout.shown.column +
                          static_cast<std::int64_t>((point.x - drawn.layout.matrix.x) / drawn.layout.cell),
                 row = drawn.layout.shown.row +
                       static_cast<std::int64_t>((point.y - drawn.layout.matrix.y) / drawn.layout.cell);
      if (const auto cell = view.cell(column, row))
        pick = Pick{cell_id(*cell), title_of(view, column, row), drawn.rect_of({column, row, 1, 1})};
      return Done{};
    }
    const auto address = drawn.lines.address_at(point);
    const std::uint64_t bytes = tensor::box_bytes(view.box.map);
    if (!address || *address < view.box.shared || *address >= view.box.shared + bytes) return Done{};
    const Area box = area_of(view.box);
    const std::uint32_t plain = tensor::swizzled(*address, view.box.map.swizzle) - view.box.shared;
    const std::int64_t element = plain / tensor::size_in_bytes(view.box.map.type);
    const std::int64_t column = box.column + element % box.columns, row = box.row + element / box.columns;
    if (const auto cell = view.cell(column, row))
      pick = Pick{cell_id(*cell), title_of(view, column, row), *drawn.lines.rect_of(*address)};
    return Done{};
  });
  return pick;
}

std::vector<Rect> places_in_boxes(const Subject& subject, const scene::Scene& /*shown*/, scene::Size size,
                                  const scene::TextMeasure& measure, std::span<const CellId> cells) {
  std::vector<Rect> places;
  (void)with_box(subject, size, measure, [&](const BoxesDrawn& drawn) -> Status {
    for (const CellId& cell : cells) {
      const auto at = drawn.view.place(cell);
      if (!at) continue;
      const Area& shown = drawn.layout.shown;
      if (at->first >= shown.column && at->first < shown.right() && at->second >= shown.row &&
          at->second < shown.bottom())
        places.push_back(drawn.rect_of({at->first, at->second, 1, 1}));
      if (!holds(drawn.view.box, at->first, at->second)) continue;
      if (const auto rect = drawn.lines.rect_of(address_in(drawn.view.box, at->first, at->second)))
        places.push_back(*rect);
    }
    return Done{};
  });
  return places;
}

Result<std::string> boxes_table(const Subject& subject) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  if ((*work)->boxes.empty()) return Error{kNoBox, "choose a step that does, such as tensor/09_wgmma_tma"};
  std::string csv = "box,kind,matrix,column,row,columns,rows,byte,bytes,outside,swizzle,warp,lane\n";
  for (std::size_t b = 0; b < (*work)->boxes.size(); ++b) {
    const BoxCopy& box = (*work)->boxes[b];
    const Area area = area_of(box);
    const std::uint64_t bytes = tensor::box_bytes(box.map);
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", b + 1, box.is_store ? "store" : "load",
                       csv_cell(subject.run->buffers[box.buffer].buffer.name), area.column, area.row,
                       area.columns, area.rows, box.shared, bytes, bytes - bytes_inside(box),
                       tensor::row_of(box.map.swizzle).name, box.warp, box.lane);
  }
  return csv;
}

explain::Explanation boxes_words(const Subject& subject) {
  const TensorView view(subject, *subject.known.tensor->work);
  explain::Explanation said;
  const auto box = box_of(subject, view);
  if (!box) return said;
  said.rule = explain::RuleId::of_figure;
  const std::uint64_t bytes = tensor::box_bytes(box->box.map), outside = bytes - bytes_inside(box->box);
  const Area area = area_of(box->box);
  namespace claim = explain::claim;
  using explain::Quantity;
  const auto followed = box->cell(box->column, box->row);
  const std::string element =
      followed ? fmt::format("{}[{}][{}]", followed->name, followed->row, followed->column) : box->face.name;
  const auto number = [&](Quantity quantity, std::uint64_t value) {
    return claim::of(claim::number(quantity, static_cast<double>(value), explain::Scope::block), element);
  };
  explain::Said what = explain::say(
      box->box.is_store ? "one thread has {} bytes stored: a box of {} × {} of {}"
                        : "one thread has {} bytes brought: a box of {} × {} of {}",
      {number(Quantity::box_bytes, bytes), number(Quantity::box_rows, static_cast<std::uint64_t>(area.rows)),
       number(Quantity::box_columns, static_cast<std::uint64_t>(area.columns)), claim::name(box->face.name)});
  explain::Said why;
  if (outside == 0)
    why = explain::say(
        "the map says where rows lie, {} bytes apart: {} computes an address",
        {number(Quantity::box_pitch, box->box.map.stride[1]),
         claim::of(claim::every("no thread", Quantity::thread_accesses, 0, explain::Scope::block),
                   box->face.name)});
  else if (box->box.is_store)
    why = explain::say("what lies outside of the matrix is not stored");
  else
    why = explain::say("{} bytes of the box lie outside of the matrix and come as zeros",
                       {number(Quantity::box_bytes_outside, outside)});
  said.what = std::move(what.text), said.why = std::move(why.text);
  said.claims = std::move(what.claims);
  explain::add(said.claims, std::move(why.claims));
  return said;
}

}  // namespace warplens::figures
