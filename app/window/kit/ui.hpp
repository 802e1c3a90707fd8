// What every panel draws with: theme, fonts, scale and the model, for one frame.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "app/window/kit/fonts.hpp"
#include "app/window/model/model.hpp"
#include "viz/scene/geometry.hpp"
#include "viz/theme/theme.hpp"

namespace warplens::app {

using scene::Rect, theme::Token;

// What a panel asks of the window beyond the state: carried out after the frame.
// A path that somebody wants to have chosen with a dialog.
struct PathWish {
  bool is_folder = false;
  std::function<void(const std::string& path)> take;
};

struct Wishes {
  std::optional<std::string> save_picture;  // of the window, a file name
  std::optional<std::string> save_state;
  std::optional<std::string> open_state;
  std::optional<std::string> open_file;              // a state, a lesson or a kernel, by its ending
  std::optional<std::string> open_kernel;            // a file as one kernel, whatever else it has
  std::optional<std::string> edit_file;              // in the editor
  std::optional<std::string> save_kernel;            // the text of the editor
  std::optional<std::filesystem::path> recent_file;  // was saved: to be found again among those opened last
  bool close = false;
  // These the interface grants itself.
  bool copy_figure = false, copy_numbers = false, copy_words = false;
  bool export_figure = false;                           // with the dialog
  std::optional<std::string> save_figure;               // without it: the file's ending, .svg, .pdf or .png
  bool search = false;                                  // the command palette
  bool choose_file = false, choose_state_name = false;  // with a dialog, to open or to save
  std::optional<std::string> choose_kernel_name;        // the same, with a name to begin with
  std::optional<PathWish> choose_path;                  // any file, or a folder
  bool help = false;                                    // the sheet of words and keys, opened or closed
  std::optional<std::string> help_words;                // it shows the words; not empty: this one stands out
  std::optional<std::string> say;                       // a short message
};

class Focus;
class LessonPlayer;
class PerformanceData;
class ScenePainter;
struct StageTools;
class WindowPage;

// Seconds. Faster than this an answer comes without a sign that it was being waited for.
inline constexpr double kBusyAfter = 0.1;
// What belongs to the run before is drawn so strongly until the new one is there.
inline constexpr double kOutdatedAlpha = 0.45;

struct Ui {
  Model& model;
  ScenePainter& painter;
  const PerformanceData& performance;
  const theme::Theme& theme;
  const FontSet& fonts;
  double scale;
  Wishes& wishes;
  std::map<std::string, Rect, std::less<>>& marks;     // where named things stand, for scripts and lessons
  double& playing_since;                               // ImGui time of the last step played; below 0: paused
  std::span<const std::unique_ptr<WindowPage>> pages;  // in the order of page_rows()
  LessonPlayer& lessons;
  StageTools& stage;
  Focus& focus;
  // A lesson asks something that is not answered yet: numbers, reasons and what compares steps wait; and
  // whether the picture waits too.
  bool is_asked = false, is_covered = false;
  bool is_uncovered = false;               // the picture waited in the frame before, and comes in now
  bool hides_speed = false;                // of the state's kernel: the lesson asks for it later
  std::set<std::string> asked_later = {};  // all kernels of which it does
  bool has_motion = false;   // pictures may move into the next; not on screenshots, which show where they go
  bool on_stage = false;     // a class looks at the picture: what sets it stays away
  bool mouse_rests = false;  // since another picture came beneath it: it points at nothing, see MouseRest

  float px(double design_pixels) const {
    return static_cast<float>(static_cast<int>(design_pixels * scale + 0.5));
  }
  ImU32 color(Token token, double alpha = 1) const {
    const theme::Rgba c = theme[token];
    return IM_COL32(c.r, c.g, c.b, static_cast<int>(c.a * alpha + 0.5));
  }
  ImFont* font(Type type) const { return fonts[static_cast<std::size_t>(type)]; }
  State& state() const { return model.state; }
  WindowPage& page() const;  // the open one
  bool is_playing() const { return playing_since >= 0; }
  void mark(std::string name, const Rect& rect) const { marks.insert_or_assign(std::move(name), rect); }
};

inline ImVec2 corner(const Rect& r) { return {static_cast<float>(r.x), static_cast<float>(r.y)}; }
inline ImVec2 far_corner(const Rect& r) {
  return {static_cast<float>(r.right()), static_cast<float>(r.bottom())};
}
inline ImVec2 extent(const Rect& r) { return {static_cast<float>(r.width), static_cast<float>(r.height)}; }
inline Rect rect_at(ImVec2 at, ImVec2 size) { return {at.x, at.y, size.x, size.y}; }

// ImGui's own widgets in the look of the design.
void apply_style(const theme::Theme& theme, double scale);

}  // namespace warplens::app
