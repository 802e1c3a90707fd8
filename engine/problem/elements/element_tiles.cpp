// Sums of products for whole tiles of a matrix: see ElementEvaluation::make_tiles.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/problem/elements/element_evaluation.hpp"

namespace warplens::problem {
namespace {

// Whether a product of two of these is exact in double.
bool has_exact_products(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::i8:
    case ElementType::u8:
    case ElementType::i16:
    case ElementType::u16:
      return true;
    default:
      return false;
  }
}

}  // namespace

// values[k][line], as the loop of products wants them.
struct ElementEvaluation::Panels {
  alignas(64) double rows[kTileDepth * kTile];
  alignas(64) double columns[kTileDepth * kTile];
  ProductKernel kernel = fastest_product_kernel();
};

void ElementEvaluation::make_tiles(int row_slot, int column_slot) {
  row_slot_ = row_slot, column_slot_ = column_slot;
  strips_.resize(static_cast<std::size_t>(expression_.reductions));
}

// A load that depends on k and this index alone.
bool ElementEvaluation::is_factor(const ElementNode& node, int slot, int k_slot) const {
  const std::uint64_t known = std::uint64_t{1} << slot | std::uint64_t{1} << k_slot;
  if (node.kind != ElementNode::Kind::load || (node.uses & ~known) != 0) return false;
  return has_exact_products((node.is_old ? data_.old : data_.now)[static_cast<std::size_t>(node.slot)].type);
}

// The values of a factor for kTile rows, or columns, from `begin` on; those beyond the matrix are as good as any.
void ElementEvaluation::pack(const Factor& factor, int k_slot, double first, std::int64_t begin, int depth,
                             double* panel) {
  const auto index = static_cast<std::size_t>(factor.slot);
  const double own = indices_[index];
  ElementValues values;
  for (int line = 0; line < kTile; ++line) {
    indices_[index] = static_cast<double>(begin + line);
    lane_ = k_slot, first_ = first;
    at(*factor.node, depth, values);
    for (int k = 0; k < depth; ++k) panel[k * kTile + line] = values.value[static_cast<std::size_t>(k)];
  }
  indices_[index] = own;
}

// range: from and to of the sum. column: the number of the tile in the strip of the row of now.
const ProductTile& ElementEvaluation::tile_of(const ElementNode& node, std::array<double, 2> range,
                                              std::size_t column) {
  Strip& strip = strips_[static_cast<std::size_t>(node.id)];
  const auto row = static_cast<std::int64_t>(indices_[static_cast<std::size_t>(row_slot_)]);
  if (strip.row < 0 || row < strip.row || row >= strip.row + kTile) strip.row = row, strip.tiles.clear();
  if (strip.tiles.size() <= column) strip.tiles.resize(column + 1);
  std::unique_ptr<ProductTile>& tile = strip.tiles[column];
  if (tile != nullptr) return *tile;
  tile = std::make_unique<ProductTile>();
  if (panels_ == nullptr) panels_ = std::make_shared<Panels>();
  const ElementNode& term = *node.parts[2];
  const bool is_first = is_factor(*term.parts[0], row_slot_, node.slot);
  const Factor rows{term.parts[is_first ? 0 : 1].get(), row_slot_},
      columns{term.parts[is_first ? 1 : 0].get(), column_slot_};
  for (double first = range[0]; first < range[1]; first += kTileDepth) {
    const int depth = static_cast<int>(std::min<double>(kTileDepth, std::ceil(range[1] - first)));
    pack(rows, node.slot, first, strip.row, depth, panels_->rows);
    pack(columns, node.slot, first, static_cast<std::int64_t>(column) * kTile, depth, panels_->columns);
    panels_->kernel(panels_->rows, panels_->columns, static_cast<std::size_t>(depth), *tile);
  }
  return *tile;
}

bool ElementEvaluation::sum_tiles(const ElementNode& node, int count, ElementValues& out) {
  if (row_slot_ < 0 || lane_ != column_slot_ || node.reduction != Reduction::sum) return false;
  const ElementNode &from = *node.parts[0], &to = *node.parts[1], &term = *node.parts[2];
  if (from.uses != 0 || to.uses != 0 || term.kind != ElementNode::Kind::binary ||
      term.op != expression::Op::multiply)
    return false;
  const ElementNode &one = *term.parts[0], &two = *term.parts[1];
  const bool is_product = (is_factor(one, row_slot_, node.slot) && is_factor(two, column_slot_, node.slot)) ||
                          (is_factor(two, row_slot_, node.slot) && is_factor(one, column_slot_, node.slot));
  if (!is_product) return false;
  const int lane = std::exchange(lane_, -1);
  const double first = first_;
  at(from, 1, out);
  std::array<double, 2> range{out.value[0], 0};
  at(to, 1, out);
  range[1] = out.value[0];
  const bool is_plain = std::isfinite(range[0]) && std::isfinite(range[1]);
  const double terms = std::max(0.0, std::ceil(range[1] - range[0]));
  for (int i = 0; is_plain && i < count; ++i) {
    const auto n = static_cast<std::size_t>(i), column = static_cast<std::size_t>(first) + n;
    const bool goes_on = may_go_on(static_cast<int>(std::min(terms, 1e9)));
    const ProductTile* tile = goes_on ? &tile_of(node, range, column / kTile) : nullptr;
    const auto row = static_cast<std::size_t>(indices_[static_cast<std::size_t>(row_slot_)]) -
                     static_cast<std::size_t>(strips_[static_cast<std::size_t>(node.id)].row);
    out.value[n] = tile == nullptr ? 0 : tile->sums[row][column % kTile];
    out.size[n] = tile == nullptr ? 0 : tile->magnitudes[row][column % kTile];
    out.carried[n] = 0;
  }
  lane_ = lane, first_ = first;
  if (is_plain) terms_ = std::max(terms_, std::max(1.0, range[1] - range[0]));
  return is_plain;
}

}  // namespace warplens::problem
