#include "viz/figures/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/figures/access_marks.hpp"
#include "viz/figures/lane_card.hpp"

namespace warplens::figures {
namespace {

constexpr double gap = 44, label_height = 24, side_width = 216;
constexpr std::int64_t page = 64;

// One matrix, ready to be placed.
struct Panel {
  std::size_t buffer = 0;
  Span rows, columns;
  std::int64_t bin = 1;
};

struct Drawing {
  const RunView& run;
  const AccessStory& story;
  const Selection& selection;
  const AccessOptions& options;
  const scene::TextMeasure& measure;
  std::vector<BufferMarks> marks;
  std::vector<Color> palette;
};

// The rows or columns of a matrix to show.
Span span_of(std::int64_t size, const std::optional<std::pair<std::int64_t, std::int64_t>>& extent,
             bool whole) {
  if (whole) return {0, size};
  if (!extent) return page_around(size, page, 0, 0);
  return page_around(size, page, extent->first, extent->second);
}

using Extent = std::optional<std::pair<std::int64_t, std::int64_t>>;
Extent rows_of(const BufferMarks& marks) {
  if (!marks.extent) return std::nullopt;
  return std::pair{marks.extent->first.row, marks.extent->second.row};
}
Extent columns_of(const BufferMarks& marks) {
  if (!marks.extent) return std::nullopt;
  return std::pair{marks.extent->first.column, marks.extent->second.column};
}
// What the block writes, for outputs that were not accessed yet.
Extent owned_extent(const AccessStory& story, std::size_t buffer, bool rows) {
  Extent extent;
  for (const auto& [element, thread] : story.owned(buffer)) {
    const Cell cell = cell_of(story.faces()[buffer], element);
    const std::int64_t at = rows ? cell.row : cell.column;
    extent =
        extent ? std::pair{std::min(extent->first, at), std::max(extent->second, at)} : std::pair{at, at};
  }
  return extent;
}
// The matrix at work decides where it can, else the other one that shares this side.
Extent shared_extent(const Extent& a, const Extent& b) { return a ? a : b; }

// So many cells share one of the image that each is at least two pixels wide.
std::int64_t bin_for(double cell) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(2 / cell)));
}

std::string range_text(Span span) { return fmt::format("{} to {}", span.first, span.first + span.count - 1); }

std::string showing(const Face& face, const Panel& panel) {
  const bool all = panel.rows.count >= face.covered_rows && panel.columns.count >= face.covered_columns;
  if (face.fold != 0) {
    const auto length = face.placed->buffer.elements;
    if (all) return counted(length, "element");
    return fmt::format(
        "elements {} to {} of {}", grouped(static_cast<std::uint64_t>(panel.rows.first * face.fold)),
        grouped(static_cast<std::uint64_t>((panel.rows.first + panel.rows.count) * face.fold - 1)),
        grouped(length));
  }
  if (all) return fmt::format("{} × {}", face.rows, face.columns);
  return fmt::format("rows {}, columns {} of {} × {}", range_text(panel.rows), range_text(panel.columns),
                     face.rows, face.columns);
}

void draw_panel(Group& group, const Drawing& drawing, const Panel& panel, Point at, double cell) {
  const Face& face = drawing.story.faces()[panel.buffer];
  const BufferMarks& marks = drawing.marks[panel.buffer];
  const double width = static_cast<double>(panel.columns.count) * cell,
               height = static_cast<double>(panel.rows.count) * cell;
  CellGrid grid(panel.rows, panel.columns, panel.bin);
  for (const Mark& mark : marks.marks) grid.mark(mark.cell, mark.value);
  group.text({at.x, at.y - 9}, face.placed->buffer.name, heading(marks.now ? Token::accent : Token::text));
  const double name_width = drawing.measure.width(face.placed->buffer.name, heading()) + 12;
  const std::string shown = showing(face, panel);
  // A stands left of C, which must keep its own label.
  const bool is_left = drawing.story.product() && panel.buffer == drawing.story.product()->front();
  const double room = (is_left ? width + gap - 8 : std::max(width, 150.0)) - name_width;
  if (room > 60 || drawing.measure.width(shown, caption()) <= room)
    group.text({at.x + name_width, at.y - 9}, shown, within(caption(), room));
  draw_grid(group, {at.x, at.y, width, height}, face, panel.rows, panel.columns, grid.pixels(drawing.palette),
            cell, panel.bin);
}

