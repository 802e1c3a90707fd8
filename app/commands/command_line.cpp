#include "app/commands/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/export_options.hpp"
#include "app/commands/grade_options.hpp"
#include "app/commands/lesson_options.hpp"
#include "app/commands/number_option.hpp"
#include "app/program/program_end.hpp"
#include "engine/catalog/near.hpp"

namespace warplens::app {
namespace {

struct CommandLine {
  explicit CommandLine(const WindowCommands& commands) : windows(commands) {}

  const WindowCommands& windows;
  CommonOptions common;
  RunOptions run;
  BenchOptions bench;
  TransfersOptions transfers;
  CpuOptions cpu;
  ServeCommandOptions serve;
  SassOptions sass;
  TimeOptions time;
  ClaimsOptions claims;
  TuneOptions tune;
  AccessOptions access;
  OccupancyOptions occupancy;
  ExecOptions exec;
  NewOptions fresh;
  WindowOptions window;
  ScreenshotOptions screenshot;
  ExportOptions figure;
  LessonOptions lesson;
  GradeOptions grade;
  CLI::App parser{"See how a GPU kernel becomes fast", "warplens"};
  std::function<Result<int>()> chosen;  // set by the command that was named
};

void add_list(CommandLine& line) {
  CLI::App* command = line.parser.add_subcommand("list", "the kernels and their parameters");
  command->callback([&line] { line.chosen = [&line] { return list_command(line.common); }; });
}

void add_new(CommandLine& line) {
  CLI::App* command = line.parser.add_subcommand("new", "write a kernel file to begin with");
  command->add_option("NAME", line.fresh.name, "of the file to write, with or without .cu")->required();
  command
      ->add_option("--like", line.fresh.like,
                   "a kind of problem, such as scan or softmax; or a .cu file, which gets a front matter")
      ->capture_default_str();
  command->callback([&line] { line.chosen = [&line] { return new_command(line.common, line.fresh); }; });
}

void add_gpu_options(CLI::App& command, GpuOptions& options) {
  add_number(command, "--gpu", options.index, "which GPU, as 'warplens gpus' numbers them", 0, 255)
      ->capture_default_str();
  add_number(command, "--timeout", options.timeout, "seconds that one launch on a GPU may take", 0.01, 86400)
      ->capture_default_str();
  add_number(command, "--patience", options.timeout, "", 0.01, 86400)->group("");  // as it was called before
  add_number(command, "--seconds", options.seconds, "of timing on a GPU, at most, for one kernel", 0.001,
             3600)
      ->capture_default_str();
  command.add_flag("--cold", options.cold, "write over the GPU's L2 cache before each timed launch");
}

void add_run(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("run", "run a kernel, check its result, count what its warps did");
  command->add_option("KERNEL", line.run.kernel.kernel, "id, path to a .cu file, or a ladder such as matmul")
      ->required();
  add_kernel_options(*command, line.run.kernel);
  command->add_option("--engine", line.run.engine, "emulator, gpu, or both side by side")
      ->capture_default_str();
  add_gpu_options(*command, line.run.gpu);
  command->add_flag("--record", line.run.record,
                    "with --engine both: have the GPU record its accesses, compare them one by one");
  command->add_flag("--cublas", line.run.gpu.cublas, "on a GPU: time cuBLAS beside a matrix product");
  command->add_option("--pattern", line.run.pattern, "input data: random, ones, index, identity")
      ->capture_default_str();
  add_number(*command, "--seed", line.run.seed, "of the random input data", 0)->capture_default_str();
  add_number(*command, "--budget", line.run.budget,
             "instructions that a warp may execute before the emulator stops it", 1)
      ->capture_default_str();
  command->add_flag(
      "!--no-check", line.run.check,
      "leave out the checks for races, barriers, masks and values that nobody wrote; on a GPU launch the "
      "kernel as it is");
  command->callback([&line] { line.chosen = [&line] { return run_command(line.common, line.run); }; });
}

void add_bench(CommandLine& line) {
  BenchOptions& options = line.bench;
  CLI::App* command = line.parser.add_subcommand("bench", "time a ladder over sizes and parameters");
  command->add_option("LADDER", options.kernel.kernel, "a ladder such as matmul, or one kernel")->required();
  add_defines(*command, options.kernel, "a parameter of the kernels: -D TILE=16 (again for each)");
  add_device(*command, options.kernel.device);
  command->add_option("--engine", options.engine, "gpu or emulator")->capture_default_str();
  command->add_option("--sizes", options.sizes, "512,1024 for all sizes of the problem, or 512x512x64,...")
      ->check(size_problem)
      ->type_name("LIST");
  command->add_option("--save", options.save, "recordings; what the file has already is not run again")
      ->type_name("FILE");
  add_number(*command, "--passes", options.passes,
             "over everything; the median one counts, the spread is that of all", 1)
      ->capture_default_str();
  command->add_flag("--autotune", options.autotune, "try every valid set of parameters, record the quickest");
  add_gpu_options(*command, options.gpu);
  command->add_flag_callback(
      "--no-cublas", [&options] { options.gpu.cublas = false; }, "without cuBLAS");
  command->callback([&line] { line.chosen = [&line] { return bench_command(line.common, line.bench); }; });
}

void add_time(CommandLine& line) {
  CLI::App* one =
      line.parser.add_subcommand("time", "how long a kernel takes by the model, and what it waits for");
  one->add_option("KERNEL", line.time.kernel.kernel, "id, or path to a .cu file")->required();
  add_kernel_options(*one, line.time.kernel);
  one->add_option("--against", line.time.against,
                  "id of another kernel: why one takes longer than the other at this size");
  one->callback([&line] { line.chosen = [&line] { return time_command(line.common, line.time); }; });
}

void add_claims(CommandLine& line) {
  ClaimsOptions& options = line.claims;
  CLI::App* one = line.parser.add_subcommand(
      "claims", "what is said of kernels, claim by claim, counted again: whether it is so");
  one->add_option("KERNEL", options.kernel, "id, path to a .cu file, a ladder, or all")
      ->capture_default_str();
  one->add_option("--device", options.devices, "for this one (again for each)")->type_name("DEVICE");
  add_number(*one, "--sets", options.sets, "random legal sets of parameters beside the defaults", 0, 1000)
      ->capture_default_str();
  add_number(*one, "--threads", options.threads, "kernels looked at at a time; 0: one a core, at most 4", 0,
             256)
      ->capture_default_str();
  one->callback([&line] { line.chosen = [&line] { return claims_command(line.common, line.claims); }; });
}

void add_tune(CommandLine& line) {
  TuneOptions& options = line.tune;
  CLI::App* command = line.parser.add_subcommand(
      "tune", "the quickest parameters: ranked by the model, and the first of them measured on a GPU");
  command->add_option("KERNEL", options.kernel.kernel, "id, or path to a .cu file")->required();
  add_kernel_options(*command, options.kernel);
  add_gpu_options(*command, options.gpu);
  add_number(*command, "--first", options.first,
             "sets of the model's ranking to measure, and those within 15 % of its best", 1)
      ->capture_default_str();
  auto* all = command->add_flag("--all", options.all, "measure every set");
  command->add_flag("--compile", options.compile, "only compile every set, into the cache");
  command->add_flag("--predict", options.predict, "by the model alone, also where there is a GPU")
      ->excludes(all);
  command->callback([&line, command] {
    line.tune.device_named = command->count("--device") > 0;
    line.chosen = [&line] { return tune_command(line.common, line.tune); };
  });
}

void add_sass(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("sass", "the machine code of a kernel, with its schedule and what it did");
  command->add_option("KERNEL", line.sass.kernel.kernel, "id, or path to a .cu file")->required();
  add_kernel_options(*command, line.sass.kernel);
  command->callback([&line] { line.chosen = [&line] { return sass_command(line.common, line.sass); }; });
}

void add_gpus(CommandLine& line) {
  CLI::App* command = line.parser.add_subcommand("gpus", "the GPUs of this machine");
  command->callback([&line] { line.chosen = [&line] { return gpus_command(line.common); }; });
  // No group: not in the help.
  CLI::App* worker =
      line.parser.add_subcommand("gpu-worker", "launches kernels for the program itself")->group("");
  worker->callback([&line] { line.chosen = gpu_worker_command; });
  CLI::App* compiler =
      line.parser.add_subcommand("compile-worker", "compiles what is being typed")->group("");
  compiler->callback([&line] { line.chosen = [&line] { return compile_worker_command(line.common); }; });
}

void add_serve(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("serve", "the page for a browser, of this machine or of a class");
  command->add_option("--bind", line.serve.bind, "address to listen at; 0.0.0.0 lets other machines in")
      ->capture_default_str();
  add_number(*command, "--port", line.serve.port, "0 for any that is free", 0, 65535)->capture_default_str();
  command->callback([&line] { line.chosen = [&line] { return serve_command(line.common, line.serve); }; });
}

void add_transfers(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("transfers", "what it takes to bring data to the GPU and back, measured");
  add_number(*command, "--gpu", line.transfers.gpu, "which GPU, as 'warplens gpus' numbers them", 0, 255)
      ->capture_default_str();
  command->add_option("--save", line.transfers.save, "write the numbers there as JSON")->type_name("FILE");
  command->callback(
      [&line] { line.chosen = [&line] { return transfers_command(line.common, line.transfers); }; });
}

void add_cpu(CommandLine& line) {
  CLI::App* command = line.parser.add_subcommand(
      "cpu", "the matrix product on this computer's processor, in four orders of its loops");
  add_number(*command, "--size", line.cpu.size, "rows of the square matrices", 1, 8192)
      ->capture_default_str();
  add_number(*command, "--repeats", line.cpu.repeats, "the quickest counts", 1, 1000)->capture_default_str();
  command->callback([&line] { line.chosen = [&line] { return cpu_command(line.common, line.cpu); }; });
}

void add_access(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("access", "how many sectors or wavefronts one access of a warp takes");
  AccessOptions& options = line.access;
  command->add_option("--space", options.space, "shared or global")->required();
  command->add_option("--op", options.op, "ld or st")->capture_default_str();
  add_number(*command, "--width", options.width, "bytes a lane: 4, 8 or 16", 1, 16)->capture_default_str();
  command->add_option("--mask", options.mask, "active lanes, lane 0 is bit 0")->capture_default_str();
  command
      ->add_option("--index", options.index,
                   "element that each lane touches, in units of the width: \"32*lane\"")
      ->type_name("EXPRESSION");
  command
      ->add_option("--csv", options.csv,
                   "accesses, one a row: op,width_bytes,active_mask,lane0..lane31; these replace --op, "
                   "--width, --mask")
      ->type_name("FILE");
  add_device(*command, options.device);
  command->callback([&line] { line.chosen = [&line] { return access_command(line.common, line.access); }; });
}

void add_occupancy(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("occupancy", "how many blocks fit on one multiprocessor, and why");
  OccupancyOptions& options = line.occupancy;
  command->add_option("KERNEL", options.kernel.kernel, "id, or path to a .cu file");
  add_kernel_options(*command, options.kernel);
  add_resources(*command, options, "");
  command->callback(
      [&line] { line.chosen = [&line] { return occupancy_command(line.common, line.occupancy); }; });
}

void add_exec(CommandLine& line) {
  ExecOptions& options = line.exec;
  CLI::App* command = line.parser.add_subcommand(
      "exec",
      "run a CUDA program, host code and all, without a GPU: PROGRAM.cu or ./program, then its words");
  command->add_option("--device", options.device, "the GPU that is emulated")->capture_default_str();
  command->add_option("--json", options.json, "write the report there, as JSON")->type_name("FILE");
  command->add_option("--read", options.read, "let it read this file or folder, too (again for each)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_option("--write", options.write, "let it write there (again for each)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_option("--nvcc", options.nvcc, "an option for nvcc, such as -Iinclude (again for each)")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  command->add_flag("--unconfined", options.unconfined, "let it do what you may do");
  command->add_flag("--strict", options.strict, "reads beside an array stop a kernel, too");
  command->add_flag("--sample", options.sample, "of large launches run a part, for their counts alone");
  command->add_flag("!--no-check", options.check, "without checks and predicted times, which take time");
  command->add_flag("!--no-repeats", options.repeats, "run every launch, also where it would change nothing");
  for (const Limit& limit : kLimits) {
    double& value = options.limits.*limit.value;
    auto* const option =
        add_number(*command, option_of(limit), value, limit.meaning, limit.least, limit.most);
    if (value > 0) option->capture_default_str();
  }
  command->callback([&line] { line.chosen = [&line] { return exec_command(line.common, line.exec); }; });
  line.parser.add_subcommand(
      "nvcc", "nvcc for programs that 'exec' runs: its words are nvcc's own (NVCC='warplens nvcc')");
}

// Takes the program that `exec` runs, and its words, from the end of the arguments: they are none of ours,
// whatever they look like.
std::vector<std::string> take_program(const CLI::App& parser, std::vector<std::string>& arguments) {
  const CLI::App& exec = *parser.get_subcommand("exec");
  const auto takes_a_value = [&](const std::string& word) {
    for (const CLI::App* app : {&exec, &parser})
      if (const CLI::Option* option = app->get_option_no_throw(word)) return option->get_expected_min() > 0;
    return false;
  };
  std::size_t at = 2;
  while (at < arguments.size() && arguments[at].starts_with("-") && arguments[at] != "--")
    at += takes_a_value(arguments[at]) ? 2 : 1;
  const std::size_t end = std::min(at, arguments.size());
  const std::size_t begin = end < arguments.size() && arguments[end] == "--" ? end + 1 : end;
  std::vector<std::string> words(arguments.begin() + static_cast<std::ptrdiff_t>(begin), arguments.end());
  arguments.resize(end);
  return words;
}

void add_export(CommandLine& line) {
  CLI::App* command =
      line.parser.add_subcommand("export", "draw one figure into a file, or the tour of them");
  add_export_options(*command, line.figure);
  command->callback([&line, command] {
    line.chosen = [&line, command]() -> Result<int> {
      if (line.figure.tour.empty()) {
        if (const Status known = check_figure_name(line.figure.figure); !known) return known.error();
        if (const Status taken = check_options_of_figure(*command, line.figure); !taken) return taken.error();
      }
      return export_command(line.common, line.figure);
    };
  });
}

void add_lesson_shot(CommandLine& line, CLI::App& parent) {
  LessonOptions& options = line.lesson;
  CLI::App* command = parent.add_subcommand("shot", "the picture of one stop");
  command->add_option("FILE", options.file, "a .md file, or the name of a lesson")->required();
  add_number(*command, "--stop", options.stop, "which, from 1", 1)->capture_default_str();
  command->add_option("-o,--output", options.output, "the picture: .png, .svg or .pdf")
      ->required()
      ->type_name("FILE");
  command->add_option("--theme", options.theme, "light or dark")->capture_default_str();
  command->add_option("--size", options.size, "of the picture, pixels")
      ->capture_default_str()
      ->type_name("WxH");
  command->add_flag("--reveal", options.reveal, "what its question asks, too");
  command->callback(
      [&line] { line.chosen = [&line] { return lesson_shot_command(line.common, line.lesson); }; });
}

void add_lesson(CommandLine& line) {
  LessonOptions& options = line.lesson;
  CLI::App* command = line.parser.add_subcommand("lesson", "list, check, draw and hand out lessons");
  command->add_option("FILE", options.file, "a .md file, the name of a lesson, or all: is checked");
  auto* html = command->add_flag("--html", options.html, "write it as a hand-out for a browser instead");
  command->add_flag("--pdf", options.pdf, "write it as a hand-out for paper instead")->excludes(html);
  command->add_option("--edition", options.edition,
                      "of the hand-out: student, without answers; teacher, with answers, times and notes");
  command->add_option("-o,--output", options.output, "the hand-out: a .html or .pdf file, or a folder")
      ->type_name("FILE");
  command->require_subcommand(0, 1);
  command->callback([&line] {
    if (!line.chosen) line.chosen = [&line] { return lesson_command(line.common, line.lesson); };
  });
  CLI::App* list = command->add_subcommand("list", "the lessons of the program");
  list->callback([&line] { line.chosen = [&line] { return lesson_list_command(line.common); }; });
  CLI::App* check = command->add_subcommand("check", "run each state, question and claim");
  check->add_option("FILE", options.file, "a .md file, the name of a lesson, or all")->required();
  check->add_flag("!--no-gpu", options.gpu, "on the emulator only, also where there is a GPU");
  check->callback(
      [&line] { line.chosen = [&line] { return lesson_check_command(line.common, line.lesson); }; });
  add_lesson_shot(line, *command);
}

void add_grade(CommandLine& line) {
  GradeOptions& options = line.grade;
  CLI::App* command =
      line.parser.add_subcommand("grade", "judge a kernel that was handed in by an assignment");
  command->add_option("ASSIGNMENT", options.assignment,
                      "a .toml file, or the name of an exercise of the lessons");
  command->add_option("FILE", options.file, "the .cu file that was handed in");
  command->add_option("--gradescope", options.gradescope, "write Gradescope's results.json there")
      ->type_name("FILE");
  auto* start = command->add_flag("--start", options.start, "write the kernel file to begin with instead");
  command
      ->add_flag("--export", options.hand_out,
                 "write the assignment without its answers instead, and that file")
      ->excludes(start);
  command->add_option("-o,--output", options.output, "of --start: a .cu file; of --export: a folder")
      ->type_name("FILE");
  command->require_subcommand(0, 1);
  command->callback([&line] {
    if (line.chosen) return;
    line.chosen = [&line]() -> Result<int> {
      if (line.grade.assignment.empty())
        return Error{"grade needs an ASSIGNMENT", "name one; 'warplens grade list' has those of the lessons"};
      return grade_command(line.common, line.grade);
    };
  });
  CLI::App* list = command->add_subcommand("list", "the exercises of the lessons");
  list->callback([&line] { line.chosen = [&line] { return grade_list_command(line.common); }; });
  CLI::App* worker = line.parser.add_subcommand("grade-worker", "judges for the program itself")->group("");
  worker->add_option("--assignment", options.assignment)->required();
  worker->add_option("--file", options.file)->required();
  worker->callback(
      [&line] { line.chosen = [&line] { return grade_worker_command(line.common, line.grade); }; });
}

Result<int> exit_code(const Status& done) { return done ? Result<int>(kExitFine) : done.error(); }

void add_window(CommandLine& line) {
  line.parser.add_option("--state", line.window.state, "open the window in this state, a TOML file")
      ->type_name("FILE");
  add_number(line.parser, "--close-after", line.window.close_after, "seconds", 0, 86400)
      ->group("");  // for tests of the window
  CLI::App* command = line.parser.add_subcommand("screenshot", "draw the window without a display");
  command->add_option("STATE", line.screenshot.state, "what the window shows, a TOML file")->required();
  command->add_option("-o", line.screenshot.output, "the picture, a .png file")
      ->required()
      ->type_name("FILE");
  add_number(*command, "--thumbnail", line.screenshot.thumbnail,
             "shrink the picture to this many pixels across and to 255 colours", 16, 16384)
      ->type_name("WIDTH");
  command->add_flag("--timing", line.screenshot.timing, "say how long the frames took");
  command->callback([&line] {
    line.chosen = [&line] { return exit_code(line.windows.screenshot(line.common, line.screenshot)); };
  });
}

std::unique_ptr<CommandLine> make_command_line(const WindowCommands& windows) {
  auto line = std::make_unique<CommandLine>(windows);
  line->parser.require_subcommand(0, 1);
  line->parser.fallthrough();  // the options below are understood after the command too
  line->parser.set_version_flag("--version", std::string("warplens ") + WARPLENS_VERSION);
  line->parser.add_flag("--json", line->common.json, "answer in JSON");
  line->parser.add_option("--home", line->common.home, "folder of kernels/ and assets/")->type_name("DIR");
  line->parser.add_option("--cache", line->common.cache, "folder for compiled kernels")->type_name("DIR");
  line->parser.add_flag("--no-cache", line->common.no_cache, "compile again each time");
  line->parser.footer("--json, --home, --cache and --no-cache may stand after the command.");
  add_list(*line);
  add_new(*line);
  add_run(*line);
  add_bench(*line);
  add_gpus(*line);
  add_transfers(*line);
  add_serve(*line);
  add_cpu(*line);
  add_access(*line);
  add_occupancy(*line);
  add_time(*line);
  add_claims(*line);
  add_tune(*line);
  add_sass(*line);
  add_exec(*line);
  add_export(*line);
  add_lesson(*line);
  add_grade(*line);
  add_window(*line);
  for (CLI::App* command : line->parser.get_subcommands({})) {
    command->footer("Also: --json, --home DIR, --cache DIR, --no-cache.");
  }
  return line;
}

// The command whose help answers a question about these words.
std::string help_command(const CLI::App& parser) {
  const auto named = parser.get_subcommands();
  return named.empty() ? "warplens --help" : fmt::format("warplens {} --help", named.front()->get_name());
}

// What could stand where the unknown word stood: options of the command and of the program, or commands.
std::vector<std::string> known_words(const CLI::App& parser) {
  std::vector<std::string> words;
  const auto add_options = [&](const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  };
  add_options(parser);
  const auto named = parser.get_subcommands();
  for (const CLI::App* command : named) add_options(*command);
  if (named.empty()) {
    for (const CLI::App* command : parser.get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(command->get_name());
    }
  }
  return words;
}

Error unknown_word(const CLI::App& parser, const std::string& text) {
  const std::string word = text.starts_with('-') ? text.substr(0, text.find('=')) : text;
  const bool command_missing = parser.get_subcommands().empty() && !word.starts_with('-');
  const std::string kind = word.starts_with('-') ? "option" : command_missing ? "command" : "argument";
  const auto near = catalog::near_names(word, known_words(parser), 1);
  const std::string help = "see '" + help_command(parser) + "'";
  std::error_code unreadable;
  if (command_missing && std::filesystem::is_regular_file(word, unreadable))
    return {fmt::format("'{}' is a file, and a command comes first", word),
            fmt::format("did you mean warplens run {}? ({})", word, help)};
  return {fmt::format("unknown {} '{}'", kind, word),
          near.empty() ? help : fmt::format("did you mean {}? ({})", near.front(), help)};
}

// CLI11's own words, made one line with a next step. A word that it did not know comes first: a mistyped
// option is also one that is missing.
Error to_error(const CLI::App& parser, const CLI::ParseError& failure) {
  const auto code = static_cast<CLI::ExitCodes>(failure.get_exit_code());
  if (code == CLI::ExitCodes::ExtrasError || code == CLI::ExitCodes::RequiredError) {
    if (const auto left = parser.remaining(true); !left.empty()) return unknown_word(parser, left.front());
  }
  return {failure.what(), "see '" + help_command(parser) + "'"};
}

// The answer may have gone to a full disk.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  print_error({"the answer could not be written", "check the disk or the pipe behind it", {}});
  return kExitBadInput;
}

int report(const Error& error) {
  print_error(error);
  return kExitBadInput;
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, const WindowCommands& windows) {
  if (arguments.size() > 1 && arguments[1] == "nvcc") {
    const auto code = nvcc_command({arguments.begin() + 2, arguments.end()});
    return code ? *code : report(code.error());
  }
  const auto line = make_command_line(windows);
  std::vector<std::string> own = arguments;
  if (own.size() > 1 && own[1] == "exec") line->exec.words = take_program(line->parser, own);
  // CLI11 wants the words in reverse, without the program's name.
  std::vector<std::string> words(own.rbegin(), own.rend());
  if (!words.empty()) words.pop_back();
  try {
    line->parser.parse(std::move(words));
  } catch (const CLI::ParseError& failure) {
    if (failure.get_exit_code() != 0) return report(to_error(line->parser, failure));
    return flushed(line->parser.exit(failure));  // --help, --version: printed there
  }
  const auto code = line->chosen ? line->chosen() : exit_code(windows.window(line->common, line->window));
  return code ? flushed(*code) : report(code.error());
}

}  // namespace warplens::app
