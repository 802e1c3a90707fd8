#include "engine/run/derived/product_tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "engine/emulator/companions.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/run/derived/block_areas.hpp"
#include "engine/run/derived/placed.hpp"
#include "engine/run/grid/address_slice.hpp"
#include "engine/tensor/tensor_map.hpp"

namespace warplens::run {
namespace {

using report::Face;

constexpr std::uint64_t kMostAccesses = 1 << 20;
constexpr const char* kSuchAs = "choose a kernel whose blocks multiply tiles, such as tensor/17_tile_order";

// A box that a thread has copied between global and shared memory.
struct ToldBox {
  std::uint32_t warp = 0;
  tensor::TensorMap map;
  tensor::Coordinates at{};
  std::uint32_t blocks = 0;  // mask of the ranks that get it; 0: the one that asks
};

class BoxesOfBlock final : public emulator::BlockWatcher {
 public:
  explicit BoxesOfBlock(emulator::GlobalMemory& memory) : memory_(memory) {}
  void on_step(const emulator::WatchedStep& step) override {
    if (step.instruction->opcode != ptx::Opcode::cp_async_bulk_prefetch_tensor) return;
    for (std::uint32_t left = step.exec; left != 0; left &= left - 1)
      note(step, static_cast<std::size_t>(std::countr_zero(left)));
  }
  std::vector<ToldBox> boxes;

 private:
  void note(const emulator::WatchedStep& step, std::size_t lane) {
    std::array<std::uint64_t, 32> values{};
    step.values(0, values);
    if (memory_.find(values[lane], tensor::kMapBytes) == nullptr) return;
    const auto map = tensor::decode({memory_.host(values[lane]), tensor::kMapBytes});
    if (!map) return;
    ToldBox box{.warp = step.warp, .map = *map};
    const auto& operands = step.instruction->operands;
    for (std::size_t d = 0; d < operands[0].elements.size(); ++d) {
      step.element(0, d, values);
      box.at[d] = static_cast<std::int32_t>(values[lane]);
    }
    if (operands.size() > 1)
      box.blocks = static_cast<std::uint32_t>(step.value(1, static_cast<std::uint32_t>(lane)) & 0xffff);
    boxes.push_back(box);
  }

  emulator::GlobalMemory& memory_;
};

class Boxes final : public emulator::Watcher {
 public:
  Boxes(emulator::GlobalMemory& memory, std::size_t blocks) : memory_(memory), of_block_(blocks) {}
  emulator::BlockWatcher* begin_block(std::uint64_t block) override {
    now_ = static_cast<std::size_t>(block);
    follower_.emplace(memory_);
    return &*follower_;
  }
  void end_block(std::uint64_t) override { of_block_[now_] = std::move(follower_->boxes); }
  const std::vector<ToldBox>& of(std::size_t block) const { return of_block_[block]; }

 private:
  emulator::GlobalMemory& memory_;
  std::vector<std::vector<ToldBox>> of_block_;
  std::optional<BoxesOfBlock> follower_;
  std::size_t now_ = 0;
};

void widen(Stretch& all, const Stretch& more) {
  if (more.count() <= 0) return;
  if (all.count() <= 0)
    all = more;
  else
    all = {std::min(all.first, more.first), std::max(all.end, more.end)};
}

struct Cells {
  Stretch rows, columns;
};
// Nothing of a map that is not the matrix as it lies in memory.
std::optional<Cells> cells_of(const ToldBox& box, const Face& face) {
  const tensor::TensorMap& map = box.map;
  if (map.dimensions != 2 || map.address != face.address ||
      tensor::size_in_bytes(map.type) != face.element_bytes ||
      map.stride[1] != static_cast<std::uint64_t>(face.pitch) * face.element_bytes)
    return std::nullopt;
  const auto along_dimension = [&](std::size_t d) {
    const std::int64_t first = box.at[d], end = first + map.box[d];
    return Stretch{std::max<std::int64_t>(first, 0), std::min(end, static_cast<std::int64_t>(map.extent[d]))};
  };
  const Stretch along = along_dimension(0), lines = along_dimension(1);
  return face.row_major ? Cells{lines, along} : Cells{along, lines};
}
std::optional<Cells> cells_of(const Area& area, bool is_turned) {
  if (!area) return std::nullopt;
  const auto& [low, high] = *area;
  const Stretch rows{low.row, high.row + 1}, columns{low.column, high.column + 1};
  return is_turned ? Cells{columns, rows} : Cells{rows, columns};
}
// The same elements, with rows in the place of columns.
Face turned(Face face) {
  std::swap(face.rows, face.columns);
  std::swap(face.covered_rows, face.covered_columns);
  face.row_major = !face.row_major;
  return face;
}

// What was seen of all blocks, and the product that it is taken for.
struct Seen {
  const Run& run;
  const std::vector<Face>& faces;
  const BlockAreas& areas;
  const Boxes& boxes;
};
struct Product {
  std::size_t a = 0, b = 0, c = 0;
  bool b_is_turned = false;  // a row of it is a column of the product
};

// The boxes of one warp of a block, in order: where k falls back another tile begins.
class TilesOfWarp {
 public:
  // The tile that the box is of, from 0.
  std::size_t next(bool is_a, const Stretch& depth, const Stretch& across, std::int64_t whole_depth) {
    std::optional<Last>& last = is_a ? a_ : b_;
    const bool falls_back = last && depth.first < last->depth;
    const bool is_whole_again = last && depth.count() == whole_depth && across != last->across;
    if (falls_back || is_whole_again) ++tile_, a_.reset(), b_.reset();
    (is_a ? a_ : b_) = Last{depth.first, across};
    return tile_;
  }

