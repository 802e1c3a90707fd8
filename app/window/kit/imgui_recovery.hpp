// A frame of ImGui that an exception left half made.
#pragma once

#include <imgui_internal.h>

namespace warplens::app::compat {

// Closes all that the frame has open, so that it can be ended. From 1.91.4 on ImGui does that by itself.
inline void recover_frame() {
#if IMGUI_VERSION_NUM < 19140
  ImGui::ErrorCheckEndFrameRecover(nullptr, nullptr);
#endif
}

}  // namespace warplens::app::compat
