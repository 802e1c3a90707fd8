// transpose: out[N][M] = in[M][N] transposed, row-major; rows = M and columns = N are those of `in`.
// out[column * rows + row] = in[row * columns + column], bit for bit.
#include <algorithm>

#include "engine/problem/compare_parts.hpp"
#include "engine/problem/kinds.hpp"

namespace warplens::problem {
namespace {

enum BufferIndex : std::size_t { kIn, kOut };

class Transpose final : public InstanceData {
 public:
  explicit Transpose(Request request) : InstanceData(std::move(request)) {}

  Comparison compare(std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked) const override {
    const std::int64_t across = tiles(size("N")), down = tiles(size("M"));
    const auto compare_one = [&](std::size_t index, Comparison& comparison) {
      const auto tile = static_cast<std::int64_t>(index);
      compare_tile(tile / across * kTile, tile % across * kTile, output, checked, comparison);
    };
    return compare_parts(static_cast<std::size_t>(across * down), 0, compare_one);
  }
  double operations() const override { return 0; }

 private:
  // Squares, so that neither side walks over a new page at each element.
  static constexpr std::int64_t kTile = 64;
  static std::int64_t tiles(std::int64_t edge) { return (edge + kTile - 1) / kTile; }

  // The square of the input that begins at (first_row, first_column) against its place in the output.
  void compare_tile(std::int64_t first_row, std::int64_t first_column, std::span<const std::byte> output,
                    std::span<const std::uint8_t> checked, Comparison& comparison) const {
    const std::span<const float> in = floats(kIn);
    const std::int64_t rows = size("M"), columns = size("N");
    const std::int64_t row_end = std::min(rows, first_row + kTile);
    const std::int64_t column_end = std::min(columns, first_column + kTile);
    for (std::int64_t row = first_row; row < row_end; ++row) {
      for (std::int64_t column = first_column; column < column_end; ++column) {
        const std::int64_t index = column * rows + row;
        if (!checked.empty() && checked[static_cast<std::size_t>(index)] == 0) continue;
        comparison.copy(index, float_at(output, index), in[static_cast<std::size_t>(row * columns + column)]);
      }
    }
  }
};

Layout layout(const Values& sizes) {
  const std::int64_t rows = sizes.at("M"), columns = sizes.at("N");
  return {{matrix("in", rows, columns), output(matrix("out", columns, rows))},
          {BufferArgument{kIn}, BufferArgument{kOut}, int_argument(rows), int_argument(columns)}};
}

}  // namespace

Kind transpose_kind() {
  return {"transpose",
          "const float* in, float* out, int rows, int columns",
          {{"M", 2048}, {"N", 2048}},
          layout,
          make_instance<Transpose>};
}

}  // namespace warplens::problem
