#include "app/window/pages/program/program_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/program/record_words.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/problem_text.hpp"
#include "engine/program/start.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using program::LaunchRecord, program::KernelRecord, program::Ran;

std::optional<fs::file_time_type> time_of(const std::string& file) {
  std::error_code failed;
  const auto time = fs::last_write_time(file, failed);
  return failed ? std::nullopt : std::optional(time);
}

std::vector<std::string> expressions(const std::array<std::uint32_t, 3>& shape) {
  std::vector<std::string> list;
  for (const std::uint32_t edge : shape) list.push_back(std::to_string(edge));
  return list;
}

// "matMul" of "matMul<16>".
std::string_view without_arguments(std::string_view title) { return title.substr(0, title.find('<')); }

}  // namespace

// "main", an opening bracket, and behind its end an opening brace.
bool is_program(std::string_view code) {
  source::Tokens tokens(code);
  int depth = 0;
  bool is_main = false, is_behind = false;
  while (const auto token = tokens.next()) {
    if (token->kind == source::Token::Kind::comment || token->in_directive) continue;
    const std::string_view text = tokens.text(*token);
    if (depth == 0 && is_behind && text == "{") return true;
    if (depth == 0 && !is_main)
      is_main = text == "main";
    else if (is_main && text == "(")
      ++depth, is_behind = false;
    else if (is_main && text == ")")
      --depth, is_behind = depth == 0;
    else if (depth == 0)
      is_main = is_behind = false;
  }
  return false;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool is_word = false;
  for (const char c : text) {
    if (quote == 0 && (c == ' ' || c == '\t')) {
      is_word = false;
      continue;
    }
    if (!std::exchange(is_word, true)) words.emplace_back();
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else
      words.back() += c;
  }
  return words;
}

ProgramSession::ProgramSession(Model& model, std::function<void()> wake)
    : model_(model), runner_(std::make_unique<ProgramRunner>(model.common(), wake)), wake_(std::move(wake)) {}

ProgramSession::~ProgramSession() = default;

std::string ProgramSession::file_name() const {
  return fs::path(model_.state.program.file).filename().string();
}

bool ProgramSession::is_confined() const { return program::can_confine_programs(); }

void ProgramSession::open(const fs::path& file) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file, failed).lexically_normal();
  const std::string name = failed ? file.string() : whole.string();
  if (model_.state.program.file != name) model_.state.program = {.file = name};
  model_.state.view.page = Page::program;
}

void ProgramSession::run(std::optional<std::size_t> keep) {
  const ProgramState& state = model_.state.program;
  if (state.file.empty()) return;
  if (file_ != state.file) keep_.clear();
  file_ = state.file;
  if (keep) keep_.insert(*keep);
  wanted_ = keep ? std::optional(wanted_of(*keep)) : std::nullopt;
  ran_ = state;
  values_wait_ = false;
  why_not_shown_.clear();
  ++runs_;
  if (const auto written = time_of(file_)) {
    if (*written != written_) as_written_.reset();
    written_ = *written;
  }
  has_changed_ = false;
  ProgramOptions options;
  options.words = words_of(state.arguments);
  options.words.insert(options.words.begin(), file_);
  options.device = model_.state.device;
  options.unconfined = !is_confined();
  options.values = state.values;
  options.limits = state.limits;
  options.input = {state.input, state.input_file};
  options.read = words_of(state.read), options.write = words_of(state.write);
  runner_->start(std::move(options), keep_);
  seen_ = runner_->version();
  now_ = runner_->run();
}

void ProgramSession::cancel() { runner_->cancel(); }

void ProgramSession::look_for_changes() {
  if (file_.empty()) return;
  const auto written = time_of(file_);
  has_changed_ = written && *written != written_;
}

void ProgramSession::update() {
  const std::uint64_t version = runner_->version();
  if (file_ != model_.state.program.file && !file_.empty()) {  // of another program
    runner_->cancel();
    runner_ = std::make_unique<ProgramRunner>(model_.common(), wake_);
    file_.clear(), keep_.clear(), wanted_.reset();
    own_values_.clear(), values_wait_ = false, as_written_.reset(), why_not_shown_.clear();
    now_ = {}, seen_ = 0, has_changed_ = false;
    return;
  }
  if (version == seen_) return;
  const bool was_busy = now_.is_busy();
  seen_ = version;
  now_ = runner_->run();
  if (was_busy && !now_.is_busy()) note_end(), show_again();
}

