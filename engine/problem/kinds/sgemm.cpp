// sgemm: C[M][N] = A[M][K] * B[K][N], row-major.
//
// sgemm_column: the product of the NCSA lectures, column-major: a[i + n*j] = sum over k of b[i + n*k] * c[k +
// p*j]. a is n x m, b is n x p, c is p x m, and the kernels take (a, b, c, n, m, p) in this order (lecture
// 002, K1). The sizes keep the names of sgemm: M = n rows of a, N = m columns of a, K = p terms of a sum. The
// output a is written, not added to, as in the lectures' kernels, so += is a wrong result.
#include "engine/problem/kinds.hpp"
#include "engine/problem/matrix_product.hpp"

namespace warplens::problem {
namespace {

class Sgemm : public InstanceData {
 public:
  explicit Sgemm(Request request) : Sgemm(std::move(request), {"M", "N", 0, 1}) {}

  Comparison compare(std::span<const std::byte> output,
                     std::span<const std::uint8_t> checked) const override {
    return product_.compare(floats(shape_.left), floats(shape_.right), output, checked);
  }
  double operations() const override {
    return 2.0 * static_cast<double>(size("M")) * static_cast<double>(size("N")) *
           static_cast<double>(size("K"));
  }

 protected:
  // Of the row-major product in memory: the sizes that are its rows and columns, the buffers of its factors.
  struct Shape {
    const char *rows, *columns;
    std::size_t left, right;
  };
  Sgemm(Request request, const Shape& shape)
      : InstanceData(std::move(request)),
        shape_(shape),
        product_(size(shape.rows), size(shape.columns), size("K")) {}

 private:
  Shape shape_;
  MatrixProduct product_;
};

// In memory, column-major a[n x m] is row-major a^T[m][n] = c^T[m][p] * b^T[p][n].
class SgemmColumn final : public Sgemm {
 public:
  explicit SgemmColumn(Request request) : Sgemm(std::move(request), {"N", "M", 2, 1}) {}
};

std::vector<Argument> arguments(const Values& sizes) {
  return {BufferArgument{0},           BufferArgument{1},           BufferArgument{2},
          int_argument(sizes.at("M")), int_argument(sizes.at("N")), int_argument(sizes.at("K"))};
}

Layout layout(const Values& sizes) {
  const std::int64_t m = sizes.at("M"), n = sizes.at("N"), k = sizes.at("K");
  return {{matrix("A", m, k), matrix("B", k, n), output(matrix("C", m, n))}, arguments(sizes)};
}

Layout column_layout(const Values& sizes) {
  const std::int64_t n = sizes.at("M"), m = sizes.at("N"), p = sizes.at("K");
  return {{output(matrix("a", n, m, false)), matrix("b", n, p, false), matrix("c", p, m, false)},
          arguments(sizes)};
}

// Large enough for the large tiles of late steps to fill a device: at 512 they leave most of it idle.
std::vector<SizeName> sizes() { return {{"M", 2048}, {"N", 2048}, {"K", 2048}}; }

}  // namespace

Kind sgemm_kind() {
  return {"sgemm",
          "const float* A, const float* B, float* C, int M, int N, int K",
          sizes(),
          layout,
          make_instance<Sgemm>,
          true};
}

Kind sgemm_column_kind() {
  return {"sgemm_column",
          "float* a, const float* b, const float* c, int n, int m, int p",
          sizes(),
          column_layout,
          make_instance<SgemmColumn>,
          true};
}

}  // namespace warplens::problem
