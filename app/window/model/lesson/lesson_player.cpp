#include "app/window/model/lesson/lesson_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/lesson/asked_speeds.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/lesson/grade.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// Where the next ones are quick, a slow one behind them has their time too.
constexpr std::size_t kStopsAhead = 4;

std::optional<fs::file_time_type> written_at(const fs::path& file) {
  std::error_code failed;
  const auto time = fs::last_write_time(file, failed);
  return failed ? std::nullopt : std::optional(time);
}

LessonEntry entry_of(const fs::path& file) {
  const lesson::Lesson lesson = lesson::read(file).lesson;
  LessonEntry entry{.file = file,
                    .name = lesson.name(),
                    .title = lesson.title.empty() ? lesson.name() : lesson.title,
                    .summary = lesson.summary,
                    .minutes = lesson.minutes,
                    .stops = lesson.stops.size()};
  for (const lesson::Stop& stop : lesson.stops) entry.questions += stop.find<lesson::Ask>() != nullptr;
  return entry;
}

// What has to be computed for the stop's question.
lesson::Expression computed(const lesson::Stop& stop) {
  const lesson::Ask* ask = stop.find<lesson::Ask>();
  return ask == nullptr || lesson::answer_is_a_choice(*ask) ? lesson::Expression() : ask->answer;
}

// What a side was not told it fills in by itself.
bool differs(const CompareSide& now, const CompareSide& then) {
  if (!then.kernel.empty() && now.kernel != then.kernel) return true;
  return std::ranges::any_of(then.params, [&](const auto& value) {
    const auto found = now.params.find(value.first);
    return found != now.params.end() && found->second != value.second;
  });
}

// What a user sets for himself, whatever a lesson shows.
void keep_own_view(State& state, const State& own) {
  View view = own.view;
  view.page = state.view.page;
  view.figure = state.view.figure;
  view.code = state.view.code;
  view.counter = state.view.counter;
  view.steps_by = state.view.steps_by;
  state.view = view;
  state.lesson = own.lesson;
}

}  // namespace

struct LessonPlayer::Question {
  std::shared_ptr<const Opened> lesson;
  StopState stop;                       // what it is about
  lesson::Expression expression, best;  // best: empty where nothing is to be made large
};

struct LessonPlayer::Answer {
  Result<lesson::Value> value = lesson::Value{};
  std::optional<Result<lesson::Value>> best;
};

LessonPlayer::LessonPlayer(Model& model, std::function<void()> wake) : model_(model), wake_(std::move(wake)) {
  // All with the window's own runs.
  bench_ =
      std::make_shared<const LessonBench>(LessonBench{model_.home(), model_.device_table(), model_.runner(),
                                                      std::make_shared<measured::Recorded>(model_.home())});
  const auto worker = [&] {
    return std::make_unique<LatestWins<Question, Answer>>(
        [bench = bench_](const Question& question, const std::atomic<bool>& cancel, const auto&) {
          const LessonSources sources = bench->over(question.lesson->catalog, cancel);
          StopContext context(sources, question.lesson->lesson, question.stop);
          Answer answer{context.value_of(question.expression), std::nullopt};
          if (!question.best.is_empty()) answer.best = context.value_of(question.best);
          return answer;
        },
        wake_);
  };
  answers_ = worker();
  trials_ = worker();
  search_ = std::make_unique<Asked<ExerciseReach>>(wake_);
  judge_ = std::make_unique<ExerciseJudge>(bench_, wake_);
  ahead_ = std::make_unique<StopAhead>(bench_, model_.library(), wake_);
}

LessonPlayer::~LessonPlayer() = default;

Status LessonPlayer::keep_progress(fs::path file) {
  auto read = read_progress(file);
  if (!read) return read.error();
  progress_.merge(*read);
  progress_file_ = std::move(file);
  return Done{};
}

void LessonPlayer::save() {
  if (progress_file_.empty()) return;
  if (const Status kept = write_progress(progress_file_, progress_); !kept)
    model_.note(to_line(kept.error()));
}

