// The lesson that is open beside the window, and where in it somebody is: which stop, what was guessed, which
// exercise is done. Draws nothing. Which lesson and stop are open is in the state (State::lesson); the player
// follows it, and changes it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/window/model/lesson/exercise_judge.hpp"
#include "app/window/model/lesson/exercise_search.hpp"
#include "app/window/model/lesson/guess.hpp"
#include "app/window/model/lesson/lesson_progress.hpp"
#include "app/window/model/lesson/stop_ahead.hpp"

namespace warplens::app {

// One of the program's lessons, as lists show it.
struct LessonEntry {
  std::filesystem::path file;
  std::string name, title, summary;
  int minutes = 0;
  std::size_t stops = 0, questions = 0;
};

class LessonPlayer {
 public:
  // wake: called from the worker when there is something to draw. The model must outlive this.
  LessonPlayer(Model& model, std::function<void()> wake);
  ~LessonPlayer();

  // Progress is read from this file now, and written to it when it changes. Error: it cannot be read; then
  // it is not written either.
  Status keep_progress(std::filesystem::path file);

  // The lessons of the program's folder, by their names.
  const std::vector<LessonEntry>& all();
  const LessonProgress* progress_in(const std::string& name) const;
  const LessonEntry* following();  // the one behind the open one; null where there is none

  // name: of one of these, or a file's. At the stop where it was left. Error: no such lesson.
  Status open(const std::string& name);
  void close();  // from the next update() on: what is being drawn still has it
  bool is_open() const { return at_.lesson != nullptr; }

  // ---- Precondition of the rest: a lesson is open. All that is returned is of the stop on screen, which is
  // another one only after the update() behind go_to(); until then guesses and votes are not taken.
  const lesson::Lesson& lesson() const { return at_.lesson->lesson; }
  const std::vector<Error>& mistakes() const { return at_.lesson->errors; }  // of its file
  std::size_t stop() const { return at_.stop; }
  const lesson::Stop& here() const { return lesson().stops[at_.stop]; }
  const LessonProgress& progress() const { return progress_.at(lesson().name()); }
  void go_to(std::size_t stop);
  // What a space bar means: the answer of a question that waits for it, else the next stop. False: there is
  // none.
  bool advance(), go_back();
  void toggle_bookmark();

  bool is_away() const;  // whether the window shows something else than the stop does
  void come_back();

  // Whether a question waits for its answer, and the picture with it. False where no lesson is open.
  bool is_asking() const, is_covering() const;
  bool leads() const { return is_open() && !is_away(); }  // the window shows what the stop shows
  // The kernels whose recorded speed the lesson has still to ask for, so that nothing may tell it, on whatever page somebody is.
  std::set<std::string> asked_later() const;
  const Guess& guess() const { return at_.guess; }
  void choose(std::size_t choice);
  void type(double number);
  void vote(std::size_t choice, int by);  // of a class; never below 0
  void show_answer();
  const std::optional<Trial>& trial() const { return at_.trial; }
  const Writing& writing() const { return at_.writing; }
  void judge(std::string text);
  void judge_again(const std::optional<std::string>& text);  // once, where one has passed
  bool is_judging() const { return judge_->is_busy(); }
  void show_hint() { at_.writing.hints += at_.writing.shows_all_hints() ? 0 : 1; }

  // Once a frame, before anything is drawn. True where anything changed.
  bool update();
  // Where the file changed since it was read, it is read again.
  void look_for_changes();
  bool is_busy() const;
  // Makes the next stops, where nobody waits; may_work: nor for the window. Once a frame, after update().
  void look_ahead(bool may_work);
  bool is_ahead_busy() const { return ahead_->is_busy(); }

 private:
  struct Opened {
    lesson::Lesson lesson;
    std::vector<Error> errors;
    std::vector<StopState> stops;
    std::map<std::string, std::size_t> asked_speeds;
    catalog::Catalog catalog;  // that the stops are of
    std::optional<std::filesystem::file_time_type> written;
  };
  // A stop that is on screen, and all that came of it there: one value, so that nothing is read of two stops.
  struct At {
    std::shared_ptr<const Opened> lesson;  // null: none is open
    std::size_t stop = 0;                  // of its stops
    State arrived = {};                    // as the stop had it
    bool is_settled = false;               // the access of the stop was found in its run
    Guess guess = {};
    std::optional<Trial> trial = {};
    Writing writing = {};
    run::SharedRun tried = {};  // the run that the exercise was judged by last
  };
  struct Question;
  struct Answer;
  static At at(std::shared_ptr<const Opened> lesson, std::size_t stop);
  const StopState& stop_state() const { return at_.lesson->stops[at_.stop]; }
  bool is_moving() const { return model_.state.lesson != followed_; }
  Status load(const std::filesystem::path& file);
  void enter();
  void leave();
  State shown_by(const StopState& stop) const;
  void settle_access();
  void ask_for_answer();
  void watch_exercise();
  void search_best();
  StopAhead::Stops next_stops() const;
  void begin_writing();
  bool take_verdict();
  bool take_answers();
  void save();
  LessonProgress& own_progress() { return progress_[lesson().name()]; }

  Model& model_;
  std::function<void()> wake_;
  std::vector<LessonEntry> all_;
  bool has_looked_ = false;
  std::shared_ptr<const Opened> read_;  // as the file was read last; on screen from the next update() on
  std::string loaded_, device_before_;  // its name in the state; the device before the first lesson
  LessonState followed_;                // of the state, that is on screen
  At at_;
  AllProgress progress_;
  std::filesystem::path progress_file_;  // empty: not kept
  SharedBench bench_;
  std::unique_ptr<LatestWins<Question, Answer>> answers_, trials_;
  std::unique_ptr<Asked<ExerciseReach>> search_;  // of the goal's kernel, with any parameters
  std::unique_ptr<ExerciseJudge> judge_;
  std::unique_ptr<StopAhead> ahead_;
};

}  // namespace warplens::app
