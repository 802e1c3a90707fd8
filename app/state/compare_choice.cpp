#include "app/state/compare_choice.hpp"

#include <algorithm>

namespace warplens::app {

std::string ladder_of(std::string_view kernel) { return std::string(kernel.substr(0, kernel.find('/'))); }

std::vector<const catalog::KernelSpec*> kernels_beside(const catalog::Catalog& catalog,
                                                       const catalog::KernelSpec& own) {
  std::vector<const catalog::KernelSpec*> list;
  for (const auto& spec : catalog.kernels())
    if (spec.problem == own.problem) list.push_back(&spec);
  std::stable_partition(list.begin(), list.end(),
                        [&](const auto* spec) { return ladder_of(spec->id) == ladder_of(own.id); });
  return list;
}

const catalog::KernelSpec* kernel_named(const std::vector<const catalog::KernelSpec*>& kernels,
                                        std::string_view id) {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto* kernel) { return kernel->id == id; });
  return found == kernels.end() ? nullptr : *found;
}

void complete_sides(State& state, const std::vector<const catalog::KernelSpec*>& kernels) {
  auto here = std::find_if(kernels.begin(), kernels.end(),
                           [&](const auto* kernel) { return kernel->id == state.kernel; });
  if (here == kernels.end()) here = kernels.begin();
  const auto left = here == kernels.begin() ? here : here - 1;
  const auto right = left + 1 == kernels.end() ? left : left + 1;
  const auto complete = [&](CompareSide& side, const catalog::KernelSpec& own) {
    if (kernel_named(kernels, side.kernel) != nullptr) return;
    side = {own.id, own.id == state.kernel ? state.params : catalog::Values{}};
  };
  complete(state.compare.left, **left);
  complete(state.compare.right, **right);
}

void forget_other_sides(State& state) {
  CompareState& compare = state.compare;
  if (compare.left.kernel == state.kernel || compare.right.kernel == state.kernel) return;
  compare.left = compare.right = {};
}

}  // namespace warplens::app
