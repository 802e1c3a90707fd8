#include "app/window/platform/framebuffer.hpp"

#include <glad/gl.h>

namespace warplens::app {

Result<std::unique_ptr<Framebuffer>> Framebuffer::create(int width, int height) {
  std::unique_ptr<Framebuffer> made(new Framebuffer(width, height));
  glGenFramebuffers(1, &made->id_);
  glGenRenderbuffers(1, &made->color_);
  glBindRenderbuffer(GL_RENDERBUFFER, made->color_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, made->id_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, made->color_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return Error{"a picture of this size cannot be drawn", "choose a smaller window"};
  return made;
}

Framebuffer::~Framebuffer() {
  if (id_ != 0) glDeleteFramebuffers(1, &id_);
  if (color_ != 0) glDeleteRenderbuffers(1, &color_);
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
