#include "engine/problem/file_launch.hpp"

#include <algorithm>

#include "engine/problem/own/host_code.hpp"
#include "engine/source/signature.hpp"

namespace warplens::problem {
namespace {

// The one that the front matter names, else the last.
std::string name_of(const catalog::KernelSpec& spec, const std::vector<source::KernelSignature>& kernels) {
  if (!spec.kernel.empty()) return spec.kernel.substr(0, spec.kernel.find('<'));
  return kernels.empty() ? "" : kernels.back().name;
}

}  // namespace

std::optional<FileLaunch> file_launch(const catalog::KernelSpec& spec) {
  const HostCode host(spec.code);
  const std::string name = name_of(spec, source::kernel_signatures(spec.code));
  const auto launch = name.empty() ? std::nullopt : host.launch_of(name);
  if (!launch) return std::nullopt;
  FileLaunch file{.line = launch->line, .shared = std::nullopt, .is_whole = {}, .is_never_set = {}};
  const auto all = host.launches_of(name);
  file.is_cooperative =
      std::any_of(all.begin(), all.end(), [](const HostLaunch& one) { return one.is_cooperative; });
  if (launch->is_shared_certain) file.shared = launch->shared;
  file.asks_for_shared_memory = host.asks_for_shared_memory();
  file.values = launch->values, file.grid = launch->grid, file.block = launch->block;
  bool sets_any = false;
  for (const std::string& argument : launch->arguments) {
    const auto element = host.element_passed(argument);
    file.is_whole.push_back(element && (element->empty() || host.value(*element).value_or(-1) >= 0));
    file.is_never_set.push_back(host.is_never_set(argument, name, launch->at));
    file.is_copied_back.push_back(host.is_copied_back(argument));
    file.host_takes_part |= host.is_set_beside(argument, launch->at);
    sets_any = sets_any || (!file.is_never_set.back() && host.bytes_of(argument, launch->at));
  }
  if (!sets_any) file.is_never_set.assign(launch->arguments.size(), false);  // a sketch of host code
  return file;
}

std::vector<std::string> other_kernels(const catalog::KernelSpec& spec) {
  const auto kernels = source::kernel_signatures(spec.code);
  const std::string name = name_of(spec, kernels);
  std::vector<std::string> names;
  for (const auto& kernel : kernels)
    if (kernel.name != name && std::find(names.begin(), names.end(), kernel.name) == names.end())
      names.push_back(kernel.name);
  return names;
}

}  // namespace warplens::problem
