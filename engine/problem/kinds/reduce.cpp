// reduce: out[0] = sum of in[0] ... in[N - 1].
// One launch, any N: out has one float and starts at zero, so a kernel of one block may store its sum, and a
// kernel of many blocks adds one partial sum a block with atomicAdd(out, partial). N - 1 additions are the
// work. With random numbers an fp32 sum cannot tell one missing element from rounding where N is large; with
// the pattern `ones` every partial sum up to 2^24 is exact, and a missing element is seen.
#include <array>
#include <cmath>
#include <mutex>

#include "engine/problem/comparison.hpp"
#include "engine/problem/kinds.hpp"

namespace warplens::problem {
namespace {

enum BufferIndex : std::size_t { kIn, kOut };

struct Sums {
  double sum = 0, magnitude = 0;
};

// Eight running sums in a fixed order: the same on every machine, and no chain of dependent additions.
Sums sums_of(std::span<const float> values) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sum{}, magnitude{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum[i % kLanes] += values[i];
    magnitude[i % kLanes] += std::abs(static_cast<double>(values[i]));
  }
  Sums total;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    total.sum += sum[lane];
    total.magnitude += magnitude[lane];
  }
  return total;
}

class Reduce final : public InstanceData {
 public:
  explicit Reduce(Request request) : InstanceData(std::move(request)) {}

  Comparison compare(std::span<const std::byte> output, std::span<const std::uint8_t>) const override {
    std::call_once(summed_, [&] { sums_ = sums_of(floats(kIn)); });
    Comparison comparison(sum_tolerance(size("N")));
    comparison.sum(0, float_at(output, 0), sums_.sum, sums_.magnitude);
    return comparison;
  }
  double operations() const override { return static_cast<double>(size("N") - 1); }

 private:
  mutable std::once_flag summed_;
  mutable Sums sums_;
};

Layout layout(const Values& sizes) {
  const std::int64_t n = sizes.at("N");
  Layout result{{matrix("in", 1, n), output(matrix("out", 1, 1))},
                {BufferArgument{kIn}, BufferArgument{kOut}, int_argument(n)}};
  result.buffers[kOut].starts_at_zero = true;
  return result;
}

}  // namespace

Kind reduce_kind() {
  return {"reduce", "const float* in, float* out, int N", {{"N", 1 << 22}}, layout, make_instance<Reduce>};
}

}  // namespace warplens::problem
