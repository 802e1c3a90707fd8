// The window's contents: one frame of the whole interface, drawn with OpenGL 3.3 into the framebuffer that is
// bound, which keeps its pixels from frame to frame. It knows no platform: the size, the time and the input
// are in ImGui's io (app/window/platform/glfw_window.cpp and app/window/platform/offscreen.cpp fill it).
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/window/actions/help_sheet.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/mouse_rest.hpp"
#include "app/window/kit/notice.hpp"
#include "app/window/kit/stage_tools.hpp"
#include "app/window/kit/ui.hpp"

namespace warplens::app {

class ExportDialog;
class FileDialog;
class RecentFiles;
class Copier;
class LessonPanel;
class LessonPlayer;
class LiveEngine;
class Pages;
class Palette;
class PerformanceData;
class ScenePainter;

class Interface {
 public:
  // Preconditions: an OpenGL 3.3 context is current and stays so for every call. Errors: no fonts, no
  // shaders. live: who makes live runs.
  // Its workers wake whom the model's do.
  static Result<std::unique_ptr<Interface>> create(Model& model, std::shared_ptr<LiveEngine> live);
  ~Interface();

  // Before a frame: the pixels of one design pixel on this display, 1 for most.
  void set_display_scale(double scale) { display_scale_ = scale; }
  // From ImGui::NewFrame to the pixels: both of the following. Error: as compose().
  Status draw();
  // The frame as lists of vertices. Error: fonts that cannot be loaded at a new text scale.
  Status compose();
  // Draws it with OpenGL, unless it is the frame before, which the bound framebuffer must still hold.
  // Software renderers do a part of their work here, on the calling thread.
  void submit();
  // The two halves of it: whether it is another picture than the frame before, and drawing it.
  bool end_frame();
  void render();
  // The bound framebuffer is another one, or lost its pixels: the next frame is drawn anyhow.
  void draw_all();
  // Whether the last frame was drawn: it was not the one before.
  bool was_drawn() const { return was_drawn_; }

  // Pictures move into the next from now on, where the state wants that; without this they are there at once.
  void allow_motion() { has_motion_ = true; }
  // What stands around the frames: an exception in it, as in a frame, becomes a page that says so, and the
  // window goes on. False: there was one.
  bool attempt(const std::function<void()>& act);
  // Nothing else is shown until somebody chooses.
  void show(Notice notice);
  const Notice* notice() const { return notice_ ? &*notice_ : nullptr; }

  // Whether something moves by itself, so that the next frame should come without being asked for.
  bool is_moving() const;
  // Whether a worker of the figures is at work.
  bool is_busy() const;
  Wishes take_wishes() { return std::exchange(wishes_, {}); }
  // A short message at the bottom, for some seconds.
  void tell(std::string message);
  // The newest one; it may be gone from the screen.
  const std::string& message() const { return message_; }
  const std::map<std::string, Rect, std::less<>>& marks() const { return marks_; }
  const PerformanceData& performance() const { return *performance_; }
  const scene::TextMeasure& fonts() const;
  ScenePainter& painter() { return *painter_; }
  const Pages& pages() const { return *pages_; }
  Palette& palette() { return *palette_; }
  LessonPlayer& lessons() { return *lessons_; }
  RecentFiles& recent_files() { return *recent_; }
  Copier& copier() { return *copier_; }
  // Where programs stand, as PATH lists it.
  void set_search_path(const std::string& path);

 private:
  explicit Interface(Model& model);
  double scale() const;
  WindowPage& page() const;  // the open one
  Status load_fonts_if_needed();
  void advance_playing();
  // Whether the picture of a lesson's stop waited until now, and may move. What played at the stop before
  // stops.
  bool follow_cover();
  bool mouse_rests();
  Ui plain_ui();
  Ui ui_of_frame();
  void compose_notice();
  void compose_page();
  void draw_dialogs(const Ui& ui);
  void lay_out(const Ui& ui);
  void draw_message(const Ui& ui, const Rect& rect);
  void draw_figure_menu(const Ui& ui, const Rect& rect);
  void follow_focus();
  void grant_copies(const Ui& ui);

  Model& model_;
  ImGuiContext* context_;
  std::unique_ptr<ScenePainter> painter_;
  std::unique_ptr<PerformanceData> performance_;
  std::unique_ptr<LessonPlayer> lessons_;
  std::unique_ptr<LessonPanel> lesson_panel_;
  std::unique_ptr<Pages> pages_;
  std::unique_ptr<ExportDialog> export_dialog_;
  std::unique_ptr<RecentFiles> recent_;
  std::unique_ptr<FileDialog> file_dialog_;
  std::unique_ptr<Palette> palette_;
  std::unique_ptr<Copier> copier_;
  HelpSheet help_sheet_;
  bool has_motion_ = false;
  bool points_elsewhere_ = false;  // than the frame shows
  FontSet fonts_{};
  double loaded_scale_ = 0, display_scale_ = 1;
  bool loaded_dark_ = false;
  bool has_renderer_ = false;
  std::optional<std::uint64_t> shown_;  // see draw_hash: of what the framebuffer holds
  bool was_drawn_ = false;
  double playing_since_ = -1;
  bool was_covered_ = false;
  std::size_t stop_ = 0;  // of the lesson, in the frame before
  std::optional<Notice> notice_;
  bool is_notice_new_ = false;  // it was never drawn
  std::string message_;
  double message_until_ = -1;
  Wishes wishes_;
  StageTools stage_;
  Focus focus_;
  MouseRest mouse_rest_;
  std::map<std::string, Rect, std::less<>> marks_;
};

}  // namespace warplens::app
