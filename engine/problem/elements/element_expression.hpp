// Expressions over the elements of buffers, as a [problem] table has them:
//
//   out[i] == in[i] + 1
//   C[row, column] == alpha * sum(k, 0, K, A[row, k] * B[k, column]) + beta * old(C)[row, column]
//
// They have the operators and functions of a front matter (engine/catalog/expression.hpp), elements of
// buffers, old(X) for what a buffer held before the kernel ran, sum, product, min, max, count, any and all
// over a range (the last is left out of it), and functions of <cmath>. Numbers are doubles. An element
// outside of its buffer is 0, as convolutions want it. docs/kernel-files.md lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/expression/tree.hpp"

namespace warplens::problem {

// The names that an expression may use beside functions.
struct ElementNames {
  struct Buffer {
    std::string name;
    bool is_matrix = false;
  };
  std::vector<Buffer> buffers;
  std::vector<std::string> numbers;  // sizes, parameters, scalars
  std::vector<std::string> indices;  // of the element that is made or judged
  std::string beside = {};  // what an error of an unknown name says at its end, of words known besides
};

enum class Reduction : std::uint8_t { sum, product, least, largest, count, any, all };

struct ElementNode {
  enum class Kind : std::uint8_t {
    number,
    named,
    index,
    load,
    negate,
    negation,
    binary,
    choose,
    call,
    reduce,
    random
  };
  Kind kind = Kind::number;
  double number = 0;
  int slot = 0;                              // of a name, an index, a buffer or a function
  bool is_old = false;                       // of a load
  expression::Op op = expression::Op::none;  // of binary
  Reduction reduction = Reduction::sum;
  int id = 0;              // of a reduction, from 0
  std::uint64_t uses = 0;  // a bit for each index that the value depends on; those bound inside are not
  std::vector<std::shared_ptr<const ElementNode>> parts;  // a reduction: from, to, term
};
using SharedElement = std::shared_ptr<const ElementNode>;

struct ElementExpression {
  std::string text;
  SharedElement root;
  int indices = 0;                 // how many there are, bound ones among them
  int reductions = 0;              // likewise
  std::vector<std::uint8_t> read;  // of each buffer: 1 where it is read, 2 where old() of it is, 3: both

  // Errors: what is not understood; no place.
  static Result<ElementExpression> parse(std::string_view text, const ElementNames& names);
};

// "out[i] == ...": the value of one element of a buffer; or anything else that must be true of every element.
struct ElementCheck {
  std::string text;
  int output = 0;  // the buffer: of the left side, or the first that is read
  bool is_value = false;
  bool is_matrix = false;  // two indices, row and column; otherwise one
  // Where the left side names one element only: its place, expressions without indices. Empty: all elements.
  std::vector<ElementExpression> at;
  ElementExpression right;  // of a value; else the whole

  static Result<ElementCheck> parse(std::string_view text, ElementNames names);
};

}  // namespace warplens::problem
