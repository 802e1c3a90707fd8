#include "engine/problem/input.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/problem/parallel.hpp"

namespace warplens::problem {
namespace {

// SplitMix64 as a counter-based generator: any element without those before it.
// Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
constexpr std::uint64_t stream_of(std::uint64_t seed, std::size_t input) {
  return mix(mix(seed + kGolden) + (input + 1) * 0xd1342543de82ef95);
}

// The top 24 bits, as a signed fraction: every value is exact in float.
float to_unit(std::uint64_t bits) {
  return static_cast<float>(static_cast<std::int32_t>(bits >> 40) - (1 << 23)) * 0x1p-23f;
}

constexpr std::int64_t kExactIndex = 1 << 24;  // whole floats are exact up to here

std::int64_t pattern_value(const Buffer& buffer, std::size_t input, Pattern pattern, std::int64_t index) {
  if (pattern == Pattern::ones) return 1;
  if (pattern == Pattern::index || input > 0) return index % kExactIndex;
  const std::int64_t leading = std::max<std::int64_t>(1, buffer.shape.leading_dimension);
  return index / leading == index % leading;
}

constexpr double kLargeValue = 100;  // exp() of it is no float
constexpr double kEqualValue = 0.5;  // sums of it are exact in any order

template <class T, class Value>
void fill(std::span<std::byte> bytes, Value value) {
  const std::size_t count = bytes.size() / sizeof(T);
  constexpr std::size_t kChunk = 1 << 16;
  parallel_for((count + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const T element = value(i);
      std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
    }
  });
}

template <class T>
void fill_typed(const Buffer& buffer, std::size_t input, Pattern pattern, std::uint64_t seed,
                std::span<std::byte> bytes) {
  const bool is_of_numbers = pattern == Pattern::random || is_of_trials(pattern);
  if (!is_of_numbers) {
    fill<T>(bytes, [&](std::size_t i) {
      return static_cast<T>(pattern_value(buffer, input, pattern, static_cast<std::int64_t>(i)));
    });
    return;
  }
  const std::uint64_t stream = stream_of(seed, input);
  fill<T>(bytes, [stream, pattern](std::size_t i) {
    const std::uint64_t bits = mix(stream + (i + 1) * kGolden);
    if constexpr (std::is_integral_v<T>) {
      if (pattern == Pattern::zero || pattern == Pattern::equal)
        return static_cast<T>(pattern == Pattern::equal);
      return static_cast<T>(static_cast<std::int64_t>(bits >> 44) - (1 << 19));  // [-2^19, 2^19)
    } else {
      return pattern == Pattern::random
                 ? static_cast<T>(to_unit(bits))
                 : static_cast<T>(value_of(pattern, static_cast<double>(to_unit(bits))));
    }
  });
}

}  // namespace

double value_of(Pattern pattern, double unit) {
  switch (pattern) {
    case Pattern::equal:
      return kEqualValue;
    case Pattern::zero:
      return 0;
    case Pattern::large:
      return kLargeValue * unit;
    case Pattern::negative:
      return -kLargeValue * (std::abs(unit) + 2.01);  // and exp() of it is 0
    default:
      return unit;
  }
}

double value_between(Pattern pattern, double from, double to, double part, bool may_grow) {
  const double own = from + part * (to - from);
  switch (pattern) {
    case Pattern::equal:
      return from + 0.5 * (to - from);
    case Pattern::zero:
      return std::clamp(0.0, from, std::max(from, to));
    case Pattern::large:
    case Pattern::negative:
      return may_grow && from < 0 && to > 0 ? value_of(pattern, 2 * part - 1) : own;
    default:
      return own;
  }
}

std::size_t bytes_of(const Buffer& buffer) { return buffer.elements * size_in_bytes(buffer.type); }

float random_float(std::uint64_t seed, std::size_t input, std::uint64_t index) {
  return to_unit(mix(stream_of(seed, input) + (index + 1) * kGolden));
}

void fill_input(const Buffer& buffer, std::size_t input, Pattern pattern, std::uint64_t seed,
                std::span<std::byte> bytes) {
  switch (buffer.type) {
    case ElementType::f32:
      return fill_typed<float>(buffer, input, pattern, seed, bytes);
    case ElementType::f64:
      return fill_typed<double>(buffer, input, pattern, seed, bytes);
    default:
      return fill_typed<std::int32_t>(buffer, input, pattern, seed, bytes);
  }
}

bool is_unwritten(std::span<const std::byte> bytes, std::size_t index, std::size_t element_bytes) {
  for (std::size_t at = index * element_bytes; at < (index + 1) * element_bytes; ++at)
    if (bytes[at] != unwritten_byte(at)) return false;
  return true;
}

void fill_output(const Buffer& buffer, std::span<std::byte> bytes) {
  if (buffer.starts_at_zero) {
    std::memset(bytes.data(), 0, bytes.size());
  } else {
    fill<std::uint32_t>(bytes, [](std::size_t) { return kUnwritten; });
    for (std::size_t at = bytes.size() / 4 * 4; at < bytes.size(); ++at) bytes[at] = unwritten_byte(at);
  }
}

}  // namespace warplens::problem
