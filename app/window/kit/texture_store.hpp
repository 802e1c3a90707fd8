// The textures of the figures, in OpenGL. Those that no frame used for a while are given back.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "viz/paint/imgui/imgui_painter.hpp"

namespace warplens::app {

// Preconditions: an OpenGL 3.3 context is current for every call, the destructor included.
class GlTextureStore final : public paint::TextureStore {
 public:
  GlTextureStore() = default;
  GlTextureStore(const GlTextureStore&) = delete;
  GlTextureStore& operator=(const GlTextureStore&) = delete;
  ~GlTextureStore() override;

  std::optional<std::uint64_t> find(std::uint64_t key) override;
  std::uint64_t create(std::uint64_t key, const scene::Raster& pixels) override;
  void update(std::uint64_t key, const scene::Raster& pixels, int first_row, int rows) override;
  void next_frame();
  std::uint64_t version() const { return version_; }  // changes with the pixels of any texture

 private:
  struct Texture {
    unsigned id = 0;
    std::uint64_t used = 0;  // in this frame
  };
  std::map<std::uint64_t, Texture> textures_;
  std::uint64_t frame_ = 0, version_ = 0;
};

}  // namespace warplens::app
