// What a kernel is asked to compute: its sizes, buffers, arguments, reference result, work and least traffic.
// A problem knows nothing of GPUs; engines copy the buffers, pass the arguments, and hand the output back.
//
// Inputs. random: uniform floats in [-1, 1), a multiple of 2^-23, from the seed, the buffer and the element
// alone, so the same on every machine. ones: 1. index: the element's place in memory, modulo 2^24. identity:
// the first input is 1 where row = column and 0 elsewhere, later inputs are as for index, so a product shows
// the other matrix. equal and all behind it: input.hpp.
//
// Verification. The relative error of an element is |got - reference| / scale; the reference is computed in
// double.
//   * sums of products: scale = sum |a||b| over the element's K terms, so that cancellation does not fail a
//     right result
//   * sums: scale = sum |x| over the N terms
//   * copies and least sums: equal bit for bit; the error of an element that is not is
//     |got - reference| / |reference|
// An element is right where its error is at most (min(K, 4 sqrt K) + 1) u, u = 2^-24: K u is the bound of any
// order of summation (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (3.5) and (4.4)), and
// 4 sqrt K u that of Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815, theorem 2.4 with lambda = 4. NaN
// and infinity are never right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/problem/argument.hpp"
#include "engine/problem/verification.hpp"

namespace warplens::problem {

using catalog::Values;

enum class ElementType : std::uint8_t { f32, f64, i32, f16, bf16, i8, u8, i16, u16, u32, i64, u64 };
std::size_t size_in_bytes(ElementType type);

// How a buffer is laid out for pictures: rows x columns, leading dimension in elements.
struct MatrixShape {
  std::int64_t rows = 0, columns = 0, leading_dimension = 0;
  bool row_major = true;
};

struct Buffer {
  std::string name;  // as in the kernel's signature: "A"
  ElementType type = ElementType::f32;
  std::size_t elements = 0;
  MatrixShape shape;
  bool is_output = false;       // holds nothing of use before a run, compared after it
  bool starts_at_zero = false;  // an output that kernels add to: zero before a run
  bool starts_filled = false;   // an output that kernels read first: filled like an input
  bool is_copy = false;         // an input that is another one laid out otherwise: kernels may leave it alone
};

enum class Pattern : std::uint8_t { random, ones, index, identity, equal, zero, large, negative, gaps };

// One problem at one size with its input data. Immutable after making; safe to share between threads.
class Instance {
 public:
  virtual ~Instance() = default;
  virtual const std::vector<Buffer>& buffers() const = 0;
  virtual const std::vector<Argument>& arguments() const = 0;
  virtual std::string_view signature() const = 0;  // of the problem, as Problem::signature()
  // Initial contents of buffers()[i]: elements * size bytes; for an output, a mark of what nobody wrote (see
  // input.hpp) or zeros. Made on the first call; any number of threads may ask.
  virtual std::span<const std::byte> initial(std::size_t buffer) const = 0;
  // output: final contents of the output buffer. checked: empty for all elements, or one flag an element
  // (a sample of blocks wrote only those): then only their reference is computed. The reference is kept for
  // the next call.
  virtual Verification verify(std::span<const std::byte> output,
                              std::span<const std::uint8_t> checked = {}) const = 0;
  // The same of all outputs: contents of every buffer, empty where not kept. checked is of the first output.
  virtual Verification verify_all(std::span<const std::span<const std::byte>> contents,
                                  std::span<const std::uint8_t> checked = {}) const;
  // Of a problem whose result is that of another kernel: whether that has to be run yet; its outputs, by
  // buffer.
  virtual bool wants_reference() const { return false; }
  virtual void set_reference(std::vector<std::vector<std::byte>>) const {}
  virtual double operations() const = 0;  // of the whole problem (2MNK for sgemm); 0: none
  // Bytes any kernel must move: each input read once, each output written once.
  virtual double least_bytes() const = 0;
};

// A kind of problem: "sgemm", "sgemm_column", "transpose", "reduce", "minplus", ...
class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view signature() const = 0;           // "const float* A, float* C, int M, int N, int K"
  virtual std::vector<std::string> size_names() const = 0;  // {"M", "N", "K"}
  virtual Values default_sizes() const = 0;
  virtual bool has_multiply_adds() const = 0;  // whether its operations are, or may be
  // Equal for problems that compute the same from the same data: the name, or what a file says of its own.
  virtual std::string_view key() const = 0;
  virtual bool has_one_size() const = 0;      // its kernel takes one number for all of its sizes
  virtual std::string_view like() const = 0;  // the kernel whose result is the right one; empty: none
  virtual bool has_gaps() const = 0;          // whether Pattern::gaps is data of its own
  // Errors: a size below 1, one whose buffers pass 2^31 - 1 elements or max_bytes in all (says the largest
  // that fits).
  virtual Result<std::shared_ptr<const Instance>> make(const Values& sizes, Pattern pattern,
                                                       std::uint64_t seed, std::uint64_t max_bytes) const = 0;
};

// The known problems. find: an unknown name is an error that lists them; of a kernel, with the line of its
// file.
std::span<const Problem* const> all_problems();
Result<const Problem*> find_problem(std::string_view name);
// The problem of a kernel file, named or its own, with these values of its parameters (else the file's).
using SharedProblem = std::shared_ptr<const Problem>;
Result<SharedProblem> find_problem(const catalog::KernelSpec& spec, const Values& parameters = {});
// "512" or "35,79,19" in the order of size_names (one number sets all). Errors say the right form.
// Sizes are whole numbers from 1 to 2^31 - 1.
Result<Values> parse_sizes(const Problem& problem, std::string_view text);
// Whether the operations of a kernel's problem are multiply-adds, in which a device's peak is counted: work
// without them reaches half of it. False where there is no such problem.
bool has_multiply_adds(const catalog::KernelSpec& spec);

}  // namespace warplens::problem
