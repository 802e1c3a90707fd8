#include "app/window/model/lesson/lesson_player.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/lesson/asked_speeds.hpp"
#include "app/lesson/stop_context.hpp"
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
std::string computed(const lesson::Stop& stop) {
  const lesson::Ask* ask = stop.find<lesson::Ask>();
  return ask == nullptr || lesson::answer_is_a_choice(*ask) ? "" : ask->answer;
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
  StopState stop;                // what it is about
  std::string expression, best;  // best: empty where nothing is to be made large
};

struct LessonPlayer::Answer {
  Result<lesson::Value> value = lesson::Value{};
  std::optional<Result<lesson::Value>> best;
};

LessonPlayer::LessonPlayer(Model& model, std::function<void()> wake) : model_(model), wake_(std::move(wake)) {
  // Both with the window's own runs.
  const auto worker = [&] {
    return std::make_unique<LatestWins<Question, Answer>>(
        [home = model_.home(), devices = model_.device_table(), runner = model_.runner(),
         recorded = measured::Recorded(model_.home() / "assets/recorded")](
            const Question& question, const std::atomic<bool>& cancel, const auto&) mutable {
          lesson::Runs runs(question.lesson->catalog, devices, *runner, cancel);
          const LessonSources sources{home, question.lesson->catalog, devices, recorded, runs};
          StopContext context(sources, question.lesson->lesson, question.stop);
          Answer answer{context.value_of(question.expression), std::nullopt};
          if (!question.best.empty()) answer.best = context.value_of(question.best);
          return answer;
        },
        wake_);
  };
  answers_ = worker();
  trials_ = worker();
  search_ = std::make_unique<ExerciseSearch>(model_.home(), model_.device_table(), model_.runner(), wake_);
  ahead_ = std::make_unique<StopAhead>(model_, wake_);
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
  const LessonProgress* before = progress_in(lesson().name());
  model_.state.lesson = {name, before == nullptr ? 0 : before->stop, false};
  followed_ = {};
  return Done{};
}

void LessonPlayer::close() {
  model_.state.lesson = followed_ = {};
  lesson_.reset();
  loaded_.clear();
  answers_->cancel();
  trials_->cancel();
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
  opened->asked_speeds = asked_speeds(opened->lesson, opened->stops);
  lesson_ = std::move(opened);
  return Done{};
}

std::size_t LessonPlayer::stop() const {
  return std::min(model_.state.lesson.stop, lesson().stops.size() - 1);
}

void LessonPlayer::go_to(std::size_t stop) {
  LessonState& at = model_.state.lesson;
  if (at.stop != stop) at.answered = false;
  at.stop = std::min(stop, lesson().stops.size() - 1);
}

bool LessonPlayer::advance() {
  if (is_asking()) {
    show_answer();
    return true;
  }
  if (stop() + 1 >= lesson().stops.size()) return false;
  go_to(stop() + 1);
  return true;
}

bool LessonPlayer::go_back() {
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
  followed_ = model_.state.lesson;
  followed_.stop = model_.state.lesson.stop = stop();
  guess_ = {};
  guess_.is_answered = followed_.answered;
  trial_.reset();
  tried_ = nullptr;
  answers_->cancel();
  trials_->cancel();
  search_->cancel();
  searched_ = {};
  LessonProgress& progress = own_progress();
  progress.stop = stop();
  progress.seen.insert(stop());
  save();
  if (const lesson::Ask* ask = here().find<lesson::Ask>()) guess_.votes.resize(ask->choices.size());
  come_back();
  ask_for_answer();
}

void LessonPlayer::come_back() {
  is_settled_ = false;
  if (const Status adopted = model_.adopt(shown_by(lesson_->stops[stop()])); !adopted)
    model_.note(to_line(adopted.error()));
  arrived_ = model_.state;
}

