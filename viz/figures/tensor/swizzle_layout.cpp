#include "viz/figures/tensor/swizzle_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/analysis/other_access.hpp"
#include "engine/base/text.hpp"

namespace warplens::figures {

int group_of(std::uint32_t address) { return static_cast<int>(address / kChunkBytes % kBankGroups); }

// Wavefronts by which ldmatrix reads these chunks, each the row of a matrix of 8 x 8.
int wavefronts_of(const std::vector<std::uint32_t>& chunks) {
  analysis::WarpAccess rows;
  rows.width = static_cast<int>(kChunkBytes);
  rows.active = (1u << chunks.size()) - 1;
  for (std::size_t lane = 0; lane < chunks.size(); ++lane) rows.address[lane] = chunks[lane];
  return analysis::matrix_wavefronts(rows);
}

std::vector<std::uint32_t> column_of(const ChunkLayout& layout, const ChunkTile& tile) {
  std::vector<std::uint32_t> column;
  for (int row = 0; row < kChunkRows; ++row)
    column.push_back(layout.address[static_cast<std::size_t>(row * tile.chunks + tile.chunk)]);
  return column;
}
std::vector<std::uint32_t> row_of(const ChunkLayout& layout, const ChunkTile& tile) {
  const auto first = layout.address.begin() + tile.row * tile.chunks;
  return {first, first + std::min(tile.chunks, kChunkRows)};
}

namespace {

std::optional<tensor::Swizzle> swizzle_for(std::uint32_t row_bytes) {
  for (const tensor::SwizzleRow& row : tensor::kSwizzles)
    if (row.bits > 0 && row.span == row_bytes) return row.swizzle;
  return std::nullopt;
}

// As the rule says where the tile begins, of the row counted in the tile.
template <class Rule>
ChunkLayout by_rule(const ChunkTile& tile, std::string name, Rule rule) {
  ChunkLayout layout;
  layout.name = layout.brief = std::move(name);
  for (int row = 0; row < kChunkRows; ++row)
    for (int chunk = 0; chunk < tile.chunks; ++chunk)
      layout.address.push_back(
          rule(static_cast<std::uint32_t>(tile.first_row + row), static_cast<std::uint32_t>(chunk)));
  return layout;
}

// A tile that may be shown.
struct Candidate {
  SharedTile tile;
  std::optional<std::uint64_t> descriptor = {};
  bool is_output = false;
  std::uint32_t written_by = 0;
};

// The tile of C from which the first box is stored, where stmatrix has written all that is seen of it.
std::optional<Candidate> output_of(const TensorView& view) {
  const trace::TensorWork& work = view.work();
  const auto box = std::ranges::find_if(work.boxes, &trace::BoxCopy::is_store);
  if (box == work.boxes.end() || work.writes.empty() || box->map.dimensions != 2) return std::nullopt;
  Candidate candidate;
  candidate.is_output = true, candidate.written_by = work.writes.front().pc;
  SharedTile& tile = candidate.tile;
  tile.buffer = box->buffer;
  tile.first_line = box->at[1], tile.lines = box->map.box[1], tile.first_along = box->at[0],
  tile.along = box->map.box[0];
  const std::uint32_t bytes = tensor::size_in_bytes(box->map.type);
  std::set<std::uint32_t> chunks;
  for (std::int64_t at = 0; at < tile.lines * tile.along; ++at) {
    tile.address.push_back(
        tensor::swizzled(box->shared + static_cast<std::uint32_t>(at) * bytes, box->map.swizzle));
    chunks.insert(tile.address.back() / kChunkBytes * kChunkBytes);
  }
  std::set<std::uint32_t> written;
  for (const trace::MatrixRows& rows : work.writes)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((rows.lanes >> lane & 1) != 0) written.insert(rows.row[lane]);
  return std::ranges::includes(written, chunks) ? std::optional(std::move(candidate)) : std::nullopt;
}

// Whether chunks of it are rows of matrices of 8 x 8: ldmatrix and wmma.load take them so, and wgmma by its descriptor.
bool has_matrix_rows(const TensorView& view, const Factor& factor) {
  if (factor.descriptor) return true;
  return std::ranges::any_of(view.work().reads, [&](const trace::MatrixRows& rows) {
    return std::ranges::any_of(rows.at_row, [&](ElementNumber number) {
      const auto place = trace::place_of(view.work(), number);
      return place && place->buffer == factor.buffer;
    });
  });
}

// In the order in which they are tried: the one of the followed element first. Where stmatrix writes a tile, that is the one.
std::vector<Candidate> candidates_of(const TensorView& view, bool is_asked) {
  std::vector<Candidate> all;
  const auto found = view.in_product();
  if (auto output = output_of(view)) {
    const std::string name = report::face_of(view.run().buffers[output->tile.buffer]).name;
    if (!is_asked || view.followed().name == name) all.push_back(*std::move(output));
  }
  for (const Factor* factor : {found ? found->factor : &view.a(), &view.a(), &view.b()}) {
    Candidate candidate;
    auto tile = has_matrix_rows(view, *factor) ? view.tile(*factor) : std::nullopt;
    if (!tile) continue;
    candidate.tile = *std::move(tile), candidate.descriptor = factor->descriptor;
    all.push_back(std::move(candidate));
  }
  return all;
}

// Where the followed element is in the tile; its first one, where it is elsewhere.
void follow(ChunkTile& tile) {
  const auto element =
      tile.face.name == tile.view.followed().name
          ? report::element_at(tile.face, {tile.view.followed().row, tile.view.followed().column})
          : std::nullopt;
  const std::size_t buffer = tile.tile.buffer;
  std::int64_t line = 0, along = 0;
  if (element && tile.tile.has(tile.view.line_of(buffer, *element), tile.view.along_of(buffer, *element)))
    line = tile.view.line_of(buffer, *element) - tile.tile.first_line,
    along = tile.view.along_of(buffer, *element) - tile.tile.first_along;
  tile.first_row = std::min(line / kChunkRows * kChunkRows, tile.tile.lines - kChunkRows);
  tile.row = static_cast<int>(line - tile.first_row);
  tile.chunk = static_cast<int>(along) / tile.per_chunk,
  tile.within = static_cast<int>(along) % tile.per_chunk;
}

// Row after row, swizzled, and the kernel's own layout, which may be one of these.
void add_layouts(ChunkTile& tile, ChunkLayout own) {
  tile.begin = tile.tile.at(tile.tile.first_line, tile.tile.first_along);
  const auto bytes = static_cast<std::uint32_t>(tile.chunks) * kChunkBytes;
  const auto plain = [&](std::uint32_t row, std::uint32_t chunk) {
    return tile.begin + row * bytes + chunk * kChunkBytes;
  };
  ChunkLayout rows = by_rule(tile, "Row after row", plain);
  const auto mode = swizzle_for(bytes);
  ChunkLayout swizzled;
  if (mode && tile.begin % tensor::row_of(*mode).pattern == 0)
    swizzled = by_rule(
        tile, fmt::format("Swizzled, {} bytes", bytes),
        [&](std::uint32_t row, std::uint32_t chunk) { return tensor::swizzled(plain(row, chunk), *mode); });
  swizzled.brief = "Swizzled";
  if (own.address == rows.address) rows.is_own = true, tile.pitch = bytes;
  if (own.address == swizzled.address) swizzled.is_own = true, tile.swizzle = *mode;
  const bool is_other = !rows.is_own && !swizzled.is_own;
  if (is_other) {
    const std::uint32_t pitch = own.address[static_cast<std::size_t>(tile.chunks)] - own.address[0];
    const ChunkLayout padded = by_rule(tile, "", [&](std::uint32_t row, std::uint32_t chunk) {
      return tile.begin + row * pitch + chunk * kChunkBytes;
    });
    if (padded.address == own.address)
      tile.pitch = pitch, own.name = fmt::format("Padded to {} bytes", pitch), own.brief = "Padded";
  }
  tile.layouts.push_back(std::move(rows));
  if (is_other) tile.layouts.push_back(std::move(own));
  if (!swizzled.address.empty()) tile.layouts.push_back(std::move(swizzled));
}

std::string bits_of(std::uint32_t value, int count) {
  std::string text;
  for (int bit = count - 1; bit >= 0; --bit) text += (value >> bit & 1) != 0 ? '1' : '0';
  return text;
}

}  // namespace

// Nothing where no tile is in shared memory, or its rows are no chunks.
std::optional<ChunkTile> chunk_tile(const TensorView& view, bool is_asked) {
  const int per_chunk = static_cast<int>(kChunkBytes / view.work().element_bytes);
  for (Candidate& candidate : candidates_of(view, is_asked)) {
    if (candidate.tile.along % per_chunk != 0 || candidate.tile.lines < kChunkRows) continue;
    ChunkTile tile{.view = view, .tile = std::move(candidate.tile), .face = {}};
    tile.face = report::face_of(view.run().buffers[tile.tile.buffer]);
    tile.descriptor = candidate.descriptor, tile.is_output = candidate.is_output,
    tile.written_by = candidate.written_by;
    tile.per_chunk = per_chunk, tile.chunks = static_cast<int>(tile.tile.along / per_chunk);
    follow(tile);
    ChunkLayout own;
    own.name = own.brief = "Its own layout", own.is_own = true;
    for (int row = 0; row < kChunkRows; ++row)
      for (int chunk = 0; chunk < tile.chunks; ++chunk)
        own.address.push_back(tile.tile.at(tile.tile.first_line + tile.first_row + row,
                                           tile.tile.first_along + chunk * per_chunk));
    if (tile.chunks > kBankGroups ||
        std::ranges::find(own.address, SharedTile::kNowhere) != own.address.end())
      continue;
    add_layouts(tile, std::move(own));
    return tile;
  }
  return std::nullopt;
}

const ChunkLayout& own_layout(const ChunkTile& tile) {
  return *std::ranges::find_if(tile.layouts, &ChunkLayout::is_own);
}

// Of an element of the eight rows; nothing beyond the matrix.
std::optional<CellId> cell_of_chunk(const ChunkTile& tile, int row, int chunk, int within) {
  const auto length = tile.view.run().buffers[tile.tile.buffer].buffer.shape.leading_dimension;
  const std::int64_t along = tile.tile.first_along + chunk * tile.per_chunk + within;
  const std::int64_t element = (tile.tile.first_line + tile.first_row + row) * length + along;
  if (along >= length || element < 0 || static_cast<std::uint64_t>(element) >= tile.face.elements)
    return std::nullopt;
  const report::Cell cell = report::cell_of(tile.face, static_cast<std::uint64_t>(element));
  return CellId{tile.face.name, cell.row, cell.column};
}
std::string name_of_chunk(const ChunkTile& tile, int row, int chunk, int within) {
  const auto cell = cell_of_chunk(tile, row, chunk, within);
  return cell ? fmt::format("{}[{}][{}]", cell->name, cell->row, cell->column) : "nothing";
}

// How the byte of the followed element comes about.
std::array<std::string, 2> formula_of(const ChunkTile& tile) {
  const auto row = static_cast<std::uint32_t>(tile.first_row + tile.row),
             chunk = static_cast<std::uint32_t>(tile.chunk);
  const std::uint32_t within = static_cast<std::uint32_t>(tile.within) * tile.view.work().element_bytes;
  const std::uint32_t address =
      own_layout(tile).address[static_cast<std::size_t>(tile.row * tile.chunks + tile.chunk)] + within;
  const std::string name = name_of_chunk(tile, tile.row, tile.chunk, tile.within);
  const std::string head = fmt::format("{} lies at byte {} of shared memory, bank {}: ", name,
                                       grouped(std::uint64_t{address}), address / 4 % 32);
  if (tile.swizzle != tensor::Swizzle::none) {
    const int bits = static_cast<int>(tensor::row_of(tile.swizzle).bits);
    const std::uint32_t plain =
        tile.begin + row * static_cast<std::uint32_t>(tile.chunks) * kChunkBytes + chunk * kChunkBytes;
    const std::uint32_t mask = (1u << bits) - 1, low = plain >> 4 & mask, high = plain >> 7 & mask;
    return {
        head + fmt::format("{} + row {} × {} + place {} × 16 + {}", grouped(std::uint64_t{tile.begin}), row,
                           tile.chunks * 16, low ^ high, within),
        fmt::format("its chunk {} stands at place {}: address bits {} to 4, {}, XOR bits {} to 7, {}, are {}",
                    chunk, low ^ high, 3 + bits, bits_of(low, bits), 6 + bits, bits_of(high, bits),
                    bits_of(low ^ high, bits))};
  }
  if (tile.pitch == 0) return {head + "by a rule of the kernel’s own", ""};
  return {head + fmt::format("{} + row {} × {} + chunk {} × 16 + {}", grouped(std::uint64_t{tile.begin}), row,
                             tile.pitch, chunk, within),
          tile.pitch % kBankLine == 0
              ? "each row begins in bank 0, so that a chunk is in the same four banks in all rows"
              : fmt::format("each row begins {} banks after the one before", tile.pitch % kBankLine / 4)};
}

}  // namespace warplens::figures