 private:
  struct Last {
    std::int64_t depth = 0;
    Stretch across;
  };
  std::optional<Last> a_, b_;
  std::size_t tile_ = 0;
};

class Finder {
 public:
  Finder(const Seen& seen, const Product& product, std::size_t blocks) : seen_(seen), product_(product) {
    found_.a = seen.faces[product.a], found_.c = seen.faces[product.c];
    found_.b = product.b_is_turned ? turned(seen.faces[product.b]) : seen.faces[product.b];
    found_.of_block.resize(blocks);
  }

  std::optional<ProductTiles> find() {
    for (std::size_t block = 0; block < found_.of_block.size(); ++block) add_boxes(block), add_areas(block);
    for (std::size_t block = 0; block < found_.of_block.size(); ++block)
      if (!is_of_product(block)) return std::nullopt;
    return std::move(found_);
  }

 private:
  ProductTile& tile(std::size_t block, std::size_t number) {
    auto& tiles = found_.of_block[block];
    if (tiles.size() <= number) tiles.resize(number + 1);
    return tiles[number];
  }
  static void add(ProductTile& tile, bool is_a, const Cells& cells) {
    widen(is_a ? tile.rows : tile.columns, is_a ? cells.rows : cells.columns);
    widen(tile.depth, is_a ? cells.columns : cells.rows);
  }
  static void add_own(ProductTile& tile, bool is_a, const Cells& cells) {
    widen(is_a ? tile.own_rows : tile.own_columns, is_a ? cells.rows : cells.columns);
  }

  void add_boxes(std::size_t block) {
    const auto& cluster = seen_.run.kernel->together().cluster;
    std::map<std::uint32_t, TilesOfWarp> warps;
    for (const ToldBox& box : seen_.boxes.of(block))
      for (const bool is_a : {true, false}) {
        const auto cells = cells_of(box, is_a ? found_.a : found_.b);
        if (!cells) continue;
        const Stretch &depth = is_a ? cells->columns : cells->rows,
                      &across = is_a ? cells->rows : cells->columns;
        const std::size_t number = warps[box.warp].next(is_a, depth, across, found_.a.columns);
        add_own(tile(block, number), is_a, *cells);
        if (box.blocks == 0) add(tile(block, number), is_a, *cells);
        for (std::uint32_t left = box.blocks; left != 0; left &= left - 1) {
          const auto rank = static_cast<std::uint64_t>(std::countr_zero(left));
          const auto to = emulator::block_of_rank(block, rank, cluster, seen_.run.plan().launch.grid);
          if (to < found_.of_block.size()) add(tile(static_cast<std::size_t>(to), number), is_a, *cells);
        }
      }
  }
  // By plain accesses a block makes one tile.
  void add_areas(std::size_t block) {
    for (const bool is_a : {true, false})
      if (const auto cells = cells_of(seen_.areas.of(is_a ? product_.a : product_.b)[block],
                                      !is_a && product_.b_is_turned)) {
        add(tile(block, 0), is_a, *cells);
        add_own(tile(block, 0), is_a, *cells);
      }
  }

