#include "app/commands/lesson/lesson_desk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "app/base/paths.hpp"
#include "app/commands/export_sources.hpp"
#include "engine/base/cancel.hpp"
#include "engine/catalog/near.hpp"

namespace warplens::app {

namespace fs = std::filesystem;

LessonDesk::LessonDesk(Workspace workspace, catalog::Catalog catalog, device::DeviceTable devices,
                       std::shared_ptr<const paint::Fonts> fonts)
    : workspace_(std::move(workspace)),
      catalog_(std::move(catalog)),
      devices_(std::move(devices)),
      fonts_(std::move(fonts)),
      runner_(workspace_.compiler()),
      library_(runner_, {.disassembler = disassembler_options(read_environment())}),
      sources_{workspace_.home(), catalog_, devices_, *workspace_.recorded(), runner_} {}

Result<std::unique_ptr<LessonDesk>> LessonDesk::open(const CommonOptions& common) {
  auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  auto devices = workspace->devices();
  if (!devices) return devices.error();
  auto fonts = paint::Fonts::open(font_folders(workspace->home()));
  if (!fonts) return fonts.error();
  return std::unique_ptr<LessonDesk>(
      new LessonDesk(*std::move(workspace), *std::move(catalog), *std::move(devices), *std::move(fonts)));
}

OpenLesson LessonDesk::read(const fs::path& file) const {
  auto parsed = lesson::read(file);
  auto stops = stops_of(parsed.lesson, {catalog_, devices_}, workspace_.home());
  OpenLesson open{std::move(parsed.lesson), std::move(stops.stops), std::move(parsed.errors)};
  open.errors.insert(open.errors.end(), stops.errors.begin(), stops.errors.end());
  return open;
}

Result<exercise::Verdict> LessonDesk::judge(const exercise::Assignment& assignment, const std::string& text) {
  return exercise::judge(assignment, {assignment.name() + ".cu", text},
                         {catalog_, devices_, sources_.recorded, runner_, kNeverCancelled});
}

Result<std::shared_ptr<const figures::PerformanceInput>> LessonDesk::performance(const KernelOptions& kernel,
                                                                                 bool over_sizes) {
  const std::string key = fmt::format("{} {} {} {} {}", kernel.kernel, fmt::join(kernel.defines, " "),
                                      kernel.size, kernel.device, over_sizes);
  if (const auto made = performances_.find(key); made != performances_.end()) return made->second;
  auto input = performance_of(workspace_, kernel, over_sizes);
  if (!input) return input.error();
  return performances_[key] = std::make_shared<const figures::PerformanceInput>(*std::move(input));
}

Result<std::vector<fs::path>> find_lessons(const Workspace& workspace, const std::string& name) {
  const auto all = lesson::lesson_files(workspace.home() / "lessons");
  std::error_code failed;
  if (name == "all" && all.empty())
    return Error{"there are no lessons in " + (workspace.home() / "lessons").string(), "put .md files there"};
  if (name == "all") return all;
  if (fs::is_regular_file(name, failed)) return std::vector<fs::path>{name};
  std::vector<std::string> names;
  for (const fs::path& file : all) {
    if (file.stem() == name || file.filename() == name) return std::vector{file};
    names.push_back(file.stem().string());
  }
  const auto near = catalog::near_names(name, names, 1);
  return Error{fmt::format("there is no lesson '{}'", name),
               near.empty() ? "name a .md file; 'warplens lesson list' has the program's own"
                            : fmt::format("did you mean {}?", near.front())};
}

}  // namespace warplens::app
