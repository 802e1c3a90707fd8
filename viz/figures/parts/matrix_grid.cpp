#include "viz/figures/parts/matrix_grid.hpp"

#include <algorithm>
#include <bit>

namespace warplens::figures {
namespace {

std::int64_t bins(std::int64_t cells, std::int64_t bin) { return (cells + bin - 1) / bin; }

// Under the marks, beside the lines between cells: what separates empty cells on a projector. Of small cells
// those of every eighth.
void draw_empty_cells(Group& group, const Rect& rect, Span rows, Span columns, scene::Size cell,
                      Color color) {
  const double least = std::min(cell.width, cell.height);
  if (least < 4) return;
  const std::int64_t every = least < 8 ? 8 : 1;
  const scene::Stroke stroke{color, 1};
  for (std::int64_t c = 1; c < columns.count; ++c)
    if (const double x = rect.x + static_cast<double>(c) * cell.width - 1; (columns.first + c) % every == 0)
      group.line({x, rect.y}, {x, rect.bottom()}, stroke);
  for (std::int64_t r = 1; r < rows.count; ++r)
    if (const double y = rect.y + static_cast<double>(r) * cell.height - 1; (rows.first + r) % every == 0)
      group.line({rect.x, y}, {rect.right(), y}, stroke);
}

// Lines between cells, every eighth one stronger.
void draw_lines(Group& group, const Rect& rect, Span rows, Span columns, scene::Size cell) {
  if (std::min(cell.width, cell.height) < 4) return;
  const auto stroke = [&](std::int64_t i) {
    return scene::Stroke{i % 32 == 0 ? Color{Token::line} : Color{Token::panel, i % 8 == 0 ? 1 : 0.8},
                         i % 32 == 0 ? 1.5 : 1};
  };
  for (std::int64_t c = 1; c < columns.count; ++c) {
    const double x = rect.x + static_cast<double>(c) * cell.width;
    group.line({x, rect.y}, {x, rect.bottom()}, stroke(columns.first + c));
  }
  for (std::int64_t r = 1; r < rows.count; ++r) {
    const double y = rect.y + static_cast<double>(r) * cell.height;
    group.line({rect.x, y}, {rect.right(), y}, stroke(rows.first + r));
  }
}

// What blocks cover beyond the matrix: threads that must not touch memory.
void draw_beyond(Group& group, const Rect& rect) {
  if (rect.width <= 0 || rect.height <= 0) return;
  Group area;
  area.clip = rect;
  area.rect(rect, {.fill = Color{Token::background}});
  for (double d = -rect.height; d < rect.width; d += 6)
    area.line({rect.x + d, rect.bottom()}, {rect.x + d + rect.height, rect.y}, {edge(), 1});
  group.group(std::move(area)).named("", "Beyond the matrix: only guarded threads of the last blocks");
}

void draw_position(Group& group, const Rect& rect, std::int64_t rows, std::int64_t columns, Span r, Span c) {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  if (c.count < columns) {
    const double wide = std::max(rect.width * share(c.count, columns), 4.0);
    const double x =
        rect.x + (rect.width - wide) * share(c.first, std::max<std::int64_t>(columns - c.count, 1));
    group.line({rect.x, rect.bottom() + 5}, {rect.right(), rect.bottom() + 5}, {Token::line, 3});
    group.line({x, rect.bottom() + 5}, {x + wide, rect.bottom() + 5}, {Token::dim, 3});
  }
  if (r.count < rows) {
    const double high = std::max(rect.height * share(r.count, rows), 4.0);
    const double y =
        rect.y + (rect.height - high) * share(r.first, std::max<std::int64_t>(rows - r.count, 1));
    group.line({rect.x - 5, rect.y}, {rect.x - 5, rect.bottom()}, {Token::line, 3});
    group.line({rect.x - 5, y}, {rect.x - 5, y + high}, {Token::dim, 3});
  }
}

}  // namespace

std::string_view words_of(SharedArray::Rows rows) {
  switch (rows) {
    case SharedArray::Rows::declared:
      return "rows as declared";
    case SharedArray::Rows::seen:
      return "rows by the stride of accesses";
    case SharedArray::Rows::banks:
      return "a row for each turn of the banks";
  }
  return "";
}

Span page_around(std::int64_t size, std::int64_t wanted, std::int64_t low, std::int64_t high) {
  const std::int64_t reach = high - low + 1;
  std::int64_t count = std::min(size, wanted);
  if (reach > count)
    count = std::min(size, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(reach))));
  std::int64_t first = low / count * count;
  if (high >= first + count) first = low;
  return {std::clamp<std::int64_t>(first, 0, size - count), count};
}

CellGrid::CellGrid(Span rows, Span columns, Bin bin)
    : rows_(rows),
      columns_(columns),
      bin_(bin),
      width_(static_cast<int>(bins(columns.count, bin.columns))),
      height_(static_cast<int>(bins(rows.count, bin.rows))),
      marks_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0) {}

void CellGrid::mark(Cell cell, std::uint8_t value) {
  if (!rows_.contains(cell.row) || !columns_.contains(cell.column)) return;
  // A division of 64 bits takes as long as all else here, and most pictures have a place of its own for each
  // cell.
  const auto share = [](std::int64_t i, std::int64_t cells) -> std::size_t {
    return cells == 1 ? static_cast<std::size_t>(i)
                      : static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(cells);
  };
  const std::size_t row = share(cell.row - rows_.first, bin_.rows),
                    column = share(cell.column - columns_.first, bin_.columns);
  std::uint8_t& mark = marks_[row * static_cast<std::size_t>(width_) + column];
  mark = std::max(mark, value);
}

scene::SharedPixels CellGrid::pixels(const std::vector<Color>& palette) const {
  return scene::make_indexed_image(width_, height_, marks_, palette);
}

void draw_grid(Group& group, const Rect& rect, const Face& face, Span rows, Span columns,
               scene::SharedPixels pixels, scene::Size cell, Bin bin, Color empty) {
  group.rect(rect, {.fill = Token::raised});
  draw_empty_cells(group, rect, rows, columns, cell, empty);
  // The last bin may stick out over the last cell.
  const double wide = static_cast<double>(bins(columns.count, bin.columns) * bin.columns) * cell.width;
  const double high = static_cast<double>(bins(rows.count, bin.rows) * bin.rows) * cell.height;
  Group picture;
  picture.clip = rect;
  picture.image({rect.x, rect.y, wide, high}, std::move(pixels)).named("grid:" + face.name, face.name);
  group.group(std::move(picture));
  draw_lines(group, rect, rows, columns, cell);
  const double inside_x =
      static_cast<double>(std::clamp<std::int64_t>(face.columns - columns.first, 0, columns.count)) *
      cell.width;
  const double inside_y =
      static_cast<double>(std::clamp<std::int64_t>(face.rows - rows.first, 0, rows.count)) * cell.height;
  group.rect(rect, {.stroke = scene::Stroke{edge()}});  // seen on a projector too
  // A tail of a few cells of a large matrix is less than a pixel: it is drawn wider, to the outside.
  const auto seen = [](double size) { return size > 0 ? std::max(size, 5.0) : 0.0; };
  const double beyond_x = seen(rect.width - inside_x), beyond_y = seen(rect.height - inside_y);
  draw_beyond(group, {rect.x + inside_x, rect.y, beyond_x, inside_y + beyond_y});
  draw_beyond(group, {rect.x, rect.y + inside_y, inside_x, beyond_y});
  draw_position(group, rect, std::max(face.rows, face.covered_rows),
                std::max(face.columns, face.covered_columns), rows, columns);
}

}  // namespace warplens::figures
