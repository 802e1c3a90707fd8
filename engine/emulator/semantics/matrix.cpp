#include "engine/emulator/semantics/matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/emulator/semantics/aligned_product.hpp"
#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator {
namespace {

using detail::bits_of, ptx::Fragment, ptx::Type;
using Shape = std::array<std::uint16_t, 3>;

bool is_accumulator(Fragment which) { return which == Fragment::c || which == Fragment::d; }

int element_count(const FragmentShape& f) {
  const auto [m, n, k] = f.shape;
  return f.which == Fragment::a ? m * k : f.which == Fragment::b ? k * n : m * n;
}

bool is_small_integer(Type type) { return type == Type::s8 || type == Type::u8; }
bool is_small_float(Type type) { return type == Type::e4m3 || type == Type::e5m2; }
bool is_nibble(Type type) { return type == Type::s4 || type == Type::u4; }
bool is_half(Type type) { return type == Type::f16 || type == Type::bf16; }

bool accumulates(Type product, Type sum) {
  if (is_small_integer(product) || is_nibble(product)) return sum == Type::s32;
  if (product == Type::f64) return sum == Type::f64;
  return sum == Type::f32 || (sum == Type::f16 && (product == Type::f16 || is_small_float(product)));
}
bool is_accumulator_type(Type type) {
  return type == Type::f16 || type == Type::f32 || type == Type::f64 || type == Type::s32;
}

// One row a family of types: the shapes its multiplicands come in.
bool has_mma_shape(Type type, const Shape& s) {
  const bool tall = s[0] == 16 && s[1] == 8;
  const bool square = s[0] == 8 && s[1] == 8;
  const int k = s[2];
  if (type == Type::tf32) return tall && (k == 4 || k == 8);
  if (is_half(type)) return tall && (k == 8 || k == 16);
  if (is_small_integer(type)) return (tall && (k == 16 || k == 32)) || (square && k == 16);
  if (is_small_float(type)) return tall && (k == 16 || k == 32);
  if (is_nibble(type)) return (tall && (k == 32 || k == 64)) || (square && k == 32);
  if (type == Type::f64) return (tall && (k == 4 || k == 8 || k == 16)) || (square && k == 4);
  return false;
}

bool is_mma_tile(const Shape& s) { return s[1] == 8 && (s[0] == 16 || s[0] == 8); }

// ---- The product ----

struct Matrices {
  std::vector<std::uint64_t> a, b, c;  // bit patterns, row by row
  std::vector<bool> kept = {};         // which elements of a are there; empty: all
};

std::vector<Term> decoded(const std::vector<std::uint64_t>& matrix, Type type) {
  std::vector<Term> terms;
  terms.reserve(matrix.size());
  for (std::uint64_t bits : matrix) {
    if (type == Type::tf32) bits &= ~0x1fffull;  // the unit does not see the low 13 bits
    const FloatFormat& format = detail::format_of(type);
    terms.push_back(is_small_float(type) ? term_of(from_double(to_double(bits, format), kF16), kF16)
                                         : term_of(bits, format));
  }
  return terms;
}

class FloatProduct {
 public:
  FloatProduct(const Matrices& in, const Shape& shape, const std::array<Type, 4>& types)
      : a_(decoded(in.a, types[1])),
        b_(decoded(in.b, types[2])),
        c_(decoded(in.c, types[3])),
        kept_(in.kept),
        columns_(shape[1]),
        depth_(shape[2]),
        format_(detail::format_of(types[0])),
        aligned_(is_half(types[1]) || types[1] == Type::tf32),
        in_two_steps_(is_small_float(types[1])) {
    if (aligned_ && are_finite(a_) && are_finite(b_)) multiply_aligned(shape[0]);
  }

  std::uint64_t element(MatrixPosition at) const {
    const auto row = static_cast<std::size_t>(at.row), column = static_cast<std::size_t>(at.column);
    const Term& c = c_[row * columns_ + column];
    if (const std::size_t at_sum = row * stride_ + column; at_sum < sums_.size() && left_out_[at_sum] == 0)
      return in_format(sums_[at_sum]);
    if (in_two_steps_) return two_steps(row, column);
    if (aligned_) return sum_of(c, row, column, Step::all);
    double sum = c.value;
    for (std::size_t k = 0; k < depth_; ++k)
      sum = detail::fused(a_[row * depth_ + k].value, b_[k * columns_ + column].value, sum);
    return from_double(sum, format_);
  }