// Where only values differ, the end can be compared.
void ProgramSession::note_end() {
  if (ran_.values.empty() && !now_.error) as_written_ = {ran_, now_.end};
}

ProgramSession::Wanted ProgramSession::wanted_of(std::size_t launch) const {
  if (record() == nullptr || launch >= record()->launches.size()) return {launch, ""};
  return {launch, std::string(without_arguments(record()->kernels[record()->launches[launch].kernel].title))};
}

// The same number where that is the same kernel, else the first of it.
std::optional<std::size_t> ProgramSession::found(const Wanted& wanted) const {
  if (record() == nullptr) return std::nullopt;
  const auto& launches = record()->launches;
  const auto is_it = [&](std::size_t launch) {
    const std::string& title = record()->kernels[launches[launch].kernel].title;
    return wanted.kernel.empty() || without_arguments(title) == wanted.kernel;
  };
  if (wanted.launch < launches.size() && is_it(wanted.launch)) return wanted.launch;
  for (std::size_t l = 0; l < launches.size(); ++l)
    if (is_it(l)) return l;
  return std::nullopt;
}

// What was shown of the run before, or what this run was made for.
void ProgramSession::show_again() {
  const std::int64_t chosen = model_.state.program.launch;
  const bool is_on_screen = model_.launch() != nullptr && model_.state.view.page != Page::program;
  std::optional<Wanted> wanted = std::exchange(wanted_, {});
  if (!wanted && is_on_screen && chosen > 0) wanted = Wanted{static_cast<std::size_t>(chosen - 1), ""};
  if (!wanted) return;
  const std::optional<std::size_t> launch = now_.error ? std::nullopt : found(*wanted);
  if (launch && may_be_kept(*launch) && !keep_.contains(*launch)) return run(launch);
  const Status shown = launch       ? show(*launch)
                       : now_.error ? Status(*now_.error)
                                    : Status(Error{"the program does not make it", ""});
  if (shown) return;
  // What a slider's value made of it is told beside the slider.
  if (is_on_screen && !ran_.values.empty()) return void(why_not_shown_ = shown.error().message);
  model_.state.view.page = Page::program;
  if (!now_.error) model_.note(to_line(shown.error()));
}

// As it was compiled: with the values that were set.
std::string ProgramSession::text_that_ran() const {
  const auto text = read_whole_file(file_);
  return text ? program::with_values(*text, ran_.values) : "";
}

std::vector<ProgramSession::Value> ProgramSession::values() const {
  std::vector<Value> list;
  const catalog::Values& all = model_.state.program.values;
  for (const program::SourceValue& own : own_values_) {
    const auto set = all.find(own.key);
    Value value{own.key, {}};
    Slider& slider = value.slider;
    slider.parameter.name = own.name;
    slider.parameter.default_value = own.value;
    const bool is_argument = own.kind == program::SourceValue::Kind::template_argument;
    slider.parameter.meaning = fmt::format("{} in line {} of {}{}", own.value, own.line, file_name(),
                                           is_argument ? ", for this launch alone" : "");
    slider.value = set == all.end() ? own.value : set->second;
    std::vector<std::int64_t> near = program::values_near(own.value);
    if (std::ranges::find(near, slider.value) == near.end()) near.push_back(slider.value);
    std::ranges::sort(near);
    for (const std::int64_t one : near) slider.choices.push_back({one, true, ""});
    list.push_back(std::move(value));
  }
  return list;
}

void ProgramSession::set_value(const std::string& key, std::int64_t value) {
  const auto own = std::ranges::find(own_values_, key, &program::SourceValue::key);
  if (own == own_values_.end()) return;
  catalog::Values& values = model_.state.program.values;
  if (own->value == value)
    values.erase(key);
  else
    values[key] = value;
  values_wait_ = true;
}

void ProgramSession::set_values_back() {
  model_.state.program.values.clear();
  values_wait_ = true;
}

void ProgramSession::let_values_run() {
  if (!std::exchange(values_wait_, false) || model_.state.program.values == ran_.values) return;
  const std::int64_t chosen = model_.state.program.launch;
  const bool is_shown = model_.launch() != nullptr && chosen > 0;
  run(is_shown ? std::optional(static_cast<std::size_t>(chosen - 1)) : std::nullopt);
}

