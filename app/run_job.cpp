#include "app/run_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/catalog/launches.hpp"

namespace warplens::app {
namespace {

// Release notes of CUDA 13.0: the compilers' oldest architecture is 7.5.
constexpr int oldest_architecture = 75;

Result<std::pair<std::string, std::int64_t>> parse_define(const std::string& text) {
  const Error wrong{"-D " + text + " is not NAME=VALUE with a whole number", "write it as -D TILE=16"};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return wrong;
  const char* first = text.data() + equals + 1;
  const char* last = text.data() + text.size();
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(first, last, value);
  if (code != std::errc() || end != last) return wrong;
  return std::pair(text.substr(0, equals), value);
}

bool has_parameter(const catalog::KernelSpec& spec, std::string_view name) {
  return std::any_of(spec.params.begin(), spec.params.end(),
                     [&](const auto& param) { return param.name == name; });
}

// A kernel file that stands outside of any kernel folder.
Result<catalog::KernelSpec> read_kernel(const std::filesystem::path& path) {
  const auto text = read_file(path);
  if (!text) return text.error();
  return catalog::parse_kernel(*text, path.stem().string(), path.string());
}

bool is_kernel_file(std::string_view name) {
  std::error_code ignored;
  return name.ends_with(".cu") && std::filesystem::exists(std::filesystem::path(name), ignored);
}

Chosen ladder_of(const Workspace& workspace, const catalog::Catalog& catalog, std::string_view name) {
  Chosen chosen{.is_ladder = true};
  const std::string prefix = std::string(name.substr(0, name.find_last_not_of('/') + 1)) + "/";
  for (const auto& spec : catalog.kernels()) {
    if (spec.id.starts_with(prefix)) chosen.kernels.push_back(spec);
  }
  const std::string folder = (workspace.home() / "kernels" / prefix).string();
  for (const Error& problem : catalog.problems()) {
    if ((problem.place.file + "/").starts_with(folder)) chosen.files_left_out.push_back(problem);
  }
  return chosen;
}

// The part of `defines` that this step has.
catalog::Values own_part(const catalog::KernelSpec& spec, const catalog::Values& defines) {
  catalog::Values own;
  for (const auto& [name, value] : defines) {
    if (has_parameter(spec, name)) own.emplace(name, value);
  }
  return own;
}

}  // namespace

Result<catalog::Values> parse_defines(const std::vector<std::string>& defines) {
  catalog::Values values;
  for (const std::string& text : defines) {
    const auto define = parse_define(text);
    if (!define) return define.error();
    if (!values.insert(*define).second)
      return Error{"-D " + define->first + " is given twice", "give it once"};
  }
  return values;
}

Status check_someone_has(const std::vector<catalog::KernelSpec>& kernels, const catalog::Values& defines) {
  for (const auto& [name, value] : defines) {
    const bool known = std::any_of(kernels.begin(), kernels.end(),
                                   [&, &name = name](const auto& spec) { return has_parameter(spec, name); });
    if (!known) {
      return Error{(kernels.size() == 1 ? kernels.front().id + " has no parameter "
                                        : "no step of this ladder has a parameter ") +
                       name,
                   "see the parameters of each step with 'warplens list'"};
    }
  }
  return Done{};
}

Result<Chosen> choose_kernels(const Workspace& workspace, std::string_view name) {
  const auto catalog = workspace.catalog();
  if (catalog) {
    Chosen ladder = ladder_of(workspace, *catalog, name);
    if (!ladder.kernels.empty()) return ladder;
    if (!ladder.files_left_out.empty()) return ladder.files_left_out.front();
  }
  // A file of one's own needs no kernel folder.
  auto spec = catalog ? catalog->find(name) : is_kernel_file(name) ? read_kernel(name) : catalog.error();
  if (!spec) return spec.error();
  return Chosen{.kernels = {*std::move(spec)}};
}

Result<RunPlan> plan_run(const catalog::KernelSpec& spec, const catalog::Values& defines,
                         std::string_view size) {
  RunPlan plan{.spec = spec};
  const auto problem = problem::find_problem(spec);
  if (!problem) return problem.error();
  plan.problem = *problem;
  auto sizes = size.empty() ? plan.problem->default_sizes() : problem::parse_sizes(*plan.problem, size);
  if (!sizes) return sizes.error();
  plan.sizes = *std::move(sizes);
  auto parameters = catalog::resolve_values(spec, defines, plan.sizes);
  if (!parameters) return parameters.error();
  plan.parameters = *std::move(parameters);
  return plan;
}

Result<std::vector<RunPlan>> plan_runs(const Chosen& chosen, const KernelOptions& options) {
  const auto defines = parse_defines(options.defines);
  if (!defines) return defines.error();
  if (chosen.is_ladder) {
    if (const Status known = check_someone_has(chosen.kernels, *defines); !known) return known.error();
  }
  std::vector<RunPlan> plans;
  for (const auto& spec : chosen.kernels) {
    auto plan = plan_run(spec, chosen.is_ladder ? own_part(spec, *defines) : *defines, options.size);
    if (!plan) {
      Error error = plan.error();
      if (chosen.is_ladder && error.place.file.empty()) error.message = spec.id + ": " + error.message;
      return error;
    }
    plans.push_back(*std::move(plan));
  }
  return plans;
}

Status shape_launches(std::vector<RunPlan>& plans) {
  for (RunPlan& plan : plans) {
    const auto launch = catalog::launch_shape(plan.spec, plan.parameters, plan.sizes);
    if (!launch) return launch.error();
    plan.launch = *launch;
  }
  return Done{};
}

int architecture_for(const device::Device& device) {
  return std::max(device.compute_capability, oldest_architecture);
}

compile::Request build_request(const RunPlan& plan, const device::Device& device, bool want_cubin) {
  return {.source = plan.spec.code,
          .file_name = plan.spec.path,
          .defines = plan.parameters,
          .arch = architecture_for(device),
          .want_cubin = want_cubin};
}

Result<compile::Build> build_plan(compile::Compiler& compiler, const RunPlan& plan,
                                  const device::Device& device) {
  return compiler.compile(build_request(plan, device, true));
}

// Buffers of one run, in all: half of the machine's memory, and not so much that a typo in --size fills a
// large one.
std::uint64_t buffer_memory_limit() {
  constexpr std::uint64_t most = 8ull << 30;
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return most;
  return std::min(most, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) / 2);
}

std::int64_t shared_bytes(const RunPlan& plan, const compile::Build& build) {
  return build.static_shared_bytes + plan.launch.dynamic_shared_bytes;
}

int threads_per_block(const RunPlan& plan) {
  return static_cast<int>(catalog::threads_in_block(plan.launch));
}

}  // namespace warplens::app