 private:
  static constexpr std::size_t kMostTerms = 17;  // 16 products and c; a sparse one of depth 32 has no more

  enum class Step { all, first, second };
  // Of a register's four numbers along k the lower two come first: of a sparse product they are a group of four.
  bool is_in(Step step, std::size_t k) const {
    const bool is_second = k / (kept_.empty() ? 2 : 4) % 2 != 0;
    return step == Step::all || is_second == (step == Step::second);
  }
  std::uint64_t sum_of(const Term& start, std::size_t row, std::size_t column, Step step) const {
    std::array<Term, kMostTerms> terms;
    std::size_t number = 0;
    terms[number++] = start;
    for (std::size_t k = 0; k < depth_; ++k) {
      if (!is_in(step, k) || (!kept_.empty() && !kept_[row * depth_ + k]))
        continue;  // nothing, also times infinity
      const Term &x = a_[row * depth_ + k], &y = b_[k * columns_ + column];
      terms[number++] = {x.value * y.value, x.exponent + y.exponent};  // exact in double
    }
    return aligned_sum(std::span(terms).first(number), format_);
  }
  std::uint64_t two_steps(std::size_t row, std::size_t column) const {
    std::uint64_t sum = 0;
    for (const Step step : {Step::first, Step::second})
      sum = sum_of(term_of(sum, format_), row, column, step);
    return from_double(to_double(sum, format_) + c_[row * columns_ + column].value, format_);
  }

  static bool are_finite(const std::vector<Term>& terms) {
    return std::ranges::all_of(terms, [](const Term& term) { return std::isfinite(term.value); });
  }
  std::uint64_t in_format(float sum) const {
    const auto bits = std::bit_cast<std::uint32_t>(sum);
    return format_.mantissa_bits == kF32.mantissa_bits ? bits : from_double(double{sum}, format_);
  }

  // All sums at once, but for those that it leaves out.
  void multiply_aligned(std::size_t rows) {
    stride_ = (columns_ + kAlignedColumns - 1) / kAlignedColumns * kAlignedColumns;
    std::vector<float> a(a_.size()), b(depth_ * stride_);
    std::vector<std::int32_t> of_a(a.size()), of_b(b.size(), kExponentOfZero);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<float>(a_[i].value), of_a[i] = a_[i].exponent;
    for (std::size_t k = 0; k < depth_; ++k)
      for (std::size_t n = 0; n < columns_; ++n) {
        const Term& term = b_[k * columns_ + n];
        b[k * stride_ + n] = static_cast<float>(term.value), of_b[k * stride_ + n] = term.exponent;
      }
    sums_.resize(rows * stride_);
    left_out_.resize(sums_.size());
    for (std::size_t i = 0; i < c_.size(); ++i)
      sums_[i / columns_ * stride_ + i % columns_] = static_cast<float>(c_[i].value);
    aligned_product({a.data(), of_a.data(), b.data(), of_b.data(), sums_.data(), left_out_.data(),
                     static_cast<int>(rows), static_cast<int>(depth_), static_cast<int>(stride_)});
  }

