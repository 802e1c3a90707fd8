// The expressions of lessons: parsed once, evaluated about a stop's run, other runs and recorded speeds.
//
//   auto expression = Expression::parse("sectors('A', 'ld') / requests('A', 'ld') == 32");
//   auto value = expression->evaluate(context);   // 1
//
// docs/lessons.md has the vocabulary; vocabulary() is the list of its names that a test compares with it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/expression/tree.hpp"
#include "engine/lesson/kernel_place.hpp"
#include "engine/lesson/subject.hpp"
#include "engine/lesson/value.hpp"
#include "engine/measured/recorded.hpp"

namespace warplens::lesson {

// Another run, as run('matmul/02_coalesced', size = 512, TILE = 16) asks for it. What is not said is that of
// the stop (device, size of the same problem, access) or the kernel's own.
struct RunWish {
  std::string kernel;
  std::optional<std::int64_t> size = {};  // for all sizes of the problem
  catalog::Values values = {};            // parameters and sizes by their names
  std::string device = {};
  std::optional<std::uint64_t> block = {};
  std::optional<std::uint32_t> warp = {};
  AccessWish access = {};
  ByHand by_hand = {};
  bool operator==(const RunWish&) const = default;
};

// What an expression is about. Each function is called only where the expression asks for it.
struct Context {
  const catalog::Catalog* catalog = nullptr;                // not null
  measured::Recorded* recorded = nullptr;                   // null: nothing is recorded
  KernelPlace kernels = {};                                 // of files that are named
  std::function<Result<Subject>()> shown = {};              // the stop's own; may be empty
  const OwnAccess* own_access = nullptr;                    // `access` then means this one
  std::function<Result<Subject>(const RunWish&)> run = {};  // may be empty
};

class Expression {
 public:
  // Errors: what is not understood, and a name in small letters that nothing has; no place, but the column.
  static Result<Expression> parse(std::string_view text);

  // Errors: names, arrays, kernels and recordings that are not there; runs that fail; division by zero.
  Result<Value> evaluate(const Context& context) const;
  const std::string& text() const { return text_; }
  // The sides of its comparisons that do not hold, with their values: "sectors('A') is 12". What cannot be
  // evaluated is left out.
  std::string explain(const Context& context) const;

 private:
  std::string text_;
  std::shared_ptr<const expression::Node> root_;
};

// The names that expressions know, as docs/lessons.md lists them: "verified", "sectors(X)", "recorded()".
std::vector<std::string> vocabulary();

}  // namespace warplens::lesson
