// warplens list: every kernel of the folder, with its parameters.
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/base/text_table.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "engine/base/json_text.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::app {
namespace {

// Empty for a problem that there is not.
std::string signature_of(const catalog::KernelSpec& spec) {
  const auto problem = problem::find_problem(spec);
  return problem ? std::string((*problem)->signature()) : "";
}

Json to_json(const catalog::KernelSpec& spec) {
  Json params = Json::array();
  for (const auto& param : spec.params) {
    params.push_back({{"name", param.name},
                      {"default", param.default_value},
                      {"values", param.values},
                      {"meaning", param.meaning}});
  }
  return {{"kernel", spec.id},       {"title", spec.title},
          {"problem", spec.problem}, {"signature", signature_of(spec)},
          {"idea", spec.idea},       {"watch", spec.watch},
          {"source", spec.source},   {"path", spec.path},
          {"params", params}};
}

std::string describe_params(const catalog::KernelSpec& spec) {
  std::string words;
  for (const auto& param : spec.params) {
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", param.name, param.default_value);
  }
  return words;
}

std::string to_table(const std::vector<catalog::KernelSpec>& kernels) {
  std::vector<TextRow> rows = {{"kernel", "problem", "title", "parameters"}};
  for (const auto& spec : kernels) rows.push_back({spec.id, spec.problem, spec.title, describe_params(spec)});
  return format_table(rows);
}

// Every problem, those without a kernel too: what a kernel file of one's own may name, and must declare.
std::string problem_table() {
  std::vector<TextRow> rows = {{"problem", "a kernel of it is declared as"}};
  for (const problem::Problem* problem : problem::all_problems())
    rows.push_back({std::string(problem->name()), fmt::format("kernel({})", problem->signature())});
  for (const problem::KindText& kind : problem::kind_texts()) {
    if (problem::find_problem(kind.name)) continue;
    const auto spec = catalog::parse_kernel(problem::kernel_file_of(kind), kind.name, "");
    const auto problem = spec ? problem::find_problem(*spec) : Result<problem::SharedProblem>(spec.error());
    if (problem) rows.push_back({std::string(kind.name), fmt::format("kernel({})", (*problem)->signature())});
  }
  return format_table(rows);
}

// Files that cannot be read, then those whose problem there is not.
std::vector<Error> errors_of(const catalog::Catalog& catalog) {
  std::vector<Error> errors = catalog.problems();
  for (const auto& spec : catalog.kernels())
    if (const auto problem = problem::find_problem(spec); !problem) errors.push_back(problem.error());
  return errors;
}

}  // namespace

Result<int> list_command(const CommonOptions& common) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  if (common.json) {
    Json list = Json::array();
    for (const auto& spec : catalog->kernels()) list.push_back(to_json(spec));
    fmt::print("{}", to_text(list));
  } else {
    fmt::print("{}\n{}", to_table(catalog->kernels()), problem_table());
  }
  // The good ones are listed all the same; the exit code says that not everything in the folder can be run.
  const std::vector<Error> errors = errors_of(*catalog);
  for (const Error& error : errors) print_error(error);
  return errors.empty() ? kExitFine : kExitBadInput;
}

}  // namespace warplens::app
