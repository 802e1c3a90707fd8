// warplens lesson: lessons as a list, as tests, as pictures and as hand-outs.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/commands/commands.hpp"
#include "app/commands/export_options.hpp"
#include "app/commands/lesson/lesson_check.hpp"
#include "app/commands/lesson/lesson_html.hpp"
#include "app/commands/lesson/lesson_pdf.hpp"
#include "app/commands/lesson/lesson_pictures.hpp"
#include "app/commands/lesson_options.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/paint/files/export.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

Result<scene::Size> parse_size(const std::string& text) {
  int width = 0, height = 0;
  const char* end = text.data() + text.size();
  const auto [cross, first] = std::from_chars(text.data(), end, width);
  const bool has_two = first == std::errc() && cross != end && *cross == 'x';
  const auto [stop, second] = has_two ? std::from_chars(cross + 1, end, height)
                                      : std::from_chars_result{cross, std::errc::invalid_argument};
  const bool fits = width >= kFigureWidth.low && width <= kFigureWidth.high && height >= kFigureHeight.low &&
                    height <= kFigureHeight.high;
  if (second != std::errc() || stop != end || !fits)
    return Error{fmt::format("--size '{}' is no size of a picture", text),
                 fmt::format("write WIDTHxHEIGHT, such as 1280x720, from {}x{} on", kFigureWidth.low,
                             kFigureHeight.low)};
  return scene::Size{static_cast<double>(width), static_cast<double>(height)};
}

Result<const theme::Theme*> find_theme(const std::string& name) {
  if (name == "light") return &theme::light();
  if (name == "dark") return &theme::dark();
  return Error{fmt::format("unknown theme '{}'", name), "choose light or dark"};
}

struct OneLesson {
  std::unique_ptr<LessonDesk> desk;
  OpenLesson open;
};
// Error: the first mistake in it, too.
Result<OneLesson> open_one(const CommonOptions& common, const std::string& name) {
  auto desk = LessonDesk::open(common);
  if (!desk) return desk.error();
  const auto files = find_lessons((*desk)->workspace(), name);
  if (!files) return files.error();
  if (files->size() != 1) return Error{"this is of one lesson", "name it; 'warplens lesson list' has all"};
  OpenLesson open = (*desk)->read(files->front());
  if (!open.errors.empty()) return open.errors.front();
  return OneLesson{*std::move(desk), std::move(open)};
}

Status write_handout(LessonDesk& desk, const fs::path& file, const fs::path& output, bool pdf,
                     Edition edition) {
  const OpenLesson open = desk.read(file);
  if (!open.errors.empty()) return open.errors.front();
  if (pdf) {
    const auto pages = lesson_pdf(desk, open, edition);
    if (!pages) return pages.error();
    return write_whole_file(output, {reinterpret_cast<const char*>(pages->data()), pages->size()});
  }
  const auto page = lesson_html(desk, open, edition);
  if (!page) return page.error();
  return write_whole_file(output, *page);
}

Result<int> handouts(const CommonOptions& common, const LessonOptions& options) {
  const std::string ending = options.pdf ? ".pdf" : ".html";
  if (options.output.empty())
    return Error{"a hand-out needs a place", fmt::format("add -o lesson{}, or -o DIR", ending)};
  const auto edition = edition_named(options.edition);
  if (!edition) return edition.error();
  const std::string suffix = options.edition.empty() ? "" : "-" + options.edition;
  const auto desk = LessonDesk::open(common);
  if (!desk) return desk.error();
  const auto files = find_lessons((*desk)->workspace(), options.file);
  if (!files) return files.error();
  const bool is_file = paint::ending_of(options.output) == ending;
  if (is_file && files->size() > 1)
    return Error{"several lessons do not go into one file", "name a folder: -o DIR"};
  std::error_code failed;
  if (!is_file) fs::create_directories(options.output, failed);
  if (failed)
    return Error{"the folder cannot be made: " + failed.message(), "choose another", {options.output, 0, 0}};
  for (const fs::path& file : *files) {
    const fs::path to = is_file ? fs::path(options.output)
                                : fs::path(options.output) / (file.stem().string() + suffix + ending);
    if (const Status written = write_handout(**desk, file, to, options.pdf, *edition); !written)
      return written.error();
    fmt::print("{}\n", to.string());
  }
  return kExitFine;
}

