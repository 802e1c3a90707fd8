#include "app/state/state_short.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

#include "app/state/compare_choice.hpp"
#include "app/text_table.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::app {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

const toml::node& node_of(const toml::table& table, std::string_view key) {
  const toml::node* found = table.get(key);
  return found == nullptr ? table : *found;
}

void fail(TomlReader& reader, const toml::node& node, const Error& error) {
  reader.fail(node, error.message, error.next_step);
}

// "matmul" stands for the first step of that ladder.
void name_kernel(const catalog::Catalog& catalog, std::string& kernel) {
  for (const auto& spec : catalog.kernels()) {
    if (!kernel.empty() && spec.id.starts_with(kernel + "/")) return void(kernel = spec.id);
  }
}

std::string text_of(const toml::node& node) {
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  return node.value_exact<std::string>().value_or("");
}

// "X", "X,Y" or "X,Y,Z" as the number of that block; nothing where it is none of the grid.
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

void name_block(TomlReader& reader, const toml::node& node, const catalog::LaunchShape& launch,
                State& state) {
  const auto block = block_number(text_of(node), launch.grid);
  if (block) return void(state.selection.block = *block);
  reader.fail(node, "this is no block of the grid",
              "write X, X,Y or X,Y,Z below " + std::to_string(launch.grid[0]) + "," +
                  std::to_string(launch.grid[1]) + "," + std::to_string(launch.grid[2]));
}

// A table's or key's own node where the file has it, else the one above.
const toml::node& node_in(const toml::table& table, std::string_view name, std::string_view key) {
  const toml::node& above = node_of(table, name);
  const toml::table* inner = table.contains(name) ? above.as_table() : nullptr;
  return inner != nullptr && inner->contains(key) ? *inner->get(key) : above;
}

void check_size_names(TomlReader& reader, const toml::table& table, const problem::Problem& problem,
                      const State& state) {
  const auto names = problem.size_names();
  for (const auto& [name, value] : state.size) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return reader.fail(node_in(table, "size", name), fmt::format("{} has no size {}", problem.name(), name),
                       fmt::format("its sizes are {}", fmt::join(names, ", ")));
  }
}

// Of one launch.
struct Counted {
  std::uint64_t blocks = 0, warps = 0;  // in the grid, in a block
};
Counted counted_in(const catalog::LaunchShape& launch) {
  return {catalog::blocks_in_grid(launch), catalog::warps_in_block(launch)};
}

void check_below(TomlReader& reader, const toml::node& node, std::string_view what, std::uint64_t number,
                 std::uint64_t count) {
  if (number >= count)
    reader.fail(node, fmt::format("there is no {} {}{}", what, number, what == "warp" ? " in a block" : ""),
                count == 1 ? "write 0" : fmt::format("write a number from 0 to {}", count - 1));
}

// The playground's warp is of no block.
void check_selection(TomlReader& reader, const toml::table& table, const catalog::LaunchShape& launch,
                     const State& state) {
  const bool short_form = !table.contains("selection");
  const auto place = [&](std::string_view key) -> const toml::node& {
    return short_form ? node_of(table, key) : node_in(table, "selection", key);
  };
  if (state.view.page == Page::playground) return;
  const Counted counted = counted_in(launch);
  check_below(reader, place("block"), "block", state.selection.block, counted.blocks);
  check_below(reader, place("warp"), "warp", state.selection.warp, counted.warps);
}

// Block and warp of a comparison are those of the side that has more.
void check_place_in_sides(TomlReader& reader, const toml::table& table, const Counted& most,
                          const CompareState& compare) {
  check_below(reader, node_in(table, "compare", "block"), "block", compare.block, most.blocks);
  check_below(reader, node_in(table, "compare", "warp"), "warp", compare.warp, most.warps);
}

// Of a comparison that is shown: the window keeps what the page had before for kernels of other problems.
void check_sides(TomlReader& reader, const toml::table& table, const catalog::Catalog& catalog,
                 const catalog::KernelSpec& own, const catalog::Values& sizes, const State& state) {
  if (state.view.page != Page::compare) return;
  const auto kernels = kernels_of(catalog, own.problem);
  State chosen = state;  // as the page chooses what the file leaves open
  if (!kernels.empty()) complete_sides(chosen, kernels);
  Counted most{1, 1};
  const auto check = [&](std::string_view key, CompareSide CompareState::*which) {
    const CompareSide& named = state.compare.*which;
    const CompareSide& side = named.kernel.empty() ? chosen.compare.*which : named;
    if (side.kernel.empty()) return;
    const auto spec = catalog.find(side.kernel);
    if (!spec) return fail(reader, node_in(table, "compare", key), spec.error());
    if (spec->problem != own.problem)
      return reader.fail(node_in(table, "compare", key),
                         fmt::format("{} solves {}, but the state's kernel {} solves {}", spec->id,
                                     spec->problem, own.id, own.problem),
                         "compare kernels of one problem");
    const auto values = catalog::resolve_values(*spec, side.params, sizes);
    if (!values) return fail(reader, node_in(table, "compare", std::string(key) + "_params"), values.error());
    const auto launch = catalog::launch_shape(*spec, *values, sizes);
    if (!launch) return fail(reader, node_of(table, "size"), launch.error());
    const Counted own_count = counted_in(*launch);
    most = {std::max(most.blocks, own_count.blocks), std::max(most.warps, own_count.warps)};
  };
  check("left", &CompareState::left);
  check("right", &CompareState::right);
  if (!reader.error) check_place_in_sides(reader, table, most, state.compare);
}

