#include "app/window/kit/texture_store.hpp"

#include <glad/gl.h>

namespace warplens::app {
namespace {

constexpr std::uint64_t kFramesKept = 120;

}  // namespace

GlTextureStore::~GlTextureStore() {
  for (const auto& [key, texture] : textures_) glDeleteTextures(1, &texture.id);
}

std::optional<std::uint64_t> GlTextureStore::find(std::uint64_t key) {
  const auto found = textures_.find(key);
  if (found == textures_.end()) return std::nullopt;
  found->second.used = frame_;
  return found->second.id;
}

std::uint64_t GlTextureStore::create(std::uint64_t key, const scene::Raster& pixels) {
  Texture& texture = textures_[key];
  if (texture.id == 0) glGenTextures(1, &texture.id);
  ++version_;
  texture.used = frame_;
  glBindTexture(GL_TEXTURE_2D, texture.id);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, pixels.width, pixels.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               pixels.pixels.data());
  return texture.id;
}

void GlTextureStore::update(std::uint64_t key, const scene::Raster& pixels, int first_row, int rows) {
  ++version_;
  Texture& texture = textures_[key];
  texture.used = frame_;
  glBindTexture(GL_TEXTURE_2D, texture.id);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, first_row, pixels.width, rows, GL_RGBA, GL_UNSIGNED_BYTE,
                  pixels.pixels.data() + static_cast<std::ptrdiff_t>(first_row) * pixels.width);
}

void GlTextureStore::next_frame() {
  ++frame_;
  for (auto it = textures_.begin(); it != textures_.end();) {
    if (it->second.used + kFramesKept < frame_) {
      glDeleteTextures(1, &it->second.id);
      it = textures_.erase(it);
    } else {
      ++it;
    }
  }
}

}  // namespace warplens::app