// Where there is one, and nobody asked to leave it out.
std::optional<LessonGpu> gpu_of(const LessonDesk& desk, const LessonOptions& options) {
  if (!options.gpu) return std::nullopt;
  auto engine = GpuEngine::start(GpuOptions{});
  if (!engine) return std::nullopt;
  return std::make_optional<LessonGpu>(desk, *std::move(engine));
}

}  // namespace

Result<int> lesson_list_command(const CommonOptions& common) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  Json list = Json::array();
  std::string lines;
  for (const fs::path& file : lesson::lesson_files(workspace->home() / "lessons")) {
    const auto parsed = lesson::read(file);
    const lesson::Lesson& lesson = parsed.lesson;
    for (const Error& error : parsed.errors) print_error(error);
    list.push_back({{"lesson", lesson.name()},
                    {"title", lesson.title},
                    {"summary", lesson.summary},
                    {"minutes", lesson.minutes},
                    {"stops", lesson.stops.size()},
                    {"source", lesson.source},
                    {"exhibits", lesson.exhibits},
                    {"file", lesson.file}});
    lines += fmt::format("{:<34} {:>3} minutes, {:>2} stops  {}\n", lesson.name(), lesson.minutes,
                         lesson.stops.size(), lesson.title);
  }
  fmt::print("{}", common.json ? to_text(list) : lines);
  return kExitFine;
}

Result<int> lesson_check_command(const CommonOptions& common, const LessonOptions& options) {
  const auto desk = LessonDesk::open(common);
  if (!desk) return desk.error();
  const auto files = find_lessons((*desk)->workspace(), options.file);
  if (!files) return files.error();
  LessonCheck check;
  auto gpu = gpu_of(**desk, options);
  if (gpu) check.gpu = gpu->name();
  for (const fs::path& file : *files) check_lesson(**desk, (*desk)->read(file), gpu ? &*gpu : nullptr, check);
  if (!common.json)
    for (const LessonFailure& failure : check.failed) print_error(failure.error);
  fmt::print("{}", common.json ? to_text(to_json(check)) : summary(check) + "\n");
  return check.failed.empty() ? kExitFine : kExitWrongResult;
}

Result<int> lesson_shot_command(const CommonOptions& common, const LessonOptions& options) {
  const auto size = parse_size(options.size);
  if (!size) return size.error();
  const auto theme = find_theme(options.theme);
  if (!theme) return theme.error();
  const auto one = open_one(common, options.file);
  if (!one) return one.error();
  const auto& stops = one->open.lesson.stops;
  if (options.stop < 1 || static_cast<std::size_t>(options.stop) > stops.size())
    return Error{fmt::format("there is no stop {}", options.stop),
                 fmt::format("the lesson has stops 1 to {}", stops.size())};
  const auto index = static_cast<std::size_t>(options.stop) - 1;
  StopContext context(one->desk->sources(), one->open.lesson, one->open.stops[index]);
  const auto* ask = stops[index].find<lesson::Ask>();
  const bool covered = !context.stop().reveal && !options.reveal && ask != nullptr;
  scene::PictureWords words{ask == nullptr ? "" : ask->question, ""};
  auto picture = covered ? Result<scene::Scene>(covered_picture(ask->question, *size, one->desk->fonts()))
                         : stop_picture(*one->desk, context, *size, &words);
  if (!picture) return picture.error();
  picture->size = *size;
  const Status written = paint::export_picture(options.output, *picture, **theme, one->desk->fonts(),
                                               {.ffmpeg = {}, .words = words});
  return written ? Result<int>(kExitFine) : written.error();
}

Result<int> lesson_command(const CommonOptions& common, const LessonOptions& options) {
  if (options.file.empty())
    return Error{"lesson needs a FILE", "name one; 'warplens lesson list' has the program's own"};
  if (options.html || options.pdf) return handouts(common, options);
  if (!options.output.empty()) return Error{"-o is of a hand-out", "add --html or --pdf"};
  if (!options.edition.empty()) return Error{"--edition is of a hand-out", "add --html or --pdf"};
  return lesson_check_command(common, options);
}

}  // namespace warplens::app