  std::vector<Term> a_, b_, c_;
  std::vector<float> sums_;
  std::vector<std::uint8_t> left_out_;
  std::vector<bool> kept_;
  std::size_t stride_ = 0;
  std::size_t columns_, depth_;
  const FloatFormat& format_;
  bool aligned_, in_two_steps_;
};

std::uint64_t integer_element(const Matrices& in, const Shape& s, const std::array<Type, 4>& types,
                              bool clamp, int row, int column) {
  const auto [m, n, k] = s;
  const auto at = [](int r, int columns, int c) { return static_cast<std::size_t>(r * columns + c); };
  // at most 64 products of 16 bits follow
  std::int64_t sum = detail::sign_extend(in.c[at(row, n, column)], 32);
  for (int i = 0; i < k; ++i) {
    sum += static_cast<std::int64_t>(detail::integer_value(in.a[at(row, k, i)], types[1]) *
                                     detail::integer_value(in.b[at(i, n, column)], types[2]));
  }
  if (clamp) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
  return detail::zero_extend(static_cast<std::uint64_t>(sum), 32);
}

// d, a, b, c as the instruction names them; wmma of f16 names only d and c.
std::array<Type, 4> types_of(const ptx::Instruction& i) {
  std::array<Type, 4> types = i.matrix_types;
  if (types[1] == Type::none) types[1] = Type::f16;
  if (types[2] == Type::none) types[2] = types[1];
  if (types[3] == Type::none) types[3] = types[0];
  return types;
}

bool types_agree(const std::array<Type, 4>& types) {
  const auto family = [](Type type) {
    if (is_small_integer(type)) return Type::s8;
    if (is_nibble(type)) return Type::s4;
    return is_small_float(type) ? Type::e4m3 : type;
  };
  return family(types[1]) == family(types[2]) && accumulates(types[1], types[0]) &&
         accumulates(types[1], types[3]);
}

// The layout of mma or of wmma.
struct Layouts {
  int (*registers)(const FragmentShape&);
  int (*elements)(const FragmentShape&);
  MatrixPosition (*position)(const FragmentShape&, int lane, int index);
};

// Where the elements of all lanes are: in every layout the lane and the index each move an element by themselves.
class Places {
 public:
  Places(const FragmentShape& f, const Layouts& layouts)
      : of_index_(static_cast<std::size_t>(layouts.elements(f))) {
    for (int lane = 0; lane < kWarpLanes; ++lane)
      of_lane_[static_cast<std::size_t>(lane)] = layouts.position(f, lane, 0);
    for (std::size_t index = 0; index < of_index_.size(); ++index)
      of_index_[index] = layouts.position(f, 0, static_cast<int>(index));
  }
  int elements() const { return static_cast<int>(of_index_.size()); }
  MatrixPosition at(int lane, int index) const {
    const MatrixPosition &from = of_lane_[static_cast<std::size_t>(lane)],
                         &more = of_index_[static_cast<std::size_t>(index)];
    return {from.row + more.row, from.column + more.column};
  }

 private:
  std::array<MatrixPosition, kWarpLanes> of_lane_;
  std::vector<MatrixPosition> of_index_;
};

std::vector<std::uint64_t> gather(const FragmentShape& f, const Layouts& layouts,
                                  std::span<const Lanes> registers) {
  const int columns = f.which == Fragment::a ? f.shape[2] : f.shape[1];
  const Places places(f, layouts);
  const int bits = bits_of(f.type);
  std::vector<std::uint64_t> matrix(static_cast<std::size_t>(element_count(f)));
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int index = 0; index < places.elements(); ++index) {
      const MatrixPosition at = places.at(lane, index);
      matrix[static_cast<std::size_t>(at.row * columns + at.column)] =
          fragment_element(registers, lane, index, bits);
    }
  }
  return matrix;
}

void write_product(const ptx::Instruction& i, const Layouts& layouts, const Matrices& in,
                   std::span<Lanes> d) {
  const std::array<Type, 4> types = types_of(i);
  const bool clamp = i.saturate || i.saturate_finite, integers = types[0] == Type::s32;
  const FloatProduct product(integers ? Matrices{} : in, i.shape, types);
  const Places places({Fragment::d, i.shape, types[0]}, layouts);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int index = 0; index < places.elements(); ++index) {
      const MatrixPosition at = places.at(lane, index);
      const std::uint64_t value =
          integers ? integer_element(in, i.shape, types, clamp, at.row, at.column) : product.element(at);
      set_fragment_element(d, lane, index, bits_of(types[0]), value);
    }
  }
}

bool multiply(const ptx::Instruction& i, const Layouts& layouts, std::span<const Lanes> a,
              std::span<const Lanes> b, std::span<const Lanes> c, std::span<Lanes> d) {
  const std::array<Type, 4> types = types_of(i);
  const FragmentShape fa{Fragment::a, i.shape, types[1]}, fb{Fragment::b, i.shape, types[2]};
  const FragmentShape fc{Fragment::c, i.shape, types[3]}, fd{Fragment::d, i.shape, types[0]};
  const auto fits = [&](const FragmentShape& f, std::size_t size) {
    return layouts.registers(f) != 0 && static_cast<std::size_t>(layouts.registers(f)) == size;
  };
  if (!types_agree(types)) return false;
  if (!fits(fa, a.size()) || !fits(fb, b.size()) || !fits(fc, c.size()) || !fits(fd, d.size())) return false;
  write_product(i, layouts, {gather(fa, layouts, a), gather(fb, layouts, b), gather(fc, layouts, c)}, d);
  return true;
}

int mma_elements(const FragmentShape& f) { return element_count(f) / kWarpLanes; }

// ---- sparse ----

