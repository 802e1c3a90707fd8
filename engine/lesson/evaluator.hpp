// What the expressions of lessons are about: a stop's run, other runs and recorded speeds.
//
//   const Expression expression("sectors('A', 'ld') / requests('A', 'ld') == 32");
//   auto value = expression.evaluate(context);   // 1
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
#include "engine/lesson/expression.hpp"
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
  run::ByHand by_hand = {};
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

// The names that expressions know, as docs/lessons.md lists them: "verified", "sectors(X)", "recorded()".
std::vector<std::string> vocabulary();

}  // namespace warplens::lesson
