#include "app/window/pages/program/program_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/program/record_words.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"
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
  wanted_ = keep;
  ++runs_;
  if (const auto written = time_of(file_)) written_ = *written;
  has_changed_ = false;
  ProgramOptions options;
  options.words = words_of(state.arguments);
  options.words.insert(options.words.begin(), file_);
  options.device = model_.state.device;
  options.unconfined = !is_confined();
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
    now_ = {}, seen_ = 0, has_changed_ = false;
    return;
  }
  if (version == seen_) return;
  const bool was_busy = now_.is_busy();
  seen_ = version;
  now_ = runner_->run();
  if (was_busy && !now_.is_busy()) show_again();
}

// What was shown of the run before, or what this run was made for.
void ProgramSession::show_again() {
  const std::int64_t chosen = model_.state.program.launch;
  const bool is_on_screen = model_.launch() != nullptr && model_.state.view.page != Page::program;
  std::optional<std::size_t> launch = std::exchange(wanted_, {});
  if (!launch && is_on_screen && chosen > 0) launch = static_cast<std::size_t>(chosen - 1);
  if (!launch) return;
  if (const Status shown = show(*launch); !shown) {
    model_.state.view.page = Page::program;
    model_.note(to_line(shown.error()));
  }
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
  return one.ran != Ran::refused && one.ran != Ran::not_executed && one.data == nullptr &&
         one.why_no_data.empty();
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
  spec.code = data->code;
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
  if (const Status shown = model_.show_launch(*std::move(spec)); !shown) return shown.error();
  model_.state.view.page = Page::ladder;
  return Done{};
}

}  // namespace warplens::app
