// What `warplens grade` can be told.
#pragma once

#include <string>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

struct GradeOptions {
  std::string assignment;  // a .toml file, or the name of an exercise of the lessons
  std::string file;        // the submission
  std::string gradescope;  // where to write results.json; empty: nowhere
  std::string output;      // of --start and --export
  bool start = false;      // write the kernel file to begin with
  bool hand_out = false;   // write the assignment as it is given to a class, with its kernel file
};

// Exit code 0: all passed; 1: something did not. Errors: an assignment or a file that cannot be read.
Result<int> grade_command(const CommonOptions& common, const GradeOptions& options);
// The hidden command of the process that judges: the verdict as JSON on descriptor 1.
Result<int> grade_worker_command(const CommonOptions& common, const GradeOptions& options);
Result<int> grade_list_command(const CommonOptions& common);

}  // namespace warplens::app
