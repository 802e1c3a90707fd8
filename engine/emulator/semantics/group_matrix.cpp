#include "engine/emulator/semantics/group_matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "engine/emulator/semantics/aligned_product.hpp"
#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator {
namespace {

using ptx::Type;

bool is_byte_float(Type type) { return type == Type::e4m3 || type == Type::e5m2; }
bool is_byte_integer(Type type) { return type == Type::s8 || type == Type::u8; }

bool group_types_fit(Type d, Type a, Type b) {
  if (a == Type::f16 || is_byte_float(a))
    return (d == Type::f16 || d == Type::f32) && (is_byte_float(a) ? is_byte_float(b) : b == a);
  if (a == Type::bf16 || a == Type::tf32) return d == Type::f32 && b == a;
  return is_byte_integer(a) && is_byte_integer(b) && d == Type::s32;
}

bool columns_fit(int columns, Type a) {
  if (columns < 8 || columns > 256 || columns % 8 != 0) return false;
  return !is_byte_integer(a) || columns % 16 == 0 || columns == 8 || columns == 24;
}

std::size_t rounded_up(int columns) {
  return static_cast<std::size_t>((columns + kAlignedColumns - 1) / kAlignedColumns * kAlignedColumns);
}

std::size_t element_bytes(Type type) { return static_cast<std::size_t>(ptx::size_in_bytes(type)); }

// The value of a factor as f32, which is exact, and its exponent. Sets ordinary to false for infinities, NaN.
float decoded_factor(std::uint32_t bits, const FloatFormat& format, std::int32_t& exponent, bool& ordinary) {
  const int shift = format.mantissa_bits + format.padding;
  const auto magnitude = static_cast<std::uint32_t>(format.magnitude(bits)) & ~((1u << format.padding) - 1);
  const auto field = static_cast<std::int32_t>(magnitude >> shift);
  if (field != 0 && field != (1 << format.exponent_bits) - 1) {
    exponent = field - format.bias();
    const std::uint32_t sign = format.is_negative(bits) ? 0x80000000u : 0;
    const auto rebias = static_cast<std::uint32_t>(127 - format.bias()) << 23;
    return std::bit_cast<float>(
        sign | ((kF32.mantissa_bits >= shift ? magnitude << (23 - shift) : magnitude) + rebias));
  }
  const Term term = term_of(magnitude | (bits & static_cast<std::uint32_t>(format.sign_bit())), format);
  exponent = term.exponent;
  ordinary &= std::isfinite(term.value);
  return static_cast<float>(term.value);
}

// A whole chunk at once where all of its elements are normal numbers, which decoded_factor() does alike. False:
// nothing was put.
template <const FloatFormat& kFormat, class Bits>
bool put_normal(GroupFactors& factors, std::size_t at, std::size_t step, const std::byte* chunk) {
  constexpr int kShift = kFormat.mantissa_bits + kFormat.padding;
  constexpr std::uint32_t kFields = (1u << kFormat.exponent_bits) - 1;
  constexpr auto kSign = static_cast<std::uint32_t>(kFormat.sign_bit());
  constexpr auto kRebias = static_cast<std::uint32_t>(127 - kFormat.bias()) << 23;
  constexpr std::size_t kCount = 16 / sizeof(Bits);
  std::array<Bits, kCount> bits;
  std::memcpy(bits.data(), chunk, sizeof bits);
  bool are_normal = true;
  for (const std::uint32_t one : bits) {
    const std::uint32_t field = one >> kShift & kFields;
    are_normal &= field != 0 && field != kFields;
  }
  if (!are_normal) return false;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint32_t one = bits[i] & ~((1u << kFormat.padding) - 1), magnitude = one & (kSign - 1);
    const std::uint32_t sign = (one & kSign) << (31 - kShift - kFormat.exponent_bits);
    factors.value[at + i * step] = std::bit_cast<float>(sign | ((magnitude << (23 - kShift)) + kRebias));
    factors.whole[at + i * step] = static_cast<std::int32_t>(magnitude >> kShift) - kFormat.bias();
  }
  return true;
}

}  // namespace

int GroupShape::d_registers() const { return columns * kWarpRows / kWarpLanes * ptx::size_in_bytes(d) / 4; }

