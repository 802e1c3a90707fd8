#include "engine/exercise/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/catalog/front_matter.hpp"
#include "engine/exercise/answers.hpp"
#include "engine/lesson/grade.hpp"
#include "engine/lesson/runs.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/run.hpp"

namespace warplens::exercise {
namespace {

constexpr std::uint64_t kBudget = 4'000'000;  // instructions of one warp: sizes of exercises are small
constexpr const char* kFirst = "what is wrong above comes first";

Result<catalog::Values> sizes_of(const catalog::KernelSpec& spec, const SizeWish& wish) {
  const auto problem = problem::find_problem(spec);
  if (!problem) return problem.error();
  catalog::Values sizes = (*problem)->default_sizes();
  for (auto& [name, value] : sizes) value = wish.all.value_or(value);
  for (const auto& [name, value] : wish.some) {
    if (!sizes.contains(name)) return Error{fmt::format("the problem has no size {}", name), "correct sizes"};
    sizes[name] = value;
  }
  return sizes;
}

const check::Finding* first_that_fails(const run::Report& report, bool takes_warnings) {
  const auto fails = [&](const check::Finding& finding) {
    return finding.severity == check::Severity::error ||
           (!takes_warnings && finding.severity == check::Severity::warning);
  };
  const auto found = std::ranges::find_if(report.findings, fails);
  return found == report.findings.end() ? nullptr : &*found;
}

// Judges one submission, line by line; what comes later needs what came before.
class Judge {
 public:
  Judge(const Assignment& assignment, const Submission& submission, const Bench& bench)
      : assignment_(assignment), submission_(submission), bench_(bench) {
    verdict_.assignment = assignment.name();
    verdict_.title = assignment.title;
    verdict_.file = submission.file;
  }

  Result<Verdict> run() {
    const auto base = catalog::parse_kernel(assignment_.start, assignment_.name(), assignment_.file);
    if (!base) return base.error();
    const auto device = bench_.devices.find(assignment_.device);
    if (!device) return device.error();
    device_ = *device;
    const auto problem = problem::find_problem(*base);
    if (!problem) return problem.error();
    size_names_ = (*problem)->size_names();
    for (const SizeWish& wish : assignment_.sizes) {
      const auto sizes = sizes_of(*base, wish);
      if (!sizes) return Error{sizes.error().message, sizes.error().next_step, {assignment_.file, 0, 0}};
      sizes_.push_back(*sizes);
    }
    compiles(*base);
    is_right();
    has_no_findings();
    reaches_goals();
    answers_questions();
    if (bench_.cancel) return run::cancelled();
    return std::move(verdict_);
  }

 private:
  Line& add(std::string what, double points = 1, std::string otherwise = "") {
    verdict_.lines.push_back({.what = std::move(what), .points = points, .otherwise = std::move(otherwise)});
    return verdict_.lines.back();
  }
  void fail(Line& line, const Error& error) const {
    line.mark = Mark::failed;
    line.why = error.message, line.next_step = error.next_step;
    if (error.place.file == submission_.file) line.line = error.place.line;
  }
  static void wait(Line& line) { line.why = kFirst; }

  // The submission's text under the assignment's front matter, but for what is free.
  Result<catalog::KernelSpec> spec_of(const catalog::KernelSpec& base) const {
    catalog::KernelSpec spec = base;
    spec.path = submission_.file;
    spec.code = catalog::usual_text(submission_.text);
    if (!assignment_.launch_is_free && !assignment_.parameters_are_free) return spec;
    if (!catalog::has_front_matter(spec.code))
      return Error{"the front matter is missing", "begin with the kernel file that you were given"};
    const auto own = catalog::parse_kernel(spec.code, spec.id, submission_.file);
    if (!own) return own.error();
    if (assignment_.parameters_are_free) spec.params = own->params, spec.require = own->require;
    if (assignment_.launch_is_free)
      spec.block = own->block, spec.grid = own->grid, spec.shared = own->shared,
      spec.block_line = own->block_line, spec.grid_line = own->grid_line, spec.shared_line = own->shared_line;
    return spec;
  }