// What of a row's elements is stored: two of four neighbours, of tf32 one of two, of 4-bit integers two pairs of four.
struct Sparsity {
  int group = 0;   // neighbours along k
  int stored = 0;  // of them
  int each = 1;    // elements at a place
};
Sparsity sparsity_of(Type type) {
  if (type == Type::tf32) return {2, 1, 1};
  return is_nibble(type) ? Sparsity{8, 4, 2} : Sparsity{4, 2, 1};
}

// The 4 bits of a group of a row (measured on an H200, as the ISA's figures have it). Rows of 16-bit elements and tf32
// have 16 bits in a lane, the lower row the low ones; those of smaller elements 32, each row in a lane of its own.
std::uint32_t named_of(const Lanes& metadata, Type type, int depth, int selector, int row, int group) {
  const int first = row % 8 * 4, upper = row / 8;
  const bool is_wide = is_half(type) || type == Type::tf32;
  const int groups = depth / sparsity_of(type).group, in_lane = is_wide ? 4 : 8;
  const int lane = is_wide ? first + (groups > 4 ? 2 * selector : selector) + group / in_lane
                           : first + 2 * (groups > 8 ? group / in_lane : selector) + upper;
  const int shift = (is_wide ? 16 * upper : 0) + 4 * (group % in_lane);
  return metadata[static_cast<std::size_t>(lane)] >> shift & 0xf;
}

// The places that 4 bits name, each below `group / each`.
std::array<int, 2> places_of(std::uint32_t named, Type type) {
  if (type == Type::tf32) return {named == 0xe ? 1 : 0, 0};
  return {static_cast<int>(named & 3), static_cast<int>(named >> 2)};
}
bool is_legal(std::uint32_t named, Type type) {
  return type == Type::tf32 ? named == 0x4 || named == 0xe : (named & 3) < named >> 2;
}

int most_selectors(Type type, int depth) {
  const int groups = depth / sparsity_of(type).group;
  if (is_half(type) || type == Type::tf32) return groups > 4 ? 2 : 4;
  return groups > 8 ? 1 : 2;
}

// stored: 16 rows of half the depth.
void expand(Matrices& in, const std::vector<std::uint64_t>& stored, const Lanes& metadata, Type type,
            int depth, int selector) {
  const Sparsity sparse = sparsity_of(type);
  const auto cells = static_cast<std::size_t>(16 * depth);
  in.a.assign(cells, 0), in.kept.assign(cells, false);
  std::size_t next = 0;
  for (int row = 0; row < 16; ++row)
    for (int group = 0; group < depth / sparse.group; ++group) {
      const auto places = places_of(named_of(metadata, type, depth, selector, row, group), type);
      for (int i = 0; i < sparse.stored; ++i) {
        const int place = places[static_cast<std::size_t>(i / sparse.each)] * sparse.each + i % sparse.each;
        const auto at = static_cast<std::size_t>(row * depth + group * sparse.group + place);
        in.a[at] = stored[next++], in.kept[at] = true;
      }
    }
}

// ---- wmma ----

bool has_wmma_shape(Type type, const Shape& s) {
  const bool k16 = s == Shape{16, 16, 16} || s == Shape{32, 8, 16} || s == Shape{8, 32, 16};
  if (is_half(type) || is_small_integer(type)) return k16;
  if (type == Type::tf32) return s == Shape{16, 16, 8};
  return type == Type::f64 && s == Shape{8, 8, 4};
}
bool has_wmma_sum(Type type, const Shape& s) {
  if (type == Type::f64) return s == Shape{8, 8, 4};
  if (type == Type::f32 && s == Shape{16, 16, 8}) return true;
  return is_accumulator_type(type) && has_wmma_shape(Type::f16, s);
}

}  // namespace

std::uint64_t fragment_element(std::span<const Lanes> registers, int lane, int index, int bits) {
  const auto l = static_cast<std::size_t>(lane);
  const auto n = static_cast<std::size_t>(index);
  if (bits == 64) return static_cast<std::uint64_t>(registers[2 * n + 1][l]) << 32 | registers[2 * n][l];
  const std::size_t per_register = 32 / static_cast<std::size_t>(bits);
  return detail::zero_extend(
      registers[n / per_register][l] >> (n % per_register * static_cast<std::size_t>(bits)), bits);
}