const std::vector<LessonEntry>& LessonPlayer::all() {
  if (!std::exchange(has_looked_, true))
    for (const fs::path& file : lesson::lesson_files(model_.home() / "lessons"))
      all_.push_back(entry_of(file));
  return all_;
}

const LessonProgress* LessonPlayer::progress_in(const std::string& name) const {
  const auto found = progress_.find(name);
  return found == progress_.end() ? nullptr : &found->second;
}

const LessonEntry* LessonPlayer::following() {
  const auto here = std::ranges::find(all(), lesson().name(), &LessonEntry::name);
  return here == all_.end() || here + 1 == all_.end() ? nullptr : &*(here + 1);
}

Status LessonPlayer::open(const std::string& name) {
  const auto found = std::ranges::find(all(), name, &LessonEntry::name);
  const std::string file = found == all_.end() ? name : found->file.string();
  if (const Status loaded = load(file); !loaded) return loaded;
  loaded_ = name;
  if (!is_open()) device_before_ = model_.state.device;
  const LessonProgress* before = progress_in(read_->lesson.name());
  model_.state.lesson = {name, before == nullptr ? 0 : before->stop, false};
  followed_ = {};
  at_ = at(read_, model_.state.lesson.stop);
  return Done{};
}

// What is being drawn has it until the next update(). The size at which it compares steps and the device are
// its own choice.
void LessonPlayer::close() {
  StepsBy& by = model_.state.view.steps_by;
  if (is_open() && by == at_.arrived.view.steps_by) by = View{}.steps_by;
  if (is_open() && model_.state.device == at_.arrived.device && !device_before_.empty())
    model_.choose_device(device_before_);
  model_.state.lesson = {};
}

void LessonPlayer::leave() {
  model_.state.lesson = followed_ = {};
  at_ = {};
  read_.reset();
  loaded_.clear();
  answers_->cancel();
  trials_->cancel();
  judge_->cancel();
  ahead_->stop();
}

Status LessonPlayer::load(const fs::path& file) {
  lesson::Parsed parsed = lesson::read(file);
  if (parsed.lesson.stops.empty())
    return parsed.errors.empty() ? Error{file.string() + " has no stop", "begin one with '## '"}
                                 : parsed.errors.front();
  auto opened = std::make_shared<Opened>();
  opened->catalog = model_.catalog();
  opened->written = written_at(file);
  auto stops = stops_of(parsed.lesson, {opened->catalog, model_.device_table()}, model_.home());
  opened->errors = std::move(parsed.errors);
  std::ranges::move(stops.errors, std::back_inserter(opened->errors));
  opened->stops = std::move(stops.stops);
  opened->lesson = std::move(parsed.lesson);
  opened->asked_speeds = asked_speeds(opened->lesson);
  read_ = std::move(opened);
  return Done{};
}

LessonPlayer::At LessonPlayer::at(std::shared_ptr<const Opened> lesson, std::size_t stop) {
  At at{.lesson = std::move(lesson)};
  const std::vector<lesson::Stop>& stops = at.lesson->lesson.stops;
  at.stop = std::min(stop, stops.size() - 1);
  if (const auto* ask = stops[at.stop].find<lesson::Ask>()) {
    at.guess.ask = {at.lesson, ask};
    at.guess.votes.resize(ask->choices.size());
  }
  return at;
}

void LessonPlayer::go_to(std::size_t stop) {
  LessonState& at = model_.state.lesson;
  if (at.stop != stop) at.answered = false;
  at.stop = std::min(stop, lesson().stops.size() - 1);
}

bool LessonPlayer::advance() {
  if (is_moving()) return true;
  if (is_asking()) {
    show_answer();
    return true;
  }
  if (stop() + 1 >= lesson().stops.size()) return false;
  go_to(stop() + 1);
  return true;
}

bool LessonPlayer::go_back() {
  if (is_moving()) return true;
  if (stop() == 0) return false;
  go_to(stop() - 1);
  return true;
}

