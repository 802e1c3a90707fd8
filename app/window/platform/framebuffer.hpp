// A picture that OpenGL draws into and that keeps its pixels from frame to frame.
#pragma once

#include <memory>

#include "engine/base/result.hpp"

namespace warplens::app {

class Framebuffer {
 public:
  // Precondition: an OpenGL context is current, and stays so while this lives. Error: too large.
  static Result<std::unique_ptr<Framebuffer>> create(int width, int height);
  ~Framebuffer();
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

  void bind() const;  // to draw into it, all of it
  // Copies it to the window's own framebuffer, which is bound then.
  void show() const;
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  Framebuffer(int width, int height) : width_(width), height_(height) {}
  int width_, height_;
  unsigned id_ = 0, color_ = 0;
};

}  // namespace warplens::app
