// What the lesson commands work with: the program's data, opened once, and a lesson with its stops.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/lesson/stop_context.hpp"
#include "engine/exercise/judge.hpp"
#include "engine/lesson/lesson.hpp"
#include "engine/run/runner.hpp"
#include "engine/study/study.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::app {

struct OpenLesson {
  lesson::Lesson lesson;
  std::vector<StopState> stops;  // one for each of lesson.stops
  std::vector<Error> errors;     // of the file and of the states
};

class LessonDesk {
 public:
  // Errors: no data folder, no kernels, no devices, recordings that cannot be read, no fonts.
  static Result<std::unique_ptr<LessonDesk>> open(const CommonOptions& common);

  OpenLesson read(const std::filesystem::path& file) const;
  // As `warplens grade` judges, in this process: of texts that the lessons bring along.
  Result<exercise::Verdict> judge(const exercise::Assignment& assignment, const std::string& text);
  const Workspace& workspace() const { return workspace_; }
  const LessonSources& sources() const { return sources_; }
  const paint::Fonts& fonts() const { return *fonts_; }
  study::Library& library() { return library_; }  // of what its stops show
  // As performance_of(), made once: several stops show one ladder, and its steps take seconds to count.
  Result<std::shared_ptr<const figures::PerformanceInput>> performance(const KernelOptions& kernel,
                                                                       bool over_sizes);

 private:
  LessonDesk(Workspace workspace, catalog::Catalog catalog, device::DeviceTable devices,
             std::shared_ptr<const paint::Fonts> fonts);

  Workspace workspace_;
  catalog::Catalog catalog_;
  device::DeviceTable devices_;
  std::shared_ptr<const paint::Fonts> fonts_;
  run::Runner runner_;
  study::Library library_;
  LessonSources sources_;
  std::map<std::string, std::shared_ptr<const figures::PerformanceInput>> performances_;
};

// "all" is every lesson of the program; else a file, or the name of such a lesson: "01_matmul". Error: there
// is none; names near ones.
Result<std::vector<std::filesystem::path>> find_lessons(const Workspace& workspace, const std::string& name);

}  // namespace warplens::app
