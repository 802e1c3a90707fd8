#include "app/commands/lesson/lesson_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/lesson/lesson_pictures.hpp"

namespace warplens::app {
namespace {

constexpr scene::Size kPicture{1280, 720};

class StopCheck {
 public:
  StopCheck(LessonDesk& desk, const OpenLesson& open, std::size_t stop, LessonGpu* gpu, LessonCheck& check)
      : desk_(desk),
        open_(open),
        gpu_(gpu),
        file_(open.lesson.file),
        number_(static_cast<int>(stop) + 1),
        stop_(open.lesson.stops[stop]),
        context_(desk.sources(), open.lesson, open.stops[stop]),
        check_(check) {}

  void run() {
    check_picture();
    check_on_gpu();
    for (const lesson::Part& part : stop_.parts) {
      if (const auto* ask = std::get_if<lesson::Ask>(&part)) check_question(*ask);
      if (const auto* claims = std::get_if<lesson::Claims>(&part))
        for (const lesson::Claim& claim : claims->claims) check_claim(claim);
      if (const auto* exercise = std::get_if<lesson::Try>(&part)) check_try(*exercise);
      if (const auto* write = std::get_if<lesson::Write>(&part)) check_write(*write);
    }
  }

 private:
  void fail(std::string what, int line, Error error) {
    // A mistake in a kernel's own file is told with that file's line in the message.
    if (!error.place.file.empty() && error.place.file != file_)
      error.message = fmt::format("{}: {}", to_string(error.place), error.message);
    error.place = {file_, line, 0};
    if (is_said(error.message)) return;
    check_.failed.push_back({std::move(error), number_, std::move(what)});
  }

  // Whatever keeps a run from being made keeps claims from being evaluated, too.
  bool is_said(const std::string& message) const {
    return std::any_of(check_.failed.begin(), check_.failed.end(), [&](const LessonFailure& failure) {
      return failure.stop == number_ && failure.error.place.file == file_ && failure.error.message == message;
    });
  }

  void check_picture() {
    if (is_of_window(context_.stop().state)) return;
    const auto picture = stop_picture(desk_, context_, kPicture);
    if (!picture) fail("picture", context_.stop().line, picture.error());
  }

  // Whatever is wrong with the run itself is a mistake of the picture.
  void check_on_gpu() {
    if (gpu_ == nullptr || context_.stop().state.view.page == Page::playground) return;
    const auto shown = context_.shown();
    if (!shown) return;
    const Status done = gpu_->check(shown->run->plan());
    check_.gpu_runs = gpu_->runs();
    if (!done) fail("gpu", context_.stop().line, done.error());
  }

  void check_question(const lesson::Ask& ask) {
    ++check_.questions;
    if (lesson::answer_is_a_choice(ask)) return;
    const auto answer = context_.value_of(ask.answer);
    if (!answer) return fail("question", ask.answer_line, answer.error());
    const auto right = ask.choices.empty() ? check_number(ask, *answer) : check_choices(ask, *answer);
    if (!right) fail("question", ask.answer_line, right.error());
  }
  static Status check_choices(const lesson::Ask& ask, const lesson::Value& answer) {
    const auto right = lesson::right_choice(ask, answer);
    if (!right) return right.error();
    if (ask.choices[*right].wrong.empty()) return Done{};
    return Error{
        fmt::format("'{}' is the right choice, and wrong says why it is not", ask.choices[*right].text),
        "remove the reason, or correct the answer"};
  }
  static Status check_number(const lesson::Ask& ask, const lesson::Value& answer) {
    const auto grade = lesson::grade_number(ask, answer, 0);
    return grade ? Status(Done{}) : grade.error();
  }

  void check_claim(const lesson::Claim& claim) {
    ++check_.claims;
    const auto holds = context_.value_of(claim.expression);
    if (!holds) return fail("claim", claim.line, holds.error());
    if (lesson::is_true(*holds)) return;
    const std::string why = context_.why_false(claim.expression);
    fail(
        "claim", claim.line,
        {fmt::format("the claim {} does not hold{}{}", claim.expression.text(), why.empty() ? "" : ": ", why),
         "correct the claim and the text that says it, or the state",
         {}});
  }

  // What is to be made large may be about values that the stop's kernel does not have: the goal names
  // another.
  void check_try(const lesson::Try& exercise) {
    ++check_.tries;
    const auto goal = context_.value_of(exercise.goal);
    if (!goal) return fail("try", exercise.goal_line, goal.error());
    if (!lesson::is_true(*goal)) return;
    if (exercise.best.is_empty())
      return fail(
          "try", exercise.goal_line,
          {"the goal is reached before anything was tried", "begin with a state that does not reach it", {}});
    const auto best = context_.value_of(exercise.best);
    if (!best) return fail("try", exercise.best_line, best.error());
    if (!std::holds_alternative<double>(*best))
      fail("try", exercise.best_line, {"best is a text", "write a number that is to be made large", {}});
  }

