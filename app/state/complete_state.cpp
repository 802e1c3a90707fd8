#include "app/state/complete_state.hpp"

#include "engine/catalog/launches.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::app {

catalog::Values complete_values(const catalog::KernelSpec& spec, const catalog::Values& params,
                                const catalog::Values& sizes) {
  if (const auto values = catalog::resolve_values(spec, params, sizes)) return *values;
  if (const auto own = catalog::resolve_values(spec, {}, sizes)) return *own;
  return catalog::default_values(spec);
}

Status complete_kernel(State& state, const catalog::KernelSpec& spec) {
  const auto problem = problem::find_problem(spec);
  if (!problem) return problem.error();
  state.kernel = spec.id;
  catalog::Values sizes = (*problem)->default_sizes();
  for (auto& [name, value] : sizes)
    if (const auto chosen = state.size.find(name); chosen != state.size.end()) value = chosen->second;
  state.size = std::move(sizes);
  state.params = complete_values(spec, state.params, state.size);
  return Done{};
}

}  // namespace warplens::app