  // Whether it stores just what these tiles are.
  bool is_of_product(std::size_t block) const {
    Cells stored, made;
    const auto store = [&](const std::optional<Cells>& cells) {
      if (cells) widen(stored.rows, cells->rows), widen(stored.columns, cells->columns);
    };
    store(cells_of(seen_.areas.of(product_.c)[block], false));
    for (const ToldBox& box : seen_.boxes.of(block)) store(cells_of(box, found_.c));
    for (const ProductTile& tile : found_.of_block[block]) {
      if (tile.rows.count() <= 0 || tile.columns.count() <= 0) return false;
      widen(made.rows, tile.rows), widen(made.columns, tile.columns);
    }
    return stored.rows == made.rows && stored.columns == made.columns;
  }

  const Seen& seen_;
  Product product_;
  ProductTiles found_;
};

// Whose shapes fit. Of square matrices all orders of the factors do.
std::vector<Product> products_of(const std::vector<Face>& faces) {
  std::vector<Product> products;
  const auto is_matrix = [](const Face& face) { return face.fold == 0 && face.rows > 0; };
  for (std::size_t c = 0; c < faces.size(); ++c)
    for (std::size_t a = 0; a < faces.size(); ++a)
      for (std::size_t b = 0; b < faces.size(); ++b)
        if (a != b && faces[c].is_output && !faces[a].is_output && !faces[b].is_output &&
            is_matrix(faces[a]) && is_matrix(faces[b]) && is_matrix(faces[c]) &&
            faces[a].rows == faces[c].rows)
          for (const bool is_turned : {false, true}) {
            const Face other = is_turned ? turned(faces[b]) : faces[b];
            if (other.columns == faces[c].columns && faces[a].columns == other.rows)
              products.push_back({a, b, c, is_turned});
          }
  return products;
}

double accesses_of(const Run& run) {
  const emulator::Counters& counters = run.emulation.outcome.counters;
  double accesses = 0;
  for (const auto& row : counters.instructions)
    if (row.space == ptx::Space::global) accesses += static_cast<double>(row.requests);
  return accesses * static_cast<double>(catalog::blocks_in_grid(run.plan().launch)) /
         static_cast<double>(std::max<std::uint64_t>(counters.blocks_run, 1));
}

std::vector<Face> faces_of(const Run& run) {
  std::vector<Face> faces;
  for (const report::PlacedBuffer& placed : run.buffers) faces.push_back(report::face_of(placed));
  return faces;
}

}  // namespace

bool multiplies_matrices(const Run& run) { return !products_of(faces_of(run)).empty(); }

Result<ProductTiles> product_tiles_of(const Run& run, const std::atomic<bool>& cancel) {
  if (run.fault) return *run.fault;
  if (!run.complete) return Error{"this run is not counted yet", "wait until it is"};
  const std::vector<Face> faces = faces_of(run);
  const auto products = products_of(faces);
  const Error no_product{"the blocks of this kernel make no tiles of a product of two matrices", kSuchAs};
  if (products.empty()) return no_product;
  if (accesses_of(run) > kMostAccesses)
    return Error{"its blocks make too many accesses to follow all of them", "choose a smaller size"};
  const auto slice = address_slice(*run.kernel, run.device());
  if (!slice) return Error{"which tiles its blocks take depends on its data", kSuchAs};
  auto placed = Placed::of(run.job->instance);
  if (!placed) return placed.error();
  const auto blocks = static_cast<std::size_t>(catalog::blocks_in_grid(run.plan().launch));
  BlockAreas areas(faces, blocks);
  Boxes boxes(placed->memory(), blocks);
  const bool copies_boxes = std::ranges::any_of(slice->kernel->function().code, [](const auto& i) {
    return i.opcode == ptx::Opcode::cp_async_bulk_prefetch_tensor;
  });
  const auto ran = placed->run(*slice->kernel, run.plan().launch,
                               {.observer = &areas,
                                .watcher = copies_boxes ? &boxes : nullptr,
                                .threads = 1,
                                .cancel = &cancel,
                                .instruction_budget = run.job->instruction_budget,
                                .data_count = false});
  if (!ran) return ran.error();
  if (cancel) return cancelled();
  if (ran->fault) return ran->fault->error;
  const Seen seen{run, faces, areas, boxes};
  for (const Product& product : products)
    if (auto found = Finder(seen, product, blocks).find()) return *std::move(found);
  return no_product;
}

}  // namespace warplens::run
