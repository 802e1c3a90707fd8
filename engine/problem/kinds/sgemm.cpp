// sgemm: C[M][N] = A[M][K] * B[K][N], row-major.
#include "engine/problem/kinds.hpp"
#include "engine/problem/matrix_product.hpp"

namespace warplens::problem {
namespace {

enum BufferIndex : std::size_t { kA, kB, kC };

class Sgemm final : public InstanceData {
 public:
  explicit Sgemm(Request request)
      : InstanceData(std::move(request)), product_(size("M"), size("N"), size("K")) {}

  Verification verify(std::span<const std::byte> output,
                      std::span<const std::uint8_t> checked) const override {
    const Verification spans = check_spans(buffers()[kC], output, checked);
    if (!spans.verified) return spans;
    return product_.compare(floats(kA), floats(kB), output, checked).result(buffers()[kC]);
  }
  double operations() const override {
    return 2.0 * static_cast<double>(size("M")) * static_cast<double>(size("N")) *
           static_cast<double>(size("K"));
  }

 private:
  MatrixProduct product_;
};

Layout layout(const Values& sizes) {
  const std::int64_t m = sizes.at("M"), n = sizes.at("N"), k = sizes.at("K");
  return {{matrix("A", m, k), matrix("B", k, n), output(matrix("C", m, n))},
          {BufferArgument{kA}, BufferArgument{kB}, BufferArgument{kC}, int_argument(m), int_argument(n),
           int_argument(k)}};
}

}  // namespace

Kind sgemm_kind() {
  return {"sgemm",
          "const float* A, const float* B, float* C, int M, int N, int K",
          {{"M", 512}, {"N", 512}, {"K", 512}},
          layout,
          [](Request request) -> std::shared_ptr<const Instance> {
            return std::make_shared<Sgemm>(std::move(request));
          },
          true};
}

}  // namespace warplens::problem