void set_fragment_element(std::span<Lanes> registers, int lane, int index, int bits, std::uint64_t value) {
  const auto l = static_cast<std::size_t>(lane);
  const auto n = static_cast<std::size_t>(index);
  if (bits == 64) {
    registers[2 * n][l] = static_cast<std::uint32_t>(value);
    registers[2 * n + 1][l] = static_cast<std::uint32_t>(value >> 32);
    return;
  }
  const std::size_t per_register = 32 / static_cast<std::size_t>(bits);
  const auto shift = static_cast<int>(n % per_register) * bits;
  const auto mask = static_cast<std::uint32_t>(detail::low_mask(bits)) << shift;
  std::uint32_t& word = registers[n / per_register][l];
  word = (word & ~mask) | (static_cast<std::uint32_t>(value) << shift & mask);
}

int mma_registers(const FragmentShape& f) {
  const bool known = is_accumulator(f.which) ? is_mma_tile(f.shape) && is_accumulator_type(f.type)
                                             : has_mma_shape(f.type, f.shape);
  return known ? mma_elements(f) * bits_of(f.type) / 32 : 0;
}

// "groupID = lane >> 2, threadID_in_group = lane % 4" in every figure. A word holds neighbours along k.
MatrixPosition mma_position(const FragmentShape& f, int lane, int index) {
  const int group = lane / 4, thread = lane % 4;
  const int per_word = std::max(1, 32 / bits_of(f.type));
  const int word = index / per_word, within = index % per_word;
  if (f.which == Fragment::a) {
    const int halves = f.shape[0] / 8;  // rows group and group + 8 take turns
    return {group + 8 * (word % halves), (thread + 4 * (word / halves)) * per_word + within};
  }
  if (f.which == Fragment::b) return {(thread + 4 * word) * per_word + within, group};
  return {group + 8 * (index / 2), 2 * thread + index % 2};
}

bool mma(const ptx::Instruction& instruction, std::span<const Lanes> a, std::span<const Lanes> b,
         std::span<const Lanes> c, std::span<Lanes> d) {
  return multiply(instruction, {mma_registers, mma_elements, mma_position}, a, b, c, d);
}

bool has_legal_metadata(const ptx::Instruction& i, const Lanes& metadata, int selector) {
  const Type type = i.matrix_types[1];
  const int depth = i.shape[2], groups = depth / sparsity_of(type).group;
  if (selector < 0 || selector >= most_selectors(type, depth)) return false;
  for (int row = 0; row < 16; ++row)
    for (int group = 0; group < groups; ++group)
      if (!is_legal(named_of(metadata, type, depth, selector, row, group), type)) return false;
  return true;
}

bool is_sparse_shape(Type type, const std::array<std::uint16_t, 3>& s) {
  const auto half = static_cast<std::uint16_t>(s[2] / 2);
  return s[0] == 16 && s[2] % 2 == 0 && type != Type::f64 && has_mma_shape(type, {s[0], s[1], half});
}

bool sparse_mma(const ptx::Instruction& i, std::span<const Lanes> a, std::span<const Lanes> b,
                std::span<const Lanes> c, const Lanes& metadata, int selector, std::span<Lanes> d) {
  const std::array<Type, 4> types = types_of(i);
  if (!types_agree(types) || !is_sparse_shape(types[1], i.shape)) return false;
  const Layouts layouts{mma_registers, mma_elements, mma_position};
  const auto half = static_cast<std::uint16_t>(i.shape[2] / 2);
  const FragmentShape fa{Fragment::a, {16, 8, half}, types[1]}, fb{Fragment::b, i.shape, types[2]};
  const FragmentShape fc{Fragment::c, i.shape, types[3]}, fd{Fragment::d, i.shape, types[0]};
  const auto size_of = [](const FragmentShape& f) {
    return static_cast<std::size_t>(mma_elements(f) * bits_of(f.type) / 32);
  };
  if (a.size() != size_of(fa) || b.size() != size_of(fb) || c.size() != size_of(fc) ||
      d.size() != size_of(fd))
    return false;
  Matrices in{{}, gather(fb, layouts, b), gather(fc, layouts, c)};
  expand(in, gather(fa, layouts, a), metadata, types[1], i.shape[2], selector);
  write_product(i, layouts, in, d);
  return true;
}

void load_matrices(std::span<const MatrixRow> rows, bool transposed, std::span<Lanes> d) {
  for (std::size_t matrix = 0; matrix < d.size(); ++matrix) {
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      std::uint16_t half[2] = {};
      for (std::size_t k = 0; k < 2; ++k) {  // lane holds (lane / 4, 2 * (lane % 4) + k), or its mirror
        const std::size_t row = lane / 4, column = 2 * (lane % 4) + k;
        const MatrixRow& source = rows[8 * matrix + (transposed ? column : row)];
        std::memcpy(&half[k], source.data() + 2 * (transposed ? row : column), 2);
      }
      d[matrix][lane] = static_cast<std::uint32_t>(half[1]) << 16 | half[0];
    }
  }
}

