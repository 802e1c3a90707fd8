// What ImGui tells of its popups to those alone who look inside, and a frame that an exception left half made.
#pragma once

#include <imgui_internal.h>

namespace warplens::app::compat {

// Closes all that the frame has open, so that it can be ended. From 1.91.4 on ImGui does that by itself.
inline void recover_frame() {
#if IMGUI_VERSION_NUM < 19140
  ImGui::ErrorCheckEndFrameRecover(nullptr, nullptr);
#endif
}

inline bool is_dialog_open() { return ImGui::GetTopMostPopupModal() != nullptr; }
// Whether what is drawn now stands in a popup.
inline bool in_popup() {
  const ImGuiWindow* window = ImGui::GetCurrentWindowRead();
  return window != nullptr && window->RootWindow != nullptr &&
         (window->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
}
inline void close_menus() { ImGui::ClosePopupsExceptModals(); }

}  // namespace warplens::app::compat
