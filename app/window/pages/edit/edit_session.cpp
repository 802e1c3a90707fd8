#include "app/window/pages/edit/edit_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/model/words.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/front_matter.hpp"
#include "engine/exercise/assignment.hpp"
#include "engine/problem/kind_texts.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// Behind the last key, while something still runs.
constexpr std::chrono::milliseconds kRest{30};

std::optional<std::string> text_at(const fs::path& file) {
  auto text = read_whole_file(file);
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

const catalog::KernelSpec* programs_own(const Model& model, std::string_view id) {
  const auto& kernels = model.catalog().kernels();
  const auto found = std::ranges::find(kernels, id, &catalog::KernelSpec::id);
  return found == kernels.end() ? nullptr : &*found;
}

// Small ones, at which its goals are counted.
void choose_first_sizes(State& state) {
  const auto read = exercise::read(state.edit.exercise);
  if (!read) return;
  const exercise::SizeWish& first = read->sizes.front();
  for (auto& [name, value] : state.size) {
    value = first.all.value_or(value);
    if (const auto own = first.some.find(name); own != first.some.end()) value = own->second;
  }
}

}  // namespace

EditSession::EditSession(Model& model, std::function<void()> wake) : model_(model), wake_(std::move(wake)) {}

EditSession::~EditSession() = default;

void EditSession::keep_in(const fs::path& folder) {
  folder_ = folder;
  drafts_on_disk_ = Drafts(folder.empty() ? fs::path() : folder / "drafts");
  if (is_programs_own()) file_ = new_file(file_.stem().string());
  exercise_.clear();  // is opened again, from there
  refresh_drafts();
}

void EditSession::compile_with(std::vector<std::string> worker) {
  trials_ = worker.empty() ? nullptr : std::make_unique<EditTrials>(std::move(worker), wake_);
}

// ---- where the text comes from

void EditSession::adopt(std::string text) {
  editor_.open(text);
  noted_ = editor_.version(), noted_lines_ = editor_.buffer().line_count();
  pushed_ = 0;
  is_open_ = true, is_restored_ = false;
  template_.clear(), renamed_.clear();
  question_ = Question::none;
  other_.reset(), text_error_.reset();
  is_trying_ = false;
  refresh_modified();
  marks_.clear(), changes_.clear();
  std::error_code ignored;
  const auto written = fs::last_write_time(file_, ignored);
  written_ = ignored ? std::nullopt : std::optional(written);
}

bool EditSession::is_programs_file(const fs::path& file) const {
  std::error_code failed;
  const fs::path inside = fs::relative(file, model_.home() / "kernels", failed);
  return !failed && !inside.empty() && *inside.begin() != "..";
}

// One that neither a file nor a draft has. folder: empty is that of the user's own kernels.
fs::path EditSession::new_file(const std::string& stem, fs::path folder) const {
  std::error_code failed;
  if (folder.empty()) folder = folder_.empty() ? fs::current_path(failed) : folder_ / "kernels";
  for (int number = 1;; ++number) {
    const fs::path file = folder / (number == 1 ? stem + ".cu" : fmt::format("{}-{}.cu", stem, number));
    if (!fs::exists(file, failed) && !drafts_on_disk_.of(file.string())) return file;
  }
}

Status EditSession::open(const std::string& kernel, const std::string& original) {
  std::error_code failed;
  model_.state.edit.exercise.clear();
  if (const catalog::KernelSpec* own = programs_own(model_, kernel)) {
    original_ = kernel_ = kernel;
    file_ = new_file(fs::path(kernel).filename().string());
    disk_.reset();
    base_ = own->code;
    adopt(base_);
    refresh_drafts();
    return Done{};
  }
  const fs::path file = fs::absolute(kernel, failed);
  if (is_programs_file(file)) {
    const std::string id = fs::relative(file, model_.home() / "kernels").replace_extension().string();
    if (programs_own(model_, id) != nullptr) return open(id);
  }
  auto text = read_whole_file(file);
  if (!text && !drafts_on_disk_.of(file.string())) return text.error();
  file_ = file, kernel_ = file.string(), original_ = original;
  disk_ = text ? std::optional(*std::move(text)) : std::nullopt;
  const catalog::KernelSpec* copied = programs_own(model_, original_);
  base_ = copied != nullptr ? copied->code : disk_.value_or("");
  adopt(disk_.value_or(""));
  take_draft();
  refresh_drafts();
  followed_ = model_.state.kernel;  // that this file takes the place of
  return Done{};
}

