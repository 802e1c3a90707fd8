// sgemm_column: the product of the NCSA lectures, column-major: a[i + n*j] = sum over k of b[i + n*k] * c[k +
// p*j]. a is n x m, b is n x p, c is p x m, and the kernels take (a, b, c, n, m, p) in this order (lecture
// 002, K1). The sizes keep the names of sgemm: M = n rows of a, N = m columns of a, K = p terms of a sum. The
// output a is written, not added to, as in the lectures' kernels; it is poisoned, so += shows as NaN.
#include "engine/problem/kinds.hpp"
#include "engine/problem/matrix_product.hpp"

namespace warplens::problem {
namespace {

enum BufferIndex : std::size_t { kA, kB, kC };

class SgemmColumn final : public InstanceData {
 public:
  // In memory, column-major a[n x m] is row-major a^T[m][n] = c^T[m][p] * b^T[p][n].
  explicit SgemmColumn(Request request)
      : InstanceData(std::move(request)), product_(size("N"), size("M"), size("K")) {}

  Verification verify(std::span<const std::byte> output,
                      std::span<const std::uint8_t> checked) const override {
    const Verification spans = check_spans(buffers()[kA], output, checked);
    if (!spans.verified) return spans;
    return product_.compare(floats(kC), floats(kB), output, checked).result(buffers()[kA]);
  }
  double operations() const override {
    return 2.0 * static_cast<double>(size("M")) * static_cast<double>(size("N")) *
           static_cast<double>(size("K"));
  }

 private:
  MatrixProduct product_;
};

Layout layout(const Values& sizes) {
  const std::int64_t n = sizes.at("M"), m = sizes.at("N"), p = sizes.at("K");
  return {{output(matrix("a", n, m, false)), matrix("b", n, p, false), matrix("c", p, m, false)},
          {BufferArgument{kA}, BufferArgument{kB}, BufferArgument{kC}, int_argument(n), int_argument(m),
           int_argument(p)}};
}

}  // namespace

Kind sgemm_column_kind() {
  return {"sgemm_column",
          "float* a, const float* b, const float* c, int n, int m, int p",
          {{"M", 512}, {"N", 512}, {"K", 512}},
          layout,
          [](Request request) -> std::shared_ptr<const Instance> {
            return std::make_shared<SgemmColumn>(std::move(request));
          },
          true};
}

}  // namespace warplens::problem
