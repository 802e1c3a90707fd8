// The window on a display: GLFW gives the window, its events and their time.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/window/figure/file_wishes.hpp"
#include "app/window/interface.hpp"
#include "app/window/pages/live/live_engine.hpp"
#include "app/window/platform/framebuffer.hpp"
#include "app/window/platform/taps.hpp"
#include "app/window/platform/window_commands.hpp"
#include "app/window/tools.hpp"

namespace warplens::app {
namespace {

// Without an event a frame is drawn only where something moves; files are looked at once a second.
constexpr double look_every = 1.0;
// Frames do not follow each other quicker than this where the display does not hold them back.
constexpr double frame_time = 1.0 / 60;
constexpr double long_pause = 5;       // seconds without a frame
constexpr double gpu_patience = 10;    // seconds that one launch may take
constexpr int frames_after_event = 3;  // ImGui settles hovers and popups one frame late

struct GlfwSession {
  bool open = glfwInit() == GLFW_TRUE;
  ~GlfwSession() {
    if (open) glfwTerminate();
  }
};

struct WindowCloser {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using Window = std::unique_ptr<GLFWwindow, WindowCloser>;

Error no_display() {
  const char* why = nullptr;
  glfwGetError(&why);
  return {std::string("no window can be opened") + (why == nullptr ? "" : std::string(": ") + why),
          "draw pictures instead with 'warplens export' or 'warplens screenshot STATE.toml -o out.png'"};
}

// No larger than the screen that it opens on.
std::pair<int, int> size_on_screen(const View& view) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* screen = glfwGetPrimaryMonitor()) glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
  return {width > 0 ? std::min(view.width, width) : view.width,
          height > 0 ? std::min(view.height, height) : view.height};
}

Window open_window(const View& view) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  const auto [width, height] = size_on_screen(view);
  Window window(glfwCreateWindow(width, height, "Warplens", nullptr, nullptr));
  if (window) glfwSetWindowSizeLimits(window.get(), 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  return window;
}

void tell_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
  Taps& taps = *static_cast<Taps*>(glfwGetWindowUserPointer(window));
  if (action == GLFW_PRESS) taps.press(key);
  if (action == GLFW_RELEASE && taps.keeps({key, scancode, modifiers})) return;
  ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, modifiers);
}

// ImGui's GLFW backend, from after the interface to before its end.
struct Backend {
  Backend(GLFWwindow* window, Taps& taps) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    glfwSetWindowUserPointer(window, &taps);
    glfwSetKeyCallback(window, tell_key);
  }
  ~Backend() { ImGui_ImplGlfw_Shutdown(); }
};

scene::Raster read_window(int width, int height) {
  scene::Raster raster{width, height, {}};
  raster.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (int y = 0; y < height; ++y)
    glReadPixels(0, height - 1 - y, width, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 raster.pixels.data() + static_cast<std::ptrdiff_t>(y) * width);
  for (theme::Rgba& pixel : raster.pixels) pixel.a = 255;
  return raster;
}

class WindowLoop {
 public:
  WindowLoop(GLFWwindow* window, Model& model, Interface& interface, Taps& taps)
      : window_(window), model_(model), interface_(interface), taps_(taps) {}

  Status run(double close_after) {
    double looked = glfwGetTime();
    const double start = looked;
    while (!glfwWindowShouldClose(window_)) {
      if (is_frame_due()) {
        // While nothing was drawn the computer may have slept, and NVIDIA's driver not kept the picture:
        // https://registry.khronos.org/OpenGL/extensions/NV/NV_robustness_video_memory_purge.txt
        if (glfwGetTime() - drawn_ > long_pause) interface_.draw_all();
        drawn_ = glfwGetTime();
        frames_ = std::max(0, frames_ - 1);
        if (const Status drawn = draw(); !drawn) return drawn;
        let_keys_go();
      }
      wait();
      if (model_.update()) frames_ = frames_after_event;
      if (glfwGetTime() - looked >= look_every) {
        looked = glfwGetTime();
        model_.look_for_changes();
      }
      if (close_after > 0 && glfwGetTime() - start > close_after)
        glfwSetWindowShouldClose(window_, GLFW_TRUE);
    }
    return Done{};
  }

 private:
  bool wants_frame() const { return frames_ > 0 || interface_.is_moving(); }
  bool is_frame_due() const { return wants_frame() && glfwGetTime() >= drawn_ + frame_time; }

  // Until an event, or until the next frame or look is due.
  void wait() {
    double seconds = look_every;
    if (wants_frame())
      seconds = drawn_ + frame_time - glfwGetTime();
    else if (const auto busy = model_.busy_seconds())
      seconds = std::max(frame_time, patience - *busy);  // then the spinner starts to turn
    if (seconds <= 0) return glfwPollEvents();
    const double before = glfwGetTime();
    glfwWaitEventsTimeout(seconds);
    if (glfwGetTime() - before < 0.98 * seconds) frames_ = frames_after_event;
  }