void LessonPlayer::toggle_bookmark() {
  auto& marks = own_progress().bookmarks;
  if (!marks.erase(stop())) marks.insert(stop());
  save();
}

State LessonPlayer::shown_by(const StopState& stop) const {
  State state = stop.state;
  keep_own_view(state, model_.state);
  return state;
}

// The state was set to another stop, or another file: shows what that one shows.
void LessonPlayer::enter() {
  at_ = at(read_, model_.state.lesson.stop);
  followed_ = model_.state.lesson;
  followed_.stop = model_.state.lesson.stop = at_.stop;
  at_.guess.is_answered = followed_.answered;
  answers_->cancel();
  trials_->cancel();
  search_->rest();
  judge_->cancel();
  LessonProgress& progress = own_progress();
  progress.stop = stop();
  progress.seen.insert(stop());
  save();
  begin_writing();
  come_back();
  ask_for_answer();
}

void LessonPlayer::come_back() {
  at_.is_settled = false;
  if (const Status adopted = model_.adopt(shown_by(stop_state())); !adopted)
    model_.note(to_line(adopted.error()));
  at_.arrived = model_.state;
}

bool LessonPlayer::is_away() const {
  const State &now = model_.state, &then = at_.arrived;
  if (!then.edit.exercise.empty())  // the kernel is the one that is written there
    return now.view.page != then.view.page || now.edit.exercise != then.edit.exercise;
  const bool same_run = now.kernel == then.kernel && now.device == then.device && now.size == then.size &&
                        now.params == then.params && now.occupancy == then.occupancy;
  return !same_run || now.view.page != then.view.page || now.view.figure != then.view.figure ||
         now.playground != then.playground || differs(now.compare.left, then.compare.left) ||
         differs(now.compare.right, then.compare.right);
}

// The access that a stop names is known once its run is there.
void LessonPlayer::settle_access() {
  if (at_.is_settled || !model_.is_current() || model_.run() == nullptr) return;
  at_.is_settled = true;
  StopState stop = stop_state();
  if (stop.state.view.page != Page::ladder || stop.access == lesson::AccessWish{}) return;
  if (const auto found = settle(stop, model_.shared_run()); !found)
    return model_.note(to_line(found.error()));
  model_.state.selection = stop.state.selection;
}

// ---- questions

bool LessonPlayer::is_asking() const { return is_open() && guess().ask != nullptr && !guess().is_answered; }

bool LessonPlayer::is_covering() const { return is_asking() && !stop_state().reveal; }

std::set<std::string> LessonPlayer::asked_later() const {
  std::set<std::string> kernels;
  if (!is_open()) return kernels;
  for (const auto& [kernel, asked] : at_.lesson->asked_speeds)
    if (stop() < asked || (stop() == asked && is_asking())) kernels.insert(kernel);
  return kernels;
}

// Ahead: it is there before anybody has guessed.
void LessonPlayer::ask_for_answer() {
  Guess& guess = at_.guess;
  if (guess.ask == nullptr) return;
  if (lesson::answer_is_a_choice(*guess.ask)) {
    guess.answer = guess.ask->answer.text();
    if (const auto right = lesson::right_choice(*guess.ask, *guess.answer)) guess.right = *right;
    return;
  }
  answers_->submit({.lesson = at_.lesson, .stop = stop_state(), .expression = guess.ask->answer, .best = {}});
}

void LessonPlayer::choose(std::size_t choice) {
  Guess& guess = at_.guess;
  if (is_moving() || guess.ask == nullptr || choice >= guess.ask->choices.size()) return;
  const bool first = !guess.is_answered;
  guess.chosen = choice;
  show_answer();
  if (!first || !guess.right) return;
  (choice == *guess.right ? own_progress().right : own_progress().wrong).insert(stop());
  save();
}

