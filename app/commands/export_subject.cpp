#include "app/commands/export_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/base/text_table.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/export_checks.hpp"
#include "app/commands/export_ladder.hpp"
#include "app/commands/export_sources.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/checked/seen.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/order/block_order.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/flow/ladder_scale.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/warp_access_view.hpp"

namespace warplens::app {
namespace {

std::string blocks_of(const std::array<std::uint32_t, 3>& grid) {
  return figures::dimensions(grid) + (grid == std::array<std::uint32_t, 3>{1, 1, 1} ? " block" : " blocks");
}

Result<std::array<std::uint32_t, 3>> parse_block(const std::string& text,
                                                 const std::array<std::uint32_t, 3>& grid) {
  std::array<std::uint32_t, 3> block{};
  const char *at = text.data(), *end = at + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto [next, code] = std::from_chars(at, end, block[axis]);
    if (code != std::errc() || (next != end && (*next != ',' || axis == 2)))
      return Error{fmt::format("--block '{}' is not X, X,Y or X,Y,Z", text),
                   "count blocks from 0, such as --block 1,2"};
    if (next == end) break;
    at = next + 1;
  }
  for (int axis = 0; axis < 3; ++axis)
    if (block[axis] >= grid[axis])
      return Error{fmt::format("--block {} is outside the grid of {}", text, blocks_of(grid)),
                   "count blocks from 0"};
  return block;
}

Result<run::Plan> plan_of(const PictureSources& sources, const device::Device& device) {
  if (sources.options.kernel.kernel.empty())
    return Error{fmt::format("export {} needs a KERNEL", sources.figure.id),
                 "name one, such as matmul/03_shared_tile"};
  return plan_one(sources.workspace, sources.options.kernel, device);
}

Status check_access(const ExportOptions& options, const report::BlockAccesses& accesses) {
  if (options.warp >= accesses.warps())
    return Error{fmt::format("--warp {} is outside the block, which has {} that access memory", options.warp,
                             accesses.warps()),
                 "count warps from 0"};
  const auto steps = accesses.of_warp(options.warp).size();
  if (options.step != kOpeningAccess && options.step >= steps)
    return Error{fmt::format("--access {} is beyond the last of warp {}", std::uint64_t{options.step} + 1,
                             options.warp),
                 steps == 0 ? "choose another warp" : fmt::format("choose an access from 1 to {}", steps)};
  return Done{};
}

// Error: names no parameter of the kernel.
Status add_map(const PictureSources& sources, const run::Plan& plan, run::Runner& runner,
               figures::Subject& subject) {
  const auto options = figures::map_options(sources.options.over, sources.options.others);
  if (!options)
    return Error{fmt::format("--others '{}' is neither best nor now", sources.options.others), ""};
  for (const std::string& name : options->over)
    if (std::ranges::find(plan.spec.params, name, &catalog::Parameter::name) == plan.spec.params.end())
      return Error{fmt::format("{} has no parameter {}", plan.spec.id, name),
                   "name one or two of its parameters, such as --over BM,BN"};
  subject.map = *options;
  subject.speed_map = figures::speed_map_of(
      *subject.run, [&](const compile::Request& request) { return runner.build(request); });
  const auto recorded = recorded_speeds(sources.workspace, plan.device.id);
  if (recorded)
    subject.measured = std::make_shared<const figures::MeasuredSets>(figures::measured_sets(*recorded, plan));
  return Done{};
}

// The kernel's run, with the place that the options name; checked.
Status add_run(const PictureSources& sources, figures::Subject& subject) {
  const ExportOptions& options = sources.options;
  const auto with_machine_code = chosen_word<bool>("code", options.code, {{"ptx", false}, {"sass", true}});
  if (!with_machine_code) return with_machine_code.error();
  const auto device = sources.workspace.device(options.kernel.device);
  if (!device) return device.error();
  const auto plan = plan_of(sources, *device);
  if (!plan) return plan.error();
  const auto block = parse_block(options.block, plan->launch.grid);
  if (!block) return block.error();
  const std::uint64_t linear = figures::linear_block(*block, plan->launch.grid);
  run::Runner& runner = sources.runner;
  const auto at_work = sources.tell.at_work();
  const auto run = runner.run({.spec = plan->spec,
                               .parameters = plan->parameters,
                               .sizes = plan->sizes,
                               .device = *device,
                               .block = linear},
                              false);
  if (!run) return run.error();
  if ((*run)->fault) return *(*run)->fault;
  if (const Status right = check_result(**run); !right) {
    sources.tell.wrong();
    return right.error();
  }
  const auto recorded = (*run)->trace->find_block(linear);
  if (!recorded)
    return Error{fmt::format("block {} was not among the blocks that ran", options.block),
                 "choose a smaller --size, or another block"};
  subject.run = run::judged(*run);
  sources.tell.notice(*subject.run);
  const auto other = step_to_judge_against(sources.workspace, plan->spec.id);
  const bool names_step = options.step != kOpeningAccess, names_access = names_step || options.warp > 0;
  const std::uint32_t warp = names_access ? options.warp : explain::opening_warp(*subject.run, *recorded);
  const explain::Opening opening =
      names_step ? explain::Opening{options.step}
                 : explain::opening_of(*subject.run, *recorded, warp, other ? &other->spec : nullptr);
  subject.place = {.block = *recorded, .warp = warp, .access = opening.access};
  const bool needs_access = sources.figure.reads == figures::Reads::access && !sources.figure.has_panel;
  explain::Sides sides(runner);
  subject.payoffs = explain::payoffs_of(**run, &sides);
  if (needs_access || names_access)
    if (Status access = check_access(options, figures::story_at(*subject.run, subject.place).accesses());
        !access)
      return access;
  if (!names_access && !sources.is_film) subject.place.line = opening.line;
  if (other && (needs_access || sources.figure.reads == figures::Reads::run))
    subject.before = step_before(sources.workspace, *other, *plan, runner);
  if (sources.figure.takes_per) {
    subject.scale = scale_of(sources.workspace, *plan, runner);
    subject.recorded_seconds = recorded_seconds(sources.workspace, *plan);
  }
  if (needs_access)
    subject.step = figures::step_words(
        *subject.run, against(sources.workspace, *subject.run, other, subject.before.get(), runner));
  if (needs_access && sources.options.on_stage && !sources.is_film)
    subject.access.order = run::block_order(*subject.run);
  if (sources.figure.reads == figures::Reads::block)
    subject.banks =
        std::make_shared<const figures::BankMap>(figures::bank_map_of(*subject.run, subject.place.block));
  if (sources.figure.takes_code && *with_machine_code) {
    subject.machine_code = machine_code_of(*subject.run);
    if (const auto& code = *subject.machine_code; code && code->without_text)
      sources.tell.warning(*code->without_text);
  }
  if (sources.figure.reads == figures::Reads::schedule) {
    const auto cycles = figures::time_options(sources.options.cycles, sources.options.cursor);
    if (!cycles)
      return Error{"the cycles are no two ascending numbers, or the cursor no cycle and warp",
                   "write --cycles 4096,4352 or --cursor 4219,5"};
    subject.time = *cycles;
    subject.schedule = figures::schedule_of(*subject.run);
    subject.recorded_seconds = recorded_seconds(sources.workspace, *plan);
  }
  if (sources.figure.reads == figures::Reads::warps)
    subject.over_warps = figures::over_warps_of(*subject.run);
  if (sources.figure.reads == figures::Reads::map)
    if (const Status added = add_map(sources, *plan, runner, subject); !added) return added.error();
  if (sources.figure.reads == figures::Reads::timeline)
    subject.timeline = figures::grid_times_of(*subject.run);
  if (sources.figure.reads == figures::Reads::steps)
    subject.times = times_of(sources.workspace, *subject.run, runner);
  if (sources.figure.reads == figures::Reads::rounding)
    subject.rounding = rounding_of(*subject.run, subject.place, other, runner);
  return Done{};
}

// The free access of --index.
Status add_own_access(const PictureSources& sources, figures::Subject& subject) {
  const ExportOptions& options = sources.options;
  const auto op = chosen_op(options.op);
  if (!op) return op.error();
  const auto device = sources.workspace.device(options.kernel.device);
  if (!device) return device.error();
  const std::array names = {analysis::NamedIndex{"stride", options.index_stride},
                            analysis::NamedIndex{"offset", options.index_offset}};
  const auto access = analysis::access_at_index(options.index, *op, options.access_width, options.mask,
                                                {.warp = options.warp, .more = names}, "--index");
  if (!access) return access.error();
  subject.own_access = std::make_shared<const figures::WarpAccessView>(
      figures::view_of(*access, sources.figure.shows_shared, *device, options.index));
  return Done{};
}

Status add_occupancy(const PictureSources& sources, figures::Subject& subject) {
  const ExportOptions& options = sources.options;
  const auto device = sources.workspace.device(options.kernel.device);
  if (!device) return device.error();
  figures::OccupancyInput input{*device, {}, "Occupancy"};
  if (!options.kernel.kernel.empty()) {
    const auto plan = plan_of(sources, *device);
    if (!plan) return plan.error();
    const auto build = sources.runner.build(run::build_request(*plan));
    if (!build) return build.error();
    const int registers = run::registers_on(*device, plan->spec, plan->parameters, build->registers);
    input.use = {threads_per_block(*plan), registers, shared_bytes(*plan, *build)};
    input.title = fmt::format("{}, {}", plan->spec.title,
                              registers == 0 ? "registers not known for this device"
                                             : fmt::format("compiled for sm_{}", build->arch));
    input.kernel = input.use;
  } else if (!options.threads || !options.registers) {
    return Error{"export occupancy needs a KERNEL, or --threads and --registers",
                 "name one, such as matmul/05_register_2d"};
  } else if (!options.kernel.defines.empty() || !options.kernel.size.empty()) {
    return Error{"-D and --size need a KERNEL", "name one, such as matmul/05_register_2d"};
  }
  if (options.threads) input.use.threads_per_block = *options.threads;
  if (options.registers) input.use.registers_per_thread = *options.registers;
  if (options.shared) input.use.shared_bytes_per_block = *options.shared;
  subject.occupancy = std::make_shared<const figures::OccupancyInput>(std::move(input));
  return Done{};
}

Status add_transfers(const PictureSources& sources, figures::Subject& subject) {
  auto input = transfers_to(sources.workspace, sources.options.kernel.device);
  if (!input) return input.error();
  subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(input));
  return Done{};
}

