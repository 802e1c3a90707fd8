#include "app/window/platform/glfw_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "app/window/platform/framebuffer.hpp"
#include "app/window/platform/last_words.hpp"
#include "app/window/platform/taps.hpp"

namespace warplens::app {
namespace {

// Without an event a frame is drawn only where something moves; files are looked at once a second.
constexpr double kLookEvery = 1.0;
// Frames do not follow each other quicker than this where the display does not hold them back.
constexpr double kFrameTime = 1.0 / 60;
constexpr double kLongPause = 5;      // seconds without a frame
constexpr int kFramesAfterEvent = 3;  // ImGui settles hovers and popups one frame late

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
std::pair<int, int> size_on_screen(int wanted_width, int wanted_height) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* screen = glfwGetPrimaryMonitor()) glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
  return {width > 0 ? std::min(wanted_width, width) : wanted_width,
          height > 0 ? std::min(wanted_height, height) : wanted_height};
}

Window open_window(int wanted_width, int wanted_height) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  const auto [width, height] = size_on_screen(wanted_width, wanted_height);
  Window window(glfwCreateWindow(width, height, "Warplens", nullptr, nullptr));
  if (window) glfwSetWindowSizeLimits(window.get(), 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  return window;
}

// What the callbacks of a window reach.
struct Input {
  Taps taps;
  Frame& frame;
  bool has_come = false;  // since it was last looked at
  // ImGui's, which these go on to.
  GLFWmousebuttonfun button = nullptr;
  GLFWscrollfun scroll = nullptr;
  GLFWcursorposfun move = nullptr;
  GLFWcharfun type = nullptr;
  GLFWkeyfun key = nullptr;
};

Input& input_of(GLFWwindow* window) {
  Input& input = *static_cast<Input*>(glfwGetWindowUserPointer(window));
  input.has_come = true;
  return input;
}

template <class Callback, class... Values>
void pass_on(Callback callback, GLFWwindow* window, Values... values) {
  if (callback != nullptr) callback(window, values...);
}

void tell_drop(GLFWwindow* window, int count, const char** paths) {
  if (count > 0) input_of(window).frame.open_dropped(paths[0]);
}

void tell_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
  input_of(window).taps.add({key, scancode, action, modifiers, 0});
}

void tell_button(GLFWwindow* window, int button, int action, int modifiers) {
  pass_on(input_of(window).button, window, button, action, modifiers);
}
void tell_scroll(GLFWwindow* window, double x, double y) { pass_on(input_of(window).scroll, window, x, y); }
void tell_move(GLFWwindow* window, double x, double y) { pass_on(input_of(window).move, window, x, y); }
void tell_type(GLFWwindow* window, unsigned letter) { input_of(window).taps.add({0, 0, 0, 0, letter}); }
void tell_refresh(GLFWwindow* window) { input_of(window); }

// ImGui's GLFW backend, from after the interface to before its end.
struct Backend {
  Backend(GLFWwindow* window, Input& input) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    glfwSetWindowUserPointer(window, &input);
    glfwSetDropCallback(window, tell_drop);
    input.key = glfwSetKeyCallback(window, tell_key);
    glfwSetWindowRefreshCallback(window, tell_refresh);
    input.button = glfwSetMouseButtonCallback(window, tell_button);
    input.scroll = glfwSetScrollCallback(window, tell_scroll);
    input.move = glfwSetCursorPosCallback(window, tell_move);
    input.type = glfwSetCharCallback(window, tell_type);
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

// By another thread: an empty event tells that only to who waits for it just then.
std::atomic<bool>& woken() {
  static std::atomic<bool> is_woken{false};
  return is_woken;
}

class WindowLoop {
 public:
  WindowLoop(GLFWwindow* window, Input& input) : window_(window), frame_(input.frame), input_(input) {}

  Status run(double close_after) {
    double looked = glfwGetTime();
    const double start = looked;
    while (!glfwWindowShouldClose(window_) && !is_end_asked()) {
      if (is_frame_due()) {
        // While nothing was drawn the computer may have slept, and NVIDIA's driver not kept the picture:
        // https://registry.khronos.org/OpenGL/extensions/NV/NV_robustness_video_memory_purge.txt
        if (glfwGetTime() - drawn_ > kLongPause) frame_.draw_all();
        drawn_ = glfwGetTime();
        frames_ = std::max(0, frames_ - 1);
        if (const Status drawn = draw(); !drawn) return drawn;
      }
      wait();
      if (frame_.update()) frames_ = kFramesAfterEvent;
      if (glfwGetTime() - looked >= kLookEvery) {
        looked = glfwGetTime();
        frame_.look_for_changes();
      }
      if (close_after > 0 && glfwGetTime() - start > close_after)
        glfwSetWindowShouldClose(window_, GLFW_TRUE);
    }
    return Done{};
  }

