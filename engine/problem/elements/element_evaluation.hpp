// Evaluates element expressions for many consecutive elements at once: each node makes an array of values, so
// that what is said once a node is paid once for all of them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/problem/elements/element_expression.hpp"
#include "engine/problem/problem.hpp"
#include "engine/problem/product_kernel.hpp"

namespace warplens::problem {

// Contents of a buffer. columns: 0 where it is a vector.
struct BufferView {
  ElementType type = ElementType::f32;
  const std::byte* bytes = nullptr;  // null: not known, every element reads as 0
  std::int64_t elements = 0, columns = 0;
};

// How many values the expressions of one check may make, shared by the threads that judge it: sums within
// sums of a large size would take for ever.
class ElementBudget {
 public:
  static constexpr std::uint64_t kMost = 10'000'000'000;
  explicit ElementBudget(std::uint64_t most = kMost) : most_(most) {}
  void spend(std::uint64_t values) { spent_.fetch_add(values, std::memory_order_relaxed); }
  bool is_spent() const { return spent_.load(std::memory_order_relaxed) > most_; }

 private:
  std::uint64_t most_;
  std::atomic<std::uint64_t> spent_ = 0;
};

struct ElementData {
  std::span<const double> numbers;  // of ElementNames::numbers
  std::span<const BufferView> now, old;
  std::uint64_t seed = 0;  // of random()
  // none: without a limit. Where it is spent, sums end before their last term
  ElementBudget* budget = nullptr;
  Pattern pattern = Pattern::random;
  bool may_grow = false;                // the values of random(), beyond its bounds
  ElementType type = ElementType::f32;  // that the kernel computes in
};

// Values, and how large the numbers were that they were made of: a value may be off by a few roundings of its
// size. What is read has no error of its own. carried: by how many roundings (of 1) a value is off where each
// argument of a function is off by one rounding for every operation that made it.
constexpr int kLanes = 256;
struct ElementValues {
  std::array<double, kLanes> value, size, carried;
};

// One thread's. It remembers sums, so that a running one costs one term an element.
class ElementEvaluation {
 public:
  ElementEvaluation(const ElementExpression& expression, const ElementData& data);

  // The index `slot` is first, first + 1, ...; count of them, at most kLanes.
  void evaluate(int slot, std::int64_t first, int count, ElementValues& values);
  void evaluate(ElementValues& values);  // of one value that depends on no index
  void set_index(int slot, std::int64_t value) {
    indices_[static_cast<std::size_t>(slot)] = static_cast<double>(value);
  }
  // From now on sum(k, from, to, A[row, k] * B[k, column]) is made for whole tiles of rows and columns at once, by
  // the loop of matrix products: products of 24 bits are exact in double and are added in the same order, so the
  // values have the same bits. For callers that ask for one row after the other.
  void make_tiles(int row_slot, int column_slot);
  // The most terms that one sum had so far, sums within sums multiplied.
  double most_terms() const { return terms_; }

 private:
  struct Memo {
    bool is_known = false;
    std::vector<double> indices;
    double from = 0, to = 0, value = 0, size = 0, carried = 0, terms = 0;
  };

  // Tiles of one sum, side by side.
  struct Strip {
    std::int64_t row = -1;  // the first one
    std::vector<std::unique_ptr<ProductTile>> tiles;
  };
  struct Factor {
    const ElementNode* node;
    int slot;  // its index beside k
  };
  struct Panels;

  bool sum_tiles(const ElementNode& node, int count, ElementValues& out);
  bool is_factor(const ElementNode& node, int slot, int k_slot) const;
  const ProductTile& tile_of(const ElementNode& node, std::array<double, 2> range, std::size_t column);
  void pack(const Factor& factor, int k_slot, double first, std::int64_t begin, int depth, double* panel);
  void at(const ElementNode& node, int count, ElementValues& out);
  void load(const ElementNode& node, int count, ElementValues& out);
  bool load_straight(const ElementNode& node, const BufferView& view, int count, ElementValues& out);
  void binary(const ElementNode& node, int count, ElementValues& out);
  void choose(const ElementNode& node, int count, ElementValues& out);
  void call(const ElementNode& node, int count, ElementValues& out);
  void random(const ElementNode& node, int count, ElementValues& out);
  void reduce_lanes(const ElementNode& node, int count, ElementValues& out);
  bool count_lanes(const ElementNode& node, int count, ElementValues& out);
  void reduce(const ElementNode& node, ElementValues& out, std::size_t lane);
  bool is_of_type(double value) const;
  double own_rounding(const ElementNode& node, double value, double size) const;
  bool depends_on_lane(const ElementNode& node) const { return lane_ >= 0 && (node.uses >> lane_ & 1) != 0; }
  bool is_straight(const ElementNode& node) const;
  bool may_go_on(int values);

  const ElementExpression& expression_;
  const ElementData& data_;
  bool carries_;
  std::vector<double> indices_;
  std::vector<Memo> memos_;
  int lane_ = -1;  // the index that differs from value to value; -1: none
  double first_ = 0;
  double terms_ = 1;
  std::uint64_t unspent_ = 0;             // values that the budget does not know of yet
  int row_slot_ = -1, column_slot_ = -1;  // of tiles; -1: there are none
  std::vector<Strip> strips_;             // by a reduction's id
  std::shared_ptr<Panels> panels_;
};

}  // namespace warplens::problem