Status add_performance(const PictureSources& sources, figures::Subject& subject) {
  if (sources.figure.of_transfers) return add_transfers(sources, subject);
  if (sources.figure.over_sizes && !sources.options.kernel.size.empty())
    return Error{fmt::format("{} goes over sizes of its own", sources.figure.id), "leave --size away"};
  auto input = performance_of(sources.workspace, sources.options.kernel, sources.figure.over_sizes,
                              sources.figure.needs_operations);
  if (!input) return input.error();
  subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(input));
  return Done{};
}

}  // namespace

Result<figures::Subject> subject_of(const PictureSources& sources) {
  const auto colors = figures::colors_named(sources.options.colors);
  if (!colors)
    return Error{fmt::format("unknown colors '{}'", sources.options.colors),
                 "choose classic, colour-blind or lanes"};
  figures::Subject subject;
  subject.access = {.colors = *colors, .whole = sources.options.whole};
  const auto per = figures::per_named(sources.options.per);
  if (!per)
    return Error{fmt::format("unknown part of the work '{}'", sources.options.per),
                 "choose operation, block or kernel"};
  subject.flow.per = *per;
  const Status added = sources.figure.reads == figures::Reads::ladder      ? add_performance(sources, subject)
                       : sources.figure.reads == figures::Reads::occupancy ? add_occupancy(sources, subject)
                       : !sources.options.index.empty()                    ? add_own_access(sources, subject)
                                                                           : add_run(sources, subject);
  if (!added) return added.error();
  return subject;
}

}  // namespace warplens::app
