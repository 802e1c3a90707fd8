// The one place that knows which Dear ImGui is installed: 1.86 (Debian 12) or later.
#pragma once

#include <imgui.h>

#include <array>

namespace warplens::app::compat {

// The keys of the window's shortcuts. Until 1.86 ImGui knew keys by the codes of the platform: GLFW's here.
enum class Key {
  space,
  left,
  right,
  home,
  end,
  page_up,
  page_down,
  plus,
  minus,
  zero,
  escape,
  f1,
  f5,
  f11,
  t,
  p,
  s,
  e,
  o,
  tab,
  q,
};

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey code_of(Key key) {
  constexpr std::array codes = {ImGuiKey_Space, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home,
                                ImGuiKey_End,   ImGuiKey_PageUp,    ImGuiKey_PageDown,   ImGuiKey_Equal,
                                ImGuiKey_Minus, ImGuiKey_0,         ImGuiKey_Escape,     ImGuiKey_F1,
                                ImGuiKey_F5,    ImGuiKey_F11,       ImGuiKey_T,          ImGuiKey_P,
                                ImGuiKey_S,     ImGuiKey_E,         ImGuiKey_O,          ImGuiKey_Tab,
                                ImGuiKey_Q};
  return codes[static_cast<std::size_t>(key)];
}
inline bool pressed(Key key) { return ImGui::IsKeyPressed(code_of(key)); }
inline void set_key(ImGuiIO& io, Key key, bool down) { io.AddKeyEvent(code_of(key), down); }
inline void set_mouse(ImGuiIO& io, float x, float y, bool down) {
  io.AddMousePosEvent(x, y);
  io.AddMouseButtonEvent(0, down);
}
inline void set_control(ImGuiIO& io, bool down) { io.AddKeyEvent(ImGuiMod_Ctrl, down); }
#else
// GLFW/glfw3.h
inline int code_of(Key key) {
  constexpr std::array codes = {32,  263, 262, 268, 269, 266, 267, 61, 45,  48, 256,
                                290, 294, 300, 84,  80,  83,  69,  79, 258, 81};
  return codes[static_cast<std::size_t>(key)];
}
inline bool pressed(Key key) { return ImGui::IsKeyPressed(code_of(key)); }
inline void set_key(ImGuiIO& io, Key key, bool down) { io.KeysDown[code_of(key)] = down; }
inline void set_mouse(ImGuiIO& io, float x, float y, bool down) {
  io.MousePos = {x, y};
  io.MouseDown[0] = down;
}
inline void set_control(ImGuiIO& io, bool down) { io.KeyCtrl = down; }
#endif

inline bool begin_child(const char* name, ImVec2 size, ImGuiWindowFlags flags = 0) {
  // The third argument became a set of flags in 1.90; false and 0 both mean no border.
  return ImGui::BeginChild(name, size, false, flags);
}

}  // namespace warplens::app::compat