std::string ProgramSession::values_set() const {
  std::vector<std::string> parts;
  for (const auto& [key, value] : model_.state.program.values)
    parts.push_back(fmt::format("{} = {}", key.substr(0, key.find('@')), value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// What it ran with differs in its values alone.
bool ProgramSession::is_comparable() const {
  if (!as_written_) return false;
  ProgramState same = ran_;
  const ProgramState& before = as_written_->state;
  same.values = before.values, same.launch = before.launch, same.settings = before.settings;
  return same == before;
}

ProgramSession::ValueWords ProgramSession::value_words() const {
  const std::string set = values_set();
  if (set.empty()) return {};
  if (values_wait_ || is_busy()) return {fmt::format("Compiling and running it with {}", set), false};
  if (!why_not_shown_.empty())
    return {fmt::format("With {} this launch cannot be shown: {}. The pictures are of before", set,
                        why_not_shown_),
            true};
  if (!is_comparable()) return {fmt::format("{} in place of the file’s own", set), false};
  const std::string now = end_words(now_.end), before = end_words(as_written_->end);
  if (now == before) return {fmt::format("With {} it ends as before, with {}", set, now), false};
  return {fmt::format("With {} its result is not what it was: {} now, {} as it is written", set, now, before),
          true};
}

std::string ProgramSession::why_not(std::size_t launch) const {
  if (record() == nullptr || launch >= record()->launches.size()) return "there is no such launch";
  const LaunchRecord& one = record()->launches[launch];
  if (one.ran == Ran::refused) return "the device refused this launch, so nothing of it ran";
  if (one.ran == Ran::not_executed)
    return "the emulator does not understand it: " + record()->kernels[one.kernel].not_executed;
  if (one.data != nullptr) return "";
  if (!one.why_no_data.empty()) return "its memory was not kept: " + one.why_no_data;
  return "its memory was not kept: only that of the first launch of each kernel and shape is";
}

bool ProgramSession::may_be_kept(std::size_t launch) const {
  if (record() == nullptr || launch >= record()->launches.size()) return false;
  const LaunchRecord& one = record()->launches[launch];
  return program::was_executed(one.ran) && one.data == nullptr && one.why_no_data.empty();
}

Result<catalog::KernelSpec> ProgramSession::spec_of(std::size_t launch) const {
  if (const std::string why = why_not(launch); !why.empty()) return Error{why, ""};
  const LaunchRecord& one = record()->launches[launch];
  const KernelRecord& kernel = record()->kernels[one.kernel];
  const auto& data = one.data;
  catalog::KernelSpec spec;
  const std::string number = grouped(launch + 1);
  spec.id = fmt::format("{} launch {}", file_, launch + 1);
  if (runs_ > 1) spec.id += fmt::format(" of run {}", runs_);
  spec.path = data->file.empty() ? file_ : data->file;
  spec.code = data->file == file_ && !ran_.values.empty() ? text_that_ran() : data->code;
  spec.title = fmt::format("{}, launch {} of {}", printable(kernel.title), number, file_name());
  spec.problem = "launch of a program";
  spec.idea = fmt::format("Launch {} of {} with its own data, {} blocks x threads.", number,
                          grouped(record()->launch_count), shape_words(kernel.shape));
  spec.kernel = kernel.title;
  spec.grid = expressions(kernel.shape.grid);
  spec.block = expressions(kernel.shape.block);
  spec.shared = std::to_string(kernel.shape.shared_bytes);
  catalog::ProblemText problem;
  problem.recorded = data;
  problem.identity = data->id;
  spec.own = std::make_shared<const catalog::ProblemText>(std::move(problem));
  return spec;
}

Status ProgramSession::show(std::size_t launch) {
  auto spec = spec_of(launch);
  if (!spec) return spec.error();
  model_.state.program.launch = static_cast<std::int64_t>(launch) + 1;
  const program::LaunchRecord& one = record()->launches[launch];
  const auto text = read_whole_file(file_);
  own_values_ = text
                    ? program::values_of_kernel(*text, without_arguments(record()->kernels[one.kernel].title),
                                                now_.lines.place_of_call(one.caller).line)
                    : std::vector<program::SourceValue>();
  if (const Status shown = model_.show_launch(*std::move(spec)); !shown) return shown.error();
  model_.state.view.page = Page::ladder;
  return Done{};
}

}  // namespace warplens::app