 private:
  // What has just come to rest is drawn once more: at its end it may have had something to show.
  bool wants_frame() {
    const bool is_moving = frame_.is_moving();
    if (std::exchange(was_moving_, is_moving) && !is_moving) frames_ = kFramesAfterEvent;
    return frames_ > 0 || is_moving;
  }
  bool is_frame_due() { return wants_frame() && glfwGetTime() >= drawn_ + kFrameTime; }

  // Until an event, or until the next frame or look is due.
  void wait() {
    double seconds = kLookEvery;
    if (wants_frame())
      seconds = drawn_ + kFrameTime - glfwGetTime();
    else if (const auto due = frame_.sign_due())
      seconds = std::max(kFrameTime, *due);
    const double before = glfwGetTime();
    seconds > 0 ? glfwWaitEventsTimeout(seconds) : glfwPollEvents();
    // A frame takes one of a press and a release that came together.
    const bool has_come = std::exchange(input_.has_come, false), is_woken = woken().exchange(false);
    if (has_come || is_woken || glfwGetTime() - before < 0.98 * seconds) frames_ = kFramesAfterEvent;
  }

  // The window's own framebuffers are others from frame to frame: the picture that is kept stands beside
  // them.
  Status make_picture(int width, int height) {
    if (picture_ && picture_->width() == width && picture_->height() == height) return Done{};
    auto made = Framebuffer::create(width, height);
    if (!made) return made.error();
    picture_ = *std::move(made);
    frame_.draw_all();
    return Done{};
  }

  Status draw() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width < 1 || height < 1) return Done{};  // minimised
    if (const Status made = make_picture(width, height); !made) return made;
    float density = 1, unused = 1;
    glfwGetWindowContentScale(window_, &density, &unused);
    tell_keys();
    ImGui_ImplGlfw_NewFrame();
    picture_->bind();
    const Status drawn = frame_.draw(std::clamp(static_cast<double>(density), 0.5, 4.0));
    picture_->show();
    if (!frame_.grant([&] { return read_window(width, height); }))
      glfwSetWindowShouldClose(window_, GLFW_TRUE);
    glfwSwapBuffers(window_);
    int window_width = 0, window_height = 0;
    glfwGetWindowSize(window_, &window_width, &window_height);
    frame_.note_size(window_width, window_height);
    return drawn;
  }

  void tell_keys() {
    for (const Taps::Event& event : input_.taps.take())
      event.letter != 0
          ? pass_on(input_.type, window_, event.letter)
          : pass_on(input_.key, window_, event.key, event.scancode, event.action, event.modifiers);
    if (!input_.taps.is_empty()) frames_ = kFramesAfterEvent;
  }

  GLFWwindow* window_;
  Frame& frame_;
  Input& input_;
  std::unique_ptr<Framebuffer> picture_;
  bool was_moving_ = false;
  int frames_ = kFramesAfterEvent;  // still to be drawn
  double drawn_ = -1;               // when the last frame was begun
};

}  // namespace

struct GlfwWindow::Parts {
  GlfwSession session;
  Window window;
};

Result<std::unique_ptr<GlfwWindow>> GlfwWindow::open(int width, int height) {
  auto parts = std::make_unique<Parts>();
  if (!parts->session.open) return no_display();
  parts->window = open_window(width, height);
  if (!parts->window) return no_display();
  glfwMakeContextCurrent(parts->window.get());
  glfwSwapInterval(1);
  if (gladLoadGL(glfwGetProcAddress) == 0)
    return Error{"OpenGL cannot be loaded", "install a driver with OpenGL 3.3"};
  return std::unique_ptr<GlfwWindow>(new GlfwWindow(std::move(parts)));
}

GlfwWindow::GlfwWindow(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
GlfwWindow::~GlfwWindow() = default;

Status GlfwWindow::run(Frame& frame, double close_after) {
  Input input{{}, frame};
  const Backend backend(parts_->window.get(), input);
  return WindowLoop(parts_->window.get(), input).run(close_after);
}

void GlfwWindow::wake() {
  woken() = true;
  glfwPostEmptyEvent();
}

}  // namespace warplens::app
