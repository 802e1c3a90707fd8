// The window without a display, driven by a script.
#pragma once

#include <string_view>

#include "app/window/stage.hpp"

namespace warplens::app {

namespace compat {
#if IMGUI_VERSION_NUM >= 18700
inline void set_key(ImGuiIO& io, Key key, bool down) { io.AddKeyEvent(code_of(key), down); }
inline void set_other_button(ImGuiIO& io, bool down) { io.AddMouseButtonEvent(1, down); }
inline void set_modifiers(ImGuiIO& io, bool control, bool shift) {
  io.AddKeyEvent(ImGuiMod_Ctrl, control);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
}
inline void set_wheel(ImGuiIO& io, float notches) { io.AddMouseWheelEvent(0, notches); }
#else
inline void set_key(ImGuiIO& io, Key key, bool down) { io.KeysDown[code_of(key)] = down; }
inline void set_other_button(ImGuiIO& io, bool down) { io.MouseDown[1] = down; }
inline void set_modifiers(ImGuiIO& io, bool control, bool shift) {
  io.KeyCtrl = control, io.KeyShift = shift;
}
inline void set_wheel(ImGuiIO& io, float notches) { io.MouseWheel = notches; }
#endif
}  // namespace compat

class DrivenStage : public Stage {
 public:
  using Stage::Stage;

  // What a window does after each frame with the files that were wished for, see grant_files.
  Status grant();
  // The rectangle of a named thing in the last frame. Error: the frame does not have it.
  Result<Rect> find(std::string_view mark);
  Status move_to(scene::Point at);
  Status click(std::string_view mark);
  Status click_at(scene::Point at);
  // With the other button, in the middle of the thing.
  Status click_other(std::string_view mark);
  Status wheel_at(scene::Point at, double notches);
  // Presses at `from` and releases at `to`, both shares (0 to 1) of the thing's width.
  Status drag(std::string_view mark, double from, double to);
  Status drag(scene::Point from, scene::Point to);
  Status press(compat::Key key, bool control = false, bool shift = false);
  // Characters, as a keyboard of any layout gives them.
  Status type(std::string_view text);
};

}  // namespace warplens::app