  Result<run::Job> job_of(const catalog::KernelSpec& spec, const catalog::Values& parameters,
                          const catalog::Values& sizes) {
    const auto plan = run::plan(spec, parameters, sizes, device_);
    if (!plan) return plan.error();
    auto instance = instances_.instantiate(*plan);
    if (!instance) return instance.error();
    const auto compile = [this](const compile::Request& request) { return bench_.runner.build(request); };
    auto build = compile(run::build_request(*plan));
    if (!build) return build.error();
    if (auto done = instances_.complete(*plan, **instance, compile); !done) return done.error();
    return run::Job{*plan, *std::move(instance), *std::move(build), kBudget};
  }

  void compiles(const catalog::KernelSpec& base) {
    Line& line = add("it compiles", 1, "it does not compile");
    if (submission_.text.size() > kMostBytes)
      return fail(line, {"the file is larger than 1 MiB", "hand in the kernel alone"});
    auto spec = spec_of(base);
    if (!spec) return fail(line, spec.error());
    spec_ = *std::move(spec);
    auto job = job_of(*spec_, {}, sizes_.front());
    if (!job) return fail(line, job.error());
    job_ = *std::move(job);
    line.mark = Mark::passed;
  }

  // "M = 32, N = 32, K = 7", in the order of the problem.
  std::string size_words(const catalog::Values& sizes) const {
    std::vector<std::string> words;
    for (const std::string& name : size_names_) words.push_back(fmt::format("{} = {}", name, sizes.at(name)));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  // "N = 1000, 1, 33"; of several parameters "N = 1000, 1 and TILE = 8".
  std::string everywhere() const {
    std::vector<std::string> words;
    for (const catalog::Values& sizes : sizes_) {
      const std::string all = size_words(sizes);
      words.push_back(sizes.size() == 1 && !words.empty() ? std::to_string(sizes.begin()->second) : all);
    }
    const bool is_one = sizes_.front().size() == 1;
    std::string text = fmt::format("{}", fmt::join(words, is_one ? ", " : "; "));
    for (const catalog::Values& values : assignment_.parameters) text += "; " + run::value_words(values);
    return text;
  }

  // The run at one size; a fault, or a result that is wrong, is what the line says.
  run::SharedRun right_run(Line& line, const run::Job& job, bool is_recorded) const {
    run::ExecuteOptions options{.stop_at_uninitialised = false, .cancel = &bench_.cancel};
    if (is_recorded) options.record = 0;
    auto execution = run::execute(job, options);
    auto run =
        execution ? run::tabulate(job, *std::move(execution)) : Result<run::SharedRun>(execution.error());
    const std::string where = "at " + size_words(job.plan.sizes);
    if (!run) return fail(line, run.error()), nullptr;
    if (const auto& fault = (*run)->fault)
      return fail(line, {fmt::format("{}: {}", where, fault->message), fault->next_step, fault->place}),
             nullptr;
    const run::Report& report = (*run)->report;
    if (report.verified) return *run;
    fail(line,
         {fmt::format("{}: {}", where, report.explanation.empty() ? report.not_checked : report.explanation),
          ""});
    return nullptr;
  }

  void is_right() {
    Line& line =
        add("the result is right at " + everywhere(), assignment_.points_right, "the result is wrong");
    if (!job_) return wait(line);
    run_ = right_run(line, *job_, true);
    is_right_ = run_ != nullptr && is_right_elsewhere(line);
    if (is_right_) line.mark = Mark::passed;
  }
  bool is_right_elsewhere(Line& line) {
    for (const catalog::Values& sizes : sizes_)
      if (sizes != sizes_.front() && !is_right_with({}, sizes, line)) return false;
    for (const catalog::Values& parameters : assignment_.parameters)
      if (!is_right_with(parameters, sizes_.front(), line)) return false;
    return true;
  }
  bool is_right_with(const catalog::Values& parameters, const catalog::Values& sizes, Line& line) {
    const auto job = job_of(*spec_, parameters, sizes);
    if (!job) return fail(line, job.error()), false;
    return right_run(line, *job, false) != nullptr;
  }

  // Of a wrong kernel too: a race or an access beside an array is often why it is wrong.
  void has_no_findings() {
    Line& line = add("nothing is found wrong with it", assignment_.points_findings,
                     "something is found wrong with it");
    if (!job_) return wait(line);
    const auto checked = run::run_checked(*job_, false, &bench_.cancel);
    if (!checked) return fail(line, checked.error());
    const check::Finding* finding = first_that_fails((*checked)->report, assignment_.takes_warnings);
    if (finding == nullptr) {
      is_clean_ = true;
      line.mark = Mark::passed;
      return;
    }
    fail(line, {fmt::format("{}: {}", check::name(finding->kind), check::words_of(*finding)),
                finding->fix,
                {submission_.file, finding->line, 0}});
  }

  lesson::Context context() {
    const auto subject = [this]() -> Result<lesson::Subject> { return lesson::subject_of(run_, 0, 0, {}); };
    const auto other = [this](const lesson::RunWish& wish) {
      return other_runs_.run(
          wish, {{.kernel = wish.kernel, .sizes = sizes_.front(), .device = assignment_.device}});
    };
    return {.catalog = &bench_.catalog, .recorded = &bench_.recorded, .shown = subject, .run = other};
  }

  // An empty kernel loads nothing: counts are those of a right one, or nothing.
  bool counts() const { return run_ != nullptr && is_right_ && is_clean_; }

  void reaches_goals() {
    for (const Goal& goal : assignment_.goals) {
      Line& line = add(goal.says, goal.points);
      if (!counts()) {
        wait(line);
        continue;
      }
      const auto holds = goal.holds.evaluate(context());
      if (!holds) {
        fail(line, holds.error());
      } else if (lesson::is_true(*holds)) {
        line.mark = Mark::passed;
      } else {
        fail(line, {goal.holds.explain(context()), ""});
        if (line.why.empty()) line.why = fmt::format("{} does not hold", goal.holds.text());
      }
    }
  }

  void answers_questions() {
    for (std::size_t i = 0; i < assignment_.questions.size(); ++i) {
      const Question& question = assignment_.questions[i];
      Line& line = add(fmt::format("question {}: {}", i + 1, question.ask.question), question.points);
      const std::string answer = answer_in(submission_.text, i + 1);
      if (answer.empty()) {
        fail(line, {"it is not answered", fmt::format("write // answer {}: ... in the kernel file", i + 1)});
        continue;
      }
      if (!counts() && !lesson::answer_is_a_choice(question.ask)) {
        wait(line);
        continue;
      }
      judge_answer(question.ask, answer, line);
    }
  }
  void judge_answer(const lesson::Ask& ask, const std::string& answer, Line& line) {
    auto value = lesson::answer_is_a_choice(ask) ? Result<lesson::Value>(lesson::Value(ask.answer.text()))
                                                 : ask.answer.evaluate(context());
    const auto grade = value ? grade_answer(ask, *value, answer) : Result<lesson::Grade>(value.error());
    if (!grade) return fail(line, grade.error());
    if (grade->right) {
      line.mark = Mark::passed;
      return;
    }
    fail(line, {grade->reason.empty() ? fmt::format("it is not {}", answer) : grade->reason, ""});
  }

  const Assignment& assignment_;
  const Submission& submission_;
  const Bench& bench_;
  lesson::Runs other_runs_{bench_.catalog, bench_.devices, bench_.runner, bench_.cancel};
  run::Instances instances_{{.most_kept = 2}};
  device::Device device_;
  std::vector<catalog::Values> sizes_;
  std::vector<std::string> size_names_;
  Verdict verdict_;
  std::optional<catalog::KernelSpec> spec_;
  std::optional<run::Job> job_;
  run::SharedRun run_;
  bool is_right_ = false, is_clean_ = false;
};

}  // namespace

Result<Verdict> judge(const Assignment& assignment, const Submission& submission, const Bench& bench) {
  return Judge(assignment, submission, bench).run();
}

}  // namespace warplens::exercise