void store_matrices(std::span<const Lanes> source, bool transposed, std::span<MatrixRow> rows) {
  for (std::size_t matrix = 0; matrix < source.size(); ++matrix) {
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t row = lane / 4, column = 2 * (lane % 4) + k;
        const auto half = static_cast<std::uint16_t>(source[matrix][lane] >> (16 * k));
        MatrixRow& target = rows[8 * matrix + (transposed ? column : row)];
        std::memcpy(target.data() + 2 * (transposed ? row : column), &half, 2);
      }
    }
  }
}

Lanes transposed_matrix(const Lanes& a) {
  std::array<MatrixRow, 8> rows{};
  std::array<Lanes, 1> result{};
  store_matrices(std::span(&a, 1), false, rows);
  load_matrices(rows, true, result);
  return result[0];
}

int wmma_registers(const FragmentShape& f) { return wmma_elements(f) * bits_of(f.type) / 32; }

int wmma_elements(const FragmentShape& f) {
  const bool known =
      is_accumulator(f.which) ? has_wmma_sum(f.type, f.shape) : has_wmma_shape(f.type, f.shape);
  if (!known) return 0;
  // f16 multiplicands always take eight registers, whatever the shape: "a vector expression containing eight
  // .f16x2".
  if (!is_accumulator(f.which) && f.type == Type::f16) return 16;
  return element_count(f) / kWarpLanes;
}

int wmma_distinct(const FragmentShape& f) {
  return std::min(wmma_elements(f), element_count(f) / kWarpLanes);
}

WmmaAccesses wmma_accesses(const ptx::Instruction& i) {
  const bool by_rows = i.layout_a == ptx::Layout::row;
  const bool is_factor = i.fragment == ptx::Fragment::a || i.fragment == ptx::Fragment::b;
  const int bytes = ptx::size_in_bytes(i.type);
  const bool pairs =
      (bytes == 2 || (bytes == 4 && !is_factor)) && (i.fragment == ptx::Fragment::b ? !by_rows : by_rows);
  const int elements = pairs ? 2 : 1, words = wmma_distinct({i.fragment, i.shape, i.type}) / elements;
  const bool are_matrices =
      pairs && bytes == 2 && i.opcode == ptx::Opcode::wmma_load && i.space == ptx::Space::shared;
  return {are_matrices ? (words + 3) / 4 : words, elements, words, are_matrices};
}

// A wmma is made of m16n8 tiles (m8n8 for f64). m8n32 is computed transposed: b's columns play the rows of
// the tile.
MatrixPosition wmma_position(const FragmentShape& f, int lane, int index) {
  const int k = f.shape[2];
  const bool swapped = f.shape[1] > f.shape[0];
  const int rows = swapped ? f.shape[1] : f.shape[0], columns = swapped ? f.shape[0] : f.shape[1];
  const int group = lane / 4, thread = lane % 4, halves = std::min(rows, 16) / 8;
  const auto placed = [swapped](int row, int column) {
    return swapped ? MatrixPosition{column, row} : MatrixPosition{row, column};
  };
  if (is_accumulator(f.which)) {
    const int tile = index / 2, half = tile % halves, across = tile / halves % (columns / 8);
    const int band = tile / (halves * (columns / 8));
    return placed(16 * band + 8 * half + group, 8 * across + 2 * thread + index % 2);
  }
  const int per_word = std::max(1, 32 / bits_of(f.type)), words_along_k = std::max(1, k / (4 * per_word));
  const int unique = index % (element_count(f) / kWarpLanes);
  const int word = unique / per_word, within = unique % per_word;
  if ((f.which == Fragment::a) != swapped) {  // the tile's left operand
    const int along = word / halves % words_along_k, band = word / (halves * words_along_k);
    return placed(16 * band + 8 * (word % halves) + group, (thread + 4 * along) * per_word + within);
  }
  const int along = word % words_along_k;
  return placed((thread + 4 * along) * per_word + within, 8 * (word / words_along_k) + group);
}

bool wmma(const ptx::Instruction& instruction, std::span<const Lanes> a, std::span<const Lanes> b,
          std::span<const Lanes> c, std::span<Lanes> d) {
  return multiply(instruction, {wmma_registers, wmma_elements, wmma_position}, a, b, c, d);
}

}  // namespace warplens::emulator