// The largest cell, at most 26 pixels, for which `fits`.
template <class Fits>
double largest_cell(Fits fits) {
  for (double cell = 26; cell >= 4; cell -= 1)
    if (fits(cell)) return cell;
  for (double cell = 3.75; cell > 0.02; cell *= 0.96)
    if (fits(cell)) return cell;
  return 0.02;
}

struct WordsArea {
  Rect rect;
};

// A at the left, B above, C at the corner between them; the words stand in the free corner.
Rect draw_product(Group& group, const Drawing& drawing, const Rect& area) {
  const auto& faces = drawing.story.faces();
  const bool whole = drawing.options.whole;
  const auto& marks = drawing.marks;
  const Extent m = shared_extent(owned_extent(drawing.story, 2, true), rows_of(marks[0]));
  const Extent n = shared_extent(owned_extent(drawing.story, 2, false), columns_of(marks[1]));
  const Extent k = marks[1].now ? rows_of(marks[1]) : shared_extent(columns_of(marks[0]), rows_of(marks[1]));
  const Span rows = span_of(faces[2].covered_rows, m, whole);
  const Span columns = span_of(faces[2].covered_columns, n, whole);
  const Span inner = span_of(faces[0].columns, k, whole);
  const double least_width = area.width > 860 ? 360 : 250, least_height = 236;
  const auto left_of = [&](double cell) {
    return std::max(static_cast<double>(inner.count) * cell, least_width);
  };
  const auto top_of = [&](double cell) {
    return std::max(static_cast<double>(inner.count) * cell, least_height);
  };
  const double cell = largest_cell([&](double c) {
    return left_of(c) + gap + static_cast<double>(columns.count) * c + 8 <= area.width &&
           top_of(c) + gap + label_height + static_cast<double>(rows.count) * c + 8 <= area.height;
  });
  const double left = left_of(cell), top = top_of(cell);
  const double total_width = left + gap + static_cast<double>(columns.count) * cell;
  const double total_height = label_height + top + gap + static_cast<double>(rows.count) * cell;
  const Point start{std::round(area.x + (area.width - total_width) / 2),
                    std::round(area.y + (area.height - total_height) / 2)};
  const double inner_size = static_cast<double>(inner.count) * cell;
  const Point corner{start.x + left + gap, start.y + label_height + top + gap};
  const std::int64_t bin = whole ? bin_for(cell) : 1;
  draw_panel(group, drawing, {1, inner, columns, bin}, {corner.x, corner.y - gap - inner_size}, cell);
  draw_panel(group, drawing, {0, rows, inner, bin}, {corner.x - gap - inner_size, corner.y}, cell);
  draw_panel(group, drawing, {2, rows, columns, bin}, corner, cell);
  return {start.x, start.y + label_height, left, top};
}

// Any other problem: its buffers side by side under the words.
Rect draw_row(Group& group, const Drawing& drawing, const Rect& area) {
  const auto& faces = drawing.story.faces();
  std::vector<Panel> panels;
  double cells_wide = 0, cells_high = 0;
  for (std::size_t b = 0; b < faces.size(); ++b) {
    const bool whole = drawing.options.whole && faces[b].fold == 0;
    const auto& marks = drawing.marks[b];
    Panel panel{b,
                span_of(faces[b].covered_rows,
                        shared_extent(rows_of(marks), owned_extent(drawing.story, b, true)), whole),
                span_of(faces[b].covered_columns,
                        shared_extent(columns_of(marks), owned_extent(drawing.story, b, false)), whole)};
    cells_wide += static_cast<double>(panel.columns.count);
    cells_high = std::max(cells_high, static_cast<double>(panel.rows.count));
    panels.push_back(panel);
  }
  const double words = 190, gaps = gap * static_cast<double>(panels.size() - 1);
  const auto width_at = [&](double c) {
    double width = gaps;
    for (const Panel& panel : panels) width += std::max(static_cast<double>(panel.columns.count) * c, 24.0);
    return width;
  };
  const double cell = largest_cell([&](double c) {
    return width_at(c) + 8 <= area.width && cells_high * c + words + label_height + 8 <= area.height;
  });
  const double total = width_at(cell);
  double x = std::round(area.x + std::max((area.width - total) / 2, 8.0));
  const double left = x;
  for (Panel& panel : panels) {
    if (drawing.options.whole && faces[panel.buffer].fold == 0) panel.bin = bin_for(cell);
    draw_panel(group, drawing, panel, {x, area.y + words + label_height}, cell);
    x += std::max(static_cast<double>(panel.columns.count) * cell, 24.0) + gap;
  }
  return {std::min(left, area.x + area.width - 560), area.y, std::max(total, 540.0), words};
}

