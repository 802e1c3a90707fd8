// warplens grade: a submission against an assignment. A process of its own judges, since what strangers write may take
// all time and memory.
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/grade_options.hpp"
#include "engine/base/cancel.hpp"
#include "engine/base/process.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/near.hpp"
#include "engine/exercise/judge.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostBytes = rlim_t{6} << 30;  // beside what the program itself has mapped
constexpr int kOutOfMemory = 3;                 // exit code of the process that judges

fs::path exercises_folder(const Workspace& workspace) { return workspace.home() / "lessons" / "exercises"; }

// A file, or the name of an exercise of the lessons.
Result<fs::path> find_assignment(const Workspace& workspace, const std::string& name) {
  std::error_code failed;
  if (fs::is_regular_file(name, failed)) return fs::path(name);
  std::vector<std::string> names;
  for (const fs::path& file : exercise::assignment_files(exercises_folder(workspace))) {
    if (file.stem() == name) return file;
    names.push_back(file.stem().string());
  }
  const auto near = catalog::near_names(name, names, 1);
  return Error{fmt::format("there is no assignment '{}'", name),
               near.empty() ? "name a .toml file; 'warplens grade list' has the exercises of the lessons"
                            : fmt::format("did you mean {}?", near.front())};
}

std::vector<std::string> worker_words(const CommonOptions& common, const fs::path& assignment,
                                      const std::string& file) {
  std::vector<std::string> words = {read_environment().executable.string(),
                                    "grade-worker",
                                    "--assignment",
                                    assignment.string(),
                                    "--file",
                                    file};
  if (!common.home.empty()) words.insert(words.end(), {"--home", common.home});
  if (!common.cache.empty()) words.insert(words.end(), {"--cache", common.cache});
  if (common.no_cache) words.emplace_back("--no-cache");
  return words;
}

exercise::Verdict stopped(const exercise::Assignment& assignment, const std::string& file, std::string why,
                          std::string next_step) {
  exercise::Verdict verdict = exercise::refused("it can be judged", std::move(why), std::move(next_step));
  verdict.assignment = assignment.name(), verdict.title = assignment.title, verdict.file = file;
  // All points that there are, of which none is had.
  verdict.lines.front().points = 1 + assignment.points_right + assignment.points_findings;
  for (const exercise::Goal& goal : assignment.goals) verdict.lines.front().points += goal.points;
  for (const exercise::Question& question : assignment.questions)
    verdict.lines.front().points += question.points;
  return verdict;
}

// What the process that judges said, or why it said nothing.
Result<exercise::Verdict> judged(const CommonOptions& common, const exercise::Assignment& assignment,
                                 const std::string& file) {
  const Descriptor answer = memory_file(), complaint = memory_file();
  auto process =
      Process::start({.words = worker_words(common, assignment.file, file),
                      .descriptors = {{0, Process::kNull}, {1, answer.number()}, {2, complaint.number()}},
                      .own_session = true});
  if (!process) return process.error();
  if (!process->wait(assignment.seconds)) {
    process->end_session();
    process->wait();
    return stopped(assignment, file, fmt::format("it takes longer than {} seconds", assignment.seconds),
                   "look for a loop without an end, or for work that grows with the square of the size");
  }
  if (process->exit_code() == kExitBadInput) {
    const Json said = Json::parse(answer.text(), nullptr, false);
    if (const Json& message = at(said, "error"); message.is_string())
      return Error{message, at(said, "next_step"), {at(said, "place"), at(said, "line"), 0}};
  }
  if (process->exit_code() == kExitFine)
    if (const auto verdict = exercise::from_json(Json::parse(answer.text(), nullptr, false))) return *verdict;
  return stopped(assignment, file,
                 process->exit_code() == kOutOfMemory ? "it takes more than 6 GiB of memory"
                                                      : "the process that judges it ended",
                 "take smaller arrays");
}

void limit_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = kMostBytes + static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  const rlimit limit{bytes, bytes}, no_core{0, 0};
  setrlimit(RLIMIT_AS, &limit), setrlimit(RLIMIT_CORE, &no_core);
}

