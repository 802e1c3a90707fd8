#include "viz/figures/access/block_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "engine/explain/claims/quantity.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Quantity, explain::say;
using report::Cell, report::Face, run::BlockOrder, run::TilesOfBlocks;

constexpr double kLabel = 24, kKeys = 30, kGap = 56, kMostSide = 620;

const Face& face_of(const run::Run& run, const TilesOfBlocks& tiles) {
  return run.stories.front()->faces()[tiles.face];
}

// The blocks that take the first row of tiles of the first matrix: those that would run together if blocks
// went row by row.
std::vector<std::size_t> first_row(const BlockOrder& order) {
  std::vector<std::size_t> blocks;
  const auto& tiles = order.matrices.front().of_block;
  for (std::size_t b = 0; b < tiles.size(); ++b)
    if (tiles[b].row == 0) blocks.push_back(b);
  return blocks;
}

// The tiles of the whole row in this matrix, of which not all blocks were looked at: along a row too, or down
// a column where the matrix is turned. Only the known ones where it is neither.
std::vector<Cell> tiles_of_row(const BlockOrder& order, const TilesOfBlocks& tiles) {
  const TilesOfBlocks& first = order.matrices.front();
  bool is_same = true, is_turned = true;
  for (std::size_t b = 0; b < tiles.of_block.size() && b < first.of_block.size(); ++b) {
    const Cell own = tiles.of_block[b], other = first.of_block[b];
    is_same = is_same && own.row == other.row && own.column == other.column;
    is_turned = is_turned && own.row == other.column && own.column == other.row;
  }
  std::vector<Cell> row;
  if (!is_same && !is_turned)
    for (const std::size_t b : first_row(order)) row.push_back(tiles.of_block[b]);
  else
    for (std::int64_t at = 0; at < first.columns; ++at)
      row.push_back(is_same ? Cell{.row = 0, .column = at} : Cell{.row = at, .column = 0});
  return row;
}

class Matrix {
 public:
  Matrix(const TilesOfBlocks& tiles, const Rect& rect) : tiles_(tiles), rect_(rect) {}

  void draw(Group& group, const BlockOrder& order) const {
    group.rect(rect_, {.fill = Token::raised, .stroke = scene::Stroke{edge()}});
    draw_lines(group);
    for (std::size_t b = 0; b < order.apart; ++b) draw_block(group, b);
    for (const Cell& tile : tiles_of_row(order, tiles_))
      group.rect(box_of(tile).inset(1), {.stroke = scene::Stroke{Token::costly, 1.5}});
  }

 private:
  Rect box_of(const Cell& tile) const {
    const double wide = rect_.width / static_cast<double>(tiles_.columns),
                 high = rect_.height / static_cast<double>(tiles_.rows);
    return {rect_.x + static_cast<double>(tile.column) * wide, rect_.y + static_cast<double>(tile.row) * high,
            wide, high};
  }
  void draw_lines(Group& group) const {
    for (std::int64_t c = 1; c < tiles_.columns; ++c) {
      const double x = rect_.x + rect_.width * static_cast<double>(c) / static_cast<double>(tiles_.columns);
      group.line({x, rect_.y}, {x, rect_.bottom()}, {Token::line, 1});
    }
    for (std::int64_t r = 1; r < tiles_.rows; ++r) {
      const double y = rect_.y + rect_.height * static_cast<double>(r) / static_cast<double>(tiles_.rows);
      group.line({rect_.x, y}, {rect_.right(), y}, {Token::line, 1});
    }
  }
  void draw_block(Group& group, std::size_t block) const {
    Group one;
    one.rect(box_of(tiles_.of_block[block]).inset(0.5),
             {.fill = block == 0 ? Token::first_thread : Token::first_warp}, 1);
    group.group(std::move(one)).named(fmt::format("block:{}", block), fmt::format("Block {}", block));
  }

  const TilesOfBlocks& tiles_;
  Rect rect_;
};