void LessonPlayer::type(double number) {
  Guess& guess = at_.guess;
  if (is_moving() || guess.ask == nullptr) return;
  const bool first = !guess.is_answered;
  guess.typed = number;
  show_answer();
  if (!first || !guess.answer) return;
  const auto grade = lesson::grade_number(*guess.ask, *guess.answer, number);
  if (!grade) return;
  (grade->right ? own_progress().right : own_progress().wrong).insert(stop());
  save();
}

void LessonPlayer::vote(std::size_t choice, int by) {
  std::vector<int>& votes = at_.guess.votes;
  if (!is_moving() && choice < votes.size()) votes[choice] = std::max(0, votes[choice] + by);
}

void LessonPlayer::show_answer() {
  if (is_moving()) return;
  at_.guess.is_answered = true;
  model_.state.lesson.answered = followed_.answered = true;
}

// ---- exercises

void LessonPlayer::watch_exercise() {
  const lesson::Try* exercise = here().find<lesson::Try>();
  const run::SharedRun run = model_.shared_run();
  if (exercise == nullptr || run == nullptr || !run->complete || run->fault || !model_.is_current() ||
      at_.tried == run || explain::is_being_checked(*run))
    return;
  at_.tried = run;
  if (std::string why = explain::doubt_words(*run); !why.empty()) {
    trials_->cancel();
    Trial wrong;
    if (at_.trial) wrong.best = at_.trial->best;
    wrong.error = Error{"the goal is not judged: " + why, ""};
    return void(at_.trial = std::move(wrong));
  }
  StopState shown{.state = model_.state, .access = {}};
  shown.access.number = model_.state.selection.shown_step() + 1;
  trials_->submit(
      {.lesson = at_.lesson, .stop = std::move(shown), .expression = exercise->goal, .best = exercise->best});
}

// Of the kernel with which the goal was reached, at its size and on its device.
void LessonPlayer::search_best() {
  const State& state = model_.state;
  std::string key = fmt::format("{} {} {} {}", state.kernel, run::value_words(state.size), state.device,
                                state.selection.block);
  if (search_->ask(key, [&] {
        StopState stop{.state = state, .access = {}};
        stop.access.number = state.selection.shown_step() + 1;
        ExerciseAtStop at{.lesson = {at_.lesson, &at_.lesson->lesson},
                          .catalog = {at_.lesson, &at_.lesson->catalog},
                          .stop = std::move(stop),
                          .exercise = *here().find<lesson::Try>()};
        return [bench = bench_, at = std::move(at)](const std::atomic<bool>& cancel, const auto& partial) {
          return reach_of(at, *bench, cancel, partial);
        };
      }))
    at_.trial->known.reset();
}

// ---- what is written

void LessonPlayer::begin_writing() {
  const lesson::Write* write = here().find<lesson::Write>();
  if (write == nullptr) return;
  at_.writing.was_done = progress().done.contains(stop());
  auto read = exercise::read(lesson().assignment(*write));
  if (read)
    at_.writing.assignment = std::make_shared<const exercise::Assignment>(*std::move(read));
  else
    at_.writing.error = read.error();
}

void LessonPlayer::judge(std::string text) {
  if (is_moving() || at_.writing.assignment == nullptr) return;
  at_.writing.verdict.reset();
  at_.writing.judged = text;
  judge_->judge({.assignment = at_.writing.assignment,
                 .catalog = {at_.lesson, &at_.lesson->catalog},
                 .text = std::move(text)});
}

void LessonPlayer::judge_again(const std::optional<std::string>& text) {
  if (!is_open() || is_away() || !text || !at_.writing.was_done || at_.writing.verdict) return;
  if (std::exchange(at_.writing.is_judged_again, true) || is_judging()) return;
  judge(*text);
}

bool LessonPlayer::take_verdict() {
  auto verdict = judge_->poll();
  if (!verdict) return false;
  at_.writing.verdict = *std::move(verdict);
  at_.writing.was_done |= at_.writing.is_done();
  if (at_.writing.is_done() && own_progress().done.insert(stop()).second) save();
  return true;
}

