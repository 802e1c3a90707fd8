#include "app/window/platform/framebuffer.hpp"

#include <glad/gl.h>

namespace warplens::app {
namespace {

// Blue first: OpenGL leaves it to the renderer how a texture without a sized format is stored, and Mesa goes
// by the order of the pixels that it could be given (find_exact_format in its st_format.c). Its llvmpipe
// draws upright rectangles by a quicker path where the colours stand like this (check_linear_rasterizer in
// its lp_state_derived.c). What is read comes as it is asked for.
void reserve(int width, int height) {
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_BGRA, GL_UNSIGNED_BYTE, nullptr);
}

}  // namespace

Result<std::unique_ptr<Framebuffer>> Framebuffer::create(int width, int height) {
  std::unique_ptr<Framebuffer> made(new Framebuffer(width, height));
  glGenFramebuffers(1, &made->id_);
  glGenTextures(1, &made->color_);
  glBindTexture(GL_TEXTURE_2D, made->color_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  reserve(width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, made->id_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, made->color_, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return Error{"a picture of this size cannot be drawn", "choose a smaller window"};
  return made;
}

Framebuffer::~Framebuffer() {
  if (id_ != 0) glDeleteFramebuffers(1, &id_);
  if (color_ != 0) glDeleteTextures(1, &color_);
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, id_);
  glViewport(0, 0, width_, height_);
}

void Framebuffer::show() const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, id_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace warplens::app