std::optional<GroupShape> group_shape(const ptx::Instruction& i) {
  const auto [d, a, b, unused] = i.matrix_types;
  if (i.shape[0] != kGroupRows || !group_types_fit(d, a, b) || !columns_fit(i.shape[1], a))
    return std::nullopt;
  const GroupShape shape{i.shape[1], i.shape[2], d, a, b};
  if (shape.depth * ptx::size_in_bytes(a) != 32) return std::nullopt;
  return shape;
}

MatrixPosition group_sum_position(int lane, int index) {
  return {lane / 4 + 8 * (index / 2 % 2), 8 * (index / 4) + 2 * (lane % 4) + index % 2};
}

MatrixPosition group_a_position(int bytes, int lane, int index) {
  const int per_word = 4 / bytes, word = index / per_word;
  return {lane / 4 + 8 * (word % 2), (lane % 4 + 4 * (word / 2)) * per_word + index % per_word};
}

void GroupFactors::put_element(std::size_t at, std::uint32_t bits) {
  if (is_byte_integer(type)) {
    whole[at] = type == Type::s8 ? static_cast<std::int8_t>(bits) : static_cast<std::int32_t>(bits);
    return;
  }
  value[at] = decoded_factor(bits, detail::format_of(type), whole[at], ordinary);
}

void GroupFactors::put(std::size_t at, std::size_t step, const std::byte* chunk) {
  if (type == Type::bf16 && put_normal<kBf16, std::uint16_t>(*this, at, step, chunk)) return;
  if (type == Type::f16 && put_normal<kF16, std::uint16_t>(*this, at, step, chunk)) return;
  if (type == Type::tf32 && put_normal<kTf32, std::uint32_t>(*this, at, step, chunk)) return;
  const std::size_t bytes = element_bytes(type);
  for (std::size_t i = 0; i < 16 / bytes; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, chunk + i * bytes, bytes);
    put_element(at + i * step, bits);
  }
}

// Columns that are not there count as zeros.
GroupB::GroupB(const GroupShape& shape) : stride_(rounded_up(shape.columns)) {
  const std::size_t elements = static_cast<std::size_t>(shape.depth) * stride_;
  factors_ = {std::vector<float>(elements),
              std::vector<std::int32_t>(elements, shape.d == Type::s32 ? 0 : kExponentOfZero), shape.b};
}

void GroupB::put(int k, int column, bool along_k, const std::byte* chunk) {
  factors_.put(static_cast<std::size_t>(k) * stride_ + static_cast<std::size_t>(column),
               along_k ? stride_ : 1, chunk);
}

GroupProduct::GroupProduct(const GroupShape& shape)
    : shape_(shape), depth_(static_cast<std::size_t>(shape.depth)) {
  const std::size_t elements = kWarpRows * depth_;
  a_ = {std::vector<float>(elements), std::vector<std::int32_t>(elements), shape.a};
}

void GroupProduct::put_a(int row, int k, bool along_k, const std::byte* chunk) {
  a_.put(static_cast<std::size_t>(row) * depth_ + static_cast<std::size_t>(k), along_k ? 1 : depth_, chunk);
}

void GroupProduct::put_a(std::span<const std::uint32_t* const> registers) {
  const int bytes = ptx::size_in_bytes(shape_.a), per_word = 4 / bytes;
  for (int word = 0; word < std::ssize(registers); ++word)
    for (int lane = 0; lane < kWarpLanes; ++lane)
      for (int part = 0; part < per_word; ++part) {
        const MatrixPosition at = group_a_position(bytes, lane, word * per_word + part);
        const std::uint32_t bits = registers[static_cast<std::size_t>(word)][lane] >> (8 * bytes * part) &
                                   static_cast<std::uint32_t>(detail::low_mask(8 * bytes));
        a_.put_element(static_cast<std::size_t>(at.row) * depth_ + static_cast<std::size_t>(at.column), bits);
      }
}