bool LessonPlayer::is_away() const {
  const State &now = model_.state, &then = arrived_;
  const bool same_run = now.kernel == then.kernel && now.device == then.device && now.size == then.size &&
                        now.params == then.params && now.occupancy == then.occupancy;
  return !same_run || now.view.page != then.view.page || now.view.figure != then.view.figure ||
         now.playground != then.playground || differs(now.compare.left, then.compare.left) ||
         differs(now.compare.right, then.compare.right);
}

// The access that a stop names is known once its run is there.
void LessonPlayer::settle_access() {
  if (is_settled_ || !model_.is_current() || model_.run() == nullptr) return;
  is_settled_ = true;
  StopState stop = lesson_->stops[this->stop()];
  if (stop.state.view.page != Page::ladder || stop.access == lesson::AccessWish{}) return;
  if (const auto found = settle(stop, model_.shared_run()); !found)
    return model_.note(to_line(found.error()));
  model_.state.selection = stop.state.selection;
}

// ---- questions

bool LessonPlayer::is_asking() const {
  return is_open() && here().find<lesson::Ask>() != nullptr && !guess_.is_answered;
}

bool LessonPlayer::is_covering() const { return is_asking() && !lesson_->stops[stop()].reveal; }

bool LessonPlayer::hides_speed(const std::string& kernel) const {
  if (!leads()) return false;
  const auto asked = lesson_->asked_speeds.find(kernel);
  if (asked == lesson_->asked_speeds.end()) return false;
  return stop() < asked->second || (stop() == asked->second && is_asking());
}

// Ahead: it is there before anybody has guessed.
void LessonPlayer::ask_for_answer() {
  const lesson::Ask* ask = here().find<lesson::Ask>();
  if (ask == nullptr) return;
  if (lesson::answer_is_a_choice(*ask)) {
    guess_.answer = ask->answer;
    if (const auto right = lesson::right_choice(*ask, *guess_.answer)) guess_.right = *right;
    return;
  }
  answers_->submit(
      {.lesson = lesson_, .stop = lesson_->stops[stop()], .expression = ask->answer, .best = {}});
}

void LessonPlayer::choose(std::size_t choice) {
  const bool first = !guess_.is_answered;
  guess_.chosen = choice;
  show_answer();
  if (!first || !guess_.right) return;
  (choice == *guess_.right ? own_progress().right : own_progress().wrong).insert(stop());
  save();
}

void LessonPlayer::type(double number) {
  const bool first = !guess_.is_answered;
  guess_.typed = number;
  show_answer();
  if (!first || !guess_.answer) return;
  const auto grade = lesson::grade_number(*here().find<lesson::Ask>(), *guess_.answer, number);
  if (!grade) return;
  (grade->right ? own_progress().right : own_progress().wrong).insert(stop());
  save();
}

void LessonPlayer::vote(std::size_t choice, int by) {
  if (choice < guess_.votes.size()) guess_.votes[choice] = std::max(0, guess_.votes[choice] + by);
}

void LessonPlayer::show_answer() {
  guess_.is_answered = true;
  model_.state.lesson.answered = followed_.answered = true;
}

// ---- exercises

void LessonPlayer::watch_exercise() {
  const lesson::Try* exercise = here().find<lesson::Try>();
  const run::SharedRun run = model_.shared_run();
  if (exercise == nullptr || run == nullptr || !run->complete || run->fault || !model_.is_current() ||
      tried_ == run.get())
    return;
  tried_ = run.get();
  StopState shown{.state = model_.state, .access = {}};
  shown.access.number = model_.state.selection.shown_step() + 1;
  trials_->submit(
      {.lesson = lesson_, .stop = std::move(shown), .expression = exercise->goal, .best = exercise->best});
}

// Of the kernel with which the goal was reached, at its size and on its device.
void LessonPlayer::search_best() {
  const lesson::Try& exercise = *here().find<lesson::Try>();
  lesson::RunKey key = run_key(model_.state);
  key.parameters.clear();
  if (key == searched_) return;
  searched_ = std::move(key);
  trial_->known.reset();
  StopState stop{.state = model_.state, .access = {}};
  stop.access.number = model_.state.selection.shown_step() + 1;
  search_->begin({.lesson = {lesson_, &lesson_->lesson},
                  .catalog = {lesson_, &lesson_->catalog},
                  .stop = std::move(stop),
                  .exercise = exercise});
}