std::vector<Key> keys_of(const Drawing& drawing) {
  if (drawing.options.colors == AccessOptions::Colors::lanes)
    return {{drawing.palette[mark::lane], "lane 0"},
            {drawing.palette[mark::lane + 31], "lane 31"},
            {drawing.palette[mark::block], "rest of the block"}};
  const bool first_warp = drawing.selection.warp == 0,
             first_block = drawing.run.trace->blocks()[drawing.story.accesses().block()].block == 0;
  const auto name = [](bool first, std::string_view one, std::uint64_t number, std::string_view what) {
    return first ? fmt::format("first {}", one) : fmt::format("{} {}", what, number);
  };
  return {{drawing.palette[mark::thread], first_warp ? "first thread" : "first lane"},
          {drawing.palette[mark::warp], name(first_warp, "warp", drawing.selection.warp, "warp")},
          {drawing.palette[mark::block], first_block ? "first block" : "this block"}};
}

void draw_words(Group& group, const Drawing& drawing, const Rect& area,
                const std::optional<trace::Access>& access) {
  double y = area.y + 16;
  const auto steps = drawing.story.accesses().steps(drawing.selection.warp).size();
  if (!access) {
    group.text({area.x, y}, "This warp makes no such access", within(heading(), area.width));
    return;
  }
  const int line = line_of(drawing.run, access->pc);
  group.text(
      {area.x, y},
      fmt::format("Access {} of {}, line {}", grouped(drawing.selection.step + 1), grouped(steps), line),
      within(caption(), area.width));
  y += 26;
  group.text({area.x, y}, source_line(*drawing.run.spec, line), within(code(), area.width));
  y += 24;
  const AccessSummary summary = summarize(drawing.run, *access);
  group.text({area.x, y}, summary.pattern, within(body(Token::dim), area.width));
  y += 30;
  group.text({area.x, y}, summary.cost, within(sized(number(summary.color), 20), area.width));
  y += 24;
  group.text({area.x, y}, summary.detail, within(body(summary.color), area.width));
  y += 20;
  if (area.width > 500)
    add_key_row(group, {area.x, y}, keys_of(drawing), area.width, drawing.measure);
  else
    add_keys(group, {area.x, y + 4}, keys_of(drawing), area.width);
}

}  // namespace

scene::Scene access_scene(const RunView& run, const AccessStory& story, const Selection& selection,
                          const AccessOptions& options, scene::Size size, const scene::TextMeasure& measure) {
  if (story.accesses().warps() == 0)
    return message_scene(size, "This block was not recorded",
                         "Choose another block, or run the kernel again");
  scene::Scene scene{size};
  Drawing drawing{run,
                  story,
                  selection,
                  options,
                  measure,
                  marks_at(story, selection.warp, selection.step, options),
                  mark_palette(options.colors)};
  const bool side = size.width >= 720;
  Rect area{margin, margin, size.width - 2 * margin - (side ? side_width + margin : 0),
            size.height - 2 * margin};
  const auto access = story.accesses().at(selection.warp, selection.step);
  const Rect words =
      story.product() ? draw_product(scene.root, drawing, area) : draw_row(scene.root, drawing, area);
  draw_words(scene.root, drawing, words, access);
  if (side) {
    const Rect card{size.width - margin - side_width, margin, side_width, size.height - 2 * margin};
    draw_lane_card(scene.root, card, run, selection, access, measure);
  }
  return scene;
}

}  // namespace warplens::figures
