// minplus: r[i][j] = min over k of d[i][k] + d[k][j], all N x N and row-major: the lengths of the shortest
// ways of two steps, as in the course Programming Parallel Computers (ppc.cs.aalto.fi). t is d transposed,
// t[k][i] = d[i][k]: the course makes it before the kernel runs, so here it is an input, and a kernel may
// leave it alone. Every sum is rounded once and the least is one of the sums, so that a right result is equal
// bit for bit.
#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/problem/comparison.hpp"
#include "engine/problem/kinds.hpp"
#include "engine/problem/minplus_kernel.hpp"
#include "engine/problem/tiled_reference.hpp"

namespace warplens::problem {
namespace {

enum BufferIndex : std::size_t { kD, kT, kR };

struct alignas(64) Panel {
  float values[kTileDepth][kTile];  // zero beyond the edge, where nothing is compared
};

class MinPlus final : public InstanceData {
 public:
  explicit MinPlus(Request request)
      : InstanceData(std::move(request)),
        n_(size("N")),
        kernel_(fastest_minplus_kernel()),
        reference_(n_, n_) {}

  Comparison compare(std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked) const override {
    const auto compare_one = [&](Comparison& comparison, std::int64_t index, const MinPlusTile& tile,
                                 std::int64_t row, std::int64_t column) {
      comparison.copy(index, float_at(output, index), tile.least[row][column]);
    };
    return reference_.compare(
        0, checked, [this](const TileArea& area) { return compute(area); }, compare_one);
  }
  // An addition and a minimum for each i, j and k.
  double operations() const override {
    const auto n = static_cast<double>(n_);
    return 2 * n * n * n;
  }
  // t holds nothing that d does not.
  double least_bytes() const override {
    return InstanceData::least_bytes() - static_cast<double>(initial(kT).size());
  }

 private:
  bool derive(std::size_t buffer, std::span<std::byte> bytes) const override {
    if (buffer != kT) return false;
    const std::span<const float> d = floats(kD);
    // Squares, so that neither side walks over a new page at each element.
    for (std::int64_t row = 0; row < n_; row += kTile) {
      for (std::int64_t column = 0; column < n_; column += kTile) {
        for (std::int64_t i = row; i < std::min(row + kTile, n_); ++i) {
          for (std::int64_t j = column; j < std::min(column + kTile, n_); ++j) {
            const float value = d[static_cast<std::size_t>(i * n_ + j)];
            std::memcpy(bytes.data() + (j * n_ + i) * std::int64_t{sizeof value}, &value, sizeof value);
          }
        }
      }
    }
    return true;
  }

  std::unique_ptr<MinPlusTile> compute(const TileArea& area) const {
    const std::span<const float> d = floats(kD);
    auto tile = std::make_unique<MinPlusTile>();
    std::fill_n(&tile->least[0][0], kTile * kTile, std::numeric_limits<float>::infinity());
    const auto rows = std::make_unique<Panel>(), columns = std::make_unique<Panel>();
    for (std::int64_t first = 0; first < n_; first += kTileDepth) {
      const std::int64_t depth = std::min<std::int64_t>(kTileDepth, n_ - first);
      for (std::int64_t k = 0; k < depth; ++k) {
        const float* line = d.data() + (first + k) * n_;
        std::copy(line + area.column, line + area.column_end, columns->values[k]);
        for (std::int64_t row = area.row; row < area.row_end; ++row)
          rows->values[k][row - area.row] = d[static_cast<std::size_t>(row * n_ + first + k)];
      }
      kernel_(&rows->values[0][0], &columns->values[0][0], static_cast<std::size_t>(depth), *tile);
    }
    return tile;
  }

  std::int64_t n_;
  MinPlusKernel kernel_;
  TiledReference<MinPlusTile> reference_;
};

Layout layout(const Values& sizes) {
  const std::int64_t n = sizes.at("N");
  Layout result{{matrix("d", n, n), matrix("t", n, n), output(matrix("r", n, n))},
                {BufferArgument{kD}, BufferArgument{kT}, BufferArgument{kR}, int_argument(n)}};
  result.buffers[kT].is_copy = true;
  return result;
}

}  // namespace

Kind minplus_kind() {
  return {"minplus",
          "const float* d, const float* t, float* r, int N",
          {{"N", 2048}},
          layout,
          make_instance<MinPlus>};
}

}  // namespace warplens::problem
