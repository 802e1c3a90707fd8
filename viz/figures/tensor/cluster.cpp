#include "viz/figures/tensor/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/tensor/tensor_view.hpp"

namespace warplens::figures {
namespace {

using trace::BoxCopy, trace::TensorWork;

// The boxes that the blocks of a cluster ask for before one of them fills the same place again.
struct ClusterTile {
  std::vector<BoxCopy> boxes;
  std::uint32_t blocks = 1;
};

std::uint32_t receivers(const BoxCopy& box) { return box.blocks != 0 ? box.blocks : 1u << box.rank; }
std::uint64_t bytes_of(const BoxCopy& box) { return tensor::box_bytes(box.map); }

Result<ClusterTile> tile_of(const Subject& subject) {
  const auto work = tensor_work(subject);
  if (!work) return work.error();
  const auto& cluster = subject.run->kernel->function().cluster;
  ClusterTile tile;
  tile.blocks = std::max(cluster[0], 1u) * std::max(cluster[1], 1u) * std::max(cluster[2], 1u);
  if (tile.blocks < 2)
    return Error{"this kernel has no clusters of blocks",
                 "choose a step that has, such as tensor/15_cluster_multicast"};
  std::uint32_t barrier = ~0u;
  for (const BoxCopy& box : (*work)->boxes)
    if (!box.is_store && barrier == ~0u) barrier = box.barrier;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;  // ranks and places
  for (const auto* boxes : {&(*work)->boxes, &(*work)->peers})
    for (const BoxCopy& box : *boxes)
      if (!box.is_store && box.barrier == barrier && seen.insert({box.rank, box.shared}).second)
        tile.boxes.push_back(box);
  if (tile.boxes.empty())
    return Error{"no block of this cluster copies a box",
                 "choose a step that does, such as tensor/15_cluster_multicast"};
  std::ranges::stable_sort(tile.boxes, {}, [&](const BoxCopy& box) {
    return std::pair{box.buffer, box.rank};
  });
  return tile;
}

std::uint64_t asked_by(const ClusterTile& tile, std::uint32_t rank) {
  std::uint64_t bytes = 0;
  for (const BoxCopy& box : tile.boxes) bytes += box.rank == rank ? bytes_of(box) : 0;
  return bytes;
}
std::uint64_t got_by(const ClusterTile& tile, std::uint32_t rank) {
  std::uint64_t bytes = 0;
  for (const BoxCopy& box : tile.boxes) bytes += (receivers(box) >> rank & 1) != 0 ? bytes_of(box) : 0;
  return bytes;
}

std::string place_words(const Subject& subject, const BoxCopy& box) {
  const std::string& name = subject.run->buffers[box.buffer].buffer.name;
  return fmt::format("{}: {} from line {}, k {}", name, rows_by_columns(box.map.box[1], box.map.box[0]),
                     box.at[1], box.at[0]);
}

Token color_of(const ClusterTile& tile, const BoxCopy& box) {
  const bool is_first = box.buffer == tile.boxes.front().buffer;
  return theme::series(static_cast<int>((is_first ? 0 : 3) + box.rank % 3));
}

struct Columns {
  Rect chart;
  double names = 0, column = 0, row = 0;
  Rect cell(std::size_t row_number, std::uint32_t rank) const {
    return {chart.x + names + column * rank, chart.y + static_cast<double>(row_number) * row, column, row};
  }
};

void add_box(Group& group, const Subject& subject, const ClusterTile& tile, std::size_t at,
             const Columns& columns, const scene::TextMeasure& measure) {
  const BoxCopy& box = tile.boxes[at];
  const Token color = color_of(tile, box);
  const bool brief = is_brief(subject.look);
  const double middle = columns.chart.y + (static_cast<double>(at) + 0.5) * columns.row;
  const std::string name = subject.run->buffers[box.buffer].buffer.name;
  const double room = columns.names - 16;
  group.text({columns.chart.x, middle - (brief ? -5 : 3)},
             fmt::format("Block {} asks for {}", box.rank, name), within(heading(), room));
  if (!brief) group.text({columns.chart.x, middle + 15}, place_words(subject, box), within(caption(), room));
  const std::uint32_t to = receivers(box);
  std::uint32_t last = 0;
  for (std::uint32_t rank = 0; rank < tile.blocks; ++rank) {
    const Rect cell = columns.cell(at, rank).inset(6);
    if ((to >> rank & 1) == 0) {
      group.rect(cell, {.stroke = scene::Stroke{{Token::dim, 0.35}, 1, {4, 4}}}, 4);
      continue;
    }
    last = rank;
    group.rect(cell, {.fill = color}, 4)
        .named(fmt::format("line:{}", kernel_line_of(*subject.run, box.pc)),
               fmt::format("{} bytes of {} arrive in block {} at byte {}, and tell its barrier",
                           grouped(bytes_of(box)), name, rank, grouped(std::uint64_t{box.shared})));
    TextStyle style = sized(heading(Token::background), is_large(subject.look) ? 16 : 15);
    style.anchor = scene::Anchor::middle;
    const double x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
    const std::string bytes = fmt::format("{} bytes", grouped(bytes_of(box)));
    if (measure.width(bytes, style) < cell.width - 8) group.text({x, y + (brief ? 5 : 0)}, bytes, style);
    TextStyle note = caption(Token::background);
    note.anchor = scene::Anchor::middle;
    if (const std::string at_byte = fmt::format("at byte {}", grouped(std::uint64_t{box.shared}));
        !brief && measure.width(at_byte, note) < cell.width - 8)
      group.text({x, y + 17}, at_byte, note);
  }
  const double end = columns.cell(at, last).x + 2;
  group.arrow(
      {columns.chart.x + columns.names - 12, middle},
      {std::min(columns.cell(at, static_cast<std::uint32_t>(std::countr_zero(to))).x + 4, end), middle},
      {Token::text, 1.5});
}

scene::Scene cluster_scene(const Subject& subject, const ClusterTile& tile, scene::Size size,
                           const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  const bool brief = is_brief(subject.look);
  const Rect area = brief ? Rect{12, 8, size.width - 24, size.height - 16} : inner_area(size);
  const explain::Explanation said = has_words(subject.look)
                                        ? explain::without_praise(cluster_words(subject), *subject.run)
                                        : explain::Explanation{};
  const double strip = explanation_height(said, {}, area.width, measure);
  double bottom = area.bottom() - (strip > 0 ? strip + 10 : 0), top = area.y;
  if (!brief) {
    scene.root.text({area.x, top + 12}, "What the blocks of one cluster bring each other, for one tile of k",
                    within(heading(), area.width));
    scene.root.text({area.x, top + 34},
                    "A row is one copy; it arrives in each block whose cell is filled, at the same place of "
                    "its shared memory.",
                    within(caption(), area.width));
    top += 52;
  }
  Columns columns;
  columns.names = std::min(area.width * 0.36, 290.0);
  columns.chart = {area.x, top + 28, area.width, bottom - top - 28 - (brief ? 0 : 52)};
  columns.column = (area.width - columns.names) / tile.blocks;
  columns.row = std::min(columns.chart.height / static_cast<double>(tile.boxes.size()), 96.0);
  for (std::uint32_t rank = 0; rank < tile.blocks; ++rank)
    scene.root.text({columns.cell(0, rank).x + columns.column / 2, columns.chart.y - 8},
                    fmt::format("Block {} of the cluster", rank), centred(within(heading(), columns.column)));
  for (std::size_t at = 0; at < tile.boxes.size(); ++at)
    add_box(scene.root, subject, tile, at, columns, measure);
  if (!brief) {
    const double y = columns.chart.y + columns.row * static_cast<double>(tile.boxes.size()) + 24;
    scene.root.text({area.x, y}, "Asked for, and got", heading());
    for (std::uint32_t rank = 0; rank < tile.blocks; ++rank) {
      const std::string asked = grouped(asked_by(tile, rank)), got = grouped(got_by(tile, rank));
      const std::string whole = fmt::format("{} bytes, {} bytes", asked, got);
      scene.root.text(
          {columns.cell(0, rank).x + columns.column / 2, y},
          measure.width(whole, body()) <= columns.column ? whole : fmt::format("{}, {} bytes", asked, got),
          centred(within(body(), columns.column)));
    }
  }
  if (strip > 0)
    add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                    kOfPlot);
  return scene;
}

}  // namespace