// As wide as high as the matrix is.
scene::Size size_of(const TilesOfBlocks& tiles, const scene::Size& room) {
  const double cell = std::min(room.width / static_cast<double>(tiles.columns),
                               room.height / static_cast<double>(tiles.rows));
  return {cell * static_cast<double>(tiles.columns), cell * static_cast<double>(tiles.rows)};
}

// How many different columns of tiles these blocks take.
std::size_t columns_of(const TilesOfBlocks& tiles, const std::vector<std::size_t>& blocks) {
  std::set<std::int64_t> columns;
  for (const std::size_t b : blocks) columns.insert(tiles.of_block[b].column);
  return columns.size();
}

}  // namespace

bool shows_order(const Subject& subject) {
  const Place& place = subject.place;
  return is_on_stage(subject.look) && subject.known.order != nullptr && place.block == 0 && place.warp == 0 &&
         place.access == 0;
}

scene::Scene order_scene(const run::Run& run, const BlockOrder& order, scene::Size size,
                         const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  const Rect area = inner_area(size);
  const auto last = order.apart - 1;
  const double keys = add_key_row(scene.root, {area.x, area.y + 4},
                                  {{Token::first_thread, "block 0"},
                                   {Token::first_warp, fmt::format("1-{}", last)},
                                   {Token::costly, "row by row", Key::Pattern::hollow}},
                                  area.width, measure);
  const auto count = static_cast<double>(order.matrices.size());
  const double top = area.y + std::max(keys, kKeys) + kLabel;
  const scene::Size room{std::min((area.width - kGap * (count - 1)) / count, kMostSide), area.bottom() - top};
  double width = kGap * (count - 1);
  for (const TilesOfBlocks& tiles : order.matrices) width += size_of(tiles, room).width;
  double x = area.x + (area.width - width) / 2;
  for (const TilesOfBlocks& tiles : order.matrices) {
    const scene::Size own = size_of(tiles, room);
    const Face& face = face_of(run, tiles);
    scene.root.text({x, top - 9}, face.name, heading());
    scene.root.text({x + measure.width(face.name, heading()) + 10, top - 9},
                    rows_by_columns(face.rows, face.columns), caption());
    Matrix(tiles, {x, top, own.width, own.height}).draw(scene.root, order);
    x += own.width + kGap;
  }
  return scene;
}

explain::Explanation order_words(const run::Run& run, const BlockOrder& order) {
  const auto amount = [](std::string words, Quantity quantity, std::size_t number, std::string of = {}) {
    return explain::claim::of(explain::claim::words(std::move(words), quantity, static_cast<double>(number),
                                                    explain::Scope::kernel),
                              std::move(of));
  };
  explain::Said what = say("the first {} blocks run down a diagonal: {} share rows or columns",
                           {amount(std::to_string(order.apart), Quantity::blocks_apart, order.apart),
                            amount("no two", Quantity::blocks_apart, order.apart)}),
                why;
  const auto row = first_row(order);
  // All of them, of which the first ones are looked at.
  const auto in_row = static_cast<std::size_t>(order.matrices.front().columns);
  for (const TilesOfBlocks& tiles : order.matrices)
    if (row.size() > 1 && columns_of(tiles, row) == 1) {
      const std::string& name = face_of(run, tiles).name;
      why = say("row by row, {} blocks would share {} of {}",
                {amount(std::to_string(in_row), Quantity::blocks_of_row, in_row),
                 amount("one column", Quantity::columns_of_row, 1, name), explain::claim::name(name)});
    }
  explain::Explanation said{explain::RuleId::of_figure, explain::Verdict::good, what.text, why.text,
                            "nothing to fix"};
  said.claims = std::move(what.claims);
  add(said.claims, std::move(why.claims));
  add(said.claims, {amount("nothing to fix", Quantity::blocks_apart, order.apart)});
  return said;
}

}  // namespace warplens::figures