bool LessonPlayer::take_answers() {
  bool changed = false;
  if (auto answer = answers_->poll()) {
    changed = true;
    const lesson::Ask* ask = here().find<lesson::Ask>();
    if (!answer->value) {
      guess_.error = answer->value.error();
    } else {
      guess_.answer = *answer->value;
      if (ask != nullptr && !ask->choices.empty()) {
        const auto right = lesson::right_choice(*ask, *guess_.answer);
        right ? void(guess_.right = *right) : void(guess_.error = right.error());
      }
    }
  }
  if (auto answer = trials_->poll()) {
    changed = true;
    const Trial before = trial_.value_or(Trial{});
    const std::optional<double> best_before = before.best;
    trial_.emplace();
    trial_->best = before.best, trial_->known = before.known;
    if (!answer->value)
      trial_->error = answer->value.error();
    else
      trial_->is_reached = lesson::is_true(*answer->value);
    if (answer->best && *answer->best)
      if (const double* value = std::get_if<double>(&**answer->best)) {
        trial_->value = *value;
        if (trial_->is_reached) trial_->best = std::max(*value, best_before.value_or(*value));
      }
    if (trial_->is_reached && own_progress().done.insert(stop()).second) save();
    if (trial_->is_reached) search_best();
  }
  if (const auto found = search_->poll(); found && trial_) trial_->known = *found, changed = true;
  return changed;
}

// ----

bool LessonPlayer::update() {
  const LessonState& wanted = model_.state.lesson;
  if (wanted.file.empty()) {
    if (is_open()) close();
    return false;
  }
  if (wanted.file != loaded_) {
    const LessonState asked = wanted;
    if (const Status opened = open(asked.file); !opened) {
      model_.note(to_line(opened.error()));
      close();
      return true;
    }
    model_.state.lesson = asked;
  }
  const bool moved = wanted != followed_;
  if (moved) enter();
  settle_access();
  watch_exercise();
  const bool changed = take_answers();
  return changed || moved;
}

void LessonPlayer::look_for_changes() {
  if (!is_open()) return;
  const fs::path file = lesson().file;
  const auto written = written_at(file);
  if (!written || written == lesson_->written) return;
  const auto before = lesson_;
  if (const Status loaded = load(file); !loaded) {
    model_.note(to_line(loaded.error()));
    auto kept = std::make_shared<Opened>(*before);
    kept->written = written;
    lesson_ = std::move(kept);
    return;
  }
  if (!mistakes().empty()) model_.note(to_line(mistakes().front()));
  followed_ = {};  // entered again by the next update
  if (wake_) wake_();
}

void LessonPlayer::look_ahead(bool may_work) {
  if (!is_open()) return;
  if (!may_work || is_busy() || model_.busy_seconds() || model_.ladder_traffic().is_busy() ||
      !model_.is_current())
    return ahead_->stop();
  if (ahead_->is_at(lesson(), stop() + 1)) return;
  StopAhead::Stops next{.lesson = {lesson_, &lesson_->lesson},
                        .catalog = {lesson_, &lesson_->catalog},
                        .taught = model_.taught(),
                        .first = stop() + 1,
                        .stops = {}};
  const std::size_t end = std::min(next.first + kStopsAhead, lesson().stops.size());
  for (std::size_t at = next.first; at < end; ++at) {
    StopState there = lesson_->stops[at];
    there.state = shown_by(there);
    next.stops.push_back({std::move(there), computed(lesson().stops[at])});
  }
  ahead_->make(std::move(next));
}

bool LessonPlayer::is_busy() const {
  return answers_->busy_seconds().has_value() || trials_->busy_seconds().has_value();
}

}  // namespace warplens::app
