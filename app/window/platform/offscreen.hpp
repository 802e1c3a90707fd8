// An OpenGL context without a display, through EGL: Mesa's surfaceless platform or an EGL device (NVIDIA).
// Pictures come out of a framebuffer of its own.
#pragma once

#include <memory>

#include "app/window/platform/framebuffer.hpp"
#include "engine/base/result.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::app {

class Offscreen {
 public:
  // Current on this thread until destroyed. Error: no EGL, no OpenGL 3.3 (says what to install).
  static Result<std::unique_ptr<Offscreen>> create(int width, int height);
  ~Offscreen();

  // Its picture is another one then, without the pixels of the old one. Error: too large.
  Status resize(int width, int height);
  void bind() { picture_->bind(); }
  scene::Raster read() const;
  void finish() const;  // waits until all that was drawn is there
  int width() const { return picture_->width(); }
  int height() const { return picture_->height(); }

 private:
  Offscreen() = default;
  Status open_context();

  struct Egl;
  std::unique_ptr<Egl> egl_;
  std::unique_ptr<Framebuffer> picture_;  // behind its context, so that it goes first
};

}  // namespace warplens::app
