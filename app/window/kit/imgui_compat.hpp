// The one place that knows which Dear ImGui is installed: 1.86 (Debian 12) or later.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>

namespace warplens::app::compat {

// The keys of the window's shortcuts: name in the program, code of GLFW (GLFW/glfw3.h), ImGui's name, and
// what people write.
// clang-format off
#define WARPLENS_KEYS(KEY) \
  KEY(space, 32, Space, "Space") KEY(left, 263, LeftArrow, "Left") \
  KEY(right, 262, RightArrow, "Right") KEY(up, 265, UpArrow, "Up") \
  KEY(down, 264, DownArrow, "Down") KEY(home, 268, Home, "Home") KEY(end, 269, End, "End") \
  KEY(page_up, 266, PageUp, "Page up") KEY(page_down, 267, PageDown, "Page down") \
  KEY(plus, 61, Equal, "+") KEY(minus, 45, Minus, "-") KEY(zero, 48, 0, "0") KEY(one, 49, 1, "1") \
  KEY(two, 50, 2, "2") KEY(three, 51, 3, "3") KEY(four, 52, 4, "4") KEY(five, 53, 5, "5") \
  KEY(six, 54, 6, "6") KEY(seven, 55, 7, "7") KEY(eight, 56, 8, "8") KEY(nine, 57, 9, "9") \
  KEY(backspace, 259, Backspace, "Backspace") KEY(del, 261, Delete, "Delete") \
  KEY(escape, 256, Escape, "Esc") KEY(enter, 257, Enter, "Enter") KEY(tab, 258, Tab, "Tab") \
  KEY(f1, 290, F1, "F1") KEY(f2, 291, F2, "F2") KEY(f3, 292, F3, "F3") KEY(f5, 294, F5, "F5") KEY(f11, 300, F11, "F11") KEY(a, 65, A, "A") \
  KEY(b, 66, B, "B") KEY(f, 70, F, "F") KEY(n, 78, N, "N") KEY(v, 86, V, "V") KEY(x, 88, X, "X") \
  KEY(y, 89, Y, "Y") KEY(z, 90, Z, "Z") KEY(slash, 47, Slash, "/") \
  KEY(c, 67, C, "C") KEY(e, 69, E, "E") KEY(g, 71, G, "G") KEY(h, 72, H, "H") KEY(k, 75, K, "K") KEY(l, 76, L, "L") \
  KEY(o, 79, O, "O") KEY(p, 80, P, "P") KEY(q, 81, Q, "Q") KEY(r, 82, R, "R") KEY(s, 83, S, "S") \
  KEY(t, 84, T, "T") KEY(w, 87, W, "W")
// clang-format on
// Until 1.86 ImGui knew keys by the codes of the platform.
#if IMGUI_VERSION_NUM >= 18700
#define WARPLENS_KEY_ROW(name, glfw, imgui, text) KeyRow{static_cast<int>(ImGuiKey_##imgui), text},
#else
#define WARPLENS_KEY_ROW(name, glfw, imgui, text) KeyRow{glfw, text},
#endif
#define WARPLENS_KEY_NAME(name, glfw, imgui, text) name,

enum class Key { none, WARPLENS_KEYS(WARPLENS_KEY_NAME) };

struct KeyRow {
  int code;          // for ImGui
  const char* name;  // as people write it
};
inline constexpr std::array kKeyRows = {KeyRow{0, ""}, WARPLENS_KEYS(WARPLENS_KEY_ROW)};
#undef WARPLENS_KEYS
#undef WARPLENS_KEY_ROW
#undef WARPLENS_KEY_NAME

inline const char* name_of(Key key) { return kKeyRows[static_cast<std::size_t>(key)].name; }

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey code_of(Key key) {
  return static_cast<ImGuiKey>(kKeyRows[static_cast<std::size_t>(key)].code);
}
inline void set_mouse(ImGuiIO& io, float x, float y, bool down) {
  io.AddMousePosEvent(x, y);
  io.AddMouseButtonEvent(0, down);
}
#else
inline int code_of(Key key) { return kKeyRows[static_cast<std::size_t>(key)].code; }
inline void set_mouse(ImGuiIO& io, float x, float y, bool down) {
  io.MousePos = {x, y};
  io.MouseDown[0] = down;
}
#endif
// The pointer, where a display has one too.
inline void move_mouse(float x, float y) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {x, y};
  io.WantSetMousePos = true;
  set_mouse(io, x, y, false);
}
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
