// warplens export: one figure of one kernel into a file.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/commands/commands.hpp"
#include "app/commands/export_options.hpp"
#include "app/commands/export_performance.hpp"
#include "app/commands/export_tour.hpp"
#include "app/figure_run.hpp"
#include "app/paths.hpp"
#include "app/performance_points.hpp"
#include "app/workspace.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/near.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/paint/files/export.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::app {
namespace {

using figures::Selection;

struct Job {
  const CommonOptions& common;
  const ExportOptions& options;
  const Workspace& workspace;
  const paint::Fonts& fonts;
  const theme::Theme& theme;
  scene::Size size;
  std::string ending;  // ".svg"
  // The same picture in other forms too: file and theme.
  std::vector<std::pair<std::string, const theme::Theme*>> copies = {};
  bool* wrong_result;  // set where the error of a figure is that its kernel computed a wrong result
};

Status save(const Job& job, const scene::Scene& scene) {
  if (is_film(job.ending))
    return Error{fmt::format("{} is a still picture", job.options.figure),
                 "name a .svg, .pdf, .png or .csv file, or export the access figure"};
  const paint::ExportOptions how{.scale = job.options.scale, .ffmpeg = {}};
  for (const auto& [file, theme] : job.copies)
    if (const Status done = paint::export_picture(file, scene, *theme, job.fonts, how); !done) return done;
  return paint::export_picture(job.options.output, scene, job.theme, job.fonts, how);
}

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

Result<RunPlan> plan_of(const Job& job) {
  if (job.options.kernel.kernel.empty())
    return Error{fmt::format("export {} needs a KERNEL", job.options.figure),
                 "name one, such as matmul/03_shared_tile"};
  const auto chosen = choose_kernels(job.workspace, job.options.kernel.kernel);
  if (!chosen) return chosen.error();
  if (chosen->is_ladder)
    return Error{job.options.kernel.kernel + " is a ladder of several kernels",
                 "name one of them, such as " + chosen->kernels.front().id};
  auto plans = plan_runs(*chosen, job.options.kernel);
  if (!plans) return plans.error();
  if (const Status shaped = shape_launches(*plans); !shaped) return shaped.error();
  return std::move(plans->front());
}

// A kernel's run with the selection that the options make; checked.
struct Selected {
  SharedRun run;
  figures::RunView view;
  Selection selection;
  std::size_t block = 0;  // position in the trace
};

Status check_step(const ExportOptions& options, const figures::BlockAccesses& accesses) {
  if (options.warp >= accesses.warps())
    return Error{fmt::format("--warp {} is outside the block, which has {} that access memory", options.warp,
                             accesses.warps()),
                 "count warps from 0"};
  const auto steps = accesses.steps(options.warp).size();
  if (options.step >= steps)
    return Error{
        fmt::format("--access {} is beyond the last of warp {}", std::uint64_t{options.step} + 1, options.warp),
        steps == 0 ? "choose another warp" : fmt::format("choose an access from 1 to {}", steps)};
  return Done{};
}

Result<Selected> select(const Job& job) {
  const auto device = job.workspace.device(job.options.kernel.device);
  if (!device) return device.error();
  const auto plan = plan_of(job);
  if (!plan) return plan.error();
  const auto block = parse_block(job.options.block, plan->launch.grid);
  if (!block) return block.error();
  const std::uint64_t linear = figures::linear_block(*block, plan->launch.grid);
  KernelRunner runner(job.workspace.compiler());
  auto run = run_for_figure(runner, *plan, *device, linear);
  if (!run) return run.error();
  if (const Status right = check_result(*plan, **run); !right) {
    *job.wrong_result = true;
    return right.error();
  }
  Selected selected{*run, {}, {}, 0};
  selected.view = selected.run->view;
  selected.selection = {plan->spec.id, plan->parameters, plan->sizes, device->id,
                        *block,        job.options.warp, 0,           job.options.step};
  const auto found = selected.run->trace.find_block(linear);
  if (!found)
    return Error{fmt::format("block {} was not among the blocks that ran", job.options.block),
                 "choose a smaller --size, or another block"};
  selected.block = *found;
  return selected;
}

Result<figures::AccessOptions> access_options(const ExportOptions& options) {
  if (const auto colors = figures::colors_named(options.colors))
    return figures::AccessOptions{.colors = *colors, .whole = options.whole};
  return Error{fmt::format("unknown colors '{}'", options.colors), "choose classic, colour-blind or lanes"};
}

Status save_access_film(const Job& job, const Selected& selected, const figures::AccessStory& story,
                        const figures::AccessOptions& access) {
  const auto steps = static_cast<int>(
      std::min<std::size_t>(story.accesses().steps(job.options.warp).size() - job.options.step,
                            static_cast<std::size_t>(job.options.frames)));
  const int pause = static_cast<int>(1000 / job.options.speed);
  paint::Film film{
      .frames = steps,
      .draw =
          [&](int frame) {
            Selection now = selected.selection;
            now.step += static_cast<std::uint32_t>(frame);
            return figures::access_scene(selected.view, story, now, access, job.size, job.fonts);
          },
      .milliseconds = [=](int frame) { return frame + 1 == steps ? std::max(pause, 1200) : pause; }};
  return paint::export_film(
      job.options.output, film, job.theme, job.fonts,
      {.scale = job.options.scale, .ffmpeg = paint::find_program("ffmpeg", read_environment().path)});
}

Status export_access(const Job& job) {
  const auto access = access_options(job.options);
  if (!access) return access.error();
  const auto selected = select(job);
  if (!selected) return selected.error();
  const figures::AccessStory story(selected->view, selected->block);
  if (const Status step = check_step(job.options, story.accesses()); !step) return step;
  if (job.ending == ".csv")
    return write_whole_file(job.options.output,
                            figures::access_csv(selected->view, story, selected->selection));
  if (is_film(job.ending)) return save_access_film(job, *selected, story, *access);
  return save(
      job, figures::access_scene(selected->view, story, selected->selection, *access, job.size, job.fonts));
}

// The scene, or the table where the file is one.
Status save(const Job& job, const scene::Scene& scene, const std::string& csv) {
  return job.ending == ".csv" ? write_whole_file(job.options.output, csv) : save(job, scene);
}

// The access of a kernel at the chosen step, or the free one of --index.
Result<figures::WarpAccessView> chosen_access(const Job& job, bool shared) {
  const ExportOptions& options = job.options;
  if (!options.index.empty()) {
    if (options.op != "ld" && options.op != "st")
      return Error{fmt::format("unknown operation '{}'", options.op), "choose ld or st"};
    const auto device = job.workspace.device(options.kernel.device);
    if (!device) return device.error();
    const auto op = options.op == "ld" ? analysis::AccessOp::load : analysis::AccessOp::store;
    const std::array names = {analysis::NamedIndex{"stride", options.index_stride},
                              analysis::NamedIndex{"offset", options.index_offset}};
    const auto access = analysis::access_at_index(options.index, op, options.access_width, options.mask,
                                                  {.warp = options.warp, .more = names}, "--index");
    if (!access) return access.error();
    return figures::view_of(*access, shared, *device, options.index);
  }
  const auto selected = select(job);
  if (!selected) return selected.error();
  const figures::BlockAccesses accesses(selected->run->trace, selected->block);
  if (const Status step = check_step(options, accesses); !step) return step.error();
  auto view = figures::view_of_nearest(selected->view, accesses, options.warp, options.step,
                                       shared ? ptx::Space::shared : ptx::Space::global);
  if (!view)
    return Error{fmt::format("warp {} of {} makes no access to {} memory", options.warp,
                             selected->selection.kernel, shared ? "shared" : "global"),
                 "choose another kernel or warp"};
  return *std::move(view);
}

Status export_coalescing(const Job& job) {
  const auto view = chosen_access(job, false);
  if (!view) return view.error();
  return save(job, figures::coalescing_scene(*view, job.size, job.fonts), figures::coalescing_csv(*view));
}

Status export_banks(const Job& job) {
  const auto view = chosen_access(job, true);
  if (!view) return view.error();
  return save(job, figures::banks_scene(*view, job.size, job.fonts), figures::banks_csv(*view));
}

Status export_bank_map(const Job& job) {
  const auto selected = select(job);
  if (!selected) return selected.error();
  const figures::BlockAccesses accesses(selected->run->trace, selected->block);
  if (job.options.step > 0 || job.options.warp > 0)
    if (const Status step = check_step(job.options, accesses); !step) return step;
  const figures::BankMap map = figures::bank_map_of(selected->view, accesses);
  if (map.lines.empty())
    return Error{fmt::format("block {} of {} makes no access to shared memory", job.options.block,
                             selected->selection.kernel),
                 "choose another kernel or block"};
  const auto step = figures::nearest_step(accesses, job.options.warp, job.options.step, ptx::Space::shared);
  const auto now = step ? accesses.at(job.options.warp, *step) : std::nullopt;
  return save(job, figures::bank_map_scene(selected->view, map, job.size, job.fonts, now),
              figures::bank_map_csv(map));
}

Status export_code(const Job& job) {
  const auto selected = select(job);
  if (!selected) return selected.error();
  const figures::BlockAccesses accesses(selected->run->trace, selected->block);
  const auto access = accesses.at(job.options.warp, job.options.step);
  const figures::CodeMark mark = access ? figures::CodeMark{.pc = access->pc} : figures::CodeMark{};
  return save(job, figures::code_scene(selected->view, mark, job.size, job.fonts),
              figures::code_csv(selected->view));
}

Result<figures::OccupancyInput> occupancy_input(const Job& job) {
  const ExportOptions& options = job.options;
  const auto device = job.workspace.device(options.kernel.device);
  if (!device) return device.error();
  figures::OccupancyInput input{*device, {}, "Occupancy"};
  if (!options.kernel.kernel.empty()) {
    const auto plan = plan_of(job);
    if (!plan) return plan.error();
    compile::Compiler compiler = job.workspace.compiler();
    const auto build = build_plan(compiler, *plan, *device);
    if (!build) return build.error();
    input.use = {threads_per_block(*plan), build->registers, shared_bytes(*plan, *build)};
    input.title = fmt::format("{}, compiled for sm_{}", plan->spec.title, build->arch);
  } else if (!options.threads || !options.registers) {
    return Error{"export occupancy needs a KERNEL, or --threads and --registers",
                 "name one, such as matmul/05_register_2d"};
  } else if (!options.kernel.defines.empty() || !options.kernel.size.empty()) {
    return Error{"-D and --size need a KERNEL", "name one, such as matmul/05_register_2d"};
  }
  const device::KernelUse own = input.use;
  if (options.threads) input.use.threads_per_block = *options.threads;
  if (options.registers) input.use.registers_per_thread = *options.registers;
  if (options.shared) input.use.shared_bytes_per_block = *options.shared;
  if (!options.kernel.kernel.empty()) input.kernel = own;
  return input;
}

Status export_occupancy(const Job& job) {
  const auto input = occupancy_input(job);
  if (!input) return input.error();
  const auto scene = figures::occupancy_scene(*input, job.size, job.fonts);
  if (!scene) return scene.error();
  const auto csv = figures::occupancy_csv(*input);
  if (!csv) return csv.error();
  return save(job, *scene, *csv);
}

Status save_plot(const Job& job, const figures::PerformanceInput& input, const plot::Plot& plot) {
  if (plot.series.empty())
    return why_too_small(input).value_or(
        Error{"there is nothing to plot: no recorded measurement, and no floating-point operation to count",
              "choose another ladder, such as matmul"});
  return save(job, plot::plot_scene(plot, job.size, job.fonts), plot::to_csv(plot));
}

Status export_ladder(const Job& job) {
  const auto input = performance_input(job.workspace, job.options.kernel, false);
  return input ? save_plot(job, *input, figures::ladder_plot(*input)) : Status(input.error());
}

Status export_size_curve(const Job& job) {
  if (!job.options.kernel.size.empty())
    return Error{"size-curve goes over sizes of its own", "leave --size away"};
  const auto input = performance_input(job.workspace, job.options.kernel, true);
  return input ? save_plot(job, *input, figures::size_plot(*input)) : Status(input.error());
}

Status export_roofline(const Job& job) {
  const auto input = performance_input(job.workspace, job.options.kernel, false);
  if (!input) return input.error();
  if (input->unit != "GFLOP/s")
    return Error{"this problem has no floating-point operations to put on a roofline",
                 "draw its ladder instead: warplens export ladder"};
  return save_plot(job, *input, figures::roofline_plot(*input));
}

struct Figure {
  std::string_view name;
  Status (*draw)(const Job&);
};
constexpr std::array figures_by_name = {
    Figure{"access", export_access},    Figure{"coalescing", export_coalescing},
    Figure{"banks", export_banks},      Figure{"bank-map", export_bank_map},
    Figure{"code", export_code},        Figure{"occupancy", export_occupancy},
    Figure{"ladder", export_ladder},    Figure{"size-curve", export_size_curve},
    Figure{"roofline", export_roofline}};

Result<const Figure*> find_figure(const std::string& name) {
  std::vector<std::string> names;
  for (const Figure& figure : figures_by_name) {
    if (figure.name == name) return &figure;
    names.emplace_back(figure.name);
  }
  return Error{name.empty() ? "export needs a FIGURE" : fmt::format("unknown figure '{}'", name),
               fmt::format("choose {}", fmt::join(names, ", "))};
}

Result<const theme::Theme*> find_theme(const std::string& name) {
  if (name == "light") return &theme::light();
  if (name == "dark") return &theme::dark();
  return Error{fmt::format("unknown theme '{}'", name), "choose light or dark"};
}

Status check_numbers(const ExportOptions& options) {
  const auto outside = [](std::string_view name, auto value, auto bounds) -> Status {
    if (value >= bounds.low && value <= bounds.high) return Done{};
    return Error{fmt::format("{} {} is not from {} to {}", name, value, bounds.low, bounds.high),
                 "see 'warplens export --help'"};
  };
  if (const Status s = outside("--width", options.width, figure_width); !s) return s;
  if (const Status s = outside("--height", options.height, figure_height); !s) return s;
  if (const Status s = outside("--scale", options.scale, picture_scale); !s) return s;
  if (const Status s = outside("--frames", options.frames, film_frames); !s) return s;
  return outside("--speed", options.speed, film_speed);
}

Result<std::string> known_ending(const std::string& output) {
  if (output.empty()) return Error{"export needs a file to write", "add -o out.svg"};
  std::string ending = paint::ending_of(output);
  for (const char* known : {".svg", ".pdf", ".png", ".webp", ".gif", ".mp4", ".csv"})
    if (ending == known) return ending;
  return Error{fmt::format("'{}' is no kind of file that export makes", output),
               "end its name in .svg, .pdf, .png, .webp, .gif, .mp4 or .csv"};
}

Status export_one(const CommonOptions& common, const ExportOptions& options, const Workspace& workspace,
                  const paint::Fonts& fonts, bool& wrong_result,
                  std::vector<std::pair<std::string, const theme::Theme*>> copies = {}) {
  const auto figure = find_figure(options.figure);
  if (!figure) return figure.error();
  const auto ending = known_ending(options.output);
  if (!ending) return ending.error();
  const auto theme = find_theme(options.theme);
  if (!theme) return theme.error();
  if (const Status numbers = check_numbers(options); !numbers) return numbers;
  const Job job{
      common,  options,           workspace,
      fonts,   **theme,           {static_cast<double>(options.width), static_cast<double>(options.height)},
      *ending, std::move(copies), &wrong_result};
  return (*figure)->draw(job);
}

Status export_tour(const CommonOptions& common, const ExportOptions& options, const Workspace& workspace,
                   const paint::Fonts& fonts, bool& wrong_result) {
  const auto catalog = workspace.catalog();
  if (!catalog) return catalog.error();
  const auto devices = workspace.devices();
  if (!devices) return devices.error();
  const auto stops = read_tour(workspace.home() / "assets/tour", {*catalog, *devices});
  if (!stops) return stops.error();
  std::error_code failed;
  std::filesystem::create_directories(options.tour, failed);
  if (failed)
    return Error{"the folder cannot be made: " + failed.message(), "choose another", {options.tour, 0, 0}};
  for (const TourStop& stop : *stops) {
    ExportOptions one = stop.options;
    one.scale = options.scale;
    // One run and one scene for the four files.
    const auto file = [&](std::string_view end) {
      return (std::filesystem::path(options.tour) / (stop.name + std::string(end))).string();
    };
    one.output = file("_light.svg");
    const Status done = export_one(common, one, workspace, fonts, wrong_result,
                                   {{file("_light.png"), &theme::light()},
                                    {file("_dark.svg"), &theme::dark()},
                                    {file("_dark.png"), &theme::dark()}});
    if (!done) {
      Error error = done.error();
      error.message = stop.name + ": " + error.message;
      return error;
    }
  }
  fmt::print("{} figures, light and dark, are in {}\n", stops->size(),
             std::filesystem::absolute(options.tour).lexically_normal().string());
  return Done{};
}

}  // namespace

Status check_figure_name(const std::string& figure) {
  const auto found = find_figure(figure);
  return found ? Status(Done{}) : Status(found.error());
}

Result<int> export_command(const CommonOptions& common, const ExportOptions& options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto fonts = paint::Fonts::open(font_folders(workspace->home()));
  if (!fonts) return fonts.error();
  bool wrong_result = false;
  const Status done = options.tour.empty() ? export_one(common, options, *workspace, **fonts, wrong_result)
                                           : export_tour(common, options, *workspace, **fonts, wrong_result);
  if (!done && wrong_result) {
    print_error(done.error());
    return exit_wrong_result;
  }
  if (!done) return done.error();
  return exit_fine;
}

}  // namespace warplens::app
