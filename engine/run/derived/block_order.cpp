#include "engine/run/derived/block_order.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "engine/run/derived/block_areas.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

using report::Cell, report::Face;

constexpr std::uint64_t kMostAccesses = 1 << 18, kMostBytes = std::uint64_t{256} << 20;
constexpr std::size_t kLeastBlocks = 8;  // fewer show no order

// Nothing where the blocks do not all touch it, or their parts are no tiles of one size.
std::optional<TilesOfBlocks> tiles_of(const std::vector<Area>& areas, std::size_t face, const Face& shape) {
  if (!areas.front()) return std::nullopt;
  const auto& [low, high] = *areas.front();
  const Cell tile{high.row - low.row + 1, high.column - low.column + 1};
  TilesOfBlocks tiles{
      face, (shape.rows + tile.row - 1) / tile.row, (shape.columns + tile.column - 1) / tile.column, {}};
  for (const Area& area : areas) {
    if (!area || area->first.row % tile.row != 0 || area->first.column % tile.column != 0)
      return std::nullopt;
    tiles.of_block.push_back({area->first.row / tile.row, area->first.column / tile.column});
  }
  return tiles;
}

// Whether most blocks take a tile in another row and another column than the block before.
bool goes_aslant(const TilesOfBlocks& tiles) {
  std::size_t aslant = 0;
  for (std::size_t b = 1; b < tiles.of_block.size(); ++b)
    aslant += tiles.of_block[b].row != tiles.of_block[b - 1].row &&
                      tiles.of_block[b].column != tiles.of_block[b - 1].column
                  ? 1
                  : 0;
  return 2 * aslant > tiles.of_block.size();
}

// The first blocks up to one that shares a row or a column of tiles with one before it.
std::size_t blocks_apart(const TilesOfBlocks& tiles) {
  std::set<std::int64_t> rows, columns;
  std::size_t count = 0;
  for (const Cell& tile : tiles.of_block) {
    if (!rows.insert(tile.row).second || !columns.insert(tile.column).second) break;
    ++count;
  }
  return count;
}

// How many blocks are looked at: all of them, or those that a picture is worth.
std::size_t blocks_to_look_at(const Run& run) {
  const std::uint64_t blocks = catalog::blocks_in_grid(run.plan().launch);
  const std::uint32_t accesses = std::max(run.trace->blocks().front().events, 1u);
  return static_cast<std::size_t>(std::min(blocks, kMostAccesses / accesses));
}

bool is_worth_looking(const Run& run) {
  if (!run.complete || run.fault || run.stories.empty() || blocks_may_communicate(run.kernel->function()))
    return false;
  const auto& grid = run.plan().launch.grid;
  std::uint64_t bytes = 0;
  for (const report::PlacedBuffer& placed : run.buffers)
    bytes += placed.buffer.elements * problem::size_in_bytes(placed.buffer.type);
  return grid[0] > 1 && grid[1] > 1 && bytes <= kMostBytes && blocks_to_look_at(run) >= kLeastBlocks;
}

}  // namespace

std::shared_ptr<const BlockOrder> block_order(const Run& run) {
  if (!is_worth_looking(run)) return nullptr;
  std::vector<std::uint64_t> blocks(blocks_to_look_at(run));
  std::iota(blocks.begin(), blocks.end(), 0);
  const std::vector<Face>& faces = run.stories.front()->faces();
  BlockAreas areas(faces, blocks.size());
  const auto done = emulate(*run.kernel, *run.job->instance, run.plan().launch,
                            {.threads = 1,
                             .observer = &areas,
                             .instruction_budget = run.job->instruction_budget,
                             .stop_at_uninitialised = false,
                             .blocks = std::move(blocks)});
  if (!done || done->outcome.fault) return nullptr;
  auto order = std::make_shared<BlockOrder>();
  for (const bool is_output : {false, true})
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (faces[f].is_shared || faces[f].fold != 0 || faces[f].is_output != is_output) continue;
      if (auto tiles = tiles_of(areas.of(f), f, faces[f])) order->matrices.push_back(*std::move(tiles));
    }
  if (order->matrices.empty() || !std::ranges::all_of(order->matrices, goes_aslant)) return nullptr;
  order->apart = order->matrices.front().of_block.size();
  for (const TilesOfBlocks& tiles : order->matrices)
    order->apart = std::min(order->apart, blocks_apart(tiles));
  if (order->apart < kLeastBlocks) return nullptr;
  return order;
}

}  // namespace warplens::run
