// The text that the editor's page has open: where it comes from and where it goes, what is wrong with it, and
// that none of it is lost. Nothing is drawn here.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/edit/draft.hpp"
#include "app/edit/text_editor.hpp"
#include "app/window/model/model.hpp"
#include "app/window/pages/edit/edit_trials.hpp"
#include "app/window/pages/edit/line_changes.hpp"
#include "app/window/pages/edit/line_marks.hpp"
#include "engine/base/process.hpp"

namespace warplens::app {

class EditSession {
 public:
  // What the user must decide before anything goes on; nothing is lost meanwhile.
  enum class Question {
    none,
    changed_on_disk,  // the file, while the text here is not saved
    file_is_there,    // where the text was to be saved, and nobody said that it may go
  };

  // wake: called from a worker when there is something to draw.
  EditSession(Model& model, std::function<void()> wake);
  ~EditSession();

  // Where drafts and new kernels stand; empty, as at first: no draft is kept.
  void keep_in(const std::filesystem::path& folder);
  // What is typed is compiled by this worker first, see EditTrials; without it only the first error is known.
  void compile_with(std::vector<std::string> worker);
  void set_editor(std::vector<std::string> command) { editor_command_ = std::move(command); }
  // Says what cannot be done; the newest message, once.
  std::optional<std::string> take_message() { return std::exchange(message_, {}); }
  // Once a frame. open: the page is on screen; then another kernel in the state is opened.
  void update(bool is_on_screen);
  // Hands what was typed to the model, at once where nothing runs, else when the hands rest.
  void push();
  bool is_waiting() const { return has_news() || is_trying_; }  // for that
  void look_for_changes();                                      // of the file on disk

  // Opens a kernel of the program, as a copy that is one once it is changed, or a file. Error: it cannot be
  // read.
  Status open(const std::string& kernel, const std::string& original = "");
  Status open_exercise(const std::string& assignment);  // as it was left. Error: it cannot be read
  void create(std::string_view kind);                   // of problem::kind_texts(); empty: an empty page
  Status save();
  void keep_passed(std::string_view text);  // saves a right answer, unless somebody typed on
  Status save_as(const std::filesystem::path& file);
  std::optional<std::filesystem::path> take_saved() { return std::exchange(saved_, {}); }  // last
  void revert();                    // to what was opened or saved last; can be undone
  void settle_restored(bool keep);  // what a draft had; else back to the file
  void answer(bool mine);           // the question: keep what is here, or take what is on disk
  Status open_outside();            // in the user's own editor
  void compare();                   // with the original, on the page for that
  void open_draft(const Draft& draft);
  // The file whose text here is not saved, for EditState::file; empty: none.
  std::string unsaved_file() const { return is_open_ && is_modified_ ? file_.string() : ""; }
  void throw_away(const Draft& draft);
  // The front matter that this text is read with as long as it has none; empty: it has its own.
  std::string guessed() const;
  void put_guess_in();  // at its top; can be undone

  TextEditor& editor() { return editor_; }
  const TextEditor& editor() const { return editor_; }
  bool is_open() const { return is_open_; }
  const std::filesystem::path& file() const { return file_; }
  const std::string& original() const { return original_; }
  const std::string& kernel() const { return kernel_; }  // what the model calls it
  bool is_programs_own() const { return kernel_ == original_ && !original_.empty(); }  // nobody changed it
  bool is_blank() const;
  bool has_file() const { return disk_.has_value(); }
  bool is_modified() const { return is_modified_; }  // not as the file has it
  bool is_restored() const { return is_restored_; }  // from a draft, and nobody typed since
  bool is_exercise() const { return is_open_ && is_of_exercise(file_); }  // whose lesson opens it as it was
  Question question() const { return question_; }
  const std::vector<Draft>& drafts() const { return drafts_; }  // of other texts that are no exercise's
  const Drafts& drafts_on_disk() const { return drafts_on_disk_; }
  // Whether the model has a run of this text, or of an earlier one.
  bool has_picture() const;
  bool can_be_compared() const;
  std::string save_name() const;  // for a dialog

  // Errors, warnings and findings, by line; they move with the lines until the new ones are there.
  const std::vector<LineMark>& marks() const { return marks_; }
  // The report of the run on screen with its findings; null until the checkers are done, or if they failed.
  const run::Report* checked() const;
  const std::vector<LineChange>& changes() const { return changes_; }  // of each line, from the original
  const std::optional<Error>& text_error() const { return text_error_; }
  bool is_busy() const { return is_waiting() || model_.is_checking(); }

 private:
  using Clock = std::chrono::steady_clock;
  bool has_news() const { return pushed_ != editor_.version(); }
  void try_text(), take_trial();
  void adopt(std::string text);
  void note_change(), refresh_modified();
  void take_draft(), open_named();
  bool open_exercise();  // that the state names, where another kernel was shown since
  Status save_here();
  void show(), refresh_marks(), refresh_drafts();
  Status write(const std::filesystem::path& file);
  std::filesystem::path new_file(const std::string& stem, std::filesystem::path folder = {}) const;
  bool is_programs_file(const std::filesystem::path& file) const;
  std::filesystem::path exercises() const;  // where their texts stand
  bool is_of_exercise(const std::filesystem::path& file) const { return file.parent_path() == exercises(); }

  Model& model_;
  TextEditor editor_;
  Drafts drafts_on_disk_;
  std::unique_ptr<EditTrials> trials_;  // may be null
  std::function<void()> wake_;
  std::filesystem::path folder_;
  std::optional<std::filesystem::path> saved_;
  std::vector<std::string> editor_command_;
  std::vector<Process> started_;

  bool is_open_ = false, is_restored_ = false, is_modified_ = false;
  std::filesystem::path file_;
  std::string original_, kernel_, followed_;  // followed_: the state's kernel, as it was seen last
  std::string exercise_;                      // the assignment that was opened last
  std::string base_;                          // the text that changes are shown against
  std::string template_;                      // what a new page began with: nobody typed that
  std::string renamed_;                       // the name that the text had before it was saved as another
  std::optional<std::string> disk_;  // what the file has, as far as is known; nothing: it is not there
  Question question_ = Question::none;
  std::optional<std::string> other_;  // what the question is about: the file's contents
  std::optional<std::string> message_;
  std::vector<Draft> drafts_;

  std::uint64_t noted_ = 0, pushed_ = 0, kept_ = 0;  // versions of the editor
  int noted_lines_ = 0;
  Clock::time_point typed_;
  bool is_trying_ = false;
  std::optional<Error> text_error_;
  std::vector<Error> trial_errors_;  // all of them, where the text does not compile
  std::vector<LineMark> marks_;
  std::vector<LineChange> changes_;
  std::string marks_of_;
  std::optional<std::filesystem::file_time_type> written_;
};

}  // namespace warplens::app
