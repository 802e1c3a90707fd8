// The shape of a launch: the front matter's expressions with values put in.
#include <fmt/format.h>

#include <cmath>

#include "engine/catalog/launches.hpp"
#include "engine/catalog/rules.hpp"

namespace warplens::catalog {
namespace {

using Edges = std::array<std::uint32_t, 3>;

// CUDA C++ Programming Guide, technical specifications per compute capability.
constexpr Edges kLargestBlock{1024, 1024, 64};
constexpr Edges kLargestGrid{2147483647, 65535, 65535};
constexpr std::uint64_t kLargestThreads = 1024;
constexpr double kLargestShared = 2147483647;

std::string with_values(const Expression& expression, double value) {
  const std::string values = expression.values_now();
  const std::string where = values.empty() ? "" : " where " + values;
  return fmt::format("{} is {}{}", expression.text(), format_value(value), where);
}

Result<double> whole_number(const Result<Expression>& expression, std::string_view what, double least,
                            Place place) {
  if (!expression) {
    const Error& why = expression.error();
    return Error{fmt::format("{}: {}", what, why.message), why.next_step, place};
  }
  const double value = expression->evaluate();
  if (std::isfinite(value) && value == std::floor(value) && value >= least) return value;
  return Error{
      fmt::format("{}: {}, not a whole number from {} up", what, with_values(*expression, value), least),
      "use ceil_div to round up, and `require` to leave out such values", place};
}

using Expressions = std::vector<Result<Expression>>;

Expressions compiled(const std::vector<std::string>& texts, Scope& scope) {
  Expressions list;
  for (const std::string& text : texts) list.push_back(Expression::compile(text, scope));
  return list;
}

Result<Edges> edges(const Expressions& expressions, std::string_view what, Edges largest, Place place) {
  Edges result{1, 1, 1};
  if (expressions.empty() || expressions.size() > result.size()) {
    return Error{fmt::format("{} has {} entries", what, expressions.size()), "give one to three", place};
  }
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const std::string name = fmt::format("{}.{}", what, "xyz"[i]);
    const auto value = whole_number(expressions[i], name, 1, place);
    if (!value) return value.error();
    if (*value > largest[i]) {
      return Error{
          fmt::format("{} is {}, the hardware takes at most {}", name, format_value(*value), largest[i]),
          "choose other parameters or a smaller size", place};
    }
    result[i] = static_cast<std::uint32_t>(*value);
  }
  return result;
}

}  // namespace

struct Launches::Compiled {
  Compiled(KernelSpec kernel, Values all_sizes)
      : spec(std::move(kernel)),
        sizes(std::move(all_sizes)),
        filled(fill_scope(scope, spec, {}, sizes)),
        block(compiled(spec.block, scope)),
        grid(compiled(spec.grid, scope)),
        shared(Expression::compile(spec.shared, scope)) {}

  KernelSpec spec;
  Values sizes;
  Scope scope;
  Status filled;
  Expressions block, grid;
  Result<Expression> shared;
};

Launches::Launches(KernelSpec spec, Values sizes)
    : compiled_(std::make_unique<Compiled>(std::move(spec), std::move(sizes))) {}
Launches::Launches(Launches&&) noexcept = default;
Launches& Launches::operator=(Launches&&) noexcept = default;
Launches::~Launches() = default;

Result<LaunchShape> Launches::at(const Values& values) {
  const KernelSpec& spec = compiled_->spec;
  if (!compiled_->filled) return compiled_->filled.error();
  if (const Status set = fill_scope(compiled_->scope, spec, values, compiled_->sizes); !set)
    return set.error();
  const Place block_place{spec.path, spec.block_line, 0};
  const auto block = edges(compiled_->block, "block", kLargestBlock, block_place);
  if (!block) return block.error();
  const std::uint64_t threads = std::uint64_t{(*block)[0]} * (*block)[1] * (*block)[2];
  if (threads > kLargestThreads) {
    return Error{fmt::format("a block of {} x {} x {} is {} threads, the hardware takes at most {}",
                             (*block)[0], (*block)[1], (*block)[2], threads, kLargestThreads),
                 "choose smaller tile parameters", block_place};
  }
  const auto grid = edges(compiled_->grid, "grid", kLargestGrid, {spec.path, spec.grid_line, 0});
  if (!grid) return grid.error();
  const auto shared = whole_number(compiled_->shared, "shared", 0, {spec.path, spec.shared_line, 0});
  if (!shared) return shared.error();
  if (*shared > kLargestShared) {
    return Error{fmt::format("shared: {} bytes are more than any device has", format_value(*shared)),
                 "choose smaller tile parameters",
                 {spec.path, spec.shared_line, 0}};
  }
  return LaunchShape{*grid, *block, static_cast<std::uint32_t>(*shared)};
}

Result<LaunchShape> launch_shape(const KernelSpec& spec, const Values& values, const Values& sizes) {
  return Launches(spec, sizes).at(values);
}

}  // namespace warplens::catalog