bool LessonPlayer::take_answers() {
  bool changed = take_verdict();
  if (auto answer = answers_->poll()) {
    changed = true;
    Guess& guess = at_.guess;
    if (!answer->value) {
      guess.error = answer->value.error();
    } else {
      guess.answer = *answer->value;
      if (guess.ask != nullptr && !guess.ask->choices.empty()) {
        const auto right = lesson::right_choice(*guess.ask, *guess.answer);
        right ? void(guess.right = *right) : void(guess.error = right.error());
      }
    }
  }
  if (auto answer = trials_->poll()) {
    changed = true;
    const Trial before = at_.trial.value_or(Trial{});
    const std::optional<double> best_before = before.best;
    at_.trial.emplace();
    at_.trial->best = before.best, at_.trial->known = before.known;
    if (!answer->value)
      at_.trial->error = answer->value.error();
    else
      at_.trial->is_reached = lesson::is_true(*answer->value);
    if (answer->best && *answer->best)
      if (const double* value = std::get_if<double>(&**answer->best)) {
        at_.trial->value = *value;
        if (at_.trial->is_reached) at_.trial->best = std::max(*value, best_before.value_or(*value));
      }
    if (at_.trial->is_reached && own_progress().done.insert(stop()).second) save();
    if (at_.trial->is_reached) search_best();
  }
  if (search_->take() && at_.trial) at_.trial->known = search_->known(), changed = true;
  return changed;
}

// ----

bool LessonPlayer::update() {
  const LessonState& wanted = model_.state.lesson;
  if (wanted.file.empty()) {
    if (is_open()) leave();
    return false;
  }
  if (wanted.file != loaded_) {
    const LessonState asked = wanted;
    if (const Status opened = open(asked.file); !opened) {
      model_.note(to_line(opened.error()));
      leave();
      return true;
    }
    model_.state.lesson = asked;
  }
  const bool moved = is_moving();
  if (moved) enter();
  if (model_.state.view.page == Page::start) {  // there nothing is of a lesson, nor its device
    close();
    return true;
  }
  settle_access();
  watch_exercise();
  const bool changed = take_answers();
  return changed || moved;
}

void LessonPlayer::look_for_changes() {
  if (!is_open()) return;
  const fs::path file = lesson().file;
  const auto written = written_at(file);
  if (!written || written == read_->written) return;
  const auto before = read_;
  if (const Status loaded = load(file); !loaded) {
    model_.note(to_line(loaded.error()));
    auto kept = std::make_shared<Opened>(*before);
    kept->written = written;
    read_ = std::move(kept);
    return;
  }
  if (!read_->errors.empty()) model_.note(to_line(read_->errors.front()));
  followed_ = {};  // entered again by the next update
  if (wake_) wake_();
}

void LessonPlayer::look_ahead(bool may_work) {
  if (!is_open()) return;
  if (!may_work || is_busy() || model_.busy_seconds() || model_.ladder_traffic().is_busy() ||
      !model_.is_current())
    return ahead_->stop();
  const auto written = at_.lesson->written ? at_.lesson->written->time_since_epoch().count() : 0;
  ahead_->make(fmt::format("{} {} {}", lesson().file, written, stop()), [this] { return next_stops(); });
}

StopAhead::Stops LessonPlayer::next_stops() const {
  StopAhead::Stops next{.lesson = {at_.lesson, &at_.lesson->lesson},
                        .catalog = {at_.lesson, &at_.lesson->catalog},
                        .taught = model_.taught(),
                        .stops = {}};
  const std::size_t end = std::min(stop() + 1 + kStopsAhead, lesson().stops.size());
  for (std::size_t at = stop() + 1; at < end; ++at) {
    StopState there = at_.lesson->stops[at];
    there.state = shown_by(there);
    next.stops.push_back({std::move(there), computed(lesson().stops[at])});
  }
  return next;
}

bool LessonPlayer::is_busy() const {
  return answers_->busy_seconds().has_value() || trials_->busy_seconds().has_value() || is_judging();
}

}  // namespace warplens::app