// What was typed before the window ended stands where it stood; undo goes back to the file.
void EditSession::take_draft() {
  const auto draft = drafts_on_disk_.of(file_.string());
  if (!draft || draft->text == disk_) return;
  if (original_.empty() && !draft->original.empty()) {
    original_ = draft->original;
    if (const catalog::KernelSpec* copied = programs_own(model_, original_)) base_ = copied->code;
  }
  editor_.replace(draft->text);
  noted_ = editor_.version(), noted_lines_ = editor_.buffer().line_count();
  is_restored_ = !is_exercise();
  refresh_modified();
  if (disk_ && draft->base != fingerprint_of(*disk_)) question_ = Question::changed_on_disk, other_ = disk_;
}

fs::path EditSession::exercises() const {
  std::error_code failed;
  return (folder_.empty() ? fs::current_path(failed) : folder_ / "kernels") / "exercises";
}

Status EditSession::open_exercise(const std::string& assignment) {
  const auto read = exercise::read(assignment);
  if (!read) return read.error();
  file_ = exercises() / (read->name() + ".cu");
  kernel_ = file_.string(), original_.clear();
  disk_ = folder_.empty() ? std::nullopt : text_at(file_);
  base_ = read->start;
  adopt(disk_.value_or(base_));
  take_draft();
  refresh_drafts();
  return Done{};
}

bool EditSession::open_exercise() {
  const std::string assignment = model_.state.edit.exercise;
  if (assignment.empty() || (assignment == exercise_ && model_.state.kernel == followed_)) return false;
  exercise_ = assignment;
  followed_ = model_.state.kernel;
  if (const Status opened = open_exercise(assignment); !opened) message_ = to_line(opened.error());
  return true;
}

void EditSession::create(std::string_view kind) {
  model_.state.edit.exercise.clear();
  const problem::KindText* text = problem::find_kind_text(kind);
  original_.clear(), base_.clear();
  disk_.reset();
  file_ = new_file(text == nullptr ? "kernel" : std::string(kind));
  kernel_ = file_.string();
  adopt("");
  if (text != nullptr) editor_.replace(template_ = problem::kernel_file_of(*text));
  refresh_modified();
  editor_.put_cursor({});
  refresh_drafts();
}

void EditSession::open_draft(const Draft& draft) {
  const Draft own = draft;  // the list that it stands in is made again
  if (const Status opened = open(own.file, own.original); !opened) message_ = to_line(opened.error());
}

// The text that was open when the state was kept, which may be no kernel, so that the state shows another
// one.
void EditSession::open_named() {
  const std::string file = std::exchange(model_.state.edit.file, {});
  const auto draft = file.empty() || file_ == file ? std::nullopt : drafts_on_disk_.of(file);
  if (!draft) return;
  open_draft(*draft);
  followed_ = model_.state.kernel;
}

void EditSession::throw_away(const Draft& draft) {
  drafts_on_disk_.forget(draft.file);
  refresh_drafts();
}

void EditSession::refresh_drafts() {
  drafts_on_disk_.flush();
  drafts_ = drafts_on_disk_.all();
  std::erase_if(drafts_, [&](const Draft& draft) {
    return (is_open_ && draft.file == file_) || is_of_exercise(draft.file);
  });
}

// ---- what becomes of it

void EditSession::refresh_modified() {
  const std::string text = editor_.text();
  const bool is_template = !disk_ && !template_.empty() && text == template_;
  is_modified_ = text != disk_.value_or(base_) && !is_template;
}

