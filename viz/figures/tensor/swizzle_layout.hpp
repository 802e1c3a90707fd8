// Inside of the figure of swizzles: eight rows of a tile, and where their chunks of 16 bytes lie by each layout.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viz/figures/tensor/tensor_view.hpp"

namespace warplens::figures {

inline constexpr std::uint32_t kChunkBytes = tensor::kChunkBytes, kBankLine = 128;
inline constexpr int kChunkRows = 8, kBankGroups = 8;  // rows of a matrix of 8 x 8; groups of four banks

// Where the chunks of eight rows lie by one rule, or as they were seen.
struct ChunkLayout {
  std::string name, brief;                  // brief: for a class
  bool is_own = false;                      // as the kernel has it
  std::vector<std::uint32_t> address = {};  // by row * chunks + chunk
};

struct ChunkTile {
  const TensorView& view;
  SharedTile tile;  // of an input, or of the output that boxes store
  report::Face face;
  std::optional<std::uint64_t> descriptor = {};  // by which wgmma reads it
  std::uint32_t written_by = 0;                  // pc of the stmatrix that writes it
  bool is_output = false;
  int chunks = 0, per_chunk = 8;       // of a row; elements of a chunk
  std::int64_t first_row = 0;          // of the eight, counted in the tile
  int row = 0, chunk = 0, within = 0;  // of the followed element: of the eight rows; element of the chunk
  std::uint32_t begin = 0;             // of the tile
  std::vector<ChunkLayout> layouts = {};
  tensor::Swizzle swizzle = tensor::Swizzle::none;  // that the kernel's layout is
  // Bytes from row to row of the kernel's layout, where it is no swizzle; 0: no rule.
  std::uint32_t pitch = 0;
};

// Nothing where no tile is in shared memory, or its rows are no chunks. is_asked: the followed element was named, and else a tile that
// stmatrix writes comes first.
std::optional<ChunkTile> chunk_tile(const TensorView& view, bool is_asked);
const ChunkLayout& own_layout(const ChunkTile& tile);
int group_of(std::uint32_t address);  // of four banks
// Wavefronts by which ldmatrix reads these chunks, each the row of a matrix of 8 x 8.
int wavefronts_of(const std::vector<std::uint32_t>& chunks);
// The eight of the followed element's column, and those of its row.
std::vector<std::uint32_t> column_of(const ChunkLayout& layout, const ChunkTile& tile);
std::vector<std::uint32_t> row_of(const ChunkLayout& layout, const ChunkTile& tile);
// Of an element of the eight rows; nothing beyond the matrix.
std::optional<CellId> cell_of_chunk(const ChunkTile& tile, int row, int chunk, int within);
std::string name_of_chunk(const ChunkTile& tile, int row, int chunk, int within);
// How the byte of the followed element comes about, in two sentences; the second may be empty.
std::array<std::string, 2> formula_of(const ChunkTile& tile);

}  // namespace warplens::figures
