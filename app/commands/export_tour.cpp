#include "app/commands/export_sources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/state/compare_choice.hpp"
#include "engine/problem/problem.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {
namespace {

void set_access(ExportOptions& options, const State& state) {
  const PlaygroundState& playground = state.playground;
  options.index = playground.index;
  options.index_stride = playground.stride;
  options.index_offset = playground.offset;
  options.op = playground.store ? "st" : "ld";
  options.access_width = playground.width;
  options.mask = playground.mask;
  // The page draws both memories; a file has one figure.
  if (const auto* figure = figures::find_figure(options.figure);
      figure == nullptr || !figure->has(figures::Trait::index))
    options.figure = playground.memory == Memory::shared ? "banks" : "coalescing";
}

// In the words of --size: the problem's order. Empty for the problem's own.
std::string size_text(const problem::Problem& problem, const catalog::Values& sizes) {
  std::string text;
  for (const std::string& name : problem.size_names())
    text += (text.empty() ? "" : ",") + std::to_string(sizes.at(name));
  return text;
}

Status set_kernel(ExportOptions& options, const State& state, const catalog::Catalog& catalog) {
  const figures::Figure* figure = figures::find_figure(options.figure);
  const auto spec = catalog.find(state.kernel);
  if (!spec) return spec.error();
  const auto problem = problem::find_problem(*spec);
  if (!problem) return problem.error();
  catalog::Values sizes = (*problem)->default_sizes();
  for (auto& [name, value] : sizes)
    if (const auto found = state.size.find(name); found != state.size.end()) value = found->second;
  // that goes over its own
  const bool own_sizes = state.size.empty() || (figure != nullptr && figure->has(figures::Trait::sizes));
  if (!own_sizes) options.kernel.size = size_text(**problem, sizes);
  if (figure != nullptr && is_plot(*figure)) {
    options.kernel.kernel = ladder_of(state.kernel);
    return Done{};
  }
  options.kernel.kernel = state.kernel;
  for (const auto& [name, value] : state.params)
    options.kernel.defines.push_back(fmt::format("{}={}", name, value));
  if (figure != nullptr && figure->has(figures::Trait::resources)) {
    options.threads = state.occupancy.threads;
    options.registers = state.occupancy.registers;
    options.shared = state.occupancy.shared;
  }
  const auto values = catalog::resolve_values(*spec, state.params, sizes);
  if (!values) return values.error();
  const auto launch = catalog::launch_shape(*spec, *values, sizes);
  if (!launch) return launch.error();
  const std::uint64_t x = launch->grid[0], y = launch->grid[1], block = state.selection.block;
  options.block = fmt::format("{},{},{}", block % x, block / x % y, block / x / y);
  return Done{};
}

}  // namespace

Result<ExportOptions> export_options(const State& state, const catalog::Catalog& catalog) {
  ExportOptions options;
  options.figure = state.view.figure;
  options.kernel.device = state.device;
  options.colors = state.drawing.colors;
  options.whole = state.drawing.whole;
  options.per = state.drawing.per;
  options.over = state.drawing.over;
  options.others = state.drawing.others;
  options.cycles = state.drawing.cycles;
  options.cursor = state.drawing.cursor;
  options.element = state.drawing.element;
  if (state.view.code == CodeView::sass || state.view.code == CodeView::source_sass) options.code = "sass";
  options.width = state.drawing.width;
  options.height = state.drawing.height;
  options.warp = state.selection.warp;
  options.step = state.selection.step;
  if (state.view.page == Page::playground) {
    set_access(options, state);
    return options;
  }
  if (const Status set = set_kernel(options, state, catalog); !set) return set.error();
  return options;
}

Result<std::vector<TourStop>> read_tour(const std::filesystem::path& folder, const KnownNames& known) {
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (files.empty()) return Error{"no tour in " + folder.string(), "put .toml states there"};
  std::sort(files.begin(), files.end());
  std::vector<TourStop> stops;
  for (const auto& file : files) {
    const auto state = read_state(file, &known);
    if (!state) return state.error();
    auto options = export_options(*state, known.catalog);
    if (!options) {
      Error error = options.error();
      error.place = {file.string(), 0, 0};
      return error;
    }
    stops.push_back({file.stem().string(), *std::move(options)});
  }
  return stops;
}

}  // namespace warplens::app