// A new version of the text: kept, and what is marked moves with its lines.
void EditSession::note_change() {
  if (noted_ == editor_.version()) return;
  noted_ = editor_.version();
  typed_ = Clock::now();
  const int lines = editor_.buffer().line_count(), more = lines - std::exchange(noted_lines_, lines);
  for (LineMark& mark : marks_)
    for (int* line : {&mark.line, &mark.other_line})
      if (*line > editor_.cursor().line + 1 - std::max(more, 0)) *line = std::max(0, *line + more);
  refresh_modified();
  if (is_modified_)
    drafts_on_disk_.keep({file_.string(), original_, disk_ ? fingerprint_of(*disk_) : "", editor_.text()});
  else
    drafts_on_disk_.forget(file_.string());
}

void EditSession::push() {
  if (!is_open_) return;
  note_change();
  if (!has_news() || (model_.busy_seconds() && Clock::now() < typed_ + kRest)) return;
  pushed_ = editor_.version();
  changes_ = base_.empty() ? std::vector<LineChange>() : changes_from(base_, editor_.buffer().lines());
  const bool is_as_it_was = !original_.empty() && !disk_ && editor_.text() == base_;
  if (trials_ && !is_blank() && !is_as_it_was) return try_text();
  is_trying_ = false;
  show();
}

void EditSession::try_text() {
  const State& state = model_.state;
  kernel_ = file_.string();
  const bool goes_on = state.kernel == kernel_ || (!original_.empty() && state.kernel == original_) ||
                       (!renamed_.empty() && state.kernel == renamed_);
  trials_->ask({.version = pushed_,
                .id = kernel_,
                .text = editor_.text(),
                .params = goes_on ? state.params : catalog::Values{},
                .sizes = goes_on ? state.size : catalog::Values{},
                .device = model_.device()});
  is_trying_ = true;
}

void EditSession::take_trial() {
  std::optional<EditTrials::Answer> answer;
  try {
    if (trials_) answer = trials_->take();
  } catch (...) {
    is_trying_ = false;
    throw;
  }
  if (!answer || answer->version != pushed_ || !is_trying_) return;
  is_trying_ = false;
  if (answer->failed) {
    message_ = "Compiled in the window itself: " + to_line(*answer->failed);
    trials_.reset();
  }
  if (answer->errors.empty()) return show();
  trial_errors_ = answer->errors;
  text_error_ = trial_errors_.front();
}

void EditSession::show() {
  const std::string text = editor_.text();
  text_error_.reset();
  trial_errors_.clear();
  if (!original_.empty() && !disk_ && text == base_) {
    kernel_ = original_;
    model_.choose_kernel(original_);
    followed_ = original_;
    return;
  }
  kernel_ = file_.string();
  if (is_blank()) return void(text_error_ = Error{"the page is empty", ""});
  const State before = model_.state;
  const Status shown = model_.show_text({kernel_, original_, text, original_.empty() ? base_ : ""});
  // The same text under another name goes on with what was chosen for it.
  if (shown && !renamed_.empty() && before.kernel == renamed_)
    model_.state.params = before.params, model_.state.size = before.size,
    model_.state.selection = before.selection;
  renamed_.clear();
  if (shown && before.kernel != kernel_ && !model_.state.edit.exercise.empty())
    choose_first_sizes(model_.state);
  if (!shown) text_error_ = shown.error();
  if (shown) model_.state.edit.original = original_;
  followed_ = model_.state.kernel;
}

void EditSession::update(bool is_on_screen) {
  const bool has_exercise = is_on_screen && open_exercise();
  if (is_on_screen) open_named();
  if (is_on_screen && !has_exercise && model_.state.kernel != followed_) {
    followed_ = model_.state.kernel;
    if (!is_open_ || followed_ != kernel_)
      if (const Status opened = open(followed_, model_.state.edit.original); !opened)
        message_ = to_line(opened.error());
  }
  // Elsewhere too where this text is what is shown: it may change on disk.
  if (!is_on_screen && model_.state.kernel != kernel_) return;
  take_trial();
  push();
  if (const auto failed = drafts_on_disk_.take_error())
    message_ = "What you type is not kept: " + to_line(*failed);
  refresh_marks();
}

