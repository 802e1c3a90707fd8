#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "app/base/text_table.hpp"
#include "app/state/compare_choice.hpp"
#include "app/state/state_fields.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/problem/problem.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {
namespace {

// "matmul" stands for the first step of that ladder.
void name_kernel(const catalog::Catalog& catalog, std::string& kernel) {
  for (const auto& spec : catalog.kernels())
    if (!kernel.empty() && spec.id.starts_with(kernel + "/")) return void(kernel = spec.id);
}

// The sizes of the run: those of the state among the problem's own.
catalog::Values read_sizes(StateReader& reader, const problem::Problem& problem, State& state) {
  const toml::node& node = reader.at("size");
  if (reader.has("size") && !node.is_table()) {
    const auto number = node.value_exact<std::int64_t>();
    const auto given =
        problem::parse_sizes(problem, number ? std::to_string(*number) : node.value_or(std::string()));
    if (!given) return reader.fail("size", given.error()), catalog::Values{};
    state.size = *given;
  }
  catalog::Values sizes = problem.default_sizes();
  for (const auto& [name, value] : state.size) {
    const auto own = sizes.find(name);
    if (own != sizes.end())
      own->second = value;
    else
      reader.fail(reader.at("size." + name), fmt::format("{} has no size {}", problem.name(), name),
                  fmt::format("its sizes are {}", fmt::join(problem.size_names(), ", ")));
  }
  return sizes;
}

// Nothing where the reader got an error.
std::optional<catalog::LaunchShape> launch_of(StateReader& reader, const catalog::KernelSpec& spec,
                                              const catalog::Values& params, std::string_view params_key,
                                              const catalog::Values& sizes) {
  const auto values = catalog::resolve_values(spec, params, sizes);
  if (!values) return reader.fail(params_key, values.error()), std::nullopt;
  const auto launch = catalog::launch_shape(spec, *values, sizes);
  if (!launch) return reader.fail("size", launch.error()), std::nullopt;
  return *launch;
}

// "X", "X,Y" or "X,Y,Z" as the number of that block; empty if it is none of the grid.
std::optional<std::uint64_t> block_number(std::string_view text, const std::array<std::uint32_t, 3>& grid) {
  std::array<std::uint32_t, 3> at{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [next, code] = std::from_chars(text.data(), text.data() + text.size(), at[axis]);
    if (code != std::errc() || at[axis] >= grid[axis]) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(next - text.data()));
    if (text.empty()) return figures::linear_block(at, grid);
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

void name_block(StateReader& reader, const catalog::LaunchShape& launch, State& state) {
  const toml::node& node = reader.at("block");
  if (!reader.has("block") || !node.is_string()) return;
  if (const auto block = block_number(*node.value_exact<std::string>(), launch.grid))
    return void(state.selection.block = *block);
  reader.fail(node, "this is no block of the grid",
              fmt::format("write X, X,Y or X,Y,Z below {}", fmt::join(launch.grid, ",")));
}

void check_below(StateReader& reader, std::string_view key, std::uint64_t number, std::uint64_t count) {
  if (number < count) return;
  const bool is_warp = key.ends_with("warp");
  reader.fail(
      reader.at(key),
      fmt::format("there is no {} {}{}", is_warp ? "warp" : "block", number, is_warp ? " in a block" : ""),
      count == 1 ? "write 0" : fmt::format("write a number from 0 to {}", count - 1));
}

// The kernels, parameters, block and warp of a comparison that is shown: the window keeps what the page had
// before for kernels of other problems. Blocks and warps are those of the side that has more.
void check_sides(StateReader& reader, const catalog::Catalog& catalog, const catalog::KernelSpec& own,
                 const catalog::Values& sizes, const State& state) {
  const auto kernels = kernels_beside(catalog, own);
  State chosen = state;  // as the page chooses what the file leaves open
  if (!kernels.empty()) complete_sides(chosen, kernels);
  std::uint64_t blocks = 1, warps = 1;
  const auto check = [&](const std::string& key, const CompareSide& named, const CompareSide& completed) {
    const CompareSide& side = named.kernel.empty() ? completed : named;
    if (side.kernel.empty()) return;
    const auto spec = catalog.find(side.kernel);
    if (!spec) return reader.fail(key, spec.error());
    if (spec->problem != own.problem)
      return reader.fail(reader.at(key),
                         fmt::format("{} solves {}, but the state's kernel {} solves {}", spec->id,
                                     spec->problem, own.id, own.problem),
                         "compare kernels of one problem");
    const auto launch = launch_of(reader, *spec, side.params, key + "_params", sizes);
    if (!launch) return;
    blocks = std::max(blocks, catalog::blocks_in_grid(*launch));
    warps = std::max(warps, catalog::warps_in_block(*launch));
  };
  check("compare.left", state.compare.left, chosen.compare.left);
  check("compare.right", state.compare.right, chosen.compare.right);
  check_below(reader, "compare.block", state.compare.block, blocks);
  check_below(reader, "compare.warp", state.compare.warp, warps);
}

// Files that somebody wrote: the window itself opens its first figure where one is gone.
void check_figure(StateReader& reader, std::string_view key, const std::string& figure,
                  std::span<const figures::Figure> figures) {
  std::vector<std::string_view> known;
  for (const figures::Figure& one : figures) known.push_back(one.id);
  if (key == "figure") known.push_back(kOpeningFigure);
  if (std::find(known.begin(), known.end(), figure) != known.end()) return;
  reader.fail(reader.at(key),
              fmt::format("there is no figure '{}'{}", figure, key == "figure" ? "" : " of two steps"),
              "choose " + listed(known, "or"));
}

// As the playground evaluates it, for each lane.
void check_index(StateReader& reader, const PlaygroundState& playground) {
  const std::array<analysis::NamedIndex, 2> sliders{
      {{"stride", playground.stride}, {"offset", playground.offset}}};
  const auto access = analysis::access_at_index(playground.index, analysis::AccessOp::load, 4, 0xffffffffu,
                                                {.more = sliders}, "index");
  if (access) return;
  Error error = access.error();
  error.place = {};
  reader.fail(reader.has("index") ? "index" : "playground.index", error);
}

}  // namespace

void check_names(StateReader& reader, const KnownNames& known, State& state) {
  if (reader.error) return;
  name_kernel(known.catalog, state.kernel);
  const auto spec = known.catalog.find(state.kernel);
  if (!spec) return reader.fail("kernel", spec.error());
  if (const auto device = known.devices.find(state.device); !device)
    return reader.fail("device", device.error());
  const auto problem = problem::find_problem(*spec);
  if (!problem) return void(reader.error = problem.error());  // the kernel's file is wrong, not this one
  const catalog::Values sizes = read_sizes(reader, **problem, state);
  if (reader.error) return;
  constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 30;  // as a run takes
  if (const auto room = (*problem)->make(sizes, problem::Pattern::ones, 1, kMostBytes);
      !room && reader.has("size"))
    return reader.fail("size", room.error());
  if (state.view.page == Page::playground) check_index(reader, state.playground);
  const auto launch = launch_of(reader, *spec, state.params, "params", sizes);
  if (!launch) return;
  name_block(reader, *launch, state);
  if (state.view.page != Page::playground) {  // whose warp is of no block
    check_below(reader, "block", state.selection.block, catalog::blocks_in_grid(*launch));
    check_below(reader, "warp", state.selection.warp, catalog::warps_in_block(*launch));
  }
  if (!state.edit.original.empty())
    if (const auto original = known.catalog.find(state.edit.original); !original)
      return reader.fail("edit.original", original.error());
  if (state.view.page == Page::compare) check_sides(reader, known.catalog, *spec, sizes, state);
  check_figure(reader, "figure", state.view.figure, figures::all_figures());
  check_figure(reader, "compare.figure", state.compare.figure, figures::figures_of_a_run());
}

void refuse_without_names(StateReader& reader) {
  if (reader.has("size") && !reader.at("size").is_table())
    reader.fail(reader.at("size"), "these sizes have no names", "write them as [size] M = 512");
  if (reader.has("block") && reader.at("block").is_string())
    reader.fail(reader.at("block"), "this is not a whole number", "write the block's number");
}

}  // namespace warplens::app
