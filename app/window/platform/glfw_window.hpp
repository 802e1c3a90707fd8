// A window on a display: GLFW gives the window, its events and their time.
#pragma once

#include <memory>

#include "app/window/platform/frame.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

class GlfwWindow {
 public:
  // No larger than the screen that it opens on. Its OpenGL context is current on this thread from then on.
  // Errors: no display (says how to export instead), no OpenGL 3.3.
  static Result<std::unique_ptr<GlfwWindow>> open(int width, int height);
  ~GlfwWindow();

  // Until the user closes it, or for so many seconds (0: no limit). Precondition: ImGui has a context. Error:
  // that of the frame.
  Status run(Frame& frame, double close_after);
  // From any thread: the window looks for what there is to draw.
  static void wake();

 private:
  struct Parts;
  explicit GlfwWindow(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace warplens::app