const run::Report* EditSession::checked() const {
  const run::Run* run = model_.run();
  if (run == nullptr || !run->complete) return nullptr;
  const run::CheckState check = run->report.check;
  const bool is_done = check == run::CheckState::done || check == run::CheckState::not_asked;
  return is_done ? &run->report : nullptr;
}

std::string EditSession::guessed() const {
  const EditedKernel* edited = model_.edited();
  if (edited == nullptr || edited->spec.id != kernel_ || is_blank()) return "";
  return catalog::has_front_matter(editor_.text()) ? "" : edited->spec.guessed;
}

void EditSession::put_guess_in() {
  const std::string front = guessed();
  if (!front.empty()) editor_.replace("/*---\n" + front + "---*/\n" + editor_.text());
}

bool EditSession::is_blank() const {
  return std::ranges::all_of(editor_.buffer().lines(), [](const std::string& line) {
    return line.find_first_not_of(" \t\r") == std::string::npos;
  });
}

bool EditSession::has_picture() const {
  const run::Run* run = model_.run();
  if (run == nullptr) return false;
  const std::string& id = run->plan().spec.id;
  return id == kernel_ || id == original_;
}

void EditSession::refresh_marks() {
  if (is_waiting()) return;
  const std::string file = text_error_ ? kernel_ : model_.spec().path;
  std::vector<LineMark> marks;
  if (text_error_) {
    for (const Error& error : trial_errors_) marks.push_back(mark_of(error, file));
    if (trial_errors_.empty() && !is_blank()) marks.push_back(mark_of(*text_error_, file));
  } else if (model_.state.kernel == kernel_) {
    const run::Run* run = model_.run();
    if (!model_.error() && (!model_.is_current() || run == nullptr)) return;  // the answer is on its way
    const run::Report* report = checked();
    if (model_.error()) marks.push_back(mark_of(*model_.error(), file));
    if (run != nullptr && (model_.is_current() || report != nullptr)) {
      for (const compile::Warning& warning : run->job->build.warnings)
        marks.push_back(mark_of(warning, file));
      if (report != nullptr)
        for (const check::Finding& finding : report->findings) marks.push_back(mark_of(finding));
      else if (!model_.error())  // those of before, until the new ones are known
        std::ranges::copy_if(marks_, std::back_inserter(marks), &LineMark::is_finding);
    }
  }
  put_in_order(marks);
  marks_ = std::move(marks);
}

// ---- where the text goes

Status EditSession::write(const fs::path& file) {
  if (is_programs_file(file))
    return Error{"kernels of the program are not overwritten", "save it under another folder"};
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  const std::string text = editor_.text();
  if (Status written = write_whole_file(file, text); !written) return written;
  drafts_on_disk_.forget(file_.string());
  drafts_on_disk_.forget(file.string());
  file_ = file, disk_ = text;
  if (original_.empty()) base_ = text;
  written_ = fs::last_write_time(file_, failed);
  question_ = Question::none, other_.reset();
  is_restored_ = false;
  refresh_modified();
  pushed_ = 0;
  saved_ = file;
  message_ = "Saved " + full_name(file);
  if (!guessed().empty()) *message_ += "; sizes and data are guessed again when it is opened";
  return Done{};
}

Status EditSession::save() {
  if (is_open_ && is_programs_own() && !disk_ && editor_.text() == base_) {
    message_ = "Nothing was changed in " + original_ + ", so nothing is saved";
    return Done{};
  }
  return save_here();
}

// Without a folder of the user's nothing is written by itself.
void EditSession::keep_passed(std::string_view text) {
  if (!is_exercise() || folder_.empty() || question_ != Question::none || editor_.text() != text) return;
  note_change();
  if (std::exchange(kept_, editor_.version()) == editor_.version() || !is_modified_) return;
  const Status saved = save_here();
  saved_.reset();  // no kernel of the user's own
  message_ = saved ? std::optional<std::string>() : to_line(saved.error());
}