  // The window's own framebuffers are others from frame to frame: the picture that is kept stands beside
  // them.
  Status make_picture(int width, int height) {
    if (picture_ && picture_->width() == width && picture_->height() == height) return Done{};
    auto made = Framebuffer::create(width, height);
    if (!made) return made.error();
    picture_ = *std::move(made);
    interface_.draw_all();
    return Done{};
  }

  Status draw() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width < 1 || height < 1) return Done{};  // minimised
    if (const Status made = make_picture(width, height); !made) return made;
    float density = 1, unused = 1;
    glfwGetWindowContentScale(window_, &density, &unused);
    interface_.set_display_scale(std::clamp(static_cast<double>(density), 0.5, 4.0));
    ImGui_ImplGlfw_NewFrame();
    picture_->bind();
    const Status drawn = interface_.draw();
    picture_->show();
    grant(width, height);
    glfwSwapBuffers(window_);
    View& view = model_.state.view;
    int window_width = 0, window_height = 0;
    glfwGetWindowSize(window_, &window_width, &window_height);
    if (window_width >= 320 && window_height >= 240) view.width = window_width, view.height = window_height;
    return drawn;
  }

  void let_keys_go() {
    for (const Taps::Release& late : taps_.take_late()) {
      ImGui_ImplGlfw_KeyCallback(window_, late.key, late.scancode, GLFW_RELEASE, late.modifiers);
      frames_ = frames_after_event;
    }
  }

  void grant(int width, int height) {
    const Wishes wishes = interface_.take_wishes();
    if (wishes.close) glfwSetWindowShouldClose(window_, GLFW_TRUE);
    grant_files(wishes, model_, interface_, [&] { return read_window(width, height); });
  }

  GLFWwindow* window_;
  Model& model_;
  Interface& interface_;
  Taps& taps_;
  std::unique_ptr<Framebuffer> picture_;
  int frames_ = frames_after_event;  // still to be drawn
  double drawn_ = -1;                // when the last frame was begun
};

// The state to start with: the file that was named, or what was remembered. forgotten: why that is left out,
// where it cannot be read any more.
Result<State> first_state(const CommonOptions& common, const WindowOptions& options,
                          std::optional<Error>& forgotten) {
  if (!options.state.empty()) return read_named_state(common, options.state);
  const auto file = remembered_state(read_environment());
  std::error_code ignored;
  if (!file.empty() && std::filesystem::exists(file, ignored)) {
    auto state = read_state(file);
    if (state) return state;
    forgotten = state.error();
  }
  return State{};
}

// A remembered kernel or device may be gone: then the window opens with its own, and forgotten says so.
Result<std::unique_ptr<Model>> open_model(const CommonOptions& common, const State& state, bool named,
                                          std::optional<Error>& forgotten) {
  const ModelOptions options{
      .wake = [] { glfwPostEmptyEvent(); }, .gives_way = true, .gpu_worker = client_options(gpu_patience)};
  auto model = Model::open(common, state, options);
  if (model || named) return model;
  forgotten = model.error();
  State fresh;
  fresh.view = state.view;
  return Model::open(common, fresh, options);
}

}  // namespace

Result<int> window_command(const CommonOptions& common, const WindowOptions& options) {
  std::optional<Error> forgotten;
  const auto state = first_state(common, options, forgotten);
  if (!state) return state.error();
  const LiveEnd live(make_gpu_live_engine(common));
  const GlfwSession session;
  if (!session.open) return no_display();
  const Window window = open_window(state->view);
  if (!window) return no_display();
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  if (gladLoadGL(glfwGetProcAddress) == 0)
    return Error{"OpenGL cannot be loaded", "install a driver with OpenGL 3.3"};
  auto model = open_model(common, *state, !options.state.empty(), forgotten);
  if (!model) return model.error();
  {
    auto interface = Interface::create(**model, live.engine);
    if (!interface) return interface.error();
    const Environment environment = read_environment();
    (*interface)->tools().copier.set_clipboard(system_clipboard(environment));
    (*interface)->set_search_path(environment.path);
    if (forgotten) (*interface)->tell("Not as you left it: " + to_line(*forgotten));
    Taps taps;
    const Backend backend(window.get(), taps);
    if (const Status ran = WindowLoop(window.get(), **model, **interface, taps).run(options.close_after);
        !ran)
      return ran.error();
  }
  const auto file = remembered_state(read_environment());
  if (options.state.empty() && !file.empty()) {
    if (const Status kept = write_state(file, (*model)->state); !kept) return kept.error();
  }
  return exit_fine;
}

}  // namespace warplens::app
