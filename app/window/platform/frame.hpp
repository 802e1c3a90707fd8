// What a window shows, without the window: one frame after another, drawn with OpenGL into the framebuffer
// that is bound.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/base/result.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::app {

class Frame {
 public:
  virtual ~Frame() = default;

  // Between frames: takes what workers finished. True where there is something new to draw.
  virtual bool update() = 0;
  // Now and then: looks for files that changed.
  virtual void look_for_changes() = 0;

  // display_scale: the pixels of one design pixel on this display, 1 for most. Error: it cannot be drawn.
  virtual Status draw(double display_scale) = 0;
  // The framebuffer is another one, or lost its pixels.
  virtual void draw_all() = 0;
  // Does what was asked for beyond the picture. pixels: reads those of this frame. False: the window is to
  // close.
  virtual bool grant(const std::function<scene::Raster()>& pixels) = 0;
  // A file was dropped on the window.
  virtual void open_dropped(const std::string& file) = 0;
  // The window has this size, pixels.
  virtual void note_size(int width, int height) = 0;

  // Whether the next frame should come without being asked for.
  virtual bool is_moving() const = 0;
  // The seconds until a sign of waiting should appear; empty if there is nothing to wait for.
  virtual std::optional<double> sign_due() const = 0;
};

}  // namespace warplens::app