Status EditSession::save_here() {
  if (!is_open_) return Done{};
  if (const auto now = text_at(file_); now != disk_ && now != editor_.text()) {
    if (now) {
      other_ = now;
      question_ = disk_ ? Question::changed_on_disk : Question::file_is_there;
      return Error{full_name(file_) + (disk_ ? " changed on disk" : " is there already"),
                   "say whose text shall stay"};
    }
  }
  return write(file_);
}

Status EditSession::save_as(const fs::path& file) {
  std::error_code failed;
  fs::path named = fs::absolute(file, failed);
  if (named.extension() != ".cu") named += ".cu";
  if (named == file_) return save();
  if (is_programs_file(named)) return write(named);  // which says why not
  const std::string before = std::exchange(file_, named).string();
  renamed_ = kernel_;
  disk_.reset();
  Status saved = save_here();
  if (saved) drafts_on_disk_.forget(before);  // else it stays until somebody said what becomes of the text
  return saved;
}

void EditSession::revert() { editor_.replace(disk_.value_or(base_)); }

void EditSession::settle_restored(bool keep) {
  is_restored_ = false;
  if (!keep) revert();
}

void EditSession::answer(bool mine) {
  const Question asked = std::exchange(question_, Question::none);
  const auto other = std::exchange(other_, std::nullopt);
  if (asked == Question::none || !other) return;
  if (asked == Question::file_is_there && !mine) {
    file_ = new_file(file_.stem().string(), file_.parent_path());
    pushed_ = 0, noted_ = 0;
    return;
  }
  disk_ = other;
  if (original_.empty()) base_ = *other;
  refresh_modified();
  if (!mine) return editor_.replace(*other);
  if (asked == Question::file_is_there)
    if (const Status written = write(file_); !written) message_ = to_line(written.error());
}

void EditSession::look_for_changes() {
  std::erase_if(started_, [](Process& process) { return process.wait(0); });
  std::error_code failed;
  if (!is_open_ || !disk_) return;
  const auto written = fs::last_write_time(file_, failed);
  if (failed || written == written_) return;
  written_ = written;
  const auto now = text_at(file_);
  if (!now || now == disk_) return;
  if (wake_) wake_();
  if (is_modified_ && editor_.text() != *now) {
    question_ = Question::changed_on_disk, other_ = now;
    return model_.note(full_name(file_) + " changed on disk, and here");
  }
  disk_ = now;
  if (original_.empty()) base_ = *now;
  editor_.replace(*now);
  note_change();
  model_.note("Read again: " + full_name(file_));
}

Status EditSession::open_outside() {
  if (editor_command_.empty()) return Error{"no editor was found", "set VISUAL to the one that you use"};
  note_change();
  if (!disk_ || is_modified_)
    if (Status saved = save(); !saved) return saved;
  std::vector<std::string> words = editor_command_;
  words.push_back(file_.string());
  auto started =
      Process::start({.words = std::move(words), .descriptors = {{0, Process::kNull}}, .own_session = true});
  if (!started) return started.error();
  started_.push_back(*std::move(started));
  message_ = "Opened outside: what is saved there is read again here";
  return Done{};
}

bool EditSession::can_be_compared() const {
  const EditedKernel* edited = model_.edited();
  if (edited == nullptr || edited->spec.id != kernel_ || is_programs_own()) return false;
  if (original_.empty() && !is_modified_) return false;  // it is what was saved
  const auto left = model_.find(original_.empty() ? saved_id(kernel_) : original_);
  return left && left->problem == edited->spec.problem;
}

void EditSession::compare() {
  if (!can_be_compared()) return;
  State& state = model_.state;
  const auto left = *model_.find(original_.empty() ? saved_id(kernel_) : original_);
  catalog::Values values = state.params;
  std::erase_if(values, [&](const auto& value) {
    return std::ranges::find(left.params, value.first, &catalog::Parameter::name) == left.params.end();
  });
  state.compare.left = {left.id, std::move(values)};
  state.compare.right = {kernel_, state.params};
  state.view.page = Page::compare;
}

std::string EditSession::save_name() const { return file_.string(); }

}  // namespace warplens::app
