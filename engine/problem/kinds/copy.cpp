// copy: out[i] = in[i] for N floats, bit for bit. What a ladder of memory patterns has in common: every
// kernel moves the same bytes, and only which lane moves which element differs.
#include <algorithm>

#include "engine/problem/compare_parts.hpp"
#include "engine/problem/kinds.hpp"

namespace warplens::problem {
namespace {

enum BufferIndex : std::size_t { kIn, kOut };

class Copy final : public InstanceData {
 public:
  explicit Copy(Request request) : InstanceData(std::move(request)) {}

  Comparison compare(std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked) const override {
    const std::int64_t n = size("N");
    const auto compare_part = [&](std::size_t part, Comparison& comparison) {
      const std::int64_t first = static_cast<std::int64_t>(part) * kPart;
      compare_range(first, std::min(n, first + kPart), output, checked, comparison);
    };
    return compare_parts(static_cast<std::size_t>((n + kPart - 1) / kPart), 0, compare_part);
  }
  double operations() const override { return 0; }

 private:
  static constexpr std::int64_t kPart = 1 << 16;

  void compare_range(std::int64_t first, std::int64_t end, std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked, Comparison& comparison) const {
    const std::span<const float> in = floats(kIn);
    for (std::int64_t i = first; i < end; ++i) {
      if (!checked.empty() && checked[static_cast<std::size_t>(i)] == 0) continue;
      comparison.copy(i, float_at(output, i), in[static_cast<std::size_t>(i)]);
    }
  }
};

Layout layout(const Values& sizes) {
  const std::int64_t n = sizes.at("N");
  return {{matrix("in", 1, n), output(matrix("out", 1, n))},
          {BufferArgument{kIn}, BufferArgument{kOut}, int_argument(n)}};
}

}  // namespace

Kind copy_kind() {
  return {"copy", "const float* in, float* out, int N", {{"N", 1 << 24}}, layout, make_instance<Copy>};
}

}  // namespace warplens::problem
