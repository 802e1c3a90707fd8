#include "app/commands/choose.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/base/text_table.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/problem/kind_texts.hpp"

namespace warplens::app {
namespace {

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
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  return catalog::parse_or_guess(*text, path.stem().string(), path.string(), problem::guessed);
}

bool is_kernel_file(std::string_view name) {
  std::error_code ignored;
  return (name.ends_with(".cu") || name.ends_with(".cuh")) &&
         std::filesystem::exists(std::filesystem::path(name), ignored);
}

Chosen steps_of(const Workspace& workspace, const catalog::Catalog& catalog, std::string_view name) {
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

Result<analysis::AccessOp> chosen_op(std::string_view text) {
  using analysis::AccessOp;
  return chosen_word<AccessOp>("operation", text, {{"ld", AccessOp::load}, {"st", AccessOp::store}});
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

catalog::Values own_part(const catalog::KernelSpec& spec, const catalog::Values& defines) {
  catalog::Values own;
  for (const auto& [name, value] : defines) {
    if (has_parameter(spec, name)) own.emplace(name, value);
  }
  return own;
}

Result<Chosen> choose_kernels(const Workspace& workspace, std::string_view name) {
  std::error_code ignored;
  const bool is_ladder = std::filesystem::is_directory(workspace.home() / "kernels" / name, ignored);
  if (auto alone = is_ladder ? std::nullopt : workspace.find_alone(name)) {
    if (!*alone) return alone->error();
    return Chosen{.kernels = {**std::move(alone)}};
  }
  const auto catalog = workspace.catalog();
  if (catalog) {
    Chosen ladder = steps_of(workspace, *catalog, name);
    if (!ladder.kernels.empty()) return ladder;
    if (!ladder.files_left_out.empty()) return ladder.files_left_out.front();
  }
  // A file of one's own needs no kernel folder.
  auto spec = catalog ? catalog->find(name) : is_kernel_file(name) ? read_kernel(name) : catalog.error();
  if (!spec) return spec.error();
  return Chosen{.kernels = {*std::move(spec)}};
}

Result<run::Plan> plan_of(const catalog::KernelSpec& spec, const catalog::Values& defines,
                          std::string_view size, const device::Device& device) {
  const auto problem = problem::find_problem(spec);
  if (!problem) return problem.error();
  const auto sizes =
      size.empty() ? Result<catalog::Values>(catalog::Values()) : problem::parse_sizes(**problem, size);
  return sizes ? run::plan(spec, defines, *sizes, device) : sizes.error();
}

Result<std::vector<run::Plan>> plan_runs(const Chosen& chosen, const KernelOptions& options,
                                         const device::Device& device) {
  const auto defines = parse_defines(options.defines);
  if (!defines) return defines.error();
  if (chosen.is_ladder) {
    if (const Status known = check_someone_has(chosen.kernels, *defines); !known) return known.error();
  }
  std::vector<run::Plan> plans;
  for (const auto& spec : chosen.kernels) {
    auto plan = plan_of(spec, chosen.is_ladder ? own_part(spec, *defines) : *defines, options.size, device);
    if (!plan) {
      Error error = plan.error();
      if (chosen.is_ladder && error.place.file.empty()) error.message = spec.id + ": " + error.message;
      return error;
    }
    plans.push_back(*std::move(plan));
  }
  return plans;
}

Result<run::Plan> plan_one(const Workspace& workspace, const KernelOptions& options,
                           const device::Device& device) {
  const auto chosen = choose_kernels(workspace, options.kernel);
  if (!chosen) return chosen.error();
  if (chosen->is_ladder)
    return Error{options.kernel + " is a ladder of several kernels",
                 "name one of them, such as " + chosen->kernels.front().id};
  auto plans = plan_runs(*chosen, options, device);
  if (!plans) return plans.error();
  return std::move(plans->front());
}

double recorded_seconds(const Workspace& workspace, const run::Plan& plan) {
  const auto recorded = workspace.recorded()->speeds(plan.device.id);
  const auto* speed = recorded ? (*recorded)->find(plan.spec, plan.sizes, &plan.parameters) : nullptr;
  return speed == nullptr ? 0 : speed->seconds;
}

}  // namespace warplens::app
