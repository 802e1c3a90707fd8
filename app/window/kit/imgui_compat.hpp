// The one place that knows which Dear ImGui is installed: 1.86 (Debian 12) or later.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>

namespace warplens::app::compat {

// The keys of the window's shortcuts.
enum class Key {
  none,
  space,
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
  plus,
  minus,
  zero,
  one,
  two,
  three,
  four,
  five,
  six,
  seven,
  eight,
  nine,
  escape,
  enter,
  tab,
  f1,
  f5,
  f11,
  b,
  c,
  e,
  g,
  k,
  l,
  o,
  p,
  q,
  r,
  s,
  t,
  w
};

struct KeyRow {
  int code;          // for ImGui
  const char* name;  // as people write it
};
// Until 1.86 ImGui knew keys by the codes of the platform: GLFW's here (GLFW/glfw3.h).
#if IMGUI_VERSION_NUM >= 18700
#define WARPLENS_KEY(glfw, imgui) static_cast<int>(imgui)
#else
#define WARPLENS_KEY(glfw, imgui) glfw
#endif
inline constexpr std::array kKeyRows = {KeyRow{0, ""},
                                        KeyRow{WARPLENS_KEY(32, ImGuiKey_Space), "Space"},
                                        KeyRow{WARPLENS_KEY(263, ImGuiKey_LeftArrow), "Left"},
                                        KeyRow{WARPLENS_KEY(262, ImGuiKey_RightArrow), "Right"},
                                        KeyRow{WARPLENS_KEY(265, ImGuiKey_UpArrow), "Up"},
                                        KeyRow{WARPLENS_KEY(264, ImGuiKey_DownArrow), "Down"},
                                        KeyRow{WARPLENS_KEY(268, ImGuiKey_Home), "Home"},
                                        KeyRow{WARPLENS_KEY(269, ImGuiKey_End), "End"},
                                        KeyRow{WARPLENS_KEY(266, ImGuiKey_PageUp), "Page up"},
                                        KeyRow{WARPLENS_KEY(267, ImGuiKey_PageDown), "Page down"},
                                        KeyRow{WARPLENS_KEY(61, ImGuiKey_Equal), "+"},
                                        KeyRow{WARPLENS_KEY(45, ImGuiKey_Minus), "-"},
                                        KeyRow{WARPLENS_KEY(48, ImGuiKey_0), "0"},
                                        KeyRow{WARPLENS_KEY(49, ImGuiKey_1), "1"},
                                        KeyRow{WARPLENS_KEY(50, ImGuiKey_2), "2"},
                                        KeyRow{WARPLENS_KEY(51, ImGuiKey_3), "3"},
                                        KeyRow{WARPLENS_KEY(52, ImGuiKey_4), "4"},
                                        KeyRow{WARPLENS_KEY(53, ImGuiKey_5), "5"},
                                        KeyRow{WARPLENS_KEY(54, ImGuiKey_6), "6"},
                                        KeyRow{WARPLENS_KEY(55, ImGuiKey_7), "7"},
                                        KeyRow{WARPLENS_KEY(56, ImGuiKey_8), "8"},
                                        KeyRow{WARPLENS_KEY(57, ImGuiKey_9), "9"},
                                        KeyRow{WARPLENS_KEY(256, ImGuiKey_Escape), "Esc"},
                                        KeyRow{WARPLENS_KEY(257, ImGuiKey_Enter), "Enter"},
                                        KeyRow{WARPLENS_KEY(258, ImGuiKey_Tab), "Tab"},
                                        KeyRow{WARPLENS_KEY(290, ImGuiKey_F1), "F1"},
                                        KeyRow{WARPLENS_KEY(294, ImGuiKey_F5), "F5"},
                                        KeyRow{WARPLENS_KEY(300, ImGuiKey_F11), "F11"},
                                        KeyRow{WARPLENS_KEY(66, ImGuiKey_B), "B"},
                                        KeyRow{WARPLENS_KEY(67, ImGuiKey_C), "C"},
                                        KeyRow{WARPLENS_KEY(69, ImGuiKey_E), "E"},
                                        KeyRow{WARPLENS_KEY(71, ImGuiKey_G), "G"},
                                        KeyRow{WARPLENS_KEY(75, ImGuiKey_K), "K"},
                                        KeyRow{WARPLENS_KEY(76, ImGuiKey_L), "L"},
                                        KeyRow{WARPLENS_KEY(79, ImGuiKey_O), "O"},
                                        KeyRow{WARPLENS_KEY(80, ImGuiKey_P), "P"},
                                        KeyRow{WARPLENS_KEY(81, ImGuiKey_Q), "Q"},
                                        KeyRow{WARPLENS_KEY(82, ImGuiKey_R), "R"},
                                        KeyRow{WARPLENS_KEY(83, ImGuiKey_S), "S"},
                                        KeyRow{WARPLENS_KEY(84, ImGuiKey_T), "T"},
                                        KeyRow{WARPLENS_KEY(87, ImGuiKey_W), "W"}};
#undef WARPLENS_KEY
static_assert(kKeyRows.size() == static_cast<std::size_t>(Key::w) + 1);

inline const char* name_of(Key key) { return kKeyRows[static_cast<std::size_t>(key)].name; }

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey code_of(Key key) {
  return static_cast<ImGuiKey>(kKeyRows[static_cast<std::size_t>(key)].code);
}
inline void set_key(ImGuiIO& io, Key key, bool down) { io.AddKeyEvent(code_of(key), down); }
inline void set_mouse(ImGuiIO& io, float x, float y, bool down) {
  io.AddMousePosEvent(x, y);
  io.AddMouseButtonEvent(0, down);
}
inline void set_other_button(ImGuiIO& io, bool down) { io.AddMouseButtonEvent(1, down); }
inline void set_modifiers(ImGuiIO& io, bool control, bool shift) {
  io.AddKeyEvent(ImGuiMod_Ctrl, control);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
}
inline void set_wheel(ImGuiIO& io, float notches) { io.AddMouseWheelEvent(0, notches); }
#else
inline int code_of(Key key) { return kKeyRows[static_cast<std::size_t>(key)].code; }
inline void set_key(ImGuiIO& io, Key key, bool down) { io.KeysDown[code_of(key)] = down; }
inline void set_mouse(ImGuiIO& io, float x, float y, bool down) {
  io.MousePos = {x, y};
  io.MouseDown[0] = down;
}
inline void set_other_button(ImGuiIO& io, bool down) { io.MouseDown[1] = down; }
inline void set_modifiers(ImGuiIO& io, bool control, bool shift) {
  io.KeyCtrl = control, io.KeyShift = shift;
}
inline void set_wheel(ImGuiIO& io, float notches) { io.MouseWheel = notches; }
#endif
inline bool pressed(Key key) { return key != Key::none && ImGui::IsKeyPressed(code_of(key)); }
// Whether this character was typed in this frame, on whatever keys the keyboard has it.
inline bool typed(char32_t character) {
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
    if (static_cast<char32_t>(c) == character) return true;
  return false;
}

inline bool begin_child(const char* name, ImVec2 size, ImGuiWindowFlags flags = 0) {
  // The third argument became a set of flags in 1.90; false and 0 both mean no border.
  return ImGui::BeginChild(name, size, false, flags);
}

// The texture of ImGui's own characters and of its white texel.
inline ImTextureID font_texture() {
#if IMGUI_VERSION_NUM >= 19200
  return ImGui::GetIO().Fonts->TexRef.GetTexID();
#else
  return ImGui::GetIO().Fonts->TexID;
#endif
}

}  // namespace warplens::app::compat
