#include "engine/problem/own/chosen_kernel.hpp"

#include <algorithm>

#include "engine/problem/own/binding.hpp"
#include "engine/problem/own/host_code.hpp"

namespace warplens::problem {

const source::KernelSignature& chosen_kernel(const std::vector<source::KernelSignature>& kernels,
                                             std::string_view code) {
  const HostCode host(code);
  const auto rank = [&](const source::KernelSignature& declared) {
    const source::KernelSignature kernel = source::with_members(declared, host.structs());
    if (!can_be_run(kernel)) return 0;
    return std::ranges::any_of(kernel.parameters, &source::KernelParameter::is_pointer) ? 2 : 1;
  };
  for (const int least : {2, 1, 0})
    for (std::size_t k = kernels.size(); k-- > 0;)
      if (rank(kernels[k]) >= least && host.launch_of(kernels[k].name)) return kernels[k];
  const auto last =
      std::find_if(kernels.rbegin(), kernels.rend(), [&](const auto& kernel) { return rank(kernel) > 0; });
  return last == kernels.rend() ? kernels.back() : *last;
}

}  // namespace warplens::problem
