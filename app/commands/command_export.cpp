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
#include "app/commands/export_subject.hpp"
#include "app/commands/run_progress.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/opening.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/checked/seen.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/film.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/slide.hpp"
#include "viz/paint/files/export.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/stage/stage_page.hpp"

namespace warplens::app {
namespace {

struct Job {
  const CommonOptions& common;
  const ExportOptions& options;
  const Workspace& workspace;
  study::Library& library;
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

Status save(const Job& job, const scene::Scene& scene, const scene::PictureWords& words) {
  const paint::ExportOptions how{.scale = job.options.scale, .ffmpeg = {}, .words = words};
  for (const auto& [file, theme] : job.copies)
    if (const Status done = paint::export_picture(file, scene, *theme, job.fonts, how); !done) return done;
  return paint::export_picture(job.options.output, scene, job.theme, job.fonts, how);
}

PictureTelling telling_of(const Job& job) {
  return {.at_work = [] { return std::make_shared<const RunProgress>(); },
          .wrong = [&job] { *job.wrong_result = true; },
          .notice =
              [&job](const run::Run& run) {
                if (tell_notice(run)) *job.wrong_result = true;
              },
          .warning = [](const Error& warning) { print_warning(to_line(warning)); }};
}

figures::SlideOptions slide_options(const Job& job, const figures::Subject& subject) {
  const std::string& title = job.options.title;
  return {.title = title == "auto" ? capitalized(figures::message_of(job.figure, subject, job.options.page))
                                   : title,
          .type = job.options.type,
          .ground = job.ground,
          .look = subject.look};
}

Status save_film(const Job& job, const figures::Subject& subject) {
  if (!job.figure.has(figures::Trait::film) || subject.run == nullptr)
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
  const auto recorded = job.workspace.recorded()->speeds(plan.device.id);
  if (!recorded) return {};
  const auto predicted =
      run.complete && explain::doubt(run).empty() ? time::predict(run) : Result<time::Prediction>(Error{});
  return figures::speed_cards((*recorded)->find(plan.spec, plan.sizes, &plan.parameters),
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
  const auto taught = taught_step(job.workspace, plan);
  const auto before =
      job.library.now({.run = subject.run, .ladder = &taught->step}, study::Fact::before).before;
  const bool may_compare = explain::reserve(*subject.run).empty();
  if (const auto said = may_compare ? against(job.library, subject.run, *taught, before.get()) : std::nullopt)
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
  auto subject =
      subject_of({job.workspace, job.options, job.figure, job.library, is_film(job.ending), telling_of(job)});
  if (!subject) return subject.error();
  if (figures::is_on_stage(subject->look) && job.figure.has(figures::Trait::code))
    subject->counter = "sectors";  // as a new state has it
  if (is_film(job.ending)) {
    subject->with_number = job.options.on_stage;  // no headline says it
    return save_film(job, *subject);
  }
  if (job.ending == ".csv") {
    const auto csv = figures::csv(job.figure, *subject);
    return csv ? write_whole_file(job.options.output, *csv) : Status(csv.error());
  }
  const auto scene = still_picture(job, *subject);
  if (!scene) return scene.error();
  scene::PictureWords words = figures::picture_words(job.figure, *subject);
  if (const std::string title = slide_options(job, *subject).title; !title.empty()) words.title = title;
  return save(job, *scene, words);
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
  study::Library library(std::make_shared<run::Runner>(workspace.compiler()),
                         {.disassembler = disassembler_options(read_environment())});
  return export_figure({common,
                        options,
                        workspace,
                        library,
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
