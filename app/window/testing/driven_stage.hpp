// The window without a display, driven by a script.
#pragma once

#include <string_view>
#include <utility>

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
inline void map_keys(ImGuiIO&) {}
#else
// What fields of text listen to, as the window's platform says it.
inline void map_keys(ImGuiIO& io) {
  constexpr std::pair<ImGuiKey_, Key> kKeys[] = {{ImGuiKey_LeftArrow, Key::left},
                                                 {ImGuiKey_RightArrow, Key::right},
                                                 {ImGuiKey_Home, Key::home},
                                                 {ImGuiKey_End, Key::end},
                                                 {ImGuiKey_Delete, Key::del},
                                                 {ImGuiKey_Backspace, Key::backspace},
                                                 {ImGuiKey_Enter, Key::enter},
                                                 {ImGuiKey_Escape, Key::escape},
                                                 {ImGuiKey_Space, Key::space},
                                                 {ImGuiKey_A, Key::a},
                                                 {ImGuiKey_C, Key::c},
                                                 {ImGuiKey_V, Key::v},
                                                 {ImGuiKey_X, Key::x},
                                                 {ImGuiKey_Y, Key::y},
                                                 {ImGuiKey_Z, Key::z}};
  for (const auto& [key, ours] : kKeys) io.KeyMap[key] = code_of(ours);
}
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
