#include "engine/problem/own/guess_kind.hpp"

#include <algorithm>
#include <iterator>

namespace warplens::problem {
namespace {

using What = BoundArgument::What;

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

constexpr std::string_view kSumsOfProducts[] = {"sgemm", "sgemm_nt", "gemv",   "linear",
                                                "dot",   "spmv",     "conv1d", "conv2d"};

}  // namespace

GuessedKind::GuessedKind(std::string_view code, const source::KernelSignature& kernel, std::string_view body)
    : GuessedBuffers(code, kernel, body), signs_(body_.substr(std::min(body_.find('{'), body_.size()))) {}

std::string GuessedKind::kind_of(const Hint& hint, std::string_view name) const {
  std::string kind(hint.kind);
  const bool is_of_two = has(".y");
  // The largest is no sum, and parts of each number are not the numbers.
  if ((kind == "reduce" && is_of_extremes()) || (kind == "histogram" && has(">>"))) return "";
  if ((kind == "reduce" || kind == "scan") && signs_.counts_bits()) return "";
  if (kind == "reduce" && !has("atomicAdd") && has("[blockIdx.x]")) kind = "partial_sums";
  if (kind == "scan" && is_exclusive_scan(name)) kind = "scan_exclusive";
  if (kind == "sgemm" && (has_part(name, "_nt") || has_part(name, "abt"))) kind = "sgemm_nt";
  if ((kind == "conv1d" && is_of_two) || (kind == "stencil" && !is_of_two)) return "";
  const bool sums_products = std::ranges::find(kSumsOfProducts, kind) != std::end(kSumsOfProducts);
  const bool is_passed_on = std::ranges::any_of(uses_, &PointerUse::is_passed_on);
  if (sums_products && !is_passed_on && !signs_.may_sum_products()) return "";
  if (!hint.check.empty() && !is_of_another_function(name) && signs_.is_leaky()) return "";
  return kind;
}

bool GuessedKind::is_exclusive_scan(std::string_view name) const {
  std::vector<std::string> inputs, outputs;
  for (std::size_t p = 0; p < uses_.size(); ++p) {
    if (uses_[p].is_written)
      outputs.push_back(kernel_.parameters[p].name);
    else if (uses_[p].is_read)
      inputs.push_back(kernel_.parameters[p].name);
  }
  return !has_part(name, "inclusive") && signs_.is_exclusive(inputs, outputs);
}

bool GuessedKind::is_of_extremes() const {
  const std::string small = lower(body_);
  return (has_part(small, "max(") || has_part(small, "min(") || has_part(small, "fmaxf")) &&
         !has_part(small, "sum") && !has_part(small, "atomicadd");
}

bool GuessedKind::is_alike(std::string_view kind) const {
  std::size_t pointers = 0, written = 0;
  for (std::size_t p = 0; p < uses_.size(); ++p) {
    pointers += kernel_.parameters[p].is_pointer ? 1u : 0u;
    written += uses_[p].is_written ? 1u : 0u;
  }
  const std::size_t numbers = kernel_.parameters.size() - pointers;
  if (written > 1) return false;
  if (kind == "sgemm")
    return pointers == 3 && numbers >= 1 && has(".y") && has("for") && signs_.may_sum_products();
  if (has("__shared__") || has("[blockIdx.x]")) return false;
  const bool adds = kind == "map" || signs_.adds_elements();
  return adds && !has(".y") && numbers == 1 && pointers == (kind == "map" ? 2u : 3u);
}

bool GuessedKind::fits_use(const catalog::ProblemText& text, const Binding& binding) const {
  for (std::size_t p = 0; p < uses_.size(); ++p) {
    const BoundArgument& bound = binding.arguments[p];
    if (bound.what != What::buffer || uses_[p].is_passed_on) continue;
    const bool knows = uses_[p].is_read || uses_[p].is_written;
    if (knows && text.buffers[bound.index].is_output != uses_[p].is_written) return false;
  }
  return true;
}

bool GuessedKind::names_are_clear() const {
  for (std::size_t p = 0; p < uses_.size(); ++p) {
    const std::string name = lower(kernel_.parameters[p].name);
    if (kernel_.parameters[p].is_pointer &&
        (has_part(name, "in") || has_part(name, "out") || has_part(name, "src") || has_part(name, "dst")))
      return true;
  }
  return false;
}

bool GuessedKind::bind_by_use(const catalog::ProblemText& text, Binding& binding) const {
  std::size_t input = 0, output = 0;
  const auto next = [&](std::size_t& at, bool is_output) {
    while (at < text.buffers.size() && text.buffers[at].is_output != is_output) ++at;
    return at < text.buffers.size();
  };
  for (std::size_t p = 0; p < uses_.size(); ++p) {
    BoundArgument& bound = binding.arguments[p];
    if (bound.what != What::buffer) continue;
    std::size_t& at = uses_[p].is_written ? output : input;
    if (!next(at, uses_[p].is_written)) return false;
    bound.index = at++;
  }
  return !next(input, false);
}

std::vector<std::string> GuessedKind::names_of(const catalog::ProblemText& text, const Binding& binding) {
  std::vector<std::string> names;
  for (const BoundArgument& bound : binding.arguments)
    names.push_back(bound.what == What::buffer   ? text.buffers[bound.index].name
                    : bound.what == What::scalar ? text.scalars[bound.index].name
                                                 : text.sizes[bound.index].name);
  return names;
}

bool GuessedKind::has_other_extents(const Guess& guess, const catalog::ProblemText& text,
                                    const Binding& binding) const {
  const bool is_flat = guess.sizes.size() == 1 && std::ranges::all_of(text.buffers, [](const auto& buffer) {
                         return buffer.shape.empty();
                       });
  const bool is_one_block = launch_ && !launch_->grid.empty() &&
                            std::ranges::all_of(launch_->grid, [](std::int64_t edge) { return edge == 1; });
  for (std::size_t p = 0; p < binding.arguments.size(); ++p) {
    const BoundArgument& bound = binding.arguments[p];
    const std::string& name = kernel_.parameters[p].name;
    if (is_flat && bound.what == What::size && signs_.multiplies_by(name)) return true;
    const bool is_vector =
        is_flat && bound.what == What::buffer && text.buffers[bound.index].count.text == guess.sizes[0].name;
    const auto product = is_vector && !elements_of(p) ? product_of(guess, p) : std::nullopt;
    if (product && *product != guess.sizes[0].name) return true;
    if (is_vector && uses_[p].is_written && signs_.is_only_first(name)) return true;
    if (bound.what == What::buffer && text.buffers[bound.index].count.text == "1" && !is_one_block &&
        signs_.is_indexed(name))
      return true;
  }
  return is_flat && !guess.sizes[0].is_parameter && signs_.multiplies_by(guess.sizes[0].fixed_by);
}

}  // namespace warplens::problem