  // The solution passes, the beginning and the wrong attempts do not.
  void check_write(const lesson::Write& write) {
    ++check_.exercises;
    const auto assignment = exercise::read(open_.lesson.assignment(write));
    if (!assignment) return fail("write", write.line, assignment.error());
    if (assignment->solution.empty())
      return fail("write", write.line, {"the exercise has no solution", "add one: it is what is tested", {}});
    check_judged(write, *assignment, assignment->solution, true, "the solution");
    check_judged(write, *assignment, assignment->start, false, "what it begins with");
    for (std::size_t i = 0; i < assignment->wrong.size(); ++i)
      check_judged(write, *assignment, assignment->wrong[i], false, fmt::format("wrong attempt {}", i + 1));
  }
  void check_judged(const lesson::Write& write, const exercise::Assignment& assignment,
                    const std::string& text, bool passes, const std::string& what) {
    const auto verdict = desk_.judge(assignment, text);
    if (!verdict) return fail("write", write.line, verdict.error());
    if (verdict->is_passed() == passes) return;
    std::string why =
        fmt::format("{} of the exercise {} {}", what, assignment.name(), passes ? "fails" : "passes");
    for (const exercise::Line& line : verdict->lines)
      if (passes && line.mark == exercise::Mark::failed) why += fmt::format(": {}: {}", line.what, line.why);
    fail("write", write.line, {why, "correct it, or the goals", {}});
  }

  LessonDesk& desk_;
  const OpenLesson& open_;
  LessonGpu* gpu_;
  const std::string& file_;
  const int number_;
  const lesson::Stop& stop_;
  StopContext context_;
  LessonCheck& check_;
};

// The stop that a line of the file is in, from 1; 0 above the first.
int stop_at(const lesson::Lesson& lesson, int line) {
  return static_cast<int>(std::count_if(lesson.stops.begin(), lesson.stops.end(),
                                        [&](const lesson::Stop& stop) { return stop.line <= line; }));
}

bool is_in_state(const lesson::Lesson& lesson, int line) {
  for (const lesson::Stop& stop : lesson.stops)
    if (const auto* block = stop.find<lesson::StateBlock>();
        block != nullptr && line >= block->line &&
        line <= block->line + std::count(block->toml.begin(), block->toml.end(), '\n'))
      return true;
  return false;
}

}  // namespace

void check_lesson(LessonDesk& desk, const OpenLesson& open, LessonGpu* gpu, LessonCheck& check) {
  ++check.lessons;
  const auto first = static_cast<std::ptrdiff_t>(check.failed.size());
  check.exhibits.insert(open.lesson.exhibits.begin(), open.lesson.exhibits.end());
  for (const Error& error : open.errors)
    check.failed.push_back({error, stop_at(open.lesson, error.place.line),
                            is_in_state(open.lesson, error.place.line) ? "state" : "file"});
  check.stops += open.lesson.stops.size();
  for (std::size_t stop = 0; stop < open.lesson.stops.size(); ++stop) {
    check.states += open.lesson.stops[stop].find<lesson::StateBlock>() != nullptr ? 1 : 0;
    // One whose state has a mistake shows another: what it says need not hold of that.
    const bool is_broken = std::any_of(open.errors.begin(), open.errors.end(), [&](const Error& error) {
      return stop_at(open.lesson, error.place.line) == static_cast<int>(stop) + 1 &&
             is_in_state(open.lesson, error.place.line);
    });
    if (!is_broken) StopCheck(desk, open, stop, gpu, check).run();
  }
  std::stable_sort(check.failed.begin() + first, check.failed.end(),
                   [](const auto& a, const auto& b) { return a.error.place.line < b.error.place.line; });
}

Json to_json(const LessonCheck& check) {
  Json failed = Json::array();
  for (const LessonFailure& failure : check.failed)
    failed.push_back(
        {{"file", failure.error.place.file},
         {"line", failure.error.place.line},
         {"stop", failure.stop},
         {"what", failure.what},
         {"message",
          failure.error.message + (failure.error.next_step.empty() ? "" : "; " + failure.error.next_step)}});
  Json all = {{"lessons", check.lessons},     {"stops", check.stops},       {"states", check.states},
              {"questions", check.questions}, {"claims", check.claims},     {"tries", check.tries},
              {"exercises", check.exercises}, {"exhibits", check.exhibits}, {"failed", failed}};
  if (!check.gpu.empty()) all["gpu"] = {{"name", check.gpu}, {"runs", check.gpu_runs}};
  return all;
}

std::string summary(const LessonCheck& check) {
  const auto count = [](std::size_t number, const char* one, const char* many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
  };
  const std::string gpu =
      check.gpu.empty() ? ""
                        : fmt::format("; {} on {}", count(check.gpu_runs, "launch", "launches"), check.gpu);
  return fmt::format("{}: {}, {}, {}, {}, {}{}; {}", count(check.lessons, "lesson", "lessons"),
                     count(check.stops, "stop", "stops"), count(check.states, "state", "states"),
                     count(check.questions, "question", "questions"), count(check.claims, "claim", "claims"),
                     count(check.tries + check.exercises, "exercise", "exercises"), gpu,
                     check.failed.empty() ? "all hold" : count(check.failed.size(), "mistake", "mistakes"));
}

}  // namespace warplens::app
