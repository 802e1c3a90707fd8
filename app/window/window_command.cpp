// The window on a display, from the state that it was left in to the one that it is left in.
#include <filesystem>
#include <optional>

#include "app/base/compiler_options.hpp"
#include "app/edit/draft.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/window/figure/file_dialog.hpp"
#include "app/window/file_wishes.hpp"
#include "app/window/interface.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/live/live_engine.hpp"
#include "app/window/pages/pages.hpp"
#include "app/window/platform/clipboard.hpp"
#include "app/window/platform/glfw_window.hpp"
#include "app/window/window_commands.hpp"

namespace warplens::app {
namespace {

class WindowFrame final : public Frame {
 public:
  WindowFrame(Model& model, Interface& interface) : model_(model), interface_(interface) {}

  bool update() override { return model_.update(); }
  void look_for_changes() override {
    model_.look_for_changes();
    interface_.lessons().look_for_changes();
    interface_.pages().get<EditPage>().session().look_for_changes();
  }
  Status draw(double display_scale) override {
    interface_.set_display_scale(display_scale);
    return interface_.draw();
  }
  void draw_all() override { interface_.draw_all(); }
  bool grant(const std::function<scene::Raster()>& pixels) override {
    Wishes wishes = interface_.take_wishes();
    if (dropped_) wishes.open_file = std::exchange(dropped_, {});
    grant_files(wishes, model_, interface_, pixels);
    return !wishes.close;
  }
  void open_dropped(const std::string& file) override { dropped_ = file; }
  void note_size(int width, int height) override {
    View& view = model_.state.view;
    if (width >= 320 && height >= 240) view.width = width, view.height = height;
  }
  bool is_moving() const override { return interface_.is_moving(); }
  // Then the spinner starts to turn.
  std::optional<double> sign_due() const override {
    const auto busy = model_.busy_seconds();
    return busy ? std::optional(kBusyAfter - *busy) : std::nullopt;
  }

 private:
  Model& model_;
  Interface& interface_;
  std::optional<std::string> dropped_;
};

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
std::optional<EditedText> unsaved(const State& state) {
  const std::filesystem::path folder = data_folder(read_environment());
  std::error_code ignored;
  if (folder.empty() || !state.kernel.starts_with('/') || std::filesystem::exists(state.kernel, ignored))
    return std::nullopt;
  const auto draft = Drafts(folder / "drafts").of(state.kernel);
  if (!draft) return std::nullopt;
  return EditedText{draft->file, draft->original, draft->text, ""};
}

// New kernels and drafts have a folder, and the user an editor. Says what was typed and not saved.
void prepare_editor(Interface& interface, const Environment& environment, const CommonOptions& common) {
  EditSession& session = interface.pages().get<EditPage>().session();
  session.keep_in(data_folder(environment));
  session.compile_with(compile_worker_words(environment, common));
  session.set_editor(editor_command(environment));
  if (const auto& drafts = session.drafts(); !drafts.empty())
    interface.tell("Typed and not saved: " + std::filesystem::path(drafts.front().file).filename().string() +
                   "; the editor has it (F2)");
}

// A remembered kernel or device may be gone: then the window opens with its own, and forgotten says so.
Result<std::unique_ptr<Model>> open_model(const CommonOptions& common, const State& state, bool named,
                                          std::optional<Error>& forgotten) {
  const ModelOptions options{.wake = GlfwWindow::wake,
                             .gives_way = true,
                             .gpu_worker = client_options(kGpuTimeout),
                             .edited = unsaved(state)};
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
  {
    auto interface = Interface::create(**model, live.engine, GlfwWindow::wake);
    if (!interface) return interface.error();
    if (const auto file = remembered(environment, "lessons.toml"); !file.empty())
      if (const Status kept = (*interface)->lessons().keep_progress(file); !kept)
        (*interface)->tell("Your progress in lessons is not kept: " + to_line(kept.error()));
    (*interface)->copier().set_clipboard(system_clipboard(environment));
    (*interface)->allow_motion();
    (*interface)->set_search_path(environment.path);
    if (const auto file = remembered(environment, "recent.txt"); !file.empty())
      (*interface)->recent_files().keep_in(file);
    prepare_editor(**interface, environment, common);
    if (forgotten) (*interface)->tell("Not as you left it: " + to_line(*forgotten));
    WindowFrame frame(**model, **interface);
    if (const Status ran = (*window)->run(frame, options.close_after); !ran) return ran.error();
  }
  const auto file = remembered(environment, "window.toml");
  if (options.state.empty() && !file.empty()) {
    if (const Status kept = write_state(file, (*model)->state); !kept) return kept.error();
  }
  return Done{};
}

}  // namespace warplens::app
