// Copying: pictures to whatever on this computer takes them, and text.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/paths.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/base/result.hpp"
#include "viz/paint/files/png.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

// Takes pictures; the clipboard's text is ImGui's. GLFW itself knows text only.
class PictureClipboard {
 public:
  virtual ~PictureClipboard() = default;
  // Called on a worker; may take a second. Error: the picture did not get there.
  virtual Status offer(const paint::Bytes& png) = 0;
};

// wl-copy (Wayland) or xclip (X11), the first that PATH has; null where it has neither.
std::unique_ptr<PictureClipboard> system_clipboard(const Environment& environment);

// Runs a program with these bytes as its input, without a shell: words[0] is its path. It is given the time
// to take the input and to go on in the background by itself; one that stays is left alone. Error: it does
// not start, or says that it failed.
Status feed_program(const std::vector<std::string>& words, const paint::Bytes& input);

struct Copied {
  std::string message;              // for the reader
  std::optional<std::string> text;  // for the clipboard: the SVG, where pictures cannot be copied
};

// Draws and offers pictures on a worker: the newest wins.
class Copier {
 public:
  // wake: called from the worker's thread whenever poll() has something new.
  Copier(std::shared_ptr<const paint::Fonts> fonts, std::function<void()> wake);

  void set_clipboard(std::shared_ptr<PictureClipboard> clipboard) { clipboard_ = std::move(clipboard); }
  void copy(scene::Scene scene, const theme::Theme& theme);  // the theme must outlive the program's window
  std::optional<Copied> poll() { return worker_.poll(); }
  bool is_busy() const { return worker_.busy_seconds().has_value(); }

 private:
  struct Request {
    std::shared_ptr<const scene::Scene> scene;
    const theme::Theme* theme = nullptr;
    std::shared_ptr<PictureClipboard> clipboard;
  };
  std::shared_ptr<PictureClipboard> clipboard_;
  LatestWins<Request, Copied> worker_;
};

}  // namespace warplens::app
