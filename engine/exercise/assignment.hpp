// An exercise in which a line or a kernel is written: what to do, the kernel file to begin with, and what a right
// answer is, as data (docs/grading.md). One TOML file; lessons show it, `warplens grade` judges by it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::exercise {

// What has to hold of the run at the first size: of counts, of the launch, of anything that lessons can ask.
struct Goal {
  std::string says;          // "4 sectors a load of A"
  lesson::Expression holds;  // engine/lesson/evaluator.hpp
  double points = 1;
  int line = 0;  // of the assignment's file, from 1
};
// Answered in the submission by a comment: "// answer 1: 32".
struct Question {
  lesson::Ask ask;
  double points = 1;
};
// One number for all sizes of the problem, or some by their names.
struct SizeWish {
  std::optional<std::int64_t> all = {};
  catalog::Values some = {};
};

struct Assignment {
  std::string file;  // as it was opened
  std::string title, task;
  std::vector<std::string> hints;  // at most kMostHints, each says more than the one before
  // Kernel files. The front matter of `start` is that of every submission, but for what is free.
  std::string start, solution;     // solution: may be empty
  std::vector<std::string> wrong;  // attempts that must fail, for tests of the assignment
  bool launch_is_free = false, parameters_are_free = false;
  std::vector<SizeWish> sizes;  // the result must be right at each; the first is that of the goals
  std::vector<catalog::Values> parameters;  // sets beside the kernel's own, at which it must be right too
  std::string device = "h100";
  int seconds = 60;             // that judging may take
  bool takes_warnings = false;  // a warning of the checkers fails it as an error does, but where this is true
  double points_right = 1, points_findings = 1;
  std::vector<Goal> goals;
  std::vector<Question> questions;

  std::string name() const { return std::filesystem::path(file).stem().string(); }  // "tail_guard"
};

inline constexpr std::size_t kMostHints = 3;
inline constexpr int kMostSeconds = 60;
inline constexpr std::size_t kMostBytes = 1 << 20;  // of a file, an assignment or a submission

// Where the text has a kernel with holes, lines that are "@@@", its parts stand in them one after the other.
std::string filled(std::string_view code, const std::vector<std::string>& parts);

// Errors have file and line: no TOML, keys that are missing, unknown or of another type, expressions that are not
// understood, a kernel file that cannot be read.
Result<Assignment> parse(std::string_view text, const std::string& file);
Result<Assignment> read(const std::filesystem::path& path);

// The assignment's own text as it is given away: without solution and attempts.
std::string handed_out(const Assignment& assignment, const std::string& start_file);

// Where a submission is written: its lines, from 1, between what the assignment's beginning and its solution have in
// common. Where there are none yet, count is 0, and what is written goes before `first`.
struct WrittenLines {
  int first = 1, count = 0;
};
// Nothing where the assignment has no solution, or where the text has no longer what both have in common.
std::optional<WrittenLines> written_lines(const Assignment& assignment, std::string_view text);

// The *.toml files of a folder by their names.
std::vector<std::filesystem::path> assignment_files(const std::filesystem::path& folder);

}  // namespace warplens::exercise
