// An expression of a lesson, read once and evaluated wherever it is asked for (evaluator.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/expression/tree.hpp"
#include "engine/lesson/value.hpp"

namespace warplens::lesson {

struct Context;  // evaluator.hpp

class Expression {
 public:
  Expression() : Expression("") {}
  explicit Expression(std::string_view text);
  static Result<Expression> parse(std::string_view text);

  const std::string& text() const { return text_; }
  bool is_empty() const { return text_.empty(); }
  // What is not understood, or a name in small letters that nothing has: without place, but for the column.
  const std::optional<Error>& error() const { return error_; }

  // Errors: error(); names, arrays, kernels and recordings that are not there; runs that fail; division by zero.
  Result<Value> evaluate(const Context& context) const;
  // The sides of its comparisons that do not hold, with their values: "sectors('A') is 12". What cannot be
  // evaluated is left out.
  std::string explain(const Context& context) const;
  // Of which it asks for recorded speeds, as it names them.
  std::vector<std::string> recorded_kernels() const;

 private:
  std::string text_;
  std::shared_ptr<const expression::Node> root_;  // null where there is an error
  std::optional<Error> error_;
};

}  // namespace warplens::lesson
