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
#include "app/state/figure_inputs.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/opening.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/checked/seen.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/plan.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/tensor/followed.hpp"
#include "viz/figures/time/time.hpp"
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

// How it is drawn, as a state has it. Errors: words that mean nothing, names that are no parameter of the kernel.
Result<Drawing> drawing_of(const PictureSources& sources, const run::Plan& plan) {
  const ExportOptions& options = sources.options;
  const auto map = figures::map_options(options.over, options.others);
  if (!map) return Error{fmt::format("--others '{}' is neither best nor now", options.others), ""};
  if (sources.figure.has(figures::Trait::axes))
    for (const std::string& name : map->over)
      if (std::ranges::find(plan.spec.params, name, &catalog::Parameter::name) == plan.spec.params.end())
        return Error{fmt::format("{} has no parameter {}", plan.spec.id, name),
                     "name one or two of its parameters, such as --over BM,BN"};
  if (!figures::time_options(options.cycles, options.cursor))
    return Error{"the cycles are no two ascending numbers, or the cursor no cycle and warp",
                 "write --cycles 4096,4352 or --cursor 4219,5"};
  if (!options.element.empty() && !figures::followed_cell(options.element))
    return Error{fmt::format("--element '{}' names no element", options.element), "write --element A,5,37"};
  Drawing drawing;
  drawing.element = options.element;
  drawing.colors = options.colors, drawing.whole = options.whole, drawing.per = options.per;
  drawing.over = options.over, drawing.others = options.others;
  drawing.cycles = options.cycles, drawing.cursor = options.cursor;
  return drawing;
}

// The block that was recorded, and the access that the options name or that the step opens on; checked.
Result<figures::Place> place_of(const PictureSources& sources, const run::Run& run, std::size_t block,
                                const catalog::KernelSpec* other) {
  const ExportOptions& options = sources.options;
  const bool names_step = options.step != kOpeningAccess, names_access = names_step || options.warp > 0;
  const std::uint32_t warp = names_access ? options.warp : explain::opening_warp(run, block);
  const explain::Opening opening = names_step
                                       ? explain::Opening{options.step}
                                       : explain::opening_of(run, block, warp, other, sources.figure.memory);
  figures::Place place{.block = block, .warp = warp, .access = opening.access};
  if (sources.figure.of == figures::Of::access || names_access)
    if (Status access = check_access(options, figures::story_at(run, place).accesses()); !access)
      return access.error();
  if (!names_access && !sources.is_film) place.line = opening.line;
  return place;
}

// The run of the plan, with the block that the options name; told where it is wrong.
Result<run::SharedRun> run_of(const PictureSources& sources, const run::Plan& plan, std::uint64_t block) {
  const auto at_work = sources.tell.at_work();
  const run::Request request{.spec = plan.spec,
                             .parameters = plan.parameters,
                             .sizes = plan.sizes,
                             .device = plan.device,
                             .block = block};
  run::SharedRun early;
  std::atomic<bool> has_early = false;
  const auto take = [&](const Result<run::SharedRun>& preview) {
    if (preview) early = *preview, has_early = true;
  };
  run::Runner& runner = sources.library.runner();
  auto run = sources.is_early ? runner.run(request, has_early, take) : runner.run(request, sources.cancel);
  if (early) return early;
  if (!run) return run;
  if ((*run)->fault) return *(*run)->fault;
  const Status right = check_result(**run);
  if (right) return run;
  sources.tell.wrong();
  return right.error();
}

study::Facts facts_of(const PictureSources& sources, figures::Look look, bool with_machine_code,
                      bool is_of_ladder) {
  study::Facts facts = figures::facts_for(sources.figure, look);
  if (sources.is_film) facts = facts - study::Fact::order;
  if (!is_of_ladder) facts = facts - study::Fact::scale;
  return with_machine_code ? facts | study::Fact::listing : facts;
}

// What is found out of the recorded blocks; all other facts are of what is counted.
constexpr study::Facts kOfBlocks = study::Fact::banks;

