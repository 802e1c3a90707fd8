// The window on a display, from the state that it was left in to the one that it is left in.
#include <filesystem>
#include <optional>

#include "app/base/compiler_options.hpp"
#include "app/edit/draft.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/state/kept_state.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/file_dialog.hpp"
#include "app/window/interface.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/edit/unsaved_text.hpp"
#include "app/window/pages/live/live_engine.hpp"
#include "app/window/platform/clipboard.hpp"
#include "app/window/platform/glfw_window.hpp"
#include "app/window/platform/last_words.hpp"
#include "app/window/window_commands.hpp"
#include "app/window/window_frame.hpp"

namespace warplens::app {
namespace {

// A file that is kept between starts; empty where nothing is.
std::filesystem::path remembered(const Environment& environment, const char* name) {
  const std::filesystem::path folder = config_folder(environment);
  return folder.empty() ? folder : folder / name;
}

// The state to start with: the file that was named, or what was remembered. forgotten: why that is left out,
// where it cannot be read any more.
Result<State> first_state(const CommonOptions& common, const WindowOptions& options,
                          std::optional<Error>& forgotten) {
  if (!options.state.empty()) return read_named_state(common, options.state);
  const auto file = remembered(read_environment(), "window.toml");
  std::error_code ignored;
  if (!file.empty() && std::filesystem::exists(file, ignored)) {
    auto state = read_state(file);
    if (state) return state;
    forgotten = state.error();
  }
  State first;
  if (!forgotten) first.view.page = Page::start;
  return first;
}

// A kernel that was typed and never saved, as its draft has it.
std::optional<EditedText> unsaved(const Environment& environment, const State& state) {
  const std::filesystem::path folder = data_folder(environment);
  return folder.empty() ? std::nullopt : unsaved_text(Drafts(folder / "drafts"), state.kernel);
}

// New kernels and drafts have a folder, and the user an editor. Says what was typed and not saved.
void prepare_editor(Interface& interface, const Environment& environment, const CommonOptions& common) {
  EditSession& session = interface.pages().get<EditPage>().session();
  session.keep_in(data_folder(environment));
  session.compile_with(compile_worker_words(environment, common));
  session.set_editor(editor_command(environment));
  if (const auto& drafts = session.drafts(); !drafts.empty())
    interface.tell("Unsaved changes in " + std::filesystem::path(drafts.front().file).filename().string() +
                   "; the editor has it (F2)");
}

void prepare_interface(Interface& interface, const Environment& environment, const CommonOptions& common) {
  if (const auto file = remembered(environment, "lessons.toml"); !file.empty())
    if (const Status kept = interface.lessons().keep_progress(file); !kept)
      interface.tell("Your progress in lessons is not kept: " + to_line(kept.error()));
  interface.copier().set_clipboard(system_clipboard(environment));
  interface.allow_motion();
  interface.set_search_path(environment.path);
  if (const auto file = remembered(environment, "recent.txt"); !file.empty())
    interface.recent_files().keep_in(file);
  prepare_editor(interface, environment, common);
}

// Whatever ends this process, somebody is told where to find what was open.
void hear_ends(const KeptState& kept) {
  leave_last_words(kept.file().empty() ? "what it showed is not kept, since no folder can be written"
                                       : "what it showed is kept in " + kept.file().string() +
                                             ": start warplens again to go on there");
  hear_end_signals();
}

// A remembered kernel or device may be gone: then the window opens with its own, and forgotten says so.
Result<std::unique_ptr<Model>> open_model(const CommonOptions& common, const State& state, bool named,
                                          std::optional<Error>& forgotten) {
  const ModelOptions options{.wake = GlfwWindow::wake,
                             .gives_way = true,
                             .gpu_worker = client_options(kGpuTimeout),
                             .edited = unsaved(read_environment(), state)};
  auto model = Model::open(common, state, options);
  if (model || named) return model;
  forgotten = model.error();
  State fresh;
  fresh.view = state.view;
  return Model::open(common, fresh, options);
}

}  // namespace

Status window_command(const CommonOptions& common, const WindowOptions& options) {
  std::optional<Error> forgotten;
  const auto state = first_state(common, options, forgotten);
  if (!state) return state.error();
  const LiveEnd live(make_gpu_live_engine(common));
  auto window = GlfwWindow::open(state->view.width, state->view.height);
  if (!window) return window.error();
  auto model = open_model(common, *state, !options.state.empty(), forgotten);
  if (!model) return model.error();
  const Environment environment = read_environment();
  const std::filesystem::path open_windows = remembered(environment, "open");
  auto left = take_left_state(open_windows);
  KeptState kept(open_windows);
  hear_ends(kept);
  std::optional<State> last;
  {
    auto interface = Interface::create(**model, live.engine);
    if (!interface) return interface.error();
    prepare_interface(**interface, environment, common);
    if (forgotten) (*interface)->tell("Not as you left it: " + to_line(*forgotten));
    WindowFrame frame(**model, **interface, &kept);
    if (left) frame.offer(*std::move(left));
    if (const Status ran = (*window)->run(frame, options.close_after); !ran) return ran.error();
    last = frame.state_to_keep();
  }
  kept.forget();
  const auto file = remembered(environment, "window.toml");
  if (options.state.empty() && !file.empty()) {
    if (const Status done = write_state(file, *last); !done) return done.error();
  }
  return Done{};
}

}  // namespace warplens::app