Result<exercise::Verdict> judge_here(const CommonOptions& common, const GradeOptions& options) {
  auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  auto devices = workspace->devices();
  if (!devices) return devices.error();
  const auto assignment = exercise::read(options.assignment);
  if (!assignment) return assignment.error();
  const auto text = read_whole_file(options.file);
  if (!text) return text.error();
  run::Runner runner(workspace->compiler());
  return exercise::judge(*assignment, {options.file, *text},
                         {*catalog, *devices, *workspace->recorded(), runner, kNeverCancelled});
}

Status write_start(const exercise::Assignment& assignment, const GradeOptions& options) {
  const std::string file = options.output.empty() ? assignment.name() + ".cu" : options.output;
  if (const Status written = write_whole_file(file, assignment.start); !written) return written;
  fmt::print("{}\n", file);
  return Done{};
}

// The assignment without its answers, and the kernel file to begin with.
Status hand_out(const exercise::Assignment& assignment, const GradeOptions& options) {
  const fs::path folder = options.output.empty() ? fs::path(".") : fs::path(options.output);
  std::error_code failed;
  fs::create_directories(folder, failed);
  const std::string start = assignment.name() + ".cu";
  const fs::path file = folder / (assignment.name() + ".toml");
  if (fs::exists(file, failed) && fs::equivalent(file, assignment.file, failed))
    return Error{"that would replace the assignment itself", "name another folder: -o DIR"};
  for (const auto& [path, text] : {std::pair{folder / start, assignment.start},
                                   std::pair{file, exercise::handed_out(assignment, start)}}) {
    if (const Status written = write_whole_file(path, text); !written) return written;
    fmt::print("{}\n", path.string());
  }
  return Done{};
}

}  // namespace

Result<int> grade_command(const CommonOptions& common, const GradeOptions& options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto path = find_assignment(*workspace, options.assignment);
  if (!path) return path.error();
  const auto assignment = exercise::read(*path);
  if (!assignment) return assignment.error();
  if (options.start || options.hand_out) {
    const Status done = options.start ? write_start(*assignment, options) : hand_out(*assignment, options);
    return done ? Result<int>(kExitFine) : done.error();
  }
  if (options.file.empty()) return Error{"there is nothing to grade", "name the .cu file that was handed in"};
  std::error_code failed;
  if (!fs::is_regular_file(options.file, failed))
    return Error{"there is no such file", "name the .cu file that was handed in", {options.file, 0, 0}};
  const auto verdict = judged(common, *assignment, options.file);
  if (!verdict) return verdict.error();
  fmt::print("{}",
             common.json ? warplens::to_text(exercise::to_json(*verdict)) : exercise::to_text(*verdict));
  if (!options.gradescope.empty())
    if (const Status written =
            write_whole_file(options.gradescope, warplens::to_text(exercise::gradescope_results(*verdict)));
        !written)
      return written.error();
  return verdict->is_passed() ? kExitFine : kExitWrongResult;
}

Result<int> grade_worker_command(const CommonOptions& common, const GradeOptions& options) {
  limit_memory();
  try {
    const auto verdict = judge_here(common, options);
    if (verdict) {
      fmt::print("{}", warplens::to_text(exercise::to_json(*verdict)));
      return kExitFine;
    }
    const Error& error = verdict.error();
    fmt::print("{}", warplens::to_text(Json{{"error", error.message},
                                            {"next_step", error.next_step},
                                            {"place", error.place.file},
                                            {"line", error.place.line}}));
    return kExitBadInput;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  }
}

Result<int> grade_list_command(const CommonOptions& common) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  Json list = Json::array();
  std::string lines;
  for (const fs::path& file : exercise::assignment_files(exercises_folder(*workspace))) {
    const auto assignment = exercise::read(file);
    if (!assignment) return assignment.error();
    list.push_back({{"name", assignment->name()}, {"title", assignment->title}, {"file", file.string()}});
    lines += fmt::format("{:<28} {}\n", assignment->name(), assignment->title);
  }
  fmt::print("{}", common.json ? warplens::to_text(list) : lines);
  return kExitFine;
}

}  // namespace warplens::app
