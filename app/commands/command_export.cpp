// warplens export: one figure of one kernel into a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "app/base/paths.hpp"
#include "app/base/text_table.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/export_checks.hpp"
#include "app/commands/export_ladder.hpp"
#include "app/commands/export_options.hpp"
#include "app/commands/export_sources.hpp"
#include "app/commands/run_progress.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/checked/seen.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/order/block_order.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/film.hpp"
#include "viz/figures/flow/ladder_scale.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/slide.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/paint/files/export.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/stage/stage_page.hpp"

namespace warplens::app {
namespace {

struct Job {
  const CommonOptions& common;
  const ExportOptions& options;
  const Workspace& workspace;
  const paint::Fonts& fonts;
  const figures::Figure& figure;
  const theme::Theme& theme;
  scene::Size size;
  std::string ending;  // ".svg"
  figures::Ground ground = figures::Ground::theme;
  // The same picture in other forms too: file and theme.
  std::vector<std::pair<std::string, const theme::Theme*>> copies = {};
  bool* wrong_result;  // set where the kernel computed a wrong result, or an error was found in it
};

Status save(const Job& job, const scene::Scene& scene) {
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

Result<run::Plan> plan_of(const Job& job, const device::Device& device) {
  if (job.options.kernel.kernel.empty())
    return Error{fmt::format("export {} needs a KERNEL", job.figure.id),
                 "name one, such as matmul/03_shared_tile"};
  return plan_one(job.workspace, job.options.kernel, device);
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
Status add_map(const Job& job, const run::Plan& plan, run::Runner& runner, figures::Subject& subject) {
  const auto options = figures::map_options(job.options.over, job.options.others);
  if (!options) return Error{fmt::format("--others '{}' is neither best nor now", job.options.others), ""};
  for (const std::string& name : options->over)
    if (std::ranges::find(plan.spec.params, name, &catalog::Parameter::name) == plan.spec.params.end())
      return Error{fmt::format("{} has no parameter {}", plan.spec.id, name),
                   "name one or two of its parameters, such as --over BM,BN"};
  subject.map = *options;
  subject.speed_map = figures::speed_map_of(
      *subject.run, [&](const compile::Request& request) { return runner.build(request); });
  const auto recorded = recorded_speeds(job.workspace, plan.device.id);
  if (recorded)
    subject.measured = std::make_shared<const figures::MeasuredSets>(figures::measured_sets(*recorded, plan));
  return Done{};
}

// The kernel's run, with the place that the options name; checked.
Status add_run(const Job& job, figures::Subject& subject) {
  const ExportOptions& options = job.options;
  const auto with_machine_code = chosen_word<bool>("code", options.code, {{"ptx", false}, {"sass", true}});
  if (!with_machine_code) return with_machine_code.error();
  const auto device = job.workspace.device(options.kernel.device);
  if (!device) return device.error();
  const auto plan = plan_of(job, *device);
  if (!plan) return plan.error();
  const auto block = parse_block(options.block, plan->launch.grid);
  if (!block) return block.error();
  const std::uint64_t linear = figures::linear_block(*block, plan->launch.grid);
  const RunProgress progress;
  run::Runner runner(job.workspace.compiler());
  const auto run = runner.run({.spec = plan->spec,
                               .parameters = plan->parameters,
                               .sizes = plan->sizes,
                               .device = *device,
                               .block = linear},
                              false);
  if (!run) return run.error();
  if ((*run)->fault) return *(*run)->fault;
  if (const Status right = check_result(**run); !right) {
    *job.wrong_result = true;
    return right.error();
  }
  const auto recorded = (*run)->trace->find_block(linear);
  if (!recorded)
    return Error{fmt::format("block {} was not among the blocks that ran", options.block),
                 "choose a smaller --size, or another block"};
  subject.run = run::judged(*run);
  if (tell_notice(*subject.run)) *job.wrong_result = true;
  const auto other = step_to_judge_against(job.workspace, plan->spec.id);
  const bool names_step = options.step != kOpeningAccess, names_access = names_step || options.warp > 0;
  const explain::Opening opening =
      names_step ? explain::Opening{options.step}
                 : explain::opening_of(*subject.run, *recorded, options.warp, other ? &other->spec : nullptr);
  subject.place = {.block = *recorded, .warp = options.warp, .access = opening.access};
  const bool needs_access = job.figure.reads == figures::Reads::access && !job.figure.has_panel;
  explain::Sides sides(runner);
  subject.payoffs = explain::payoffs_of(**run, &sides);
  if (needs_access || names_access)
    if (Status access = check_access(options, figures::story_at(*subject.run, subject.place).accesses());
        !access)
      return access;
  if (!names_access && !is_film(job.ending)) subject.place.line = opening.line;
  if (other && (needs_access || job.figure.reads == figures::Reads::run))
    subject.before = step_before(job.workspace, *other, *plan, runner);
  if (job.figure.takes_per) {
    subject.scale = scale_of(job.workspace, *plan, runner);
    subject.recorded_seconds = recorded_seconds(job.workspace, *plan);
  }
  if (needs_access)
    subject.step = figures::step_words(
        *subject.run, against(job.workspace, *subject.run, other, subject.before.get(), runner));
  if (needs_access && job.options.on_stage && !is_film(job.ending))
    subject.access.order = run::block_order(*subject.run);
  if (job.figure.reads == figures::Reads::block)
    subject.banks =
        std::make_shared<const figures::BankMap>(figures::bank_map_of(*subject.run, subject.place.block));
  if (job.figure.takes_code && *with_machine_code) {
    subject.machine_code = machine_code_of(*subject.run);
    if (const auto& code = *subject.machine_code; code && code->without_text)
      print_warning(to_line(*code->without_text));
  }
  if (job.figure.reads == figures::Reads::schedule) {
    const auto cycles = figures::time_options(job.options.cycles, job.options.cursor);
    if (!cycles)
      return Error{"the cycles are no two ascending numbers, or the cursor no cycle and warp",
                   "write --cycles 4096,4352 or --cursor 4219,5"};
    subject.time = *cycles;
    subject.schedule = figures::schedule_of(*subject.run);
    subject.recorded_seconds = recorded_seconds(job.workspace, *plan);
  }
  if (job.figure.reads == figures::Reads::warps) subject.over_warps = figures::over_warps_of(*subject.run);
  if (job.figure.reads == figures::Reads::map)
    if (const Status added = add_map(job, *plan, runner, subject); !added) return added.error();
  if (job.figure.reads == figures::Reads::timeline) subject.timeline = figures::grid_times_of(*subject.run);
  if (job.figure.reads == figures::Reads::steps)
    subject.times = times_of(job.workspace, *subject.run, runner);
  if (job.figure.reads == figures::Reads::rounding)
    subject.rounding = rounding_of(*subject.run, subject.place, other, runner);
  return Done{};
}

// The free access of --index.
Status add_own_access(const Job& job, figures::Subject& subject) {
  const ExportOptions& options = job.options;
  const auto op = chosen_op(options.op);
  if (!op) return op.error();
  const auto device = job.workspace.device(options.kernel.device);
  if (!device) return device.error();
  const std::array names = {analysis::NamedIndex{"stride", options.index_stride},
                            analysis::NamedIndex{"offset", options.index_offset}};
  const auto access = analysis::access_at_index(options.index, *op, options.access_width, options.mask,
                                                {.warp = options.warp, .more = names}, "--index");
  if (!access) return access.error();
  subject.own_access = std::make_shared<const figures::WarpAccessView>(
      figures::view_of(*access, job.figure.shows_shared, *device, options.index));
  return Done{};
}

Status add_occupancy(const Job& job, figures::Subject& subject) {
  const ExportOptions& options = job.options;
  const auto device = job.workspace.device(options.kernel.device);
  if (!device) return device.error();
  figures::OccupancyInput input{*device, {}, "Occupancy"};
  if (!options.kernel.kernel.empty()) {
    const auto plan = plan_of(job, *device);
    if (!plan) return plan.error();
    compile::Compiler compiler = job.workspace.compiler();
    const auto build = run::compile(compiler, *plan);
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

Status add_transfers(const Job& job, figures::Subject& subject) {
  auto input = transfers_to(job.workspace, job.options.kernel.device);
  if (!input) return input.error();
  subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(input));
  return Done{};
}

Status add_performance(const Job& job, figures::Subject& subject) {
  if (job.figure.of_transfers) return add_transfers(job, subject);
  if (job.figure.over_sizes && !job.options.kernel.size.empty())
    return Error{fmt::format("{} goes over sizes of its own", job.figure.id), "leave --size away"};
  auto input =
      performance_of(job.workspace, job.options.kernel, job.figure.over_sizes, job.figure.needs_operations);
  if (!input) return input.error();
  subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(input));
  return Done{};
}

Result<figures::Subject> subject_of(const Job& job) {
  const auto colors = figures::colors_named(job.options.colors);
  if (!colors)
    return Error{fmt::format("unknown colors '{}'", job.options.colors),
                 "choose classic, colour-blind or lanes"};
  figures::Subject subject;
  subject.access = {.colors = *colors, .whole = job.options.whole};
  const auto per = figures::per_named(job.options.per);
  if (!per)
    return Error{fmt::format("unknown part of the work '{}'", job.options.per),
                 "choose operation, block or kernel"};
  subject.flow.per = *per;
  const Status added = job.figure.reads == figures::Reads::ladder      ? add_performance(job, subject)
                       : job.figure.reads == figures::Reads::occupancy ? add_occupancy(job, subject)
                       : !job.options.index.empty()                    ? add_own_access(job, subject)
                                                                       : add_run(job, subject);
  if (!added) return added.error();
  return subject;
}

figures::SlideOptions slide_options(const Job& job, const figures::Subject& subject) {
  const std::string& title = job.options.title;
  return {.title = title == "auto" ? capitalized(figures::message_of(job.figure, subject, job.options.page))
                                   : title,
          .type = job.options.type,
          .ground = job.ground,
          .for_class = job.options.on_stage};
}

Status save_film(const Job& job, const figures::Subject& subject) {
  if (!job.figure.moves || subject.run == nullptr)
    return Error{fmt::format("{} is a still picture", job.figure.id),
                 "name a .svg, .pdf, .png or .csv file, or export the access figure"};
  if (job.options.page) return Error{"--page is a still picture", "name a .svg, .pdf or .png file"};
  if (job.ground == figures::Ground::transparent && job.ending != ".webp")
    return Error{fmt::format("a {} film is not transparent", job.ending), "name a .webp file"};
  const auto by_iteration =
      chosen_word<bool>("play", job.options.play, {{"access", false}, {"iteration", true}});
  if (!by_iteration) return by_iteration.error();
  figures::SlideOptions how = slide_options(job, subject);
  how.is_film = true;
  const auto [frames, draw, milliseconds] =
      figures::film_of(job.figure, subject, figures::room_of(job.size, job.fonts, how), job.fonts,
                       {.accesses = job.options.frames,
                        .speed = job.options.speed,
                        .motion = !job.options.cuts,
                        .by_iteration = *by_iteration});
  const auto framed = [&, draw = draw](int frame) {
    const auto picture = [&](scene::Size) { return Result<scene::Scene>(draw(frame)); };
    return *figures::slide(picture, job.size, job.fonts, how);
  };
  const paint::Film film{.frames = frames, .draw = framed, .milliseconds = milliseconds};
  return paint::export_film(
      job.options.output, film, job.theme, job.fonts,
      {.scale = job.options.scale, .ffmpeg = paint::find_program("ffmpeg", read_environment().path)});
}

// Of the step with the run's values, at its size.
std::vector<figures::NumberCard> cards_of_speed(const Job& job, const run::Run& run) {
  const run::Plan& plan = run.plan();
  const auto recorded = recorded_speeds(job.workspace, plan.device.id);
  if (!recorded) return {};
  const auto predicted =
      run.complete && explain::doubt(run).empty() ? time::predict(run) : Result<time::Prediction>(Error{});
  return figures::speed_cards(recorded->find(plan.spec, plan.sizes, &plan.parameters),
                              predicted ? figures::predicted_rate(run, *predicted) : std::nullopt);
}

// Around the picture as the window's stage has it.
figures::StagePage stage_page_of(const Job& job, const figures::Subject& subject) {
  const std::string& name = job.options.kernel.kernel;
  figures::StagePage page{.ladder = "", .title = "", .type = job.options.type};
  if (job.options.title != "auto") page.headline = job.options.title;
  const auto chosen =
      name.empty() ? Result<Chosen>(Chosen{}) : choose_kernels(job.workspace, ladder_of(name));
  if (chosen && chosen->is_ladder) {
    page.ladder = ladder_title(ladder_of(name)), page.count = chosen->kernels.size();
    const auto here = std::ranges::find(chosen->kernels, name, &catalog::KernelSpec::id);
    if (here != chosen->kernels.end())
      page.at = static_cast<std::size_t>(here - chosen->kernels.begin()), page.title = here->title;
  }
  if (subject.run == nullptr) return page;
  const run::Plan& plan = subject.run->plan();
  page.title = plan.spec.title;
  run::Runner runner(job.workspace.compiler());
  const auto other = step_to_judge_against(job.workspace, plan.spec.id);
  const auto before =
      other && subject.before == nullptr ? step_before(job.workspace, *other, plan, runner) : subject.before;
  const bool may_compare = explain::reserve(*subject.run).empty();
  if (const auto said =
          may_compare ? against(job.workspace, *subject.run, other, before.get(), runner) : std::nullopt)
    page.against = figures::against_forms(said->said, said->number, figures::other_size(*said, plan)),
    page.than_other = said->said.verdict, page.names_cause = said->said.names_cause(),
    page.is_point = !said->said.about.empty();
  if (before != nullptr) page.other_says = before->says;
  return page;
}

Result<scene::Scene> stage_picture(const Job& job, const figures::Subject& subject) {
  auto page = figures::stage_page(job.figure, subject, stage_page_of(job, subject), job.size, job.fonts);
  if (page && job.ground == figures::Ground::transparent) page->background = scene::Color::transparent();
  return page;
}

Result<scene::Scene> still_picture(const Job& job, const figures::Subject& subject) {
  if (job.options.on_stage) return stage_picture(job, subject);
  const auto draw = [&](scene::Size size) {
    if (!job.options.page) return figures::draw(job.figure, subject, size, job.fonts);
    const auto more =
        subject.run == nullptr ? std::vector<figures::NumberCard>() : cards_of_speed(job, *subject.run);
    const bool names_access = job.options.step != kOpeningAccess || job.options.warp > 0;
    return figures::step_page(job.figure, subject, size, job.fonts, more, names_access);
  };
  return figures::slide(draw, job.size, job.fonts, slide_options(job, subject));
}

Status export_figure(const Job& job) {
  auto subject = subject_of(job);
  if (!subject) return subject.error();
  subject->for_class = job.options.on_stage;
  if (subject->for_class && job.figure.takes_code) subject->counter = "sectors";  // as a new state has it
  if (is_film(job.ending)) {
    subject->with_number = job.options.on_stage;  // no headline says it
    subject->is_guessed = true;                   // the picture alone fills the frame
    return save_film(job, *subject);
  }
  if (job.ending == ".csv") {
    const auto csv = figures::csv(job.figure, *subject);
    return csv ? write_whole_file(job.options.output, *csv) : Status(csv.error());
  }
  const auto scene = still_picture(job, *subject);
  return scene ? save(job, *scene) : Status(scene.error());
}

Result<const figures::Figure*> find_figure(const std::string& name) {
  const figures::Figure* figure = figures::find_figure(name);
  if (figure != nullptr && figures::is_drawn(*figure)) return figure;
  return Error{name.empty() ? "export needs a FIGURE" : fmt::format("unknown figure '{}'", name),
               fmt::format("choose {}", fmt::join(figures::figure_names(figures::is_drawn), ", "))};
}

Status check_numbers(const ExportOptions& options) {
  const auto outside = [](std::string_view name, auto value, auto bounds) -> Status {
    if (value >= bounds.low && value <= bounds.high) return Done{};
    return Error{fmt::format("{} {} is not from {} to {}", name, value, bounds.low, bounds.high),
                 "see 'warplens export --help'"};
  };
  if (const Status s = outside("--width", options.width, kFigureWidth); !s) return s;
  if (const Status s = outside("--height", options.height, kFigureHeight); !s) return s;
  if (const Status s = outside("--scale", options.scale, kPictureScale); !s) return s;
  if (const Status s = outside("--type", options.type, kTypeScale); !s) return s;
  if (const Status s = outside("--frames", options.frames, kFilmFrames); !s) return s;
  return outside("--speed", options.speed, kFilmSpeed);
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
  const auto figure = find_figure(named_figure(options, workspace));
  if (!figure) return figure.error();
  const auto ending = known_ending(options.output);
  if (!ending) return ending.error();
  const auto theme = chosen_word<const theme::Theme*>("theme", options.theme,
                                                      {{"light", &theme::light()}, {"dark", &theme::dark()}});
  if (!theme) return theme.error();
  if (const Status numbers = check_numbers(options); !numbers) return numbers;
  const auto ground = figures::ground_named(options.ground);
  if (!ground)
    return Error{fmt::format("unknown ground '{}'", options.ground), "choose theme, white or transparent"};
  const theme::Theme colors = figures::theme_on(*ground, **theme);
  return export_figure({common,
                        options,
                        workspace,
                        fonts,
                        **figure,
                        colors,
                        {static_cast<double>(options.width), static_cast<double>(options.height)},
                        *ending,
                        *ground,
                        std::move(copies),
                        &wrong_result});
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
  const auto found = find_figure(figure == kOpeningFigure ? catalog::Ladder{}.opens : figure);
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
  if (!done && wrong_result) print_error(done.error());
  if (wrong_result) return kExitWrongResult;
  if (!done) return done.error();
  return kExitFine;
}

}  // namespace warplens::app