// The kernel's run, with the place that the options name.
Result<figures::Subject> of_run(const PictureSources& sources) {
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
  const auto run = run_of(sources, *plan, linear);
  if (!run) return run.error();
  const auto recorded = (*run)->trace->find_block(linear);
  if (!recorded)
    return Error{fmt::format("block {} was not among the blocks that ran", options.block),
                 "choose a smaller --size, or another block"};
  const bool is_whole = (*run)->complete;
  const run::SharedRun judged = is_whole ? run::judged(*run) : *run;
  if (is_whole) sources.tell.notice(*judged);
  const auto taught = taught_step(sources.workspace, *plan);
  const auto place = place_of(sources, *judged, *recorded, taught->other());
  if (!place) return place.error();
  const auto drawing = drawing_of(sources, *plan);
  if (!drawing) return drawing.error();
  const Shown shown{.run = judged,
                    .place = *place,
                    .look = options.on_stage ? figures::Look::stage : figures::Look::file,
                    .is_guessed = sources.is_film,
                    .recorded = &taught->recorded};
  study::Question question = question_of(shown, &taught->step);
  question.run = *run;
  const bool lists = sources.figure.has(figures::Trait::code) && *with_machine_code;
  study::Facts facts = facts_of(sources, shown.look, lists, taught->is_of_ladder);
  if (!is_whole) facts = facts - (facts - kOfBlocks);
  figures::Subject subject =
      figure_inputs(sources.figure, shown, *drawing, sources.library.now(question, facts, sources.cancel));
  if (sources.cancel) return run::cancelled();
  if (is_whole && sources.figure.of == figures::Of::access)
    subject.step =
        figures::step_words(*judged, against(sources.library, *run, *taught, subject.known.before.get()));
  if (sources.figure.has(figures::Trait::axes))
    subject.measured =
        std::make_shared<const figures::MeasuredSets>(figures::measured_sets(taught->recorded, *plan));
  if (const auto& code = subject.known.listing; code != nullptr && *code && (*code)->without_text)
    sources.tell.warning(*(*code)->without_text);
  return subject;
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
      figures::view_of(*access, sources.figure.memory == ptx::Space::shared, *device, options.index));
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
    const auto build = sources.library.runner().build(run::build_request(*plan));
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
  if (sources.figure.of == figures::Of::device) return add_transfers(sources, subject);
  if (sources.figure.has(figures::Trait::sizes) && !sources.options.kernel.size.empty())
    return Error{fmt::format("{} goes over sizes of its own", sources.figure.id), "leave --size away"};
  auto input =
      performance_of(sources.workspace, sources.options.kernel, sources.figure.has(figures::Trait::sizes),
                     sources.figure.has(figures::Trait::operations), sources.cancel);
  if (!input) return input.error();
  subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(input));
  return Done{};
}

}  // namespace

bool is_drawn_early(const figures::Figure& figure) {
  return figures::is_of_block(figure) && (figure.needs - kOfBlocks).empty();
}

Result<figures::Subject> subject_of(const PictureSources& sources) {
  const auto colors = figures::colors_named(sources.options.colors);
  if (!colors)
    return Error{fmt::format("unknown colors '{}'", sources.options.colors),
                 "choose classic, colour-blind or lanes"};
  if (!figures::per_named(sources.options.per))
    return Error{fmt::format("unknown part of the work '{}'", sources.options.per),
                 "choose operation, block or kernel"};
  const bool is_of_run = !is_plot(sources.figure) && !sources.figure.has(figures::Trait::resources) &&
                         sources.options.index.empty();
  if (is_of_run) return of_run(sources);
  figures::Subject subject;
  subject.look = sources.options.on_stage ? figures::Look::stage : figures::Look::file;
  subject.is_guessed = sources.is_film;
  const Status added = is_plot(sources.figure)                         ? add_performance(sources, subject)
                       : sources.figure.has(figures::Trait::resources) ? add_occupancy(sources, subject)
                                                                       : add_own_access(sources, subject);
  if (!added) return added.error();
  return subject;
}

}  // namespace warplens::app
