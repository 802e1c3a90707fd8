#include "engine/run/derived/block_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "engine/emulator/observer.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

using report::Cell, report::Face;

constexpr std::uint64_t kMostAccesses = 1 << 18, kMostBytes = std::uint64_t{256} << 20;
constexpr std::size_t kLeastBlocks = 8;  // fewer show no order

using Area = std::optional<std::pair<Cell, Cell>>;  // the first and the last cell

// The part of each matrix that each block touches. The blocks run one after the other.
class Areas final : public emulator::Observer, private emulator::BlockObserver {
 public:
  Areas(const std::vector<Face>& faces, std::size_t blocks)
      : faces_(faces), areas_(faces.size(), std::vector<Area>(blocks)) {}
  emulator::BlockObserver* begin_block(std::uint64_t block) override {
    block_ = static_cast<std::size_t>(block);
    return areas_.empty() || block_ >= areas_.front().size() ? nullptr : this;
  }
  const std::vector<Area>& of(std::size_t face) const { return areas_[face]; }

 private:
  struct At {
    std::size_t face = 0;
    Cell cell;
  };
  void on_access(const emulator::AccessEvent& event) override {
    if (event.space != ptx::Space::global || event.active == 0) return;
    const std::uint64_t last_byte = std::max<std::uint64_t>(event.width, 1) - 1;
    std::array<std::uint64_t, 32> lanes{};
    std::size_t count = 0;
    for (std::uint32_t left = event.active; left != 0; left &= left - 1)
      lanes[count++] = event.address(static_cast<std::uint32_t>(std::countr_zero(left)));
    const auto [low, high] = std::minmax_element(lanes.begin(), lanes.begin() + static_cast<long>(count));
    const auto first = at(*low), last = at(*high + last_byte);
    if (first && last && lie_in_one_line(*first, *last)) return widen(*first), widen(*last);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (const std::uint64_t byte : {lanes[lane], lanes[lane] + last_byte})
        if (const auto place = at(byte)) widen(*place);
  }
  std::optional<At> at(std::uint64_t byte) const {
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      if (faces_[f].is_shared || faces_[f].fold != 0) continue;
      if (const auto element = report::element_of(faces_[f], byte))
        return At{f, report::cell_of(faces_[f], *element)};
    }
    return std::nullopt;
  }
  // So does all that lies between them.
  bool lie_in_one_line(const At& a, const At& b) const {
    if (a.face != b.face) return false;
    return faces_[a.face].row_major ? a.cell.row == b.cell.row : a.cell.column == b.cell.column;
  }
  void widen(const At& place) {
    const Cell cell = place.cell;
    Area& area = areas_[place.face][block_];
    if (!area) area.emplace(cell, cell);
    auto& [low, high] = *area;
    low = {std::min(low.row, cell.row), std::min(low.column, cell.column)};
    high = {std::max(high.row, cell.row), std::max(high.column, cell.column)};
  }

  const std::vector<Face>& faces_;
  std::vector<std::vector<Area>> areas_;  // by face and block
  std::size_t block_ = 0;
};

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
  Areas areas(faces, blocks.size());
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
