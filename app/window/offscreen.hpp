// An OpenGL context without a display, through EGL: Mesa's surfaceless platform or an EGL device (NVIDIA).
// Pictures come out of a framebuffer of its own.
#pragma once

#include <memory>

#include "engine/base/result.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::app {

class Offscreen {
 public:
  // Current on this thread until destroyed. Error: no EGL, no OpenGL 3.3 (says what to install).
  static Result<std::unique_ptr<Offscreen>> create(int width, int height);
  ~Offscreen();

  void clear();
  scene::Raster read() const;
  void finish() const;  // waits until all that was drawn is there
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Offscreen() = default;
  Status open_context();
  Status make_framebuffer();

  struct Egl;
  std::unique_ptr<Egl> egl_;
  int width_ = 0, height_ = 0;
  unsigned framebuffer_ = 0, color_ = 0;
};

}  // namespace warplens::app
