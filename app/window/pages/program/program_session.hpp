// The whole program that the window has open: run when somebody asks for it, and its launches as what the window can show.
// Nothing is drawn here.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/program/program_runner.hpp"
#include "app/window/model/model.hpp"
#include "engine/program/source_values.hpp"

namespace warplens::app {

// Whether a source is a whole program: it defines main().
bool is_program(std::string_view code);
// "a 'b c'" as a, b c.
std::vector<std::string> words_of(std::string_view text);

class ProgramSession {
 public:
  // wake: called from a thread when there is something to draw; may be empty.
  ProgramSession(Model& model, std::function<void()> wake);
  ~ProgramSession();

  // Once a frame.
  void update();
  // The state's program, which is another one from now on. It does not run.
  void open(const std::filesystem::path& file);
  // keep: a launch whose memory is wanted and which is shown then, from 0.
  void run(std::optional<std::size_t> keep = std::nullopt);
  void cancel();
  bool is_busy() const { return now_.is_busy(); }
  const ProgramRun& now() const { return now_; }
  ProgramRunner::Elapsed elapsed() const { return runner_->elapsed(); }
  std::uint64_t version() const { return seen_; }  // changes with now()
  // Null: no launch is known.
  const program::ProgramRecord* record() const { return now_.record.get(); }
  std::string file_name() const;                     // without its folder
  bool has_changed() const { return has_changed_; }  // the file, since it was run
  void look_for_changes();
  // This system can keep the program from the user's files.
  bool is_confined() const;

  // Why a launch cannot be shown as a kernel is; empty: it can.
  std::string why_not(std::size_t launch) const;
  // Whether running the program again would help.
  bool may_be_kept(std::size_t launch) const;
  // Shows it with its own data. Error: why_not().
  Status show(std::size_t launch);

  // Numbers of the file that the shown launch's kernel uses, as sliders; as they are wanted, not as they ran.
  struct Value {
    std::string key;  // see program::SourceValue
    Slider slider;
  };
  std::vector<Value> values() const;
  // The program is compiled with it in place of its own, runs again, and the same launch is shown: once let_values_run() is called.
  void set_value(const std::string& key, std::int64_t value);
  void set_values_back();
  void let_values_run();
  // "TILE = 32, BLOCK = 64": those that are set; empty: none is.
  std::string values_set() const;
  // What the set values made of the program, a sentence; empty: nothing is set. is_bad: its result is not what it was.
  struct ValueWords {
    std::string text;
    bool is_bad = false;
  };
  ValueWords value_words() const;

 private:
  // A launch by the kernel that it is of, since values may make other ones.
  struct Wanted {
    std::size_t launch = 0;
    std::string kernel;
  };
  Wanted wanted_of(std::size_t launch) const;
  std::optional<std::size_t> found(const Wanted& wanted) const;
  void note_end();
  std::string text_that_ran() const;
  bool is_comparable() const;
  Result<catalog::KernelSpec> spec_of(std::size_t launch) const;
  void show_again();

  Model& model_;
  std::unique_ptr<ProgramRunner> runner_;
  std::function<void()> wake_;
  ProgramRun now_;
  std::uint64_t seen_ = 0;
  int runs_ = 0;
  std::optional<Wanted> wanted_;                  // to be shown when the run has ended
  std::vector<program::SourceValue> own_values_;  // of the shown launch's kernel, as the file has them
  bool values_wait_ = false;                      // were set, and have not run
  std::string why_not_shown_;                     // of the newest run with values
  // How it ends with the file's own values.
  struct AsWritten {
    ProgramState state;  // that it ran with
    ProgramEnd end;
  };
  std::optional<AsWritten> as_written_;
  ProgramState ran_;  // with what the newest run was made
  std::set<std::uint64_t> keep_;
  std::string file_;  // that was run
  std::filesystem::file_time_type written_;
  bool has_changed_ = false;
};

}  // namespace warplens::app
