#include "viz/live/live_buffer.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <vector>

namespace warplens::live {

Result<std::unique_ptr<LiveBuffer>> LiveBuffer::create(const gpu::LiveLayout& layout) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
  if (layout.texels() > static_cast<std::size_t>(most))
    return Error{fmt::format("the live plots need {} texels and this OpenGL has {}", layout.texels(), most),
                 "choose a smaller size"};
  std::unique_ptr<LiveBuffer> made(new LiveBuffer(layout));
  const std::vector<std::byte> zeros(layout.result_at());
  glGenBuffers(1, &made->buffer_);
  glBindBuffer(GL_TEXTURE_BUFFER, made->buffer_);
  glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(layout.bytes()), nullptr, GL_DYNAMIC_COPY);
  glBufferSubData(GL_TEXTURE_BUFFER, 0, static_cast<GLsizeiptr>(zeros.size()), zeros.data());
  glGenTextures(1, &made->texture_);
  glBindTexture(GL_TEXTURE_BUFFER, made->texture_);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, made->buffer_);
  glBindTexture(GL_TEXTURE_BUFFER, 0);
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
  return made;
}

LiveBuffer::~LiveBuffer() {
  if (texture_ != 0) glDeleteTextures(1, &texture_);
  if (buffer_ != 0) glDeleteBuffers(1, &buffer_);
}

void LiveBuffer::upload(std::size_t at, std::span<const std::byte> bytes) {
  glBindBuffer(GL_TEXTURE_BUFFER, buffer_);
  glBufferSubData(GL_TEXTURE_BUFFER, static_cast<GLintptr>(at), static_cast<GLsizeiptr>(bytes.size()),
                  bytes.data());
  glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

}  // namespace warplens::live
