// What `warplens lesson` can be told.
#pragma once

#include <string>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace CLI {
class App;
}

namespace warplens::app {

struct LessonOptions {
  std::string file;    // or the name of a lesson, or "all"
  std::string output;  // shot: a picture; hand-out: a .html or .pdf file, or a folder
  bool html = false, pdf = false;
  std::string edition;  // of a hand-out: "student", "teacher"; empty: answers behind their questions
  int stop = 1;         // from 1
  bool reveal = false;
  bool gpu = true;  // check: the launches of the stops on a GPU as well, where there is one
  std::string theme = "light", size = "1280x720";
};

Result<int> lesson_list_command(const CommonOptions& common);
Result<int> lesson_check_command(const CommonOptions& common, const LessonOptions& options);
Result<int> lesson_shot_command(const CommonOptions& common, const LessonOptions& options);
// Checks the file, or with --html or --pdf writes it as a hand-out.
Result<int> lesson_command(const CommonOptions& common, const LessonOptions& options);

}  // namespace warplens::app