Result<scene::Scene> draw_cluster(const Subject& subject, scene::Size size,
                                  const scene::TextMeasure& measure) {
  const auto tile = tile_of(subject);
  if (!tile) return tile.error();
  return cluster_scene(subject, *tile, size, measure);
}

Result<std::string> cluster_table(const Subject& subject) {
  const auto tile = tile_of(subject);
  if (!tile) return tile.error();
  std::string csv = "asked_by,matrix,row,column,bytes,to,byte\n";
  for (const BoxCopy& box : tile->boxes)
    for (std::uint32_t rank = 0; rank < tile->blocks; ++rank)
      if ((receivers(box) >> rank & 1) != 0)
        csv += fmt::format("{},{},{},{},{},{},{}\n", box.rank,
                           csv_cell(subject.run->buffers[box.buffer].buffer.name), box.at[1], box.at[0],
                           bytes_of(box), rank, box.shared);
  return csv;
}

explain::Explanation cluster_words(const Subject& subject) {
  explain::Explanation said;
  const auto tile = tile_of(subject);
  if (!tile) return said;
  said.rule = explain::RuleId::of_figure;
  std::uint64_t asked = 0, got = 0;
  for (std::uint32_t rank = 0; rank < tile->blocks; ++rank)
    asked += asked_by(*tile, rank), got += got_by(*tile, rank);
  const auto shared =
      std::ranges::find_if(tile->boxes, [](const BoxCopy& box) { return std::popcount(receivers(box)) > 1; });
  namespace claim = explain::claim;
  using explain::Quantity, explain::Scope;
  explain::Said what, why;
  if (shared == tile->boxes.end()) {
    what = explain::say("{} of the cluster gets what it asks for, and {}",
                        {claim::every("each block", Quantity::bytes_from_others, 0, Scope::block),
                         claim::every("nothing else", Quantity::bytes_from_others, 0, Scope::block)});
  } else {
    said.verdict = explain::Verdict::good;
    const std::string& matrix = subject.run->buffers[shared->buffer].buffer.name;
    const int blocks = std::popcount(receivers(*shared));
    what = explain::say(
        "{} bytes are read for {} that arrive",
        {claim::number(Quantity::cluster_bytes_asked, static_cast<double>(asked), Scope::block),
         claim::number(Quantity::cluster_bytes_arriving, static_cast<double>(got), Scope::block)});
    why = explain::say(
        "{} of {} is copied {} and arrives in {} blocks",
        {claim::of(claim::every("each part", Quantity::blocks_of_a_part, blocks, Scope::block), matrix),
         claim::name(matrix),
         claim::of(claim::every("once", Quantity::copies_of_a_part, 1, Scope::block), matrix),
         claim::of(claim::every(std::to_string(blocks), Quantity::blocks_of_a_part, blocks, Scope::block),
                   matrix)});
  }
  said.what = std::move(what.text), said.why = std::move(why.text);
  said.claims = std::move(what.claims);
  explain::add(said.claims, std::move(why.claims));
  return said;
}

}  // namespace warplens::figures