// Of one element, with everything that f32 does not hold.
std::uint64_t GroupProduct::sum_of(const GroupB& b, std::size_t row, std::size_t column, float c) const {
  std::vector<Term> terms{term_of(std::bit_cast<std::uint32_t>(c), kF32)};
  for (std::size_t k = 0; k < depth_; ++k) {
    const std::size_t of_a = row * depth_ + k, of_b = k * b.stride_ + column;
    terms.push_back(
        {double{a_.value[of_a]} * double{b.factors_.value[of_b]}, a_.whole[of_a] + b.factors_.whole[of_b]});
  }
  return aligned_sum(terms, kF32);
}

void GroupProduct::multiply_aligned(const GroupB& b, std::vector<float>& sums) const {
  const bool ordinary = a_.ordinary && b.factors_.ordinary;
  std::vector<std::uint8_t> left_out(sums.size(), ordinary ? 0 : 1);
  bool any = true;
  if (ordinary)
    any =
        aligned_product({a_.value.data(), a_.whole.data(), b.factors_.value.data(), b.factors_.whole.data(),
                         sums.data(), left_out.data(), kWarpRows, shape_.depth, static_cast<int>(b.stride_)});
  for (std::size_t at = 0; any && at < sums.size(); ++at)
    if (left_out[at] != 0)
      sums[at] = std::bit_cast<float>(
          static_cast<std::uint32_t>(sum_of(b, at / b.stride_, at % b.stride_, sums[at])));
}

void GroupProduct::multiply_plainly(const GroupB& b, std::vector<float>& sums) const {
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const std::size_t row = at / b.stride_, column = at % b.stride_;
    double sum = double{sums[at]};
    for (std::size_t k = 0; k < depth_; ++k)
      sum += double{a_.value[row * depth_ + k]} * double{b.factors_.value[k * b.stride_ + column]};
    sums[at] = std::bit_cast<float>(static_cast<std::uint32_t>(from_double(sum, kF32)));
  }
}

void GroupProduct::multiply_whole(const GroupB& b, bool clamp, std::vector<std::int32_t>& sums) const {
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const std::size_t row = at / b.stride_, column = at % b.stride_;
    std::int64_t sum = sums[at];
    for (std::size_t k = 0; k < depth_; ++k)
      sum += a_.whole[row * depth_ + k] * b.factors_.whole[k * b.stride_ + column];
    if (clamp) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
    sums[at] = static_cast<std::int32_t>(sum);
  }
}

void GroupProduct::multiply(const GroupB& b, bool adds, bool clamp,
                            std::span<std::uint32_t* const> registers) {
  if (negative_)
    for (float& value : a_.value) value = -value;
  negative_ = false;
  const bool halves = shape_.d == Type::f16;
  const int per_word = halves ? 2 : 1;
  const auto for_each_element = [&](auto visit) {
    for (int word = 0; word < std::ssize(registers); ++word)
      for (int lane = 0; lane < kWarpLanes; ++lane)
        for (int part = 0; part < per_word; ++part) {
          const MatrixPosition at = group_sum_position(lane, word * per_word + part);
          visit(registers[static_cast<std::size_t>(word)][lane], 16 * part,
                static_cast<std::size_t>(at.row) * b.stride_ + static_cast<std::size_t>(at.column));
        }
  };
  std::vector<float> sums(kWarpRows * b.stride_);
  std::vector<std::int32_t> whole(is_whole() ? sums.size() : 0);
  if (adds)
    for_each_element([&](std::uint32_t word, int shift, std::size_t at) {
      if (is_whole())
        whole[at] = static_cast<std::int32_t>(word);
      else
        sums[at] =
            halves ? static_cast<float>(to_double(word >> shift & 0xffff, kF16)) : std::bit_cast<float>(word);
    });
  if (is_whole())
    multiply_whole(b, clamp, whole);
  else if (is_byte_float(shape_.a))
    multiply_plainly(b, sums);
  else
    multiply_aligned(b, sums);
  for_each_element([&](std::uint32_t& word, int shift, std::size_t at) {
    if (is_whole())
      word = static_cast<std::uint32_t>(whole[at]);
    else if (!halves)
      word = std::bit_cast<std::uint32_t>(sums[at]);
    else
      word = (word & ~(0xffffu << shift)) | static_cast<std::uint32_t>(from_double(double{sums[at]}, kF16))
                                                << shift;
  });
}

}  // namespace warplens::emulator