// The sizes that the file gives among the problem's own.
catalog::Values all_sizes(const problem::Problem& problem, const catalog::Values& given) {
  catalog::Values sizes = problem.default_sizes();
  for (auto& [name, value] : sizes) {
    if (const auto found = given.find(name); found != given.end()) value = found->second;
  }
  return sizes;
}

}  // namespace

std::vector<TomlReader::Row> short_rows(TomlReader& reader, State& state, ShortForm& form) {
  const auto block = [&reader, &state, &form](const toml::node& node) {
    if (node.is_string()) return void(form.block = &node);
    reader.whole(state.selection.block, 0, largest)(node);
  };
  const auto index = [&reader, &state](const toml::node& node) {
    state.view.page = Page::playground;
    reader.text(state.playground.index)(node);
  };
  const auto colors = [&reader, &state](const toml::node& node) {
    const auto name = node.value_exact<std::string>();
    if (!name || !figures::colors_named(*name))
      return reader.fail(node, "this is none of classic, colour-blind, lanes", "choose one of them");
    state.drawing.colors = *name;
  };
  Selection& selection = state.selection;
  return {{"figure", reader.text(state.view.figure)},
          {"block", block},
          {"warp", reader.whole(selection.warp, 0, 31)},
          {"step", reader.whole(selection.step, 0, 0xffffffff)},
          {"lane", reader.whole(selection.lane, 0, 31)},
          {"index", index},
          {"colors", colors},
          {"whole", reader.flag(state.drawing.whole)},
          {"width", reader.whole(state.drawing.width, 320, 8192)},
          {"height", reader.whole(state.drawing.height, 240, 8192)}};
}

void read_size(TomlReader& reader, const toml::node& node, State& state, ShortForm& form) {
  if (node.is_string() || node.is_integer()) return void(form.size = &node);
  if (!node.is_table())
    return reader.fail(node, "this is no size", "write 512, \"35,79,19\" or a table such as { M = 512 }");
  reader.values(state.size)(node);
  if (reader.error) return;
  for (const auto& [name, value] : *node.as_table())
    if (state.size.at(std::string(name.str())) < 1)
      return reader.fail(value, fmt::format("size {} is {}", name.str(), text_of(value)),
                         "sizes are 1 and up");
}

std::vector<std::string_view> ids_of(std::span<const FigureTab> tabs) {
  std::vector<std::string_view> ids;
  for (const FigureTab& tab : tabs) ids.push_back(tab.id);
  return ids;
}

// Files that somebody wrote: the window itself opens its first figure where one is gone.
void check_figure(TomlReader& reader, const toml::table& table, std::string_view page,
                  const std::string& figure, const std::vector<std::string_view>& known) {
  if (std::find(known.begin(), known.end(), figure) != known.end()) return;
  const toml::node* view = table.get(page);
  const toml::table* inner = view == nullptr ? nullptr : view->as_table();
  const bool is_inner = inner != nullptr && inner->contains("figure");
  fail(reader, node_of(is_inner ? *inner : table, "figure"),
       {fmt::format("there is no figure '{}'{}", figure, page == "compare" ? " of two steps" : ""),
        "choose " + listed(known, "or")});
}

void spell_out(TomlReader& reader, const toml::table& table, const ShortForm& form, const KnownNames& known,
               State& state) {
  if (reader.error) return;
  name_kernel(known.catalog, state.kernel);
  const auto spec = known.catalog.find(state.kernel);
  if (!spec) return fail(reader, node_of(table, "kernel"), spec.error());
  if (const auto device = known.devices.find(state.device); !device)
    return fail(reader, node_of(table, "device"), device.error());
  const auto problem = problem::find_problem(*spec);
  if (!problem) return void(reader.error = problem.error());  // the kernel's file is wrong, not this one
  if (form.size != nullptr) {
    const auto sizes = problem::parse_sizes(**problem, text_of(*form.size));
    if (!sizes) return fail(reader, *form.size, sizes.error());
    state.size = *sizes;
  }
  check_size_names(reader, table, **problem, state);
  const catalog::Values sizes = all_sizes(**problem, state.size);
  const auto params = catalog::resolve_values(*spec, state.params, sizes);
  if (!params) return fail(reader, node_of(table, "params"), params.error());
  const auto launch = catalog::launch_shape(*spec, *params, sizes);
  if (!launch) return fail(reader, node_of(table, "size"), launch.error());
  if (form.block != nullptr) name_block(reader, *form.block, *launch, state);
  check_selection(reader, table, *launch, state);
  check_sides(reader, table, known.catalog, *spec, sizes, state);
  std::vector<std::string_view> figures = ids_of(figure_tabs());
  figures.insert(figures.end(), {"live", "code"});
  check_figure(reader, table, "view", state.view.figure, figures);
  check_figure(reader, table, "compare", state.compare.figure, ids_of(figure_tabs_of_a_run()));
}

void refuse_short(TomlReader& reader, const ShortForm& form) {
  if (form.size != nullptr)
    reader.fail(*form.size, "these sizes have no names", "write them as [size] M = 512");
  if (form.block != nullptr)
    reader.fail(*form.block, "this is not a whole number", "write the block's number");
}

}  // namespace warplens::app
